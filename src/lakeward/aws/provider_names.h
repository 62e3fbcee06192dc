#pragma once

#include <string>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::aws {

/// The places that credentials can come from, as far as a person can name them.
enum class ProviderKind {
  kConfigurationTemporary,  ///< keys with a session token
  kConfigurationSimple,     ///< keys without
  kAnonymous,
  kEnvironment,
  kWebIdentity,
  kProfile,
  kContainer,
  kInstance,
  kAssumedRole,  ///< a role assumed by what the others find
};

/// The order in which they are asked when nobody says otherwise.
std::vector<ProviderKind> DefaultProviders();

/// What the class names of Hadoop's S3A, of both AWS SDKs for Java and of Flink mean here; with
/// their package or without. Names that stand for several give all of them. Unknown ones and those
/// that cannot work outside of a JVM are kConfig with `origin` (where the names were set).
Result<std::vector<ProviderKind>> ParseProviderNames(const std::vector<std::string>& names,
                                                     const std::string& origin);

}  // namespace lakeward::aws
