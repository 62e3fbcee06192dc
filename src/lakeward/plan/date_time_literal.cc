#include "lakeward/plan/date_time_literal.h"

#include <string>
#include <vector>

#include "lakeward/types/civil_time.h"

namespace lakeward::plan {
namespace {

using sql::TimeUnit;

// Reads digits from the front of `text`: between `count_min` and `count_max` of them.
std::optional<int64_t> TakeNumber(std::string_view* text, size_t count_min, size_t count_max) {
  size_t count = 0;
  int64_t value = 0;
  while (count < text->size() && (*text)[count] >= '0' && (*text)[count] <= '9') {
    if (++count > count_max) {
      return std::nullopt;
    }
    value = value * 10 + ((*text)[count - 1] - '0');
  }
  if (count < count_min) {
    return std::nullopt;
  }
  text->remove_prefix(count);
  return value;
}

bool TakeCharacter(std::string_view* text, char wanted) {
  if (text->empty() || text->front() != wanted) {
    return false;
  }
  text->remove_prefix(1);
  return true;
}

// The digits behind a decimal point as nanoseconds, and how many there were.
std::optional<TimeLiteral> TakeFraction(std::string_view* text) {
  TimeLiteral fraction;
  if (!TakeCharacter(text, '.')) {
    return fraction;
  }
  const size_t digits = text->size();
  const std::optional<int64_t> value = TakeNumber(text, 1, 9);
  if (!value.has_value()) {
    return std::nullopt;
  }
  fraction.precision = static_cast<int>(digits - text->size());
  fraction.nanos = *value;
  for (int i = fraction.precision; i < 9; ++i) {
    fraction.nanos *= 10;
  }
  return fraction;
}

constexpr int64_t kMillisPerSecond = 1'000;

// Milliseconds, or months, of one unit.
int64_t SizeOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kYear:
      return 12;
    case TimeUnit::kQuarter:
      return 3;
    case TimeUnit::kMonth:
      return 1;
    case TimeUnit::kWeek:
      return 7 * types::kMillisPerDay;
    case TimeUnit::kDay:
      return types::kMillisPerDay;
    case TimeUnit::kHour:
      return 3'600 * kMillisPerSecond;
    case TimeUnit::kMinute:
      return 60 * kMillisPerSecond;
    default:
      return kMillisPerSecond;
  }
}

// The unit that follows inside a literal, and what stands between the two.
struct NextUnit {
  TimeUnit unit;
  char separator;
  int64_t limit;  ///< values below this one only
};

std::optional<NextUnit> UnitAfter(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kYear:
      return NextUnit{TimeUnit::kMonth, '-', 12};
    case TimeUnit::kDay:
      return NextUnit{TimeUnit::kHour, ' ', 24};
    case TimeUnit::kHour:
      return NextUnit{TimeUnit::kMinute, ':', 60};
    case TimeUnit::kMinute:
      return NextUnit{TimeUnit::kSecond, ':', 60};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<int32_t> ReadDateLiteral(std::string_view text) {
  const std::optional<int64_t> year = TakeNumber(&text, 4, 4);
  if (!year.has_value() || !TakeCharacter(&text, '-')) {
    return std::nullopt;
  }
  const std::optional<int64_t> month = TakeNumber(&text, 1, 2);
  if (!month.has_value() || !TakeCharacter(&text, '-')) {
    return std::nullopt;
  }
  const std::optional<int64_t> day = TakeNumber(&text, 1, 2);
  if (!day.has_value() || !text.empty() || *month < 1 || *month > 12 || *day < 1 ||
      *day > types::DaysInMonth(*year, static_cast<int>(*month))) {
    return std::nullopt;
  }
  return static_cast<int32_t>(
      types::DaysFromCivil(*year, static_cast<int>(*month), static_cast<int>(*day)));
}

std::optional<TimeLiteral> ReadTimeLiteral(std::string_view text) {
  const std::optional<int64_t> hour = TakeNumber(&text, 1, 2);
  if (!hour.has_value() || !TakeCharacter(&text, ':')) {
    return std::nullopt;
  }
  const std::optional<int64_t> minute = TakeNumber(&text, 1, 2);
  if (!minute.has_value() || !TakeCharacter(&text, ':')) {
    return std::nullopt;
  }
  const std::optional<int64_t> second = TakeNumber(&text, 1, 2);
  if (!second.has_value() || *hour > 23 || *minute > 59 || *second > 59) {
    return std::nullopt;
  }
  std::optional<TimeLiteral> time = TakeFraction(&text);
  if (!time.has_value() || !text.empty()) {
    return std::nullopt;
  }
  time->nanos += ((*hour * 60 + *minute) * 60 + *second) * 1'000'000'000;
  return time;
}

std::optional<int64_t> ReadIntervalLiteral(std::string_view text,
                                           const sql::IntervalQualifier& qualifier) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  const bool negative = TakeCharacter(&text, '-');
  if (!negative) {
    TakeCharacter(&text, '+');
  }
  constexpr size_t kLeadingDigitsMax = 10;
  const std::optional<int64_t> leading = TakeNumber(&text, 1, kLeadingDigitsMax);
  if (!leading.has_value()) {
    return std::nullopt;
  }
  TimeUnit unit = qualifier.from;
  int64_t total = *leading * SizeOf(unit);
  while (qualifier.to.has_value() && unit != *qualifier.to) {
    const std::optional<NextUnit> next = UnitAfter(unit);
    if (!next.has_value() || !TakeCharacter(&text, next->separator)) {
      return std::nullopt;
    }
    const std::optional<int64_t> value = TakeNumber(&text, 1, 2);
    if (!value.has_value() || *value >= next->limit) {
      return std::nullopt;
    }
    unit = next->unit;
    total += *value * SizeOf(unit);
  }
  if (unit == TimeUnit::kSecond) {
    const std::optional<TimeLiteral> fraction = TakeFraction(&text);
    if (!fraction.has_value()) {
      return std::nullopt;
    }
    total += fraction->nanos / 1'000'000;
  }
  if (!text.empty()) {
    return std::nullopt;
  }
  return negative ? -total : total;
}

}  // namespace lakeward::plan
