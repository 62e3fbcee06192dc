#include "lakeward/format/json/json_number.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace lakeward::format {

namespace {

__extension__ typedef unsigned __int128 Uint128;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') {
    text.remove_suffix(1);
  }
  return text;
}

/// A decimal number taken apart: 0.DIGITS × 10^exponent.
struct DecimalParts {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  int64_t exponent = 0;
};

std::string_view TakeDigits(std::string_view* text) {
  size_t count = 0;
  while (count < text->size() && IsDigit((*text)[count])) {
    ++count;
  }
  const std::string_view digits = text->substr(0, count);
  text->remove_prefix(count);
  return digits;
}

/// [sign] digits [. digits] [e [sign] digits], with digits on at least one side of the point.
bool SplitDecimal(std::string_view text, DecimalParts* parts) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    parts->negative = text.front() == '-';
    text.remove_prefix(1);
  }
  parts->whole = TakeDigits(&text);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    parts->fraction = TakeDigits(&text);
  }
  if (parts->whole.empty() && parts->fraction.empty()) {
    return false;
  }
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
      negative = text.front() == '-';
      text.remove_prefix(1);
    }
    const std::string_view digits = TakeDigits(&text);
    if (digits.empty()) {
      return false;
    }
    int64_t magnitude = 0;
    for (const char c : digits) {
      magnitude = std::min<int64_t>(magnitude * 10 + (c - '0'), 1'000'000'000);
    }
    parts->exponent = negative ? -magnitude : magnitude;
  }
  return text.empty();
}

}  // namespace

const char* FindNumberEnd(const char* p, bool* is_integer) {
  *is_integer = true;
  p += *p == '-';
  if (!IsDigit(*p)) {
    return nullptr;
  }
  const bool leading_zero = *p == '0';
  ++p;
  if (leading_zero && IsDigit(*p)) {
    return nullptr;
  }
  while (IsDigit(*p)) {
    ++p;
  }
  if (*p == '.') {
    *is_integer = false;
    ++p;
    if (!IsDigit(*p)) {
      return nullptr;
    }
    while (IsDigit(*p)) {
      ++p;
    }
  }
  if (*p == 'e' || *p == 'E') {
    *is_integer = false;
    ++p;
    p += *p == '+' || *p == '-';
    if (!IsDigit(*p)) {
      return nullptr;
    }
    while (IsDigit(*p)) {
      ++p;
    }
  }
  return p;
}

bool ParseJavaDouble(std::string_view text, double* value) {
  text = Trim(text);
  if (text.empty()) {
    return false;
  }
  std::string_view magnitude = text;
  bool negative = false;
  if (magnitude.front() == '-' || magnitude.front() == '+') {
    negative = magnitude.front() == '-';
    magnitude.remove_prefix(1);
  }
  if (magnitude == "NaN" || magnitude == "Infinity") {
    const double special = magnitude == "NaN" ? std::numeric_limits<double>::quiet_NaN()
                                              : std::numeric_limits<double>::infinity();
    *value = negative ? -special : special;
    return true;
  }
  if (!magnitude.empty() &&
      std::string_view("fFdD").find(magnitude.back()) != std::string_view::npos) {
    magnitude.remove_suffix(1);
  }
  DecimalParts parts;
  if (magnitude.empty() || !(IsDigit(magnitude.front()) || magnitude.front() == '.') ||
      !SplitDecimal(magnitude, &parts)) {
    return false;
  }
  double result = 0;
  const std::from_chars_result read =
      std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), result);
  if (read.ec == std::errc::result_out_of_range) {
    const bool whole_is_zero = parts.whole.find_first_not_of('0') == std::string_view::npos;
    const auto leading = whole_is_zero
                             ? -static_cast<int64_t>(std::min(parts.fraction.find_first_not_of('0'),
                                                              parts.fraction.size()))
                             : static_cast<int64_t>(parts.whole.size());
    result = leading + parts.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  } else if (read.ec != std::errc()) {
    return false;
  }
  *value = negative ? -result : result;
  return true;
}

bool ParseJavaLong(std::string_view text, int64_t* value) {
  text = Trim(text);
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') {
      return false;
    }
  }
  const char* end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, *value);
  return !text.empty() && read.ec == std::errc() && read.ptr == end;
}

DecimalOutcome ParseDecimal(std::string_view text, int32_t precision, int32_t scale,
                            arrow::Decimal128* value) {
  DecimalParts parts;
  if (!SplitDecimal(Trim(text), &parts)) {
    return DecimalOutcome::kNotANumber;
  }
  const std::string_view whole = parts.whole;
  const std::string_view fraction = parts.fraction;
  const size_t total = whole.size() + fraction.size();
  const auto digit = [&](size_t i) {
    return i < whole.size() ? whole[i] - '0' : fraction[i - whole.size()] - '0';
  };
  size_t first = 0;
  while (first < total && digit(first) == 0) {
    ++first;
  }
  *value = arrow::Decimal128();
  if (first == total) {
    return DecimalOutcome::kOk;
  }
  // Digits before the point of value × 10^scale, leading zeros not counted.
  const int64_t kept =
      static_cast<int64_t>(whole.size()) - static_cast<int64_t>(first) + parts.exponent + scale;
  if (kept < 0) {
    return DecimalOutcome::kOk;
  }
  if (kept > precision) {
    return DecimalOutcome::kTooLarge;
  }
  Uint128 magnitude = 0;
  for (int64_t i = 0; i < kept; ++i) {
    const size_t at = first + static_cast<size_t>(i);
    magnitude = magnitude * 10 + static_cast<Uint128>(at < total ? digit(at) : 0);
  }
  const size_t rounding = first + static_cast<size_t>(kept);
  if (rounding < total && digit(rounding) >= 5) {
    ++magnitude;
  }
  Uint128 limit = 1;
  for (int32_t i = 0; i < precision; ++i) {
    limit *= 10;
  }
  if (magnitude >= limit) {
    return DecimalOutcome::kTooLarge;
  }
  *value =
      arrow::Decimal128(static_cast<int64_t>(magnitude >> 64), static_cast<uint64_t>(magnitude));
  if (parts.negative) {
    value->Negate();
  }
  return DecimalOutcome::kOk;
}

char* WriteDecimal(const arrow::Decimal128& value, int32_t scale, bool plain, char* out) {
  const bool negative = value.high_bits() < 0;
  const arrow::Decimal128 absolute = arrow::Decimal128::Abs(value);
  Uint128 magnitude = (static_cast<Uint128>(static_cast<uint64_t>(absolute.high_bits())) << 64) |
                      absolute.low_bits();
  if (magnitude == 0) {
    *out++ = '0';
    return out;
  }
  while (magnitude % 10 == 0) {
    magnitude /= 10;
    --scale;
  }
  char digits[40];
  int count = 0;
  for (; magnitude != 0; magnitude /= 10) {
    digits[count++] = static_cast<char>('0' + static_cast<int>(magnitude % 10));
  }
  std::reverse(digits, digits + count);
  if (negative) {
    *out++ = '-';
  }
  const int exponent = count - 1 - scale;
  if (!plain && (scale < 0 || exponent < -6)) {
    *out++ = digits[0];
    if (count > 1) {
      *out++ = '.';
      out = std::copy(digits + 1, digits + count, out);
    }
    *out++ = 'E';
    if (exponent > 0) {
      *out++ = '+';
    }
    return std::to_chars(out, out + 8, exponent).ptr;
  }
  if (scale <= 0) {
    out = std::copy(digits, digits + count, out);
    return std::fill_n(out, -scale, '0');
  }
  if (count > scale) {
    out = std::copy(digits, digits + count - scale, out);
    *out++ = '.';
    return std::copy(digits + count - scale, digits + count, out);
  }
  *out++ = '0';
  *out++ = '.';
  out = std::fill_n(out, scale - count, '0');
  return std::copy(digits, digits + count, out);
}

}  // namespace lakeward::format
