#pragma once

#include <cstdint>
#include <string>

#include "lakeward/aws/credentials.h"
#include "lakeward/aws/surroundings.h"
#include "lakeward/base/status.h"

namespace lakeward::aws {

/// Where the Security Token Service is.
struct StsPlace {
  std::string endpoint;  ///< URL; empty: Amazon's of the region
  std::string region;    ///< empty: us-east-1 and the global endpoint
};

/// From the settings given, else AWS_ENDPOINT_URL_STS, AWS_REGION, AWS_DEFAULT_REGION.
StsPlace FindSts(const Surroundings& surroundings, std::string endpoint, std::string region);

/// A role to work under.
struct AssumedRole {
  std::string arn;
  std::string session_name = "lakeward";
  std::string external_id;  ///< empty: none
  std::string policy;       ///< JSON that narrows the role; empty: none
  int64_t duration_s = 3'600;
  std::string origin;  ///< where the role was configured, for errors
};

/// Temporary credentials of the role. Tried three times over two seconds when the service does not
/// answer or has an error of its own. kPermission when it refuses, with its code and message.
Result<Credentials> AssumeRole(const Surroundings& surroundings, const StsPlace& place,
                               const AssumedRole& role, const Credentials& caller);

/// The same with a web identity token (JWT) in place of a caller.
Result<Credentials> AssumeRoleWithWebIdentity(const Surroundings& surroundings,
                                              const StsPlace& place, const AssumedRole& role,
                                              const Secret& token);

}  // namespace lakeward::aws
