#pragma once

#include <cstdint>

namespace lakeward::types {

inline constexpr int64_t kMicrosPerSecond = 1'000'000;
inline constexpr int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;
inline constexpr int64_t kMillisPerDay = 86'400'000;

/// A day of the proleptic Gregorian calendar; month 1..12, day 1..31.
struct CivilDate {
  int64_t year = 1970;
  int month = 1;
  int day = 1;
  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

/// Division that rounds towards negative infinity; `divisor` must be positive.
constexpr int64_t FloorDivide(int64_t dividend, int64_t divisor) {
  return dividend / divisor - (dividend % divisor < 0 ? 1 : 0);
}
constexpr int64_t FloorModulo(int64_t dividend, int64_t divisor) {
  return dividend - FloorDivide(dividend, divisor) * divisor;
}

/// Days since 1970-01-01. Years are counted from March, so that the leap day comes last, in eras of
/// 400 years (146,097 days).
constexpr int64_t DaysFromCivil(int64_t year, int month, int day) {
  const int64_t shifted_year = month <= 2 ? year - 1 : year;
  const int64_t era = FloorDivide(shifted_year, 400);
  const int64_t year_of_era = shifted_year - era * 400;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

constexpr CivilDate CivilFromDays(int64_t days) {
  const int64_t shifted = days + 719'468;
  const int64_t era = FloorDivide(shifted, 146'097);
  const int64_t day_of_era = shifted - era * 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  const int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

constexpr bool IsLeapYear(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int DaysInMonth(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

/// The same day `months` later, or the last day of that month where it has no such day.
constexpr int64_t AddMonthsToDays(int64_t days, int64_t months) {
  const CivilDate date = CivilFromDays(days);
  const int64_t month_count = date.year * 12 + (date.month - 1) + months;
  const int64_t year = FloorDivide(month_count, 12);
  const int month = static_cast<int>(FloorModulo(month_count, 12)) + 1;
  const int last_day = DaysInMonth(year, month);
  return DaysFromCivil(year, month, date.day < last_day ? date.day : last_day);
}

}  // namespace lakeward::types
