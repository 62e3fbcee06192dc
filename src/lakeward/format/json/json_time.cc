#include "lakeward/format/json/json_time.h"

#include <charconv>
#include <cstring>

#include "lakeward/format/json/json_number.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::format {

namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kDayMax = 1'000'000'000;  // so that a day's nanoseconds never overflow a check

/// Two digits at `p`, -1 when they are not.
int TwoDigits(const char* p) {
  return IsDigit(p[0]) && IsDigit(p[1]) ? (p[0] - '0') * 10 + (p[1] - '0') : -1;
}

/// Takes the date at the front of `text`.
bool TakeDate(std::string_view* text, int32_t* days) {
  const char* p = text->data();
  const char* const end = p + text->size();
  bool negative = false;
  bool sign = false;
  if (p < end && (*p == '-' || *p == '+')) {
    sign = true;
    negative = *p == '-';
    ++p;
  }
  int64_t year = 0;
  int digits = 0;
  for (; p < end && IsDigit(*p) && digits < 10; ++p, ++digits) {
    year = year * 10 + (*p - '0');
  }
  // Java's EXCEEDS_PAD: a plus sign exactly when the year has more than four digits.
  if (digits < 4 || digits > 9 || (!sign && digits > 4) || (sign && !negative && digits == 4) ||
      (negative && year == 0) || end - p < 6 || p[0] != '-' || p[3] != '-') {
    return false;
  }
  const int month = TwoDigits(p + 1);
  const int day = TwoDigits(p + 4);
  year = negative ? -year : year;
  if (month < 1 || month > 12 || day < 1 || day > types::DaysInMonth(year, month)) {
    return false;
  }
  const int64_t result = types::DaysFromCivil(year, month, day);
  if (result > kDayMax || result < -kDayMax) {
    return false;
  }
  *days = static_cast<int32_t>(result);
  text->remove_prefix(static_cast<size_t>(p + 6 - text->data()));
  return true;
}

/// Takes the time at the front of `text`.
bool TakeTime(std::string_view* text, bool seconds_needed, int64_t* nanos_of_day) {
  const char* p = text->data();
  const char* const end = p + text->size();
  if (end - p < 5 || p[2] != ':') {
    return false;
  }
  const int hour = TwoDigits(p);
  const int minute = TwoDigits(p + 3);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
    return false;
  }
  p += 5;
  int second = 0;
  int64_t nanos = 0;
  if (end - p >= 3 && *p == ':') {
    second = TwoDigits(p + 1);
    if (second < 0 || second > 59) {
      return false;
    }
    p += 3;
    if (p < end && *p == '.') {
      ++p;
      int digits = 0;
      for (; p < end && IsDigit(*p) && digits < 9; ++p, ++digits) {
        nanos = nanos * 10 + (*p - '0');
      }
      for (; digits < 9; ++digits) {
        nanos *= 10;
      }
    }
  } else if (seconds_needed) {
    return false;
  }
  *nanos_of_day = ((hour * 60 + minute) * 60 + second) * kNanosPerSecond + nanos;
  text->remove_prefix(static_cast<size_t>(p - text->data()));
  return true;
}

char* WriteTwoDigits(uint32_t value, char* out) {
  *out++ = static_cast<char>('0' + value / 10);
  *out++ = static_cast<char>('0' + value % 10);
  return out;
}

}  // namespace

bool ParseDate(std::string_view text, int32_t* days_since_epoch) {
  return TakeDate(&text, days_since_epoch) && text.empty();
}

bool ParseTime(std::string_view text, int64_t* nanos_of_day) {
  return TakeTime(&text, true, nanos_of_day) && text.empty();
}

bool ParseTimestamp(std::string_view text, TimestampStandard standard, bool zulu,
                    WallClock* wall_clock) {
  if (!TakeDate(&text, &wall_clock->days_since_epoch) || text.empty()) {
    return false;
  }
  const bool iso = standard == TimestampStandard::kIso8601;
  const char separator = text.front();
  // ISO_LOCAL_DATE_TIME reads its letters in either case.
  if (iso ? separator != 'T' && !(separator == 't' && !zulu) : separator != ' ') {
    return false;
  }
  text.remove_prefix(1);
  if (!TakeTime(&text, !iso, &wall_clock->nanos_of_day)) {
    return false;
  }
  return zulu ? text == "Z" : text.empty();
}

char* WriteDate(int64_t days_since_epoch, char* out) {
  const types::CivilDate civil = types::CivilFromDays(days_since_epoch);
  int64_t year = civil.year;
  if (year >= 0 && year <= 9999) {
    out = WriteTwoDigits(static_cast<uint32_t>(year / 100), out);
    out = WriteTwoDigits(static_cast<uint32_t>(year % 100), out);
  } else {
    *out++ = year < 0 ? '-' : '+';
    year = year < 0 ? -year : year;
    for (int64_t bound = 1000; year < bound && bound > 1; bound /= 10) {
      *out++ = '0';
    }
    out = std::to_chars(out, out + 20, year).ptr;
  }
  *out++ = '-';
  out = WriteTwoDigits(static_cast<uint32_t>(civil.month), out);
  *out++ = '-';
  return WriteTwoDigits(static_cast<uint32_t>(civil.day), out);
}

char* WriteTime(int64_t nanos_of_day, char* out) {
  const auto seconds = static_cast<uint32_t>(nanos_of_day / kNanosPerSecond);
  auto nanos = static_cast<uint32_t>(nanos_of_day % kNanosPerSecond);
  out = WriteTwoDigits(seconds / 3600, out);
  *out++ = ':';
  out = WriteTwoDigits(seconds / 60 % 60, out);
  *out++ = ':';
  out = WriteTwoDigits(seconds % 60, out);
  if (nanos == 0) {
    return out;
  }
  *out++ = '.';
  for (uint32_t unit = 100'000'000; nanos != 0; unit /= 10) {
    *out++ = static_cast<char>('0' + nanos / unit);
    nanos %= unit;
  }
  return out;
}

}  // namespace lakeward::format
