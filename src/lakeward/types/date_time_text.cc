#include "lakeward/types/date_time_text.h"

#include <algorithm>
#include <cstdlib>

#include "arrow/type.h"
#include "lakeward/types/civil_time.h"
#include "lakeward/types/number_text.h"

namespace lakeward::types {

namespace {

void AppendPadded(int64_t value, int digits, std::string* out) {
  char buffer[20];
  int at = digits;
  while (at > 0) {
    buffer[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  out->append(buffer, static_cast<size_t>(digits));
}

void AppendClock(int64_t second_of_day, std::string* out) {
  AppendPadded(second_of_day / 3'600, 2, out);
  out->push_back(':');
  AppendPadded(second_of_day / 60 % 60, 2, out);
  out->push_back(':');
  AppendPadded(second_of_day % 60, 2, out);
}

int64_t UnitsPerSecond(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1'000;
    case arrow::TimeUnit::MICRO:
      return 1'000'000;
    case arrow::TimeUnit::NANO:
      return 1'000'000'000;
  }
  return 1;
}

}  // namespace

void AppendDate(int64_t days, std::string* out) {
  const CivilDate date = CivilFromDays(days);
  if (date.year < 0 || date.year > 9'999) {
    out->append(date.year < 0 ? "-" : "+");
    const int64_t year = std::abs(date.year);
    AppendPadded(year, year > 99'999 ? 6 : (year > 9'999 ? 5 : 4), out);
  } else {
    AppendPadded(date.year, 4, out);
  }
  out->push_back('-');
  AppendPadded(date.month, 2, out);
  out->push_back('-');
  AppendPadded(date.day, 2, out);
}

void AppendTime(int64_t micros_of_day, int32_t precision, std::string* out) {
  const int64_t micros = FloorModulo(micros_of_day, kMicrosPerDay);
  AppendClock(micros / kMicrosPerSecond, out);
  if (precision <= 0) {
    return;
  }
  out->push_back('.');
  int64_t rest = micros % kMicrosPerSecond;
  int64_t digit_value = 100'000;
  for (int32_t i = 0; i < precision && digit_value > 0; ++i) {
    out->push_back(static_cast<char>('0' + rest / digit_value));
    rest %= digit_value;
    digit_value /= 10;
    if (rest == 0) {
      break;
    }
  }
}

void AppendTimestamp(int64_t value, arrow::TimeUnit::type unit, int32_t precision,
                     std::string* out) {
  const int64_t per_second = UnitsPerSecond(unit);
  const int64_t seconds = FloorDivide(value, per_second);
  int64_t nanos = FloorModulo(value, per_second) * (1'000'000'000 / per_second);
  const int64_t days = FloorDivide(seconds, 86'400);
  AppendDate(days, out);
  out->push_back(' ');
  AppendClock(seconds - days * 86'400, out);
  int digits = 9;
  while (digits > precision && nanos % 10 == 0) {
    nanos /= 10;
    --digits;
  }
  if (digits > 0) {
    out->push_back('.');
    AppendPadded(nanos, digits, out);
  }
}

void AppendIntervalYearMonth(int32_t months, std::string* out) {
  out->push_back(months < 0 ? '-' : '+');
  const int64_t count = std::abs(static_cast<int64_t>(months));
  AppendInteger(count / 12, out);
  out->push_back('-');
  AppendPadded(count % 12, 2, out);
}

void AppendIntervalDayTime(int64_t millis, std::string* out) {
  out->push_back(millis < 0 ? '-' : '+');
  const uint64_t count =
      millis < 0 ? ~static_cast<uint64_t>(millis) + 1 : static_cast<uint64_t>(millis);
  AppendInteger(static_cast<int64_t>(count / kMillisPerDay), out);
  out->push_back(' ');
  AppendClock(static_cast<int64_t>(count % kMillisPerDay / 1'000), out);
  out->push_back('.');
  AppendPadded(static_cast<int64_t>(count % 1'000), 3, out);
}

namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

/// A number of nothing but digits, spaces around it allowed.
std::optional<int64_t> ParseDigits(std::string_view text) {
  constexpr size_t kDigitsMax = 9;
  text = Trim(text);
  if (text.empty() || text.size() > kDigitsMax) {
    return std::nullopt;
  }
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    value = value * 10 + (c - '0');
  }
  return value;
}

/// What stands before the next `separator`, which is taken too; all the rest when there is none.
std::string_view TakeUntil(char separator, std::string_view* text) {
  const size_t at = text->find(separator);
  const std::string_view part = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + 1);
  return part;
}

/// Between `digits_min` and `digits_max` digits from the front.
std::optional<int64_t> TakeDigits(size_t digits_min, size_t digits_max, std::string_view* text) {
  size_t count = 0;
  while (count < text->size() && count < digits_max && (*text)[count] >= '0' &&
         (*text)[count] <= '9') {
    ++count;
  }
  if (count < digits_min) {
    return std::nullopt;
  }
  const std::optional<int64_t> value = ParseDigits(text->substr(0, count));
  text->remove_prefix(count);
  return value;
}

bool TakeCharacter(char expected, std::string_view* text) {
  if (text->empty() || text->front() != expected) {
    return false;
  }
  text->remove_prefix(1);
  return true;
}

std::optional<int64_t> TakeDateOfTimestamp(std::string_view* text) {
  const auto year = TakeDigits(4, 4, text);
  if (!year || !TakeCharacter('-', text)) {
    return std::nullopt;
  }
  const auto month = TakeDigits(1, 2, text);
  if (!month || *month < 1 || *month > 12 || !TakeCharacter('-', text)) {
    return std::nullopt;
  }
  const auto day = TakeDigits(1, 2, text);
  if (!day || *day < 1 || *day > 31) {
    return std::nullopt;
  }
  const int month_number = static_cast<int>(*month);
  return DaysFromCivil(*year, month_number,
                       std::min(static_cast<int>(*day), DaysInMonth(*year, month_number)));
}

std::optional<int64_t> TakeClock(std::string_view* text) {
  const auto hour = TakeDigits(1, 2, text);
  if (!hour || *hour > 23 || !TakeCharacter(':', text)) {
    return std::nullopt;
  }
  const auto minute = TakeDigits(1, 2, text);
  if (!minute || *minute > 59 || !TakeCharacter(':', text)) {
    return std::nullopt;
  }
  const auto second = TakeDigits(1, 2, text);
  if (!second || *second > 59) {
    return std::nullopt;
  }
  return *hour * 3'600 + *minute * 60 + *second;
}

}  // namespace

std::optional<int32_t> ParseDate(std::string_view text) {
  if (const size_t space = text.find(' '); space != std::string_view::npos && space > 0) {
    text = text.substr(0, space);
  }
  const auto year = ParseDigits(TakeUntil('-', &text));
  const bool has_month = !text.empty();
  const auto month = has_month ? ParseDigits(TakeUntil('-', &text)) : std::optional<int64_t>(1);
  const bool has_day = has_month && !text.empty();
  const auto day = has_day ? ParseDigits(text) : std::optional<int64_t>(1);
  if (!year || !month || !day || *year > 9'999 || *month < 1 || *month > 12 || *day < 1 ||
      *day > DaysInMonth(*year, static_cast<int>(*month))) {
    return std::nullopt;
  }
  return static_cast<int32_t>(
      DaysFromCivil(*year, static_cast<int>(*month), static_cast<int>(*day)));
}

std::optional<int64_t> ParseTime(std::string_view text) {
  const auto hour = ParseDigits(TakeUntil(':', &text));
  const auto minute = text.empty() ? std::optional<int64_t>(0) : ParseDigits(TakeUntil(':', &text));
  const auto second = text.empty() ? std::optional<int64_t>(0) : ParseDigits(TakeUntil('.', &text));
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) {
    return std::nullopt;
  }
  int64_t millis = 0;
  int64_t multiplier = 100;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') {
      return std::nullopt;
    }
    if (i < 3) {
      millis += multiplier * (text[i] - '0');
      multiplier /= 10;
    } else if (i == 3 && text[i] >= '5') {
      ++millis;
    }
  }
  return (*hour * 3'600 + *minute * 60 + *second) * kMicrosPerSecond + millis * 1'000;
}

std::optional<WallTime> ParseTimestamp(std::string_view text) {
  const auto days = TakeDateOfTimestamp(&text);
  if (!days) {
    return std::nullopt;
  }
  WallTime time{*days * 86'400, 0};
  if (text.empty()) {
    return time;
  }
  if (!TakeCharacter(' ', &text)) {
    return std::nullopt;
  }
  const auto second_of_day = TakeClock(&text);
  if (!second_of_day) {
    return std::nullopt;
  }
  time.seconds += *second_of_day;
  if (!text.empty()) {
    if (!TakeCharacter('.', &text) || text.size() > 9) {
      return std::nullopt;
    }
    int64_t nanos_per_digit = 100'000'000;
    for (char c : text) {
      if (c < '0' || c > '9') {
        return std::nullopt;
      }
      time.nanos += static_cast<int32_t>((c - '0') * nanos_per_digit);
      nanos_per_digit /= 10;
    }
  }
  return time;
}

}  // namespace lakeward::types
