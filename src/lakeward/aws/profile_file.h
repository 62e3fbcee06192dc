#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/aws/surroundings.h"
#include "lakeward/base/status.h"

namespace lakeward::aws {

/// Settings of one profile: names in lower case to values.
using Profile = std::map<std::string, std::string, std::less<>>;
using Profiles = std::map<std::string, Profile, std::less<>>;

enum class ProfileFileKind {
  kCredentials,  ///< sections are profiles: [dev]
  kConfig,       ///< sections are [default], [profile dev]; [sso-session x] and others are left out
};

/// Reads the text of an AWS file (INI). Lines that are no setting, nested settings included, are
/// passed over.
Profiles ParseProfiles(std::string_view text, ProfileFileKind kind);

/// The files in which profiles are kept: AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials, and
/// AWS_CONFIG_FILE or ~/.aws/config. Empty where there is no home folder.
struct ProfilePaths {
  std::string credentials;
  std::string config;
};
ProfilePaths FindProfilePaths(const Surroundings& surroundings);

/// All profiles of both files, settings of the credentials file before those of the other. A
/// missing file is an empty one.
Profiles LoadProfiles(const Surroundings& surroundings);

/// `given`, else AWS_PROFILE, AWS_DEFAULT_PROFILE, "default".
std::string ProfileName(const Surroundings& surroundings, const std::string& given);

/// The `region` of a profile (`given` as in ProfileName); nothing when it names none.
std::optional<std::string> RegionOfProfile(const Surroundings& surroundings,
                                           const std::string& given);

}  // namespace lakeward::aws
