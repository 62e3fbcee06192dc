#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "arrow/util/checked_cast.h"
#include "lakeward/expr/cast_families.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/types/civil_time.h"
#include "lakeward/types/date_time_text.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypeRoot;

namespace {

/// What reading one text gave: a value, nothing (null), or the reason why it cannot be read.
template <typename T>
struct Reading {
  T value{};
  bool is_null = false;
  const char* failure = nullptr;

  static Reading Of(T value) { return {value, false, nullptr}; }
  static Reading Fails(const char* why) { return {T{}, false, why}; }
};

constexpr const char* kInvalidCharacter = "invalid character found";
constexpr const char* kOverflow = "overflow";

std::string_view Trim(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') {
    text.remove_suffix(1);
  }
  return text;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool AreDigits(std::string_view text) {
  for (char c : text) {
    if (!IsDigit(c)) {
      return false;
    }
  }
  return true;
}

/// An integer; a fraction is read and dropped.
template <typename T>
Reading<T> ReadInteger(std::string_view text) {
  text = Trim(text);
  const std::string_view unsigned_text =
      text.substr(!text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0);
  const size_t point = unsigned_text.find('.');
  const std::string_view whole = unsigned_text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : unsigned_text.substr(point + 1);
  if (unsigned_text.empty() || !AreDigits(whole) || !AreDigits(fraction)) {
    return Reading<T>::Fails(kInvalidCharacter);
  }
  if (whole.empty()) {
    return Reading<T>::Of(0);
  }
  const char* begin = text[0] == '-' ? whole.data() - 1 : whole.data();
  T value = 0;
  const auto [end, error] = std::from_chars(begin, whole.data() + whole.size(), value);
  if (error == std::errc::result_out_of_range) {
    return Reading<T>::Fails(kOverflow);
  }
  return Reading<T>::Of(value);
}

/// As Java's Double.parseDouble, without hexadecimal numbers.
template <typename T>
Reading<T> ReadFloatingPoint(std::string_view text) {
  text = Trim(text);
  const bool is_negative = !text.empty() && text[0] == '-';
  std::string_view digits = text.substr(!text.empty() && (is_negative || text[0] == '+') ? 1 : 0);
  if (digits == "NaN") {
    return Reading<T>::Of(std::numeric_limits<T>::quiet_NaN());
  }
  const T sign = is_negative ? -1 : 1;
  if (digits == "Infinity") {
    return Reading<T>::Of(sign * std::numeric_limits<T>::infinity());
  }
  if (digits.size() > 1 && std::string_view("dDfF").find(digits.back()) != std::string_view::npos) {
    digits.remove_suffix(1);
  }
  if (digits.empty() || !(IsDigit(digits[0]) || digits[0] == '.')) {
    return Reading<T>::Fails(kInvalidCharacter);
  }
  T value = 0;
  const char* end_of_text = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), end_of_text, value);
  if (error == std::errc::result_out_of_range) {
    // Too large becomes infinity, too small becomes zero; from_chars leaves the value alone.
    const double wide = std::strtod(std::string(digits).c_str(), nullptr);
    return Reading<T>::Of(sign * static_cast<T>(wide));
  }
  if (error != std::errc() || end != end_of_text) {
    return Reading<T>::Fails(kInvalidCharacter);
  }
  return Reading<T>::Of(sign * value);
}

Reading<bool> ReadBoolean(std::string_view text) {
  std::string lower(Trim(text));
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const char* word : {"t", "true", "y", "yes", "1"}) {
    if (lower == word) {
      return Reading<bool>::Of(true);
    }
  }
  for (const char* word : {"f", "false", "n", "no", "0"}) {
    if (lower == word) {
      return Reading<bool>::Of(false);
    }
  }
  return Reading<bool>::Fails("it is neither true nor false");
}

Reading<Int128> ReadDecimal(std::string_view text, const LogicalType& target) {
  bool is_number = false;
  const auto value = ParseDecimal(Trim(text), target.precision(), target.scale(), &is_number);
  if (!is_number) {
    return Reading<Int128>::Fails(kInvalidCharacter);
  }
  return value ? Reading<Int128>::Of(*value) : Reading<Int128>{0, true, nullptr};
}

Reading<int64_t> ReadTimestamp(std::string_view text, const LogicalType& target,
                               const types::TimeZone& zone) {
  const auto time = types::ParseTimestamp(text);
  if (!time) {
    return Reading<int64_t>::Fails("expected yyyy-MM-dd HH:mm:ss with an optional fraction");
  }
  int64_t nanos_step = 1;
  for (int32_t digits = target.precision(); digits < 9; ++digits) {
    nanos_step *= 10;
  }
  const int64_t nanos = time->nanos / nanos_step * nanos_step;
  int64_t micros_of_second = time->seconds * types::kMicrosPerSecond;
  if (target.root() == TypeRoot::kTimestampLtz) {
    micros_of_second = zone.ToInstant(micros_of_second);
  }
  if (target.precision() <= 6) {
    return Reading<int64_t>::Of(micros_of_second + nanos / 1'000);
  }
  int64_t result = 0;
  if (__builtin_mul_overflow(micros_of_second, 1'000, &result) ||
      __builtin_add_overflow(result, nanos, &result)) {
    return Reading<int64_t>::Fails("nanoseconds reach from the year 1677 to 2262 only");
  }
  return Reading<int64_t>::Of(result);
}

/// Reads every text by `read`, which gives a Reading<T>; `T` bool makes a BOOLEAN column.
template <typename T, typename Read>
Result<std::shared_ptr<arrow::Array>> ReadRows(const arrow::Array& values, const CastCall& call,
                                               Read read) {
  const auto& texts = arrow::internal::checked_cast<const arrow::BinaryArray&>(values);
  const int64_t row_count = values.length();
  using Stored = std::conditional_t<std::is_same_v<T, bool>, int8_t, T>;
  LW_ASSIGN(FixedOutput<Stored> output, FixedOutput<Stored>::Make(row_count, call.context));
  LW_ASSIGN(BitOutput validity, BitOutput::Make(row_count, call.context));
  int64_t null_count = 0;
  for (int64_t row = 0; row < row_count; ++row) {
    output[row] = Stored{};
    if (texts.IsNull(row)) {
      ++null_count;
      continue;
    }
    const Reading<T> reading = read(texts.GetView(row));
    if (reading.failure != nullptr && !call.null_on_failure) {
      return CastError(texts.GetView(row), call.target, reading.failure);
    }
    if (reading.failure != nullptr || reading.is_null) {
      ++null_count;
      continue;
    }
    output[row] = static_cast<Stored>(reading.value);
    validity.Set(row);
  }
  const std::shared_ptr<arrow::Buffer> bitmap = null_count == 0 ? nullptr : validity.buffer();
  if constexpr (std::is_same_v<T, bool>) {
    LW_ASSIGN(BitOutput bits, BitOutput::Make(row_count, call.context));
    for (int64_t row = 0; row < row_count; ++row) {
      if (output[row] != 0) {
        bits.Set(row);
      }
    }
    return std::move(bits).FinishBoolean(row_count, bitmap).make_array();
  } else {
    return std::move(output).Finish(call.target, row_count, bitmap).make_array();
  }
}

}  // namespace

std::optional<Int128> ParseDecimal(std::string_view text, int32_t precision, int32_t scale,
                                   bool* is_number) {
  *is_number = false;
  const bool is_negative = !text.empty() && text[0] == '-';
  text.remove_prefix(!text.empty() && (is_negative || text[0] == '+') ? 1 : 0);
  int64_t exponent = 0;
  if (const size_t at = text.find_first_of("eE"); at != std::string_view::npos) {
    std::string_view exponent_text = text.substr(at + 1);
    if (exponent_text.size() > 1 && exponent_text[0] == '+') {
      exponent_text.remove_prefix(1);
    }
    const char* end_of_text = exponent_text.data() + exponent_text.size();
    const auto [end, error] = std::from_chars(exponent_text.data(), end_of_text, exponent);
    if (error != std::errc() || end != end_of_text || std::abs(exponent) > 1'000'000) {
      return std::nullopt;
    }
    text = text.substr(0, at);
  }
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  if ((whole.empty() && fraction.empty()) || !AreDigits(whole) || !AreDigits(fraction)) {
    return std::nullopt;
  }
  *is_number = true;
  // Of all digits, in order, `kept_count` stand before the target's last place.
  const auto digit_count = static_cast<int64_t>(whole.size() + fraction.size());
  const int64_t kept_count = static_cast<int64_t>(whole.size()) + exponent + scale;
  const auto digit_at = [&](int64_t i) -> int {
    if (i < 0 || i >= digit_count) {
      return 0;
    }
    const auto index = static_cast<size_t>(i);
    return (index < whole.size() ? whole[index] : fraction[index - whole.size()]) - '0';
  };
  Int128 value = 0;
  int32_t significant_digits = 0;
  for (int64_t i = 0; i < kept_count; ++i) {
    const int digit = digit_at(i);
    if (significant_digits > 0 || digit != 0) {
      if (++significant_digits > precision) {
        return std::nullopt;
      }
    } else if (i >= digit_count) {
      break;  // nothing but zeros
    }
    value = value * 10 + digit;
  }
  if (kept_count >= 0 && digit_at(kept_count) >= 5) {
    ++value;
    Int128 limit = 1;
    for (int32_t i = 0; i < precision; ++i) {
      limit *= 10;
    }
    if (value >= limit) {
      return std::nullopt;
    }
  }
  return is_negative ? -value : value;
}

Result<std::shared_ptr<arrow::Array>> CastFromText(const arrow::Array& values,
                                                   const CastCall& call) {
  const LogicalType& target = call.target;
  switch (target.root()) {
    case TypeRoot::kBoolean:
      return ReadRows<bool>(values, call, ReadBoolean);
    case TypeRoot::kTinyInt:
      return ReadRows<int8_t>(values, call, ReadInteger<int8_t>);
    case TypeRoot::kSmallInt:
      return ReadRows<int16_t>(values, call, ReadInteger<int16_t>);
    case TypeRoot::kInteger:
      return ReadRows<int32_t>(values, call, ReadInteger<int32_t>);
    case TypeRoot::kBigInt:
      return ReadRows<int64_t>(values, call, ReadInteger<int64_t>);
    case TypeRoot::kFloat:
      return ReadRows<float>(values, call, ReadFloatingPoint<float>);
    case TypeRoot::kDouble:
      return ReadRows<double>(values, call, ReadFloatingPoint<double>);
    case TypeRoot::kDecimal:
      return ReadRows<Int128>(
          values, call, [&target](std::string_view text) { return ReadDecimal(text, target); });
    case TypeRoot::kDate:
      return ReadRows<int32_t>(values, call, [](std::string_view text) {
        const auto days = types::ParseDate(text);
        return days ? Reading<int32_t>::Of(*days) : Reading<int32_t>::Fails("expected yyyy-MM-dd");
      });
    case TypeRoot::kTime:
      return ReadRows<int64_t>(values, call, [&target](std::string_view text) {
        const auto micros = types::ParseTime(text);
        if (!micros) {
          return Reading<int64_t>::Fails("expected HH:mm:ss with an optional fraction");
        }
        int64_t step = 1;
        for (int32_t digits = target.precision(); digits < 6; ++digits) {
          step *= 10;
        }
        return Reading<int64_t>::Of(*micros / step * step);
      });
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return ReadRows<int64_t>(values, call, [&](std::string_view text) {
        return ReadTimestamp(text, target, call.context.zone);
      });
    default:
      return MakeError(ErrorKind::kUnsupported,
                       "text cannot be cast to " + target.ToString() + " yet",
                       "Write the value as a literal, for example INTERVAL '1' DAY.");
  }
}

}  // namespace lakeward::expr
