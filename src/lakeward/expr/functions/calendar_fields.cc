#include "lakeward/expr/functions/calendar_fields.h"

#include <string>
#include <utility>

#include "lakeward/types/civil_time.h"

namespace lakeward::expr {

namespace {

/// Monday is 1.
int64_t IsoDayOfWeek(int64_t days) { return types::FloorModulo(days + 3, 7) + 1; }

/// The Thursday of a day's ISO week: it lies in the year that the week belongs to.
int64_t ThursdayOf(int64_t days) { return days - IsoDayOfWeek(days) + 4; }

int64_t DayOfYear(int64_t days) {
  return days - types::DaysFromCivil(types::CivilFromDays(days).year, 1, 1) + 1;
}

/// Years are counted in groups from year 1: 2000 is in century 20, 2001 in century 21.
int64_t YearGroup(int64_t year, int64_t size) {
  return year > 0 ? (year + size - 1) / size : (year - size + 1) / size;
}

}  // namespace

std::optional<CalendarField> FindCalendarField(std::string_view keyword) {
  static constexpr std::pair<std::string_view, CalendarField> kFields[] = {
      {"MILLENNIUM", CalendarField::kMillennium},
      {"CENTURY", CalendarField::kCentury},
      {"DECADE", CalendarField::kDecade},
      {"YEAR", CalendarField::kYear},
      {"ISOYEAR", CalendarField::kIsoYear},
      {"QUARTER", CalendarField::kQuarter},
      {"MONTH", CalendarField::kMonth},
      {"WEEK", CalendarField::kWeek},
      {"DAY", CalendarField::kDay},
      {"DOY", CalendarField::kDayOfYear},
      {"DOW", CalendarField::kDayOfWeek},
      {"ISODOW", CalendarField::kIsoDayOfWeek},
      {"HOUR", CalendarField::kHour},
      {"MINUTE", CalendarField::kMinute},
      {"SECOND", CalendarField::kSecond},
      {"MILLISECOND", CalendarField::kMillisecond},
      {"MICROSECOND", CalendarField::kMicrosecond},
      {"NANOSECOND", CalendarField::kNanosecond},
      {"EPOCH", CalendarField::kEpoch}};
  std::string upper(keyword);
  for (char& c : upper) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  for (const auto& [name, field] : kFields) {
    if (upper == name) {
      return field;
    }
  }
  return std::nullopt;
}

int64_t ReadField(CalendarField field, int64_t days, int64_t micros) {
  const types::CivilDate date = types::CivilFromDays(days);
  const int64_t second_of_day = micros / types::kMicrosPerSecond;
  switch (field) {
    case CalendarField::kMillennium:
      return YearGroup(date.year, 1'000);
    case CalendarField::kCentury:
      return YearGroup(date.year, 100);
    case CalendarField::kDecade:
      return date.year / 10;
    case CalendarField::kYear:
      return date.year;
    case CalendarField::kIsoYear:
      return types::CivilFromDays(ThursdayOf(days)).year;
    case CalendarField::kQuarter:
      return (date.month + 2) / 3;
    case CalendarField::kMonth:
      return date.month;
    case CalendarField::kWeek:
      return (DayOfYear(ThursdayOf(days)) - 1) / 7 + 1;
    case CalendarField::kDay:
      return date.day;
    case CalendarField::kDayOfYear:
      return DayOfYear(days);
    case CalendarField::kDayOfWeek:
      return IsoDayOfWeek(days) % 7 + 1;
    case CalendarField::kIsoDayOfWeek:
      return IsoDayOfWeek(days);
    case CalendarField::kHour:
      return second_of_day / 3'600;
    case CalendarField::kMinute:
      return second_of_day / 60 % 60;
    case CalendarField::kSecond:
      return second_of_day % 60;
    case CalendarField::kMillisecond:
      return micros / 1'000 % 1'000;
    case CalendarField::kMicrosecond:
      return micros % types::kMicrosPerSecond;
    case CalendarField::kNanosecond:
      return micros % types::kMicrosPerSecond * 1'000;
    case CalendarField::kEpoch:
      return days * 86'400 + second_of_day;
  }
  return 0;
}

namespace {

int64_t YearStart(int64_t year) { return types::DaysFromCivil(year, 1, 1); }

int64_t MonthStart(int64_t year, int month) {
  return month > 12 ? YearStart(year + 1) : types::DaysFromCivil(year, month, 1);
}

/// The first year of a group of years that begins in year 1, and of the group after it.
int64_t GroupStart(int64_t year, int64_t size) { return YearGroup(year, size) * size - size + 1; }

}  // namespace

int64_t FloorDays(CalendarField field, int64_t days) {
  const types::CivilDate date = types::CivilFromDays(days);
  switch (field) {
    case CalendarField::kMillennium:
      return YearStart(GroupStart(date.year, 1'000));
    case CalendarField::kCentury:
      return YearStart(GroupStart(date.year, 100));
    case CalendarField::kDecade:
      return YearStart(date.year / 10 * 10);
    case CalendarField::kYear:
      return YearStart(date.year);
    case CalendarField::kQuarter:
      return MonthStart(date.year, (date.month - 1) / 3 * 3 + 1);
    case CalendarField::kMonth:
      return MonthStart(date.year, date.month);
    case CalendarField::kWeek:
      return days - IsoDayOfWeek(days) % 7;
    default:
      return days;
  }
}

int64_t CeilDays(CalendarField field, int64_t days) {
  const types::CivilDate date = types::CivilFromDays(days);
  const int64_t floor = FloorDays(field, days);
  switch (field) {
    case CalendarField::kMillennium:
      return YearStart(GroupStart(date.year, 1'000) + 1'000);
    case CalendarField::kCentury:
      return YearStart(GroupStart(date.year, 100) + 100);
    case CalendarField::kDecade:
      return YearStart(date.year / 10 * 10 + 10);
    case CalendarField::kYear:
      return floor == days ? days : YearStart(date.year + 1);
    case CalendarField::kQuarter:
      // Flink moves on from the start of any quarter but the first.
      return YearStart(date.year) == days ? days
                                          : MonthStart(date.year, (date.month - 1) / 3 * 3 + 4);
    case CalendarField::kMonth:
      return floor == days ? days : MonthStart(date.year, date.month + 1);
    case CalendarField::kWeek:
      return floor == days ? days : floor + 7;
    default:
      return days;
  }
}

int64_t MicrosOf(CalendarField field) {
  switch (field) {
    case CalendarField::kHour:
      return 3'600 * types::kMicrosPerSecond;
    case CalendarField::kMinute:
      return 60 * types::kMicrosPerSecond;
    case CalendarField::kSecond:
      return types::kMicrosPerSecond;
    case CalendarField::kMillisecond:
      return 1'000;
    case CalendarField::kMicrosecond:
      return 1;
    default:
      return 0;
  }
}

}  // namespace lakeward::expr
