#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lakeward/sql/type_name.h"

namespace lakeward::plan {

/// A time of day as written, with as many fractional digits as were given.
struct TimeLiteral {
  int64_t nanos = 0;
  int precision = 0;
};

/// Read the text of DATE, TIME and INTERVAL literals: strictly, unlike CAST. Nothing when the text
/// is malformed or no such day or time exists.
std::optional<int32_t> ReadDateLiteral(std::string_view text);  ///< days since the epoch
std::optional<TimeLiteral> ReadTimeLiteral(std::string_view text);
/// Months or milliseconds, as the qualifier's unit asks.
std::optional<int64_t> ReadIntervalLiteral(std::string_view text,
                                           const sql::IntervalQualifier& qualifier);

}  // namespace lakeward::plan
