#include "lakeward/aws/credential_chain.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/provider_names.h"
#include "lakeward/base/mutex.h"

namespace lakeward::aws {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kRefreshMarginMaxUs = 300 * kMicrosPerSecond;
constexpr int64_t kPauseAfterFailureUs = 30 * kMicrosPerSecond;
constexpr int64_t kChangeCheckEveryUs = 5 * kMicrosPerSecond;

bool AreSame(const Credentials& a, const Credentials& b) {
  return a.access_key_id == b.access_key_id &&
         a.secret_access_key.Reveal() == b.secret_access_key.Reveal() &&
         a.session_token.Reveal() == b.session_token.Reveal();
}

class ProviderChain final : public CredentialSource {
 public:
  ProviderChain(std::vector<std::unique_ptr<CredentialProvider>> providers, Clock* clock)
      : providers_(std::move(providers)), clock_(clock) {}

  Result<Credentials> Get() override {
    MutexLock lock(&mutex_);
    const int64_t first_seen_round = round_;
    while (true) {
      if (HasValid() && (is_fetching_ || !WantsFetch())) {
        return *current_;
      }
      if (!is_fetching_) {
        break;
      }
      fetched_.Wait(&mutex_);
      if (round_ != first_seen_round && !is_fetching_ && !HasValid()) {
        return last_error_;  // the one that fetched for all of us got nothing
      }
    }
    is_fetching_ = true;
    mutex_.Unlock();
    Result<Credentials> answer = Fetch();
    mutex_.Lock();
    is_fetching_ = false;
    ++round_;
    fetched_.NotifyAll();
    return Keep(std::move(answer));
  }

  void Reject(const Credentials& rejected) override {
    MutexLock lock(&mutex_);
    if (current_.has_value() && AreSame(*current_, rejected)) {
      is_rejected_ = true;
    }
  }

 private:
  // The following need the mutex.

  bool HasValid() const {
    return current_.has_value() && !is_rejected_ &&
           (!current_->expiration_us.has_value() || clock_->NowMicros() < *current_->expiration_us);
  }

  // Whether valid credentials should be replaced now.
  bool WantsFetch() {
    const int64_t now_us = clock_->MonotonicMicros();
    if (now_us < next_try_us_) {
      return false;
    }
    if (current_->expiration_us.has_value() && clock_->NowMicros() >= refresh_at_us_) {
      return true;
    }
    if (now_us < next_change_check_us_) {
      return false;
    }
    next_change_check_us_ = now_us + kChangeCheckEveryUs;
    return chosen_->HasChanged();
  }

  Result<Credentials> Keep(Result<Credentials> answer) {
    if (!answer.ok()) {
      last_error_ = answer.status();
      next_try_us_ = clock_->MonotonicMicros() + kPauseAfterFailureUs;
      return HasValid() ? Result<Credentials>(*current_) : last_error_;
    }
    is_rejected_ = false;
    next_try_us_ = 0;
    next_change_check_us_ = clock_->MonotonicMicros() + kChangeCheckEveryUs;
    if (answer->expiration_us.has_value()) {
      const int64_t lifetime_us = *answer->expiration_us - clock_->NowMicros();
      refresh_at_us_ = *answer->expiration_us - std::min(kRefreshMarginMaxUs, lifetime_us / 4);
    }
    current_ = *answer;
    return answer;
  }

  // By the one thread that fetches, without the mutex.
  Result<Credentials> Fetch() {
    if (chosen_ != nullptr) {
      return Ask(chosen_).second;
    }
    std::vector<std::string> said;
    for (const auto& provider : providers_) {
      auto [outcome, credentials] = Ask(provider.get());
      if (outcome == ProviderAnswer::Outcome::kFound) {
        chosen_ = provider.get();
      }
      if (outcome != ProviderAnswer::Outcome::kAbsent) {
        return std::move(credentials);
      }
      said.push_back(credentials.status().message());
    }
    return MakeError(ErrorKind::kConfig,
                     fmt::format("No AWS credentials were found. {}", fmt::join(said, "; ")));
  }

  std::pair<ProviderAnswer::Outcome, Result<Credentials>> Ask(CredentialProvider* provider) {
    using Outcome = ProviderAnswer::Outcome;
    ProviderAnswer answer = provider->Ask();
    if (answer.outcome == Outcome::kFound) {
      if (!answer.credentials.expiration_us.has_value() ||
          clock_->NowMicros() < *answer.credentials.expiration_us) {
        return {Outcome::kFound, std::move(answer.credentials)};
      }
      answer = ProviderAnswer::Failed("it gave credentials that have expired already");
    }
    std::string text = fmt::format("{}: {}", provider->name(), answer.said);
    if (answer.outcome == Outcome::kFailed) {
      return {Outcome::kFailed,
              MakeError(ErrorKind::kConfig,
                        fmt::format("AWS credentials could not be got from {}", text))};
    }
    return {Outcome::kAbsent, MakeError(ErrorKind::kConfig, std::move(text))};
  }

  const std::vector<std::unique_ptr<CredentialProvider>> providers_;
  Clock* const clock_;

  Mutex mutex_;
  CondVar fetched_;
  bool is_fetching_ = false;
  int64_t round_ = 0;  // how many fetches have ended
  Status last_error_;
  std::optional<Credentials> current_;
  bool is_rejected_ = false;
  int64_t refresh_at_us_ = 0;         // wall time
  int64_t next_try_us_ = 0;           // monotonic
  int64_t next_change_check_us_ = 0;  // monotonic
  // Written by the thread that fetches, read by others only under the mutex after it.
  CredentialProvider* chosen_ = nullptr;
};

// A role assumed with what another source gives.
class AssumedRoleProvider final : public CredentialProvider {
 public:
  AssumedRoleProvider(Surroundings surroundings, StsPlace place, AssumedRole role,
                      std::shared_ptr<CredentialSource> callers)
      : surroundings_(std::move(surroundings)),
        place_(std::move(place)),
        role_(std::move(role)),
        callers_(std::move(callers)) {}

  std::string_view name() const override { return "assumed role"; }

  ProviderAnswer Ask() override {
    Result<Credentials> credentials = AssumeOnce();
    if (!credentials.ok() && IsExpired(credentials.status())) {
      credentials = AssumeOnce();
    }
    if (!credentials.ok()) {
      return ProviderAnswer::Failed(
          fmt::format("{} (role from {})", credentials.status().message(), role_.origin));
    }
    return ProviderAnswer::Found(*std::move(credentials));
  }

 private:
  static bool IsExpired(const Status& status) {
    return status.message().find("ExpiredToken") != std::string::npos;
  }

  Result<Credentials> AssumeOnce() {
    LW_ASSIGN(const Credentials caller, callers_->Get());
    Result<Credentials> credentials = AssumeRole(surroundings_, place_, role_, caller);
    if (!credentials.ok() && IsExpired(credentials.status())) {
      callers_->Reject(caller);
    }
    return credentials;
  }

  const Surroundings surroundings_;
  const StsPlace place_;
  const AssumedRole role_;
  const std::shared_ptr<CredentialSource> callers_;
};

std::unique_ptr<CredentialProvider> MakeProvider(ProviderKind kind,
                                                 const CredentialSettings& settings,
                                                 const Surroundings& surroundings) {
  const bool is_temporary = settings.keys.has_value() && !settings.keys->session_token.empty();
  switch (kind) {
    case ProviderKind::kConfigurationTemporary:
      return MakeConfigurationProvider(
          "configuration (temporary keys)", is_temporary ? settings.keys : std::nullopt,
          settings.keys.has_value() ? "no session token is set" : settings.keys_missing);
    case ProviderKind::kConfigurationSimple:
      return MakeConfigurationProvider("configuration", settings.keys, settings.keys_missing);
    case ProviderKind::kAnonymous:
      return MakeAnonymousProvider();
    case ProviderKind::kEnvironment:
      return MakeEnvironmentProvider(surroundings);
    case ProviderKind::kWebIdentity:
      return MakeWebIdentityProvider(surroundings, settings.sts_region);
    case ProviderKind::kProfile:
      return MakeProfileProvider(surroundings, settings.profile, settings.sts_region);
    case ProviderKind::kContainer:
      return MakeContainerProvider(surroundings);
    case ProviderKind::kInstance:
      return MakeInstanceProvider(surroundings);
    case ProviderKind::kAssumedRole:
      break;
  }
  return nullptr;
}

Result<std::shared_ptr<CredentialSource>> MakeChain(std::vector<ProviderKind> kinds,
                                                    const CredentialSettings& settings,
                                                    const Surroundings& surroundings) {
  std::erase(kinds, ProviderKind::kAssumedRole);
  if (kinds.empty()) {
    kinds = DefaultProviders();
  }
  std::vector<std::unique_ptr<CredentialProvider>> providers;
  for (const ProviderKind kind : kinds) {
    providers.push_back(MakeProvider(kind, settings, surroundings));
  }
  return MakeProviderChain(std::move(providers), surroundings.clock);
}

}  // namespace

std::shared_ptr<CredentialSource> MakeProviderChain(
    std::vector<std::unique_ptr<CredentialProvider>> providers, Clock* clock) {
  return std::make_shared<ProviderChain>(std::move(providers), clock);
}

Result<std::shared_ptr<CredentialSource>> MakeCredentialChain(const CredentialSettings& settings,
                                                              const Surroundings& surroundings) {
  LW_ASSIGN(const std::vector<ProviderKind> kinds,
            ParseProviderNames(settings.provider_names, settings.provider_names_origin));
  const bool names_role =
      std::find(kinds.begin(), kinds.end(), ProviderKind::kAssumedRole) != kinds.end();
  if (!settings.role.has_value()) {
    if (names_role) {
      return MakeError(ErrorKind::kConfig,
                       fmt::format("AssumedRoleCredentialProvider is asked for (from {}), but no "
                                   "role is named",
                                   settings.provider_names_origin),
                       "Set 'fs.s3a.assumed.role.arn' to the role's ARN.");
    }
    return MakeChain(kinds, settings, surroundings);
  }
  std::vector<ProviderKind> caller_kinds = kinds;
  if (!settings.role_provider_names.empty()) {
    LW_ASSIGN(caller_kinds,
              ParseProviderNames(settings.role_provider_names, settings.provider_names_origin));
  }
  LW_ASSIGN(auto callers, MakeChain(caller_kinds, settings, surroundings));
  std::vector<std::unique_ptr<CredentialProvider>> providers;
  providers.push_back(std::make_unique<AssumedRoleProvider>(
      surroundings, FindSts(surroundings, settings.sts_endpoint, settings.sts_region),
      *settings.role, std::move(callers)));
  return MakeProviderChain(std::move(providers), surroundings.clock);
}

}  // namespace lakeward::aws
