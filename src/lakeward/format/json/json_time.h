#pragma once

#include <cstdint>
#include <string_view>

namespace lakeward::format {

/// Dates and times as the json format spells them (java.time's formatters behind Flink's
/// TimeFormats).

/// json.timestamp-format.standard.
enum class TimestampStandard : uint8_t {
  kSql,      ///< yyyy-MM-dd HH:mm:ss[.fraction]; seconds are needed
  kIso8601,  ///< yyyy-MM-ddTHH:mm[:ss[.fraction]]
};

/// ISO_LOCAL_DATE: yyyy-MM-dd, the year with a sign when it has more than four digits.
bool ParseDate(std::string_view text, int32_t* days_since_epoch);

/// HH:mm:ss[.fraction].
bool ParseTime(std::string_view text, int64_t* nanos_of_day);

struct WallClock {
  int32_t days_since_epoch = 0;
  int64_t nanos_of_day = 0;
};
/// `zulu`: the text must end with "Z" (TIMESTAMP_LTZ), else it must not.
bool ParseTimestamp(std::string_view text, TimestampStandard standard, bool zulu,
                    WallClock* wall_clock);

inline constexpr int kTimestampLength = 48;

/// yyyy-MM-dd; years outside 0 … 9999 with a sign. Returns the end.
char* WriteDate(int64_t days_since_epoch, char* out);
/// HH:mm:ss, then a fraction without trailing zeros, if any. Returns the end.
char* WriteTime(int64_t nanos_of_day, char* out);

}  // namespace lakeward::format
