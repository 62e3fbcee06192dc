#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/aws/credential_provider.h"
#include "lakeward/aws/sts.h"
#include "lakeward/aws/surroundings.h"
#include "lakeward/base/status.h"

namespace lakeward::aws {

/// Where those who sign requests get their credentials, each time anew. Thread-safe.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;

  /// Credentials that are valid now. Blocks where they have to be fetched; of any number of callers
  /// one fetches, the others wait for it, or go on with the old ones while these are valid.
  /// kConfig when nobody has any, with what each provider said.
  virtual Result<Credentials> Get() = 0;

  /// The other side refused these (expired, unknown token): the next Get fetches again, unless that
  /// has happened since they were given out.
  virtual void Reject(const Credentials& rejected) = 0;
};

/// Providers asked in order. The first that has credentials stays the one: it alone is asked again
/// a quarter of the lifetime, at most 5 minutes, before they expire, when its source changes
/// (looked at every 5 s) and after Reject. While a refresh fails the old ones serve until they
/// expire; the next try comes after 30 s. A provider that is set up but fails ends the search.
std::shared_ptr<CredentialSource> MakeProviderChain(
    std::vector<std::unique_ptr<CredentialProvider>> providers, Clock* clock);

/// What the configuration says of credentials.
struct CredentialSettings {
  std::optional<Credentials> keys;  ///< written down; with a session token: temporary ones
  std::string keys_missing;  ///< what to say when there are none: "fs.s3a.access.key is not set"
  std::vector<std::string> provider_names;  ///< class names; empty: the default order
  std::string provider_names_origin;
  std::optional<AssumedRole> role;
  std::vector<std::string> role_provider_names;  ///< who assumes the role; empty: as above
  std::string sts_endpoint;
  std::string sts_region;
  std::string profile;  ///< empty: AWS_PROFILE, else "default"
};

/// The chain that the settings ask for: DefaultProviders() or those named, then the role. A role
/// that is set is assumed whether or not AssumedRoleCredentialProvider is among the names. kConfig
/// for unknown names and for that name without a role.
Result<std::shared_ptr<CredentialSource>> MakeCredentialChain(const CredentialSettings& settings,
                                                              const Surroundings& surroundings);

}  // namespace lakeward::aws
