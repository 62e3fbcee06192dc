#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "nlohmann/json.hpp"

namespace lakeward::json {

/// A small JSON document (log entries, metadata, REST), members in the order written. The wrapper
/// functions below never throw; use them and contains()/find() instead of at() and get<T>().
using Json = nlohmann::ordered_json;

/// Parses one document. `what` names it in the error ("_delta_log/00000000000000000003.json line
/// 2"). Nesting deeper than 200 levels and invalid UTF-8 are kCorruptData.
Result<Json> Parse(std::string_view text, std::string_view what);

/// Compact text; invalid UTF-8 in strings is replaced by U+FFFD.
std::string Write(const Json& value);
/// With two-space indentation.
std::string WritePretty(const Json& value);

/// Members of an object. A missing member or one of another type is kCorruptData naming `what` and
/// the member; the Optional forms treat missing and null as nothing.
Result<std::string> GetString(const Json& object, const char* member, std::string_view what);
Result<int64_t> GetInt64(const Json& object, const char* member, std::string_view what);
Result<bool> GetBool(const Json& object, const char* member, std::string_view what);
Result<std::optional<std::string>> GetOptionalString(const Json& object, const char* member,
                                                     std::string_view what);
Result<std::optional<int64_t>> GetOptionalInt64(const Json& object, const char* member,
                                                std::string_view what);
Result<std::optional<bool>> GetOptionalBool(const Json& object, const char* member,
                                            std::string_view what);
/// Null when missing.
const Json* Find(const Json& object, const char* member);

}  // namespace lakeward::json
