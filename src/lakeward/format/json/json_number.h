#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "arrow/util/decimal.h"

namespace lakeward::format {

/// Numbers of JSON texts, read where they stand. Every function here may read up to 16 bytes beyond
/// the number; the caller's padding covers that.

inline bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool IsJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Whether only white space lies between `p` and `limit`, the start of the next token.
inline bool EndsAt(const char* p, const char* limit) {
  while (p < limit && IsJsonSpace(*p)) {
    ++p;
  }
  return p == limit;
}

inline uint64_t LoadEightBytes(const char* p) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t bytes;
  std::memcpy(&bytes, p, sizeof(bytes));
  return bytes;
}

inline bool AreEightDigits(uint64_t bytes) {
  return (((bytes & 0xF0F0F0F0F0F0F0F0) |
           (((bytes + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) >> 4)) == 0x3333333333333333);
}

inline uint64_t EightDigitsValue(uint64_t bytes) {
  bytes = (bytes & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  bytes = (bytes & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (bytes & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

/// Appends the digits at `p` to `*value`, which wraps round when they are too many; returns the
/// first byte that is none.
inline const char* ReadDigits(const char* p, uint64_t* value) {
  uint64_t result = *value;
  for (uint64_t bytes = LoadEightBytes(p); AreEightDigits(bytes); bytes = LoadEightBytes(p)) {
    result = result * 100'000'000 + EightDigitsValue(bytes);
    p += 8;
  }
  while (IsDigit(*p)) {
    result = result * 10 + static_cast<uint64_t>(*p - '0');
    ++p;
  }
  *value = result;
  return p;
}

/// The plain case: an integer of at most 18 digits that ends at `limit`. False for everything else,
/// valid or not.
inline bool ReadPlainInteger(const char* p, const char* limit, int64_t* value) {
  const bool negative = *p == '-';
  p += negative;
  uint64_t magnitude = 0;
  const char* end = ReadDigits(p, &magnitude);
  const auto digits = end - p;
  if (digits == 0 || digits > 18 || (*p == '0' && digits > 1) ||
      (end != limit && !EndsAt(end, limit))) {
    return false;
  }
  *value = negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
  return true;
}

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// The plain case: no exponent, and exactly representable as one division of two doubles. False for
/// everything else, valid or not.
inline bool ReadPlainDouble(const char* p, const char* limit, double* value) {
  const bool negative = *p == '-';
  p += negative;
  uint64_t mantissa = 0;
  const char* end = ReadDigits(p, &mantissa);
  auto digits = end - p;
  if (digits == 0 || (*p == '0' && digits > 1)) {
    return false;
  }
  int64_t fraction_digits = 0;
  if (*end == '.') {
    const char* fraction = end + 1;
    end = ReadDigits(fraction, &mantissa);
    fraction_digits = end - fraction;
    digits += fraction_digits;
    if (fraction_digits == 0) {
      return false;
    }
  }
  if (digits > 18 || mantissa > (uint64_t{1} << 53) || (end != limit && !EndsAt(end, limit))) {
    return false;
  }
  const double magnitude = static_cast<double>(mantissa) / kPowersOfTen[fraction_digits];
  *value = negative ? -magnitude : magnitude;
  return true;
}

/// The end of the JSON number that begins at `p`, null when there is none. `is_integer` tells
/// whether it has neither fraction nor exponent.
const char* FindNumberEnd(const char* p, bool* is_integer);

/// A decimal number as Java's Double.parseDouble reads it: optional sign, "NaN", "Infinity",
/// exponents, a trailing f, F, d or D; white space around it is ignored. Too large is infinite.
bool ParseJavaDouble(std::string_view text, double* value);

/// As Java's Long.parseLong: an optional sign and digits, nothing else but white space around it.
bool ParseJavaLong(std::string_view text, int64_t* value);

enum class DecimalOutcome : uint8_t { kOk, kTooLarge, kNotANumber };

/// As Java's BigDecimal reads a text, rounded half up to `scale`; kTooLarge when it then has more
/// than `precision` digits.
DecimalOutcome ParseDecimal(std::string_view text, int32_t precision, int32_t scale,
                            arrow::Decimal128* value);

/// A decimal with its trailing zeros stripped, as Java's BigDecimal.toString (scientific where that
/// has an exponent) or toPlainString gives it. At most kDecimalLength bytes; returns the end.
inline constexpr int kDecimalLength = 96;
char* WriteDecimal(const arrow::Decimal128& value, int32_t scale, bool plain, char* out);

}  // namespace lakeward::format
