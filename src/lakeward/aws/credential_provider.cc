#include "lakeward/aws/credential_provider.h"

#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/timestamps.h"
#include "lakeward/json/json.h"

namespace lakeward::aws {
namespace {

class ConfigurationProvider final : public CredentialProvider {
 public:
  ConfigurationProvider(std::string_view name, std::optional<Credentials> keys, std::string said)
      : name_(name), keys_(std::move(keys)), said_(std::move(said)) {}

  std::string_view name() const override { return name_; }

  ProviderAnswer Ask() override {
    return keys_.has_value() ? ProviderAnswer::Found(*keys_) : ProviderAnswer::Absent(said_);
  }

 private:
  const std::string name_;
  const std::optional<Credentials> keys_;
  const std::string said_;
};

class EnvironmentProvider final : public CredentialProvider {
 public:
  explicit EnvironmentProvider(Surroundings surroundings)
      : surroundings_(std::move(surroundings)) {}

  std::string_view name() const override { return "environment"; }

  ProviderAnswer Ask() override {
    auto id = surroundings_.environment("AWS_ACCESS_KEY_ID");
    auto secret = surroundings_.environment("AWS_SECRET_ACCESS_KEY");
    if (!id.has_value() && !secret.has_value()) {
      return ProviderAnswer::Absent("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set");
    }
    if (!id.has_value() || !secret.has_value()) {
      return ProviderAnswer::Failed(id.has_value()
                                        ? "AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not"
                                        : "AWS_SECRET_ACCESS_KEY is set, AWS_ACCESS_KEY_ID is not");
    }
    Credentials credentials;
    credentials.access_key_id = *std::move(id);
    credentials.secret_access_key = Secret(*std::move(secret));
    credentials.session_token = Secret(surroundings_.environment("AWS_SESSION_TOKEN").value_or(""));
    credentials.origin = "the environment variable AWS_ACCESS_KEY_ID";
    return ProviderAnswer::Found(std::move(credentials));
  }

 private:
  const Surroundings surroundings_;
};

}  // namespace

ProviderAnswer ProviderAnswer::Found(Credentials credentials) {
  return {Outcome::kFound, std::move(credentials), ""};
}

ProviderAnswer ProviderAnswer::Absent(std::string said) {
  return {Outcome::kAbsent, {}, std::move(said)};
}

ProviderAnswer ProviderAnswer::Failed(std::string said) {
  return {Outcome::kFailed, {}, std::move(said)};
}

std::unique_ptr<CredentialProvider> MakeConfigurationProvider(std::string_view name,
                                                              std::optional<Credentials> keys,
                                                              std::string said) {
  return std::make_unique<ConfigurationProvider>(name, std::move(keys), std::move(said));
}

std::unique_ptr<CredentialProvider> MakeAnonymousProvider() {
  Credentials anonymous;
  anonymous.origin = "anonymous access";
  return MakeConfigurationProvider("anonymous", std::move(anonymous), "");
}

std::unique_ptr<CredentialProvider> MakeEnvironmentProvider(const Surroundings& surroundings) {
  return std::make_unique<EnvironmentProvider>(surroundings);
}

Result<Credentials> ParseCredentialsJson(std::string_view text, std::string_view what) {
  Result<json::Json> parsed = json::Parse(text, what);
  if (!parsed.ok() || !parsed->is_object()) {
    // The parser's own error may quote the text.
    return MakeError(ErrorKind::kCorruptData, fmt::format("{} is no JSON object", what));
  }
  Credentials credentials;
  LW_ASSIGN(credentials.access_key_id, json::GetString(*parsed, "AccessKeyId", what));
  LW_ASSIGN(std::string secret, json::GetString(*parsed, "SecretAccessKey", what));
  LW_ASSIGN(const auto token, json::GetOptionalString(*parsed, "Token", what));
  LW_ASSIGN(const auto session_token, json::GetOptionalString(*parsed, "SessionToken", what));
  LW_ASSIGN(const auto expiration, json::GetOptionalString(*parsed, "Expiration", what));
  credentials.secret_access_key = Secret(std::move(secret));
  credentials.session_token = Secret(token.value_or(session_token.value_or("")));
  if (expiration.has_value()) {
    credentials.expiration_us = ParseIsoTimestamp(*expiration);
    if (!credentials.expiration_us.has_value()) {
      return MakeError(ErrorKind::kCorruptData,
                       fmt::format("{}: Expiration '{}' is no time", what, *expiration));
    }
  }
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty()) {
    return MakeError(ErrorKind::kCorruptData, fmt::format("{} holds an empty key", what));
  }
  return credentials;
}

}  // namespace lakeward::aws
