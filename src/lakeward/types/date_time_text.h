#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/type_fwd.h"

namespace lakeward::types {

/// Append points in time and intervals as Flink prints them.
/// Source: Flink 1.20, org.apache.flink.table.utils.DateTimeUtils.

/// `days` since 1970-01-01: "2024-02-29".
void AppendDate(int64_t days, std::string* out);
/// "12:34:56", with precision > 0 "12:34:56.7": trailing zeros beyond the first digit are dropped.
void AppendTime(int64_t micros_of_day, int32_t precision, std::string* out);
/// `value` in `unit` since the epoch, at least `precision` fractional digits:
/// "2024-02-29 12:34:56.123". The caller has applied the zone.
void AppendTimestamp(int64_t value, arrow::TimeUnit::type unit, int32_t precision,
                     std::string* out);
/// "+2-03".
void AppendIntervalYearMonth(int32_t months, std::string* out);
/// "-1 02:03:04.567".
void AppendIntervalDayTime(int64_t millis, std::string* out);

/// A wall clock's reading to the nanosecond.
struct WallTime {
  int64_t seconds = 0;  ///< since 1970-01-01 00:00:00 on the same wall
  int32_t nanos = 0;    ///< 0..999,999,999
};

/// Read what CAST(string AS …) accepts; nothing when it does not. ParseDate takes "2024", "2024-2",
/// "2024-02-29" and ignores what follows a space; gives days since the epoch.
std::optional<int32_t> ParseDate(std::string_view text);
/// "12", "12:34", "12:34:56.789"; gives microseconds, rounded to milliseconds.
std::optional<int64_t> ParseTime(std::string_view text);
/// "2024-02-29" or "2024-2-29 1:02:03.123456789"; a day beyond its month's end becomes the last
/// one.
std::optional<WallTime> ParseTimestamp(std::string_view text);

}  // namespace lakeward::types
