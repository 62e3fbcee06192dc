#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lakeward::expr {

/// What EXTRACT and its relatives can read from a wall clock.
enum class CalendarField : uint8_t {
  kMillennium,
  kCentury,
  kDecade,
  kYear,
  kIsoYear,
  kQuarter,
  kMonth,
  kWeek,
  kDay,
  kDayOfYear,
  kDayOfWeek,
  kIsoDayOfWeek,
  kHour,
  kMinute,
  kSecond,
  kMillisecond,
  kMicrosecond,
  kNanosecond,
  kEpoch,
};

/// By Flink's keyword: "YEAR", "DOW", "ISODOW", "EPOCH" …, letters of either case.
std::optional<CalendarField> FindCalendarField(std::string_view keyword);

/// `days` since the epoch and microseconds of that day. Sunday is day 1 of the week, in ISO numbers
/// Monday is; weeks are ISO 8601's; EPOCH is seconds; milli-, micro- and nanoseconds are what the
/// second's fraction amounts to.
int64_t ReadField(CalendarField field, int64_t days, int64_t micros);

/// FLOOR(date TO field) and CEIL(date TO field) for fields of at least a day, in days since the
/// epoch. Weeks begin on Sunday, centuries in year 1. CEIL gives the start of the next one unless
/// the day is such a start (for decades, centuries and millennia: always).
int64_t FloorDays(CalendarField field, int64_t days);
int64_t CeilDays(CalendarField field, int64_t days);

/// The length of a field shorter than a day, in microseconds; 0 for the others.
int64_t MicrosOf(CalendarField field);

}  // namespace lakeward::expr
