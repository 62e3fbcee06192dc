#include "lakeward/types/number_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace lakeward::types {

namespace {

/// Java writes numbers in [10^-3, 10^7) without an exponent.
constexpr int kExponentMin = -3;
constexpr int kExponentMax = 6;

void AppendPlain(std::string_view digits, int exponent, std::string* out) {
  if (exponent < 0) {
    out->append("0.");
    out->append(static_cast<size_t>(-exponent - 1), '0');
    out->append(digits);
    return;
  }
  const auto whole_digits = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole_digits) {
    out->append(digits);
    out->append(whole_digits - digits.size(), '0');
    out->append(".0");
  } else {
    out->append(digits.substr(0, whole_digits));
    out->push_back('.');
    out->append(digits.substr(whole_digits));
  }
}

void AppendDigits(std::string_view digits, int exponent, std::string* out) {
  if (exponent >= kExponentMin && exponent <= kExponentMax) {
    AppendPlain(digits, exponent, out);
    return;
  }
  out->push_back(digits[0]);
  out->push_back('.');
  out->append(digits.size() > 1 ? digits.substr(1) : "0");
  out->push_back('E');
  AppendInteger(exponent, out);
}

/// Whole numbers up to 2^63, where Java (before version 19) prints more than the shortest digits:
/// all but those that lie below the number's precision, a power of two.
template <typename Number>
void AppendWhole(Number value, std::string* out) {
  constexpr double kLog10Of2 = 0.30102999566398120;
  auto whole = static_cast<uint64_t>(value);
  const int bits_below = std::bit_width(whole) - 1 - std::numeric_limits<Number>::digits - 1;
  int dropped = bits_below > 1 ? static_cast<int>(bits_below * kLog10Of2) : 0;
  uint64_t unit = 1;
  for (int i = 0; i < dropped; ++i) {
    unit *= 10;
  }
  whole = whole / unit + (dropped > 0 && whole % unit >= unit / 2 ? 1 : 0);
  char buffer[24];
  const char* end = std::to_chars(buffer, buffer + sizeof(buffer), whole).ptr;
  std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  const int exponent = static_cast<int>(digits.size()) - 1 + dropped;
  while (digits.size() > 1 && digits.back() == '0') {
    digits.remove_suffix(1);
  }
  AppendDigits(digits, exponent, out);
}

template <typename Number>
void AppendFloatingPoint(Number value, std::string* out) {
  if (std::isnan(value)) {
    out->append("NaN");
    return;
  }
  if (std::signbit(value)) {
    out->push_back('-');
    value = -value;
  }
  if (std::isinf(value)) {
    out->append("Infinity");
    return;
  }
  if (value == 0) {
    out->append("0.0");
    return;
  }
  constexpr Number kWholeMax = 9223372036854775808.0;
  if (value < kWholeMax && value == std::trunc(value)) {
    AppendWhole(value, out);
    return;
  }
  // The shortest digits that read back as the same number: "d.ddde±xx".
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<size_t>(end - buffer));
  const size_t exponent_at = text.find('e');
  int exponent = 0;
  const size_t exponent_digits = exponent_at + (text[exponent_at + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + exponent_digits, end, exponent);
  char digits[32];
  size_t digit_count = 0;
  for (char c : text.substr(0, exponent_at)) {
    if (c != '.') {
      digits[digit_count++] = c;
    }
  }
  AppendDigits(std::string_view(digits, digit_count), exponent, out);
}

}  // namespace

void AppendInteger(int64_t value, std::string* out) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  out->append(buffer, static_cast<size_t>(end - buffer));
}

void AppendDouble(double value, std::string* out) { AppendFloatingPoint(value, out); }
void AppendFloat(float value, std::string* out) { AppendFloatingPoint(value, out); }

void AppendDecimal(const arrow::Decimal128& value, int32_t scale, std::string* out) {
  __extension__ typedef unsigned __int128 UInt128;
  UInt128 magnitude =
      static_cast<UInt128>(static_cast<uint64_t>(value.high_bits())) << 64 | value.low_bits();
  if (value.high_bits() < 0) {
    out->push_back('-');
    magnitude = ~magnitude + 1;
  }
  // Digits from the last to the first, at least one before the point.
  char buffer[48];
  char* const end = buffer + sizeof(buffer);
  char* at = end;
  for (int32_t digit = 0; magnitude != 0 || digit <= scale; ++digit) {
    if (digit == scale && scale > 0) {
      *--at = '.';
    }
    *--at = static_cast<char>('0' + static_cast<int>(magnitude % 10));
    magnitude /= 10;
  }
  out->append(at, static_cast<size_t>(end - at));
}

}  // namespace lakeward::types
