#include "lakeward/aws/timestamps.h"

#include <array>
#include <charconv>
#include <chrono>

#include "fmt/format.h"

namespace lakeward::aws {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

struct CalendarTime {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// Reads fixed places of a text; `is_good` is false once anything did not fit.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int Number(size_t digits) {
    int value = 0;
    if (rest_.size() < digits) {
      is_good_ = false;
      return 0;
    }
    const char* end = rest_.data() + digits;
    const auto [stopped, error] = std::from_chars(rest_.data(), end, value);
    is_good_ = is_good_ && error == std::errc() && stopped == end && value >= 0;
    rest_.remove_prefix(digits);
    return value;
  }

  bool Take(std::string_view expected) {
    if (!rest_.starts_with(expected)) {
      return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }

  void Expect(std::string_view expected) { is_good_ = Take(expected) && is_good_; }

  std::string_view rest() const { return rest_; }
  void Skip(size_t length) { rest_.remove_prefix(std::min(length, rest_.size())); }
  bool is_good() const { return is_good_; }
  bool is_done() const { return is_good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

std::optional<int64_t> ToMicros(const CalendarTime& time) {
  const std::chrono::year_month_day date{std::chrono::year(time.year),
                                         std::chrono::month(static_cast<unsigned>(time.month)),
                                         std::chrono::day(static_cast<unsigned>(time.day))};
  if (!date.ok() || time.hour > 23 || time.minute > 59 || time.second > 60) {
    return std::nullopt;
  }
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (days * kSecondsPerDay + time.hour * 3'600 + time.minute * 60 + time.second) *
         kMicrosPerSecond;
}

// The fraction after a '.', in microseconds.
int64_t TakeFraction(Scanner* scanner) {
  int64_t micros = 0;
  int64_t unit = 100'000;
  while (!scanner->rest().empty() && scanner->rest()[0] >= '0' && scanner->rest()[0] <= '9') {
    micros += (scanner->rest()[0] - '0') * unit;
    unit /= 10;
    scanner->Skip(1);
  }
  return micros;
}

}  // namespace

std::string ToBasicTimestamp(int64_t time_us) {
  const int64_t seconds = time_us / kMicrosPerSecond;
  const std::chrono::sys_days days{std::chrono::days(seconds / kSecondsPerDay)};
  const std::chrono::year_month_day date(days);
  const int64_t in_day = seconds % kSecondsPerDay;
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     in_day / 3'600, in_day / 60 % 60, in_day % 60);
}

std::optional<int64_t> ParseIsoTimestamp(std::string_view text) {
  Scanner scanner(text);
  CalendarTime time;
  time.year = scanner.Number(4);
  scanner.Expect("-");
  time.month = scanner.Number(2);
  scanner.Expect("-");
  time.day = scanner.Number(2);
  scanner.Expect("T");
  time.hour = scanner.Number(2);
  scanner.Expect(":");
  time.minute = scanner.Number(2);
  scanner.Expect(":");
  time.second = scanner.Number(2);
  int64_t micros = scanner.Take(".") ? TakeFraction(&scanner) : 0;
  if (!scanner.Take("Z")) {
    const int64_t sign = scanner.Take("-") ? 1 : -1;
    if (sign == -1) {
      scanner.Expect("+");
    }
    const int64_t hours = scanner.Number(2);
    scanner.Take(":");
    micros += sign * (hours * 3'600 + scanner.Number(2) * 60) * kMicrosPerSecond;
  }
  const std::optional<int64_t> whole = ToMicros(time);
  if (!scanner.is_done() || !whole.has_value()) {
    return std::nullopt;
  }
  return *whole + micros;
}

std::optional<int64_t> ParseHttpDate(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  Scanner scanner(text);
  scanner.Skip(3);  // the weekday says nothing new
  scanner.Expect(", ");
  CalendarTime time;
  time.day = scanner.Number(2);
  scanner.Expect(" ");
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (scanner.rest().starts_with(kMonths[i])) {
      time.month = static_cast<int>(i) + 1;
    }
  }
  scanner.Skip(3);
  scanner.Expect(" ");
  time.year = scanner.Number(4);
  scanner.Expect(" ");
  time.hour = scanner.Number(2);
  scanner.Expect(":");
  time.minute = scanner.Number(2);
  scanner.Expect(":");
  time.second = scanner.Number(2);
  scanner.Expect(" GMT");
  return scanner.is_done() ? ToMicros(time) : std::nullopt;
}

}  // namespace lakeward::aws
