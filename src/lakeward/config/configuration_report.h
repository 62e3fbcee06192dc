#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/config/configuration.h"
#include "lakeward/config/option.h"

namespace lakeward::config {

/// One setting as people are shown it. Values of secret keys are hidden.
struct ReportedSetting {
  std::string key;    ///< the option's own name; a key that is no option's as it was written
  std::string value;  ///< the effective one
  std::string origin;
  /// What is beaten, or the same under another name: "'s3.region' = 'x' from conf/config.yaml line
  /// 3", nearest first.
  std::vector<std::string> shadowed;
  std::string doc;  ///< the option's sentence; of other keys what becomes of them
};

/// The effective value of everything that is set or has a default, sorted by key; only options one
/// of whose names begins with `prefix`. Options with a '#' in their name appear when they are set.
std::vector<ReportedSetting> ReportConfiguration(const Configuration& configuration,
                                                 const std::vector<OptionInfo>& declared,
                                                 std::string_view prefix);

/// The option's name that a key which is none was most likely meant to be (at most two letters
/// wrong); empty when none is near or the key is an option's.
std::string MeantOption(std::string_view key, const std::vector<OptionInfo>& declared);

}  // namespace lakeward::config
