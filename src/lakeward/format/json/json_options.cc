#include "lakeward/format/json/json_options.h"

#include "lakeward/base/letter_case.h"

namespace lakeward::format {

namespace {

using config::Option;

const Option<bool>& FailOnMissingField() {
  static const Option<bool> option{"fail-on-missing-field", false,
                                   "Fail when a record lacks a column instead of reading null."};
  return option;
}
const Option<bool>& IgnoreParseErrors() {
  static const Option<bool> option{
      "ignore-parse-errors", false,
      "Skip records that are not valid JSON and read null for fields that do not fit their type, "
      "instead of failing."};
  return option;
}
const Option<std::string>& TimestampFormat() {
  static const Option<std::string> option =
      Option<std::string>{"timestamp-format.standard", "SQL",
                          "How timestamps are spelled: SQL (2024-01-01 10:00:00.123) or ISO-8601 "
                          "(2024-01-01T10:00:00.123)."}
          .Allowed({"SQL", "ISO-8601"});
  return option;
}
const Option<std::string>& MapNullKey() {
  static const Option<std::string> option =
      Option<std::string>{
          "map-null-key.mode", "FAIL",
          "Accepted for compatibility (FAIL, DROP, LITERAL): maps hold no null keys "
          "here."}
          .Allowed({"FAIL", "DROP", "LITERAL"});
  return option;
}
const Option<std::string>& MapNullKeyLiteral() {
  static const Option<std::string> option{
      "map-null-key.literal", "null",
      "Accepted for compatibility, see map-null-key.mode: maps hold no null keys here."};
  return option;
}
const Option<bool>& DecimalAsPlainNumber() {
  static const Option<bool> option{"encode.decimal-as-plain-number", false,
                                   "Write decimals without an exponent: 0.00000001, not 1E-8."};
  return option;
}
const Option<bool>& IgnoreNullFields() {
  static const Option<bool> option{"encode.ignore-null-fields", false,
                                   "Leave fields that are null out instead of writing null."};
  return option;
}
const Option<bool>& JsonParserEnabled() {
  static const Option<bool> option{
      "decode.json-parser.enabled", true,
      "Accepted for compatibility: Flink chooses one of two parsers by it, here there is one."};
  return option;
}

}  // namespace

Result<JsonOptions> JsonOptions::Parse(const config::OptionMap& options) {
  JsonOptions result;
  LW_ASSIGN(result.fail_on_missing_field, config::Get(options, FailOnMissingField()));
  LW_ASSIGN(result.ignore_parse_errors, config::Get(options, IgnoreParseErrors()));
  LW_ASSIGN(const std::string standard, config::Get(options, TimestampFormat()));
  result.timestamp_standard =
      ToUpper(standard) == "SQL" ? TimestampStandard::kSql : TimestampStandard::kIso8601;
  LW_TRY(config::Get(options, MapNullKey()).status());
  LW_TRY(config::Get(options, MapNullKeyLiteral()).status());
  LW_ASSIGN(result.decimal_as_plain_number, config::Get(options, DecimalAsPlainNumber()));
  LW_ASSIGN(result.ignore_null_fields, config::Get(options, IgnoreNullFields()));
  LW_TRY(config::Get(options, JsonParserEnabled()).status());
  if (result.fail_on_missing_field && result.ignore_parse_errors) {
    return MakeError(ErrorKind::kConfig,
                     "fail-on-missing-field and ignore-parse-errors shouldn't both be true.",
                     "Set one of 'json.fail-on-missing-field' and 'json.ignore-parse-errors' to "
                     "'false'.");
  }
  return result;
}

std::vector<config::OptionInfo> JsonOptions::Declared() {
  return {FailOnMissingField().info(), IgnoreParseErrors().info(), TimestampFormat().info(),
          MapNullKey().info(),         MapNullKeyLiteral().info(), DecimalAsPlainNumber().info(),
          IgnoreNullFields().info(),   JsonParserEnabled().info()};
}

}  // namespace lakeward::format
