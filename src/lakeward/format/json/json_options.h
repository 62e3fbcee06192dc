#pragma once

#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/config/option.h"
#include "lakeward/format/json/json_time.h"

namespace lakeward::format {

/// The json format's options (Flink 1.20, "JSON Format"), parsed. A value.
struct JsonOptions {
  bool fail_on_missing_field = false;
  bool ignore_parse_errors = false;
  TimestampStandard timestamp_standard = TimestampStandard::kSql;
  bool decimal_as_plain_number = false;
  bool ignore_null_fields = false;

  /// From a WITH clause, keys without "json."; kConfig names the option.
  static Result<JsonOptions> Parse(const config::OptionMap& options);
  /// The declarations, keys without "json.".
  static std::vector<config::OptionInfo> Declared();
};

}  // namespace lakeward::format
