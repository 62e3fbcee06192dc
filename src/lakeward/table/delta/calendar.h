#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lakeward::delta {

/// Dates and timestamps in the spellings of the log (proleptic Gregorian calendar, UTC). Years 1 to
/// 9999; outside of them the formatting functions give nothing.

/// "2024-02-29" of days since 1970-01-01.
std::optional<std::string> FormatDate(int64_t days);
std::optional<int64_t> ParseDate(std::string_view text);

enum class TimestampForm : uint8_t {
  kIsoUtcMillis,  ///< 2024-02-29T01:02:03.004Z, statistics of `timestamp`
  kIsoMillis,     ///< 2024-02-29T01:02:03.004, statistics of `timestamp_ntz`
  kIsoUtcMicros,  ///< 2024-02-29T01:02:03.004005Z, partition values of `timestamp`
  kSpacedMicros,  ///< 2024-02-29 01:02:03.004005, partition values of `timestamp_ntz`
};

/// Of microseconds since the epoch; digits below the form's resolution are dropped (towards the
/// past).
std::optional<std::string> FormatTimestamp(int64_t micros, TimestampForm form);

/// Any of the forms above, with 0 to 9 fractional digits, ' ' or 'T' between date and time, seconds
/// optional, and no zone, "Z" or an offset ("+01:00", "-0800", "+01"); nothing for other texts.
/// Digits below microseconds are dropped.
std::optional<int64_t> ParseTimestamp(std::string_view text);

}  // namespace lakeward::delta
