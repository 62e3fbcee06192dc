#include "lakeward/table/delta/calendar.h"

#include "fmt/format.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::delta {
namespace {

using types::kMicrosPerDay;
using types::kMicrosPerSecond;

constexpr int64_t kFirstDay = types::DaysFromCivil(1, 1, 1);
constexpr int64_t kLastDay = types::DaysFromCivil(9999, 12, 31);

/// Takes `digits` decimal digits from the front of `text`.
bool TakeNumber(std::string_view* text, int digits, int64_t* value) {
  if (static_cast<int>(text->size()) < digits) {
    return false;
  }
  *value = 0;
  for (int i = 0; i < digits; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') {
      return false;
    }
    *value = *value * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  return true;
}

bool Take(std::string_view* text, char c) {
  if (text->empty() || text->front() != c) {
    return false;
  }
  text->remove_prefix(1);
  return true;
}

bool TakeDate(std::string_view* text, int64_t* days) {
  int64_t year = 0;
  int64_t month = 0;
  int64_t day = 0;
  if (!TakeNumber(text, 4, &year) || !Take(text, '-') || !TakeNumber(text, 2, &month) ||
      !Take(text, '-') || !TakeNumber(text, 2, &day)) {
    return false;
  }
  if (month < 1 || month > 12 || day < 1 ||
      day > types::DaysInMonth(year, static_cast<int>(month))) {
    return false;
  }
  *days = types::DaysFromCivil(year, static_cast<int>(month), static_cast<int>(day));
  return true;
}

/// ".123456789" as microseconds; absent is 0.
bool TakeFraction(std::string_view* text, int64_t* micros) {
  *micros = 0;
  if (!Take(text, '.')) {
    return true;
  }
  int digits = 0;
  while (!text->empty() && text->front() >= '0' && text->front() <= '9') {
    if (digits < 6) {
      *micros = *micros * 10 + (text->front() - '0');
    }
    ++digits;
    text->remove_prefix(1);
  }
  for (int i = digits; i < 6; ++i) {
    *micros *= 10;
  }
  return digits > 0 && digits <= 9;
}

/// "", "Z", "+01:00", "+0100", "+01" as seconds east of UTC.
bool TakeZone(std::string_view* text, int64_t* offset_seconds) {
  *offset_seconds = 0;
  if (text->empty() || Take(text, 'Z')) {
    return true;
  }
  const int64_t sign = text->front() == '-' ? -1 : 1;
  if (!Take(text, '+') && !Take(text, '-')) {
    return false;
  }
  int64_t hours = 0;
  int64_t minutes = 0;
  if (!TakeNumber(text, 2, &hours)) {
    return false;
  }
  if (!text->empty()) {
    Take(text, ':');
    if (!TakeNumber(text, 2, &minutes)) {
      return false;
    }
  }
  *offset_seconds = sign * (hours * 3'600 + minutes * 60);
  return hours <= 18 && minutes < 60;
}

}  // namespace

std::optional<std::string> FormatDate(int64_t days) {
  if (days < kFirstDay || days > kLastDay) {
    return std::nullopt;
  }
  const types::CivilDate date = types::CivilFromDays(days);
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::optional<int64_t> ParseDate(std::string_view text) {
  int64_t days = 0;
  if (!TakeDate(&text, &days) || !text.empty()) {
    return std::nullopt;
  }
  return days;
}

std::optional<std::string> FormatTimestamp(int64_t micros, TimestampForm form) {
  const int64_t days = types::FloorDivide(micros, kMicrosPerDay);
  const std::optional<std::string> date = FormatDate(days);
  if (!date.has_value()) {
    return std::nullopt;
  }
  const int64_t of_day = micros - days * kMicrosPerDay;
  const int64_t seconds = of_day / kMicrosPerSecond;
  const int64_t fraction = of_day % kMicrosPerSecond;
  const char between = form == TimestampForm::kSpacedMicros ? ' ' : 'T';
  std::string text = fmt::format("{}{}{:02}:{:02}:{:02}", *date, between, seconds / 3'600,
                                 seconds / 60 % 60, seconds % 60);
  switch (form) {
    case TimestampForm::kIsoUtcMillis:
      return text + fmt::format(".{:03}Z", fraction / 1'000);
    case TimestampForm::kIsoMillis:
      return text + fmt::format(".{:03}", fraction / 1'000);
    case TimestampForm::kIsoUtcMicros:
      return text + fmt::format(".{:06}Z", fraction);
    case TimestampForm::kSpacedMicros:
      return text + fmt::format(".{:06}", fraction);
  }
  return std::nullopt;
}

std::optional<int64_t> ParseTimestamp(std::string_view text) {
  int64_t days = 0;
  if (!TakeDate(&text, &days)) {
    return std::nullopt;
  }
  if (text.empty()) {
    return days * kMicrosPerDay;
  }
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t micros = 0;
  int64_t offset_seconds = 0;
  if ((!Take(&text, ' ') && !Take(&text, 'T')) || !TakeNumber(&text, 2, &hour) ||
      !Take(&text, ':') || !TakeNumber(&text, 2, &minute)) {
    return std::nullopt;
  }
  if (Take(&text, ':') && (!TakeNumber(&text, 2, &second) || !TakeFraction(&text, &micros))) {
    return std::nullopt;
  }
  if (!TakeZone(&text, &offset_seconds) || !text.empty() || hour > 23 || minute > 59 ||
      second > 59) {
    return std::nullopt;
  }
  const int64_t seconds_of_day = hour * 3'600 + minute * 60 + second - offset_seconds;
  return days * kMicrosPerDay + seconds_of_day * kMicrosPerSecond + micros;
}

}  // namespace lakeward::delta
