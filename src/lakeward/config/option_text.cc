#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "fmt/format.h"
#include "lakeward/config/option.h"

// How the values of options are written and read. Labels and printed forms are those of Flink's
// TimeUtils and MemorySize.

namespace lakeward::config {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

Status Malformed(std::string_view text, std::string_view expected) {
  return MakeError(ErrorKind::kConfig, fmt::format("'{}' is not {}", text, expected));
}

constexpr std::string_view kExpectedDuration =
    "a duration such as '10 s', '500 ms', '1 min', '2 h', '1 d' or 'PT10S'";
constexpr std::string_view kExpectedMemorySize =
    "a memory size such as '512 kb', '128 mb', '2 gb' or a number of bytes";

struct TimeUnit {
  std::string_view label;
  int64_t nanos;
};

constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kMillisecond = 1'000 * kMicrosecond;
constexpr int64_t kSecond = 1'000 * kMillisecond;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

// An empty label is milliseconds.
constexpr auto kTimeUnits = std::to_array<TimeUnit>({
    {"", kMillisecond},
    {"ms", kMillisecond},
    {"milli", kMillisecond},
    {"millis", kMillisecond},
    {"millisecond", kMillisecond},
    {"milliseconds", kMillisecond},
    {"s", kSecond},
    {"sec", kSecond},
    {"secs", kSecond},
    {"second", kSecond},
    {"seconds", kSecond},
    {"min", kMinute},
    {"m", kMinute},
    {"minute", kMinute},
    {"minutes", kMinute},
    {"h", kHour},
    {"hour", kHour},
    {"hours", kHour},
    {"d", kDay},
    {"day", kDay},
    {"days", kDay},
    {"µs", kMicrosecond},
    {"micro", kMicrosecond},
    {"micros", kMicrosecond},
    {"microsecond", kMicrosecond},
    {"microseconds", kMicrosecond},
    {"ns", 1},
    {"nano", 1},
    {"nanos", 1},
    {"nanosecond", 1},
    {"nanoseconds", 1},
});

struct MemoryUnit {
  std::string_view label;
  int64_t bytes;
};

constexpr auto kMemoryUnits = std::to_array<MemoryUnit>({
    {"", 1},
    {"b", 1},
    {"bytes", 1},
    {"k", int64_t{1} << 10},
    {"kb", int64_t{1} << 10},
    {"kibibytes", int64_t{1} << 10},
    {"m", int64_t{1} << 20},
    {"mb", int64_t{1} << 20},
    {"mebibytes", int64_t{1} << 20},
    {"g", int64_t{1} << 30},
    {"gb", int64_t{1} << 30},
    {"gibibytes", int64_t{1} << 30},
    {"t", int64_t{1} << 40},
    {"tb", int64_t{1} << 40},
    {"tebibytes", int64_t{1} << 40},
});

// Splits "10 s" into 10 and "s"; nothing when it does not start with a number that fits.
struct NumberAndUnit {
  int64_t number = 0;
  std::string unit;
};

std::optional<NumberAndUnit> SplitUnit(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  NumberAndUnit split;
  if (trimmed.empty() || trimmed[0] < '0' || trimmed[0] > '9') {
    return std::nullopt;
  }
  const char* end = trimmed.data() + trimmed.size();
  const auto parsed = std::from_chars(trimmed.data(), end, split.number);
  if (parsed.ec != std::errc()) {
    return std::nullopt;
  }
  split.unit = LowerCase(Trim(std::string_view(parsed.ptr, static_cast<size_t>(end - parsed.ptr))));
  return split;
}

// A duration as whole milliseconds and the nanoseconds beyond them.
struct ExactDuration {
  int64_t millis = 0;
  int64_t nanos = 0;
};

bool AddUnits(int64_t count, int64_t unit_nanos, ExactDuration* sum) {
  if (unit_nanos < kMillisecond) {
    const int64_t per_millisecond = kMillisecond / unit_nanos;
    sum->nanos += count % per_millisecond * unit_nanos;
    return !__builtin_add_overflow(sum->millis, count / per_millisecond, &sum->millis);
  }
  int64_t millis = 0;
  return !__builtin_mul_overflow(count, unit_nanos / kMillisecond, &millis) &&
         !__builtin_add_overflow(sum->millis, millis, &sum->millis);
}

// ISO 8601 as java.time.Duration has it, without signs: PnDTnHnMn.nS.
std::optional<ExactDuration> ParseIsoDuration(std::string_view text) {
  const std::string lower = LowerCase(text);
  if (lower.size() < 3 || lower[0] != 'p') {
    return std::nullopt;
  }
  ExactDuration sum;
  const char* position = lower.data() + 1;
  const char* end = lower.data() + lower.size();
  bool in_time = false;
  // Designators must come in this order, each at most once.
  std::string_view left = "dhms";
  while (position < end) {
    if (*position == 't' && !in_time) {
      in_time = true;
      ++position;
      if (position == end) {
        return std::nullopt;
      }
      continue;
    }
    int64_t count = 0;
    const auto parsed = std::from_chars(position, end, count);
    if (parsed.ec != std::errc() || count < 0 || parsed.ptr == end) {
      return std::nullopt;
    }
    position = parsed.ptr;
    if (*position == '.') {
      int64_t unit_nanos = kSecond;
      ++position;
      for (; position < end && *position >= '0' && *position <= '9'; ++position) {
        unit_nanos /= 10;
        sum.nanos += (*position - '0') * unit_nanos;
      }
      if (position == end || *position != 's') {
        return std::nullopt;
      }
    }
    const size_t place = left.find(*position);
    if (place == std::string_view::npos || (*position == 'd') == in_time) {
      return std::nullopt;
    }
    left.remove_prefix(place + 1);
    const int64_t unit_nanos = *position == 'd'   ? kDay
                               : *position == 'h' ? kHour
                               : *position == 'm' ? kMinute
                                                  : kSecond;
    if (!AddUnits(count, unit_nanos, &sum)) {
      return std::nullopt;
    }
    ++position;
  }
  sum.millis += sum.nanos / kMillisecond;
  sum.nanos %= kMillisecond;
  return sum;
}

std::optional<ExactDuration> ParseExactDuration(std::string_view text) {
  const std::optional<NumberAndUnit> split = SplitUnit(text);
  if (!split.has_value()) {
    return ParseIsoDuration(Trim(text));
  }
  for (const TimeUnit& unit : kTimeUnits) {
    if (unit.label == split->unit) {
      ExactDuration sum;
      return AddUnits(split->number, unit.nanos, &sum) ? std::optional(sum) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<bool> ParseBool(std::string_view text) {
  const std::string word = LowerCase(Trim(text));
  if (word == "true") {
    return true;
  }
  if (word == "false") {
    return false;
  }
  return Malformed(text, "'true' or 'false'");
}

Result<int64_t> ParseInt64(std::string_view text) {
  std::string_view digits = Trim(text);
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') {
    digits.remove_prefix(1);
  }
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    return Malformed(text, "a whole number");
  }
  return value;
}

Result<double> ParseDouble(std::string_view text) {
  std::string_view digits = Trim(text);
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') {
    digits.remove_prefix(1);
  }
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) {
    return Malformed(text, "a number");
  }
  return value;
}

Result<Duration> ParseDuration(std::string_view text) {
  const std::optional<ExactDuration> exact = ParseExactDuration(text);
  if (!exact.has_value()) {
    return Malformed(text, kExpectedDuration);
  }
  // Cutting "500 micros" down to 0 would switch off what it was meant to time.
  if (exact->nanos != 0) {
    return Malformed(text, "a whole number of milliseconds");
  }
  return Duration{exact->millis};
}

Result<MemorySize> ParseMemorySize(std::string_view text) {
  const std::optional<NumberAndUnit> split = SplitUnit(text);
  if (!split.has_value()) {
    return Malformed(text, kExpectedMemorySize);
  }
  for (const MemoryUnit& unit : kMemoryUnits) {
    if (unit.label == split->unit) {
      MemorySize size;
      if (__builtin_mul_overflow(split->number, unit.bytes, &size.bytes)) {
        break;
      }
      return size;
    }
  }
  return Malformed(text, kExpectedMemorySize);
}

std::string ToText(bool value) { return value ? "true" : "false"; }

std::string ToText(int64_t value) { return std::to_string(value); }

std::string ToText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string ToText(Duration value) {
  constexpr auto kUnits =
      std::to_array<TimeUnit>({{"d", kDay}, {"h", kHour}, {"min", kMinute}, {"s", kSecond}});
  for (const TimeUnit& unit : kUnits) {
    const int64_t unit_millis = unit.nanos / kMillisecond;
    if (value.millis != 0 && value.millis % unit_millis == 0) {
      return fmt::format("{} {}", value.millis / unit_millis, unit.label);
    }
  }
  return fmt::format("{} ms", value.millis);
}

std::string ToText(MemorySize value) {
  constexpr auto kUnits = std::to_array<MemoryUnit>({{"tb", int64_t{1} << 40},
                                                     {"gb", int64_t{1} << 30},
                                                     {"mb", int64_t{1} << 20},
                                                     {"kb", int64_t{1} << 10}});
  for (const MemoryUnit& unit : kUnits) {
    if (value.bytes != 0 && value.bytes % unit.bytes == 0) {
      return fmt::format("{} {}", value.bytes / unit.bytes, unit.label);
    }
  }
  return fmt::format("{} bytes", value.bytes);
}

std::string ToText(const std::string& value) { return value; }

}  // namespace lakeward::config
