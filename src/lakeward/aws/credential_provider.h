#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lakeward/aws/credentials.h"
#include "lakeward/aws/surroundings.h"

namespace lakeward::aws {

/// What one provider said when it was asked.
struct ProviderAnswer {
  enum class Outcome {
    kFound,
    kAbsent,  ///< it is not set up here; the next one is asked
    kFailed,  ///< it is set up but does not work; nobody else is asked
  };

  Outcome outcome = Outcome::kAbsent;
  Credentials credentials;
  std::string said;  ///< without a secret: "AWS_ACCESS_KEY_ID is not set"

  static ProviderAnswer Found(Credentials credentials);
  static ProviderAnswer Absent(std::string said);
  static ProviderAnswer Failed(std::string said);
};

/// One place that credentials may come from. Asked by one thread at a time.
class CredentialProvider {
 public:
  virtual ~CredentialProvider() = default;
  /// For people: "environment".
  virtual std::string_view name() const = 0;
  /// May block on files, processes or the network.
  virtual ProviderAnswer Ask() = 0;
  /// Whether the last answer's source has changed since. Cheap.
  virtual bool HasChanged() const { return false; }
};

/// Keys written down in the configuration; `keys` without value: `said` is what is missing.
std::unique_ptr<CredentialProvider> MakeConfigurationProvider(std::string_view name,
                                                              std::optional<Credentials> keys,
                                                              std::string said);
/// Unsigned requests.
std::unique_ptr<CredentialProvider> MakeAnonymousProvider();
/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
std::unique_ptr<CredentialProvider> MakeEnvironmentProvider(const Surroundings& surroundings);
/// AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN: a role assumed by a token, as Kubernetes mounts
/// it. `region` is that of STS where AWS_REGION says none.
std::unique_ptr<CredentialProvider> MakeWebIdentityProvider(const Surroundings& surroundings,
                                                            const std::string& region);
/// A profile of ~/.aws/credentials and ~/.aws/config (or where AWS_SHARED_CREDENTIALS_FILE and
/// AWS_CONFIG_FILE point); `profile` empty: AWS_PROFILE, else "default".
std::unique_ptr<CredentialProvider> MakeProfileProvider(const Surroundings& surroundings,
                                                        const std::string& profile,
                                                        const std::string& region);
/// AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI (ECS, EKS Pod Identity).
std::unique_ptr<CredentialProvider> MakeContainerProvider(const Surroundings& surroundings);
/// The metadata service of an EC2 machine (version 2).
std::unique_ptr<CredentialProvider> MakeInstanceProvider(const Surroundings& surroundings);

/// Credentials as the container endpoint, the metadata service and credential_process print them:
/// a JSON object of AccessKeyId, SecretAccessKey, Token or SessionToken, Expiration. `what` names
/// the source in errors, which quote no value.
Result<Credentials> ParseCredentialsJson(std::string_view text, std::string_view what);

}  // namespace lakeward::aws
