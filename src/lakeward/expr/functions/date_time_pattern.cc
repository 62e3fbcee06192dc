#include "lakeward/expr/functions/date_time_pattern.h"

#include <algorithm>

#include "fmt/format.h"
#include "lakeward/expr/functions/calendar_fields.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::expr {

namespace {

constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                      "Friday", "Saturday", "Sunday"};
constexpr std::string_view kLetters = "yuMLdDHhKkmsSnaE";
constexpr size_t kShortName = 3;

void AppendNumber(int64_t value, int width, std::string* out) {
  const std::string digits = std::to_string(value);
  if (digits.size() < static_cast<size_t>(width)) {
    out->append(static_cast<size_t>(width) - digits.size(), '0');
  }
  out->append(digits);
}

void AppendName(std::string_view name, int count, std::string* out) {
  out->append(count <= static_cast<int>(kShortName) ? name.substr(0, kShortName) : name);
}

bool IsNumeric(char letter, int count) {
  return letter != 0 && letter != 'a' && letter != 'E' &&
         !((letter == 'M' || letter == 'L') && count >= 3);
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Which of the names the text begins with; the text loses it.
template <size_t kCount>
std::optional<int> TakeName(const std::string_view (&names)[kCount], int count,
                            std::string_view* text) {
  for (size_t i = 0; i < kCount; ++i) {
    const std::string_view name =
        count <= static_cast<int>(kShortName) ? names[i].substr(0, kShortName) : names[i];
    if (text->starts_with(name)) {
      text->remove_prefix(name.size());
      return static_cast<int>(i) + 1;
    }
  }
  return std::nullopt;
}

/// One letter takes what digits there are, several take exactly as many.
std::optional<int64_t> TakeDigits(int letter_count, bool is_adjacent, std::string_view* text,
                                  size_t* digit_count) {
  constexpr size_t kDigitsMax = 9;
  const bool is_exact = is_adjacent || letter_count > 1;
  const auto digits_min = static_cast<size_t>(is_exact ? letter_count : 1);
  const size_t digits_max = is_exact ? digits_min : kDigitsMax;
  size_t count = 0;
  int64_t value = 0;
  while (count < text->size() && count < digits_max && IsDigit((*text)[count])) {
    value = value * 10 + ((*text)[count] - '0');
    ++count;
  }
  text->remove_prefix(count);
  *digit_count = count;
  return count < digits_min ? std::nullopt : std::optional<int64_t>(value);
}

}  // namespace

/// What a text said; the rest as on 1970-01-01.
struct DateTimePattern::Fields {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t nanos = 0;
  std::optional<int64_t> half_hour;  ///< 0..11
  std::optional<bool> is_afternoon;
  std::optional<int64_t> day_of_year;

  /// A number read for a letter that stands `letter_count` times, from `digit_count` digits.
  void Store(char letter, int letter_count, int64_t value, size_t digit_count);
};

void DateTimePattern::Fields::Store(char letter, int letter_count, int64_t value,
                                    size_t digit_count) {
  switch (letter) {
    case 'y':
    case 'u':
      year = letter_count == 2 ? 2'000 + value : value;
      return;
    case 'M':
    case 'L':
      month = value;
      return;
    case 'd':
      day = value;
      return;
    case 'D':
      day_of_year = value;
      return;
    case 'H':
      hour = value;
      return;
    case 'k':
      hour = value % 24;
      return;
    case 'h':
    case 'K':
      half_hour = value % 12;
      return;
    case 'm':
      minute = value;
      return;
    case 's':
      second = value;
      return;
    case 'S':
      for (size_t i = digit_count; i < 9; ++i) {
        value *= 10;
      }
      nanos = value;
      return;
    default:  // 'n'
      nanos = value;
  }
}

Result<DateTimePattern> DateTimePattern::Make(std::string_view pattern) {
  DateTimePattern result;
  const auto add_literal = [&result](std::string_view text) {
    if (result.elements_.empty() || result.elements_.back().letter != 0) {
      result.elements_.emplace_back();
    }
    result.elements_.back().literal.append(text);
  };
  for (size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '\'') {
      const size_t end = pattern.find('\'', i + 1);
      if (end == std::string_view::npos) {
        return MakeError(ErrorKind::kValidation,
                         fmt::format("the pattern '{}' has a quote that does not end", pattern));
      }
      add_literal(end == i + 1 ? "'" : pattern.substr(i + 1, end - i - 1));
      i = end + 1;
      continue;
    }
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter) {
      add_literal(pattern.substr(i, 1));
      ++i;
      continue;
    }
    if (kLetters.find(c) == std::string_view::npos) {
      return MakeError(ErrorKind::kValidation,
                       fmt::format("the pattern '{}' has the unknown letter '{}'", pattern, c),
                       "Put text that stands for itself in single quotes.");
    }
    size_t end = i;
    while (end < pattern.size() && pattern[end] == c) {
      ++end;
    }
    result.elements_.push_back({c, static_cast<int>(end - i), ""});
    i = end;
  }
  return result;
}

void DateTimePattern::Format(int64_t micros, int32_t nanos, std::string* out) const {
  const int64_t days = types::FloorDivide(micros, types::kMicrosPerDay);
  const int64_t micros_of_day = micros - days * types::kMicrosPerDay;
  const types::CivilDate date = types::CivilFromDays(days);
  const int64_t second = micros_of_day / types::kMicrosPerSecond;
  const int64_t hour = second / 3'600;
  const int64_t nanos_of_second = micros_of_day % types::kMicrosPerSecond * 1'000 + nanos;
  for (const Element& element : elements_) {
    switch (element.letter) {
      case 0:
        out->append(element.literal);
        break;
      case 'y':
      case 'u':
        AppendNumber(element.count == 2 ? types::FloorModulo(date.year, 100) : date.year,
                     element.count, out);
        break;
      case 'M':
      case 'L':
        if (element.count >= 3) {
          AppendName(kMonths[date.month - 1], element.count, out);
        } else {
          AppendNumber(date.month, element.count, out);
        }
        break;
      case 'd':
        AppendNumber(date.day, element.count, out);
        break;
      case 'D':
        AppendNumber(ReadField(CalendarField::kDayOfYear, days, 0), element.count, out);
        break;
      case 'H':
        AppendNumber(hour, element.count, out);
        break;
      case 'k':
        AppendNumber(hour == 0 ? 24 : hour, element.count, out);
        break;
      case 'K':
        AppendNumber(hour % 12, element.count, out);
        break;
      case 'h':
        AppendNumber((hour + 11) % 12 + 1, element.count, out);
        break;
      case 'm':
        AppendNumber(second / 60 % 60, element.count, out);
        break;
      case 's':
        AppendNumber(second % 60, element.count, out);
        break;
      case 'S':
        out->append(fmt::format("{:09}", nanos_of_second)
                        .substr(0, static_cast<size_t>(std::min(element.count, 9))));
        break;
      case 'n':
        AppendNumber(nanos_of_second, element.count, out);
        break;
      case 'a':
        out->append(hour < 12 ? "AM" : "PM");
        break;
      default:  // 'E'
        AppendName(kDays[ReadField(CalendarField::kIsoDayOfWeek, days, 0) - 1], element.count, out);
    }
  }
}

bool DateTimePattern::ParseElement(const Element& element, bool is_adjacent, std::string_view* text,
                                   Fields* fields) {
  if (element.letter == 0) {
    const bool matches = text->starts_with(element.literal);
    text->remove_prefix(matches ? element.literal.size() : 0);
    return matches;
  }
  if (element.letter == 'a') {
    const std::string_view half = text->substr(0, 2);
    if (half != "AM" && half != "PM" && half != "am" && half != "pm") {
      return false;
    }
    fields->is_afternoon = half == "PM" || half == "pm";
    text->remove_prefix(2);
    return true;
  }
  if (element.letter == 'E') {
    return TakeName(kDays, element.count, text).has_value();
  }
  if (!IsNumeric(element.letter, element.count)) {
    const std::optional<int> month = TakeName(kMonths, element.count, text);
    fields->month = month.value_or(0);
    return month.has_value();
  }
  size_t digit_count = 0;
  const std::optional<int64_t> value = TakeDigits(element.count, is_adjacent, text, &digit_count);
  if (!value) {
    return false;
  }
  fields->Store(element.letter, element.count, *value, digit_count);
  return true;
}

std::optional<int64_t> DateTimePattern::Parse(std::string_view text) const {
  Fields fields;
  for (size_t i = 0; i < elements_.size(); ++i) {
    const bool is_adjacent = i + 1 < elements_.size() && elements_[i].count > 1 &&
                             IsNumeric(elements_[i + 1].letter, elements_[i + 1].count);
    if (!ParseElement(elements_[i], is_adjacent, &text, &fields)) {
      return std::nullopt;
    }
  }
  if (fields.half_hour) {
    fields.hour = *fields.half_hour + (fields.is_afternoon.value_or(false) ? 12 : 0);
  }
  if (!text.empty() || fields.month < 1 || fields.month > 12 || fields.day < 1 || fields.day > 31 ||
      fields.hour > 23 || fields.minute > 59 || fields.second > 59) {
    return std::nullopt;
  }
  const auto month = static_cast<int>(fields.month);
  const auto day =
      static_cast<int>(std::min<int64_t>(fields.day, types::DaysInMonth(fields.year, month)));
  const int64_t days = fields.day_of_year
                           ? types::DaysFromCivil(fields.year, 1, 1) + *fields.day_of_year - 1
                           : types::DaysFromCivil(fields.year, month, day);
  return days * types::kMicrosPerDay +
         (fields.hour * 3'600 + fields.minute * 60 + fields.second) * types::kMicrosPerSecond +
         fields.nanos / 1'000;
}

}  // namespace lakeward::expr
