#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::config {

/// One `key: value` of a configuration file, nested keys joined with dots.
struct ConfigFileEntry {
  std::string key;
  std::string value;
  int line = 0;  ///< from 1
};

/// Reads the text of a configuration file in either of Flink's forms:
/// - YAML (config.yaml), nested or with dotted keys. Lists become "a;b", nulls are left out, a key
///   that is given twice is an error.
/// - Flat (flink-conf.yaml): one `key: value` a line, taken literally; the value may hold ": ", and
///   '#' unless a blank stands before it. A later line replaces an earlier one.
/// A file called flink-conf.yaml is flat when each of its lines is; any other file is flat only
/// when it is no YAML. `path` is for the errors (kConfig), which never quote a value.
Result<std::vector<ConfigFileEntry>> ParseConfigFile(std::string_view text,
                                                     const std::string& path);

}  // namespace lakeward::config
