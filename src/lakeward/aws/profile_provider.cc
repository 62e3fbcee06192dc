#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/credential_provider.h"
#include "lakeward/aws/profile_file.h"
#include "lakeward/aws/sts.h"

namespace lakeward::aws {
namespace {

std::string_view ValueOf(const Profile& profile, std::string_view name) {
  const auto found = profile.find(name);
  return found == profile.end() ? std::string_view() : std::string_view(found->second);
}

Status ProfileError(const std::string& name, std::string_view reason, std::string hint = "") {
  return MakeError(ErrorKind::kConfig, fmt::format("profile '{}' {}", name, reason),
                   std::move(hint));
}

class ProfileProvider final : public CredentialProvider {
 public:
  ProfileProvider(Surroundings surroundings, std::string profile, std::string region)
      : surroundings_(std::move(surroundings)),
        given_(std::move(profile)),
        region_(std::move(region)) {}

  std::string_view name() const override { return "profile"; }

  ProviderAnswer Ask() override {
    version_ = FileVersion();
    const std::string name = ProfileName(surroundings_, given_);
    const ProfilePaths paths = FindProfilePaths(surroundings_);
    const Profiles profiles = LoadProfiles(surroundings_);
    if (!profiles.contains(name)) {
      std::string said =
          fmt::format("no profile '{}' in '{}' or '{}'", name, paths.credentials, paths.config);
      // The one that is named on purpose must be there.
      const bool is_named = !given_.empty() || name != "default";
      return is_named ? ProviderAnswer::Failed(std::move(said))
                      : ProviderAnswer::Absent(std::move(said));
    }
    std::set<std::string> visited;
    Result<std::optional<Credentials>> credentials = Resolve(profiles, name, &visited);
    if (!credentials.ok()) {
      const Status& status = credentials.status();
      return ProviderAnswer::Failed(
          HintOf(status).empty() ? status.message() : status.message() + ". " + HintOf(status));
    }
    if (!credentials->has_value()) {
      return ProviderAnswer::Absent(fmt::format("profile '{}' holds no credentials", name));
    }
    return ProviderAnswer::Found(**std::move(credentials));
  }

  bool HasChanged() const override { return FileVersion() != version_; }

 private:
  // Of the credentials file and of the other.
  std::pair<int64_t, int64_t> FileVersion() const {
    const ProfilePaths paths = FindProfilePaths(surroundings_);
    return {surroundings_.file_version(paths.credentials),
            surroundings_.file_version(paths.config)};
  }

  // Nothing when the profile says nothing of credentials. `visited` guards against rings of
  // source_profile.
  Result<std::optional<Credentials>> Resolve(const Profiles& profiles, const std::string& name,
                                             std::set<std::string>* visited) {
    const auto found = profiles.find(name);
    if (found == profiles.end()) {
      return ProfileError(name, "is named as a source but does not exist");
    }
    const Profile& profile = found->second;
    const bool is_first_visit = visited->insert(name).second;
    const bool has_role = !ValueOf(profile, "role_arn").empty();
    // A profile may name itself as source: then its own keys assume its role.
    if (has_role && is_first_visit) {
      LW_ASSIGN(Credentials credentials, AssumeProfileRole(profiles, name, profile, visited));
      return std::optional<Credentials>(std::move(credentials));
    }
    if (!ValueOf(profile, "aws_access_key_id").empty()) {
      LW_ASSIGN(Credentials credentials, StaticKeys(name, profile));
      return std::optional<Credentials>(std::move(credentials));
    }
    if (has_role) {
      return ProfileError(name, "is its own source by way of source_profile");
    }
    if (const std::string_view command = ValueOf(profile, "credential_process"); !command.empty()) {
      LW_ASSIGN(Credentials credentials, AskProcess(name, std::string(command)));
      return std::optional<Credentials>(std::move(credentials));
    }
    for (const char* setting : {"sso_session", "sso_start_url", "login_session"}) {
      if (!ValueOf(profile, setting).empty()) {
        return ProfileError(
            name, fmt::format("uses single sign-on ({}), which is not supported", setting),
            fmt::format("Put 'credential_process = aws configure export-credentials --profile {}' "
                        "into a profile of its own and name that one in AWS_PROFILE.",
                        name));
      }
    }
    return std::optional<Credentials>();
  }

  static Result<Credentials> StaticKeys(const std::string& name, const Profile& profile) {
    Credentials credentials;
    credentials.access_key_id = ValueOf(profile, "aws_access_key_id");
    credentials.secret_access_key = Secret(std::string(ValueOf(profile, "aws_secret_access_key")));
    credentials.session_token = Secret(std::string(ValueOf(profile, "aws_session_token")));
    credentials.origin = fmt::format("the profile '{}'", name);
    if (credentials.secret_access_key.empty()) {
      return ProfileError(name, "has aws_access_key_id but no aws_secret_access_key");
    }
    return credentials;
  }

  Result<Credentials> AskProcess(const std::string& name, const std::string& command) {
    const std::string what = fmt::format("The output of credential_process of profile '{}'", name);
    Result<std::string> output = surroundings_.run_command(command);
    if (!output.ok()) {
      return WithContext(output.status(), fmt::format("credential_process of profile '{}'", name));
    }
    LW_ASSIGN(Credentials credentials, ParseCredentialsJson(*output, what));
    credentials.origin = fmt::format("credential_process of the profile '{}'", name);
    return credentials;
  }

  Result<Credentials> AssumeProfileRole(const Profiles& profiles, const std::string& name,
                                        const Profile& profile, std::set<std::string>* visited) {
    AssumedRole role;
    role.arn = ValueOf(profile, "role_arn");
    role.external_id = ValueOf(profile, "external_id");
    role.origin = fmt::format("the profile '{}'", name);
    if (const std::string_view session = ValueOf(profile, "role_session_name"); !session.empty()) {
      role.session_name = session;
    }
    if (const std::string duration(ValueOf(profile, "duration_seconds")); !duration.empty()) {
      role.duration_s = std::atoll(duration.c_str());
    }
    std::string region(ValueOf(profile, "region"));
    const StsPlace place = FindSts(surroundings_, "", region.empty() ? region_ : region);
    if (const std::string token_file(ValueOf(profile, "web_identity_token_file"));
        !token_file.empty()) {
      LW_ASSIGN(std::string token, surroundings_.read_file(token_file));
      token.erase(token.find_last_not_of(" \t\r\n") + 1);
      return AssumeRoleWithWebIdentity(surroundings_, place, role, Secret(std::move(token)));
    }
    if (!ValueOf(profile, "mfa_serial").empty()) {
      return ProfileError(name,
                          "asks for a one-time password (mfa_serial), which is not supported");
    }
    LW_ASSIGN(const Credentials caller, CallerOf(profiles, name, profile, visited));
    return AssumeRole(surroundings_, place, role, caller);
  }

  // Who assumes the role of a profile.
  Result<Credentials> CallerOf(const Profiles& profiles, const std::string& name,
                               const Profile& profile, std::set<std::string>* visited) {
    if (const std::string source(ValueOf(profile, "source_profile")); !source.empty()) {
      LW_ASSIGN(std::optional<Credentials> caller, Resolve(profiles, source, visited));
      if (!caller.has_value()) {
        return ProfileError(source, "is named as a source but holds no credentials");
      }
      return *std::move(caller);
    }
    const std::string_view source = ValueOf(profile, "credential_source");
    std::unique_ptr<CredentialProvider> provider;
    if (source == "Environment") {
      provider = MakeEnvironmentProvider(surroundings_);
    } else if (source == "Ec2InstanceMetadata") {
      provider = MakeInstanceProvider(surroundings_);
    } else if (source == "EcsContainer") {
      provider = MakeContainerProvider(surroundings_);
    } else {
      return ProfileError(name, "has role_arn but neither source_profile nor credential_source");
    }
    ProviderAnswer answer = provider->Ask();
    if (answer.outcome != ProviderAnswer::Outcome::kFound) {
      return ProfileError(name, fmt::format("takes its keys from {}: {}", source, answer.said));
    }
    return std::move(answer.credentials);
  }

  const Surroundings surroundings_;
  const std::string given_;
  const std::string region_;
  std::pair<int64_t, int64_t> version_;
};

}  // namespace

std::unique_ptr<CredentialProvider> MakeProfileProvider(const Surroundings& surroundings,
                                                        const std::string& profile,
                                                        const std::string& region) {
  return std::make_unique<ProfileProvider>(surroundings, profile, region);
}

}  // namespace lakeward::aws
