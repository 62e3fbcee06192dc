#include "lakeward/expr/decimal_math.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "lakeward/types/number_text.h"

namespace lakeward::expr {

namespace {

using Wide = arrow::Decimal256;

constexpr int32_t kDigitsMax = 38;

constexpr std::array<Int128, kDigitsMax + 1> kPowersOfTen = [] {
  std::array<Int128, kDigitsMax + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1] * 10;
  }
  return powers;
}();

Int128 Absolute(Int128 value) { return value < 0 ? -value : value; }

std::optional<Int128> WithinPrecision(Int128 value, int32_t precision) {
  if (Absolute(value) >= kPowersOfTen[static_cast<size_t>(precision)]) {
    return std::nullopt;
  }
  return value;
}

Int128 DivideHalfUp(Int128 dividend, Int128 divisor) {
  const Int128 quotient = dividend / divisor;
  const Int128 remainder = Absolute(dividend % divisor);
  const Int128 size = Absolute(divisor);
  // remainder >= size - remainder is 2 * remainder >= size without overflow.
  if (remainder >= size - remainder) {
    return (dividend < 0) == (divisor < 0) ? quotient + 1 : quotient - 1;
  }
  return quotient;
}

Wide Widen(Int128 value) { return Wide(ToArrowDecimal(value)); }

/// Rounds a wide value from one scale to another and brings it back to 128 bits.
std::optional<Int128> RescaleWide(Wide value, int32_t from_scale, int32_t precision,
                                  int32_t scale) {
  if (from_scale > scale) {
    value = Wide(value.ReduceScaleBy(from_scale - scale, /*round=*/true));
  } else if (from_scale < scale) {
    value = Wide(value.IncreaseScaleBy(scale - from_scale));
  }
  if (!value.FitsInPrecision(precision)) {
    return std::nullopt;
  }
  const auto words = value.little_endian_array();
  return FromArrowDecimal(arrow::Decimal128(static_cast<int64_t>(words[1]), words[0]));
}

/// `value` * 10^digits when it fits into 128 bits.
std::optional<Int128> ScaleUp(Int128 value, int32_t digits) {
  Int128 result = 0;
  if (digits > kDigitsMax ||
      __builtin_mul_overflow(value, kPowersOfTen[static_cast<size_t>(digits)], &result)) {
    return value == 0 ? std::optional<Int128>(0) : std::nullopt;
  }
  return result;
}

}  // namespace

Int128 PowerOfTen(int32_t exponent) { return kPowersOfTen[static_cast<size_t>(exponent)]; }

std::optional<Int128> RescaleDecimal(Int128 value, int32_t from_scale, int32_t precision,
                                     int32_t scale) {
  if (from_scale > scale) {
    return WithinPrecision(DivideHalfUp(value, PowerOfTen(from_scale - scale)), precision);
  }
  const std::optional<Int128> scaled = ScaleUp(value, scale - from_scale);
  return scaled ? WithinPrecision(*scaled, precision) : std::nullopt;
}

std::optional<Int128> AddDecimals(Int128 left, Int128 right, const DecimalOperation& operation) {
  const int32_t common = std::max(operation.left_scale, operation.right_scale);
  const auto scaled_left = ScaleUp(left, common - operation.left_scale);
  const auto scaled_right = ScaleUp(right, common - operation.right_scale);
  Int128 sum = 0;
  if (scaled_left && scaled_right && !__builtin_add_overflow(*scaled_left, *scaled_right, &sum)) {
    return RescaleDecimal(sum, common, operation.precision, operation.scale);
  }
  const Wide wide_left(Widen(left).IncreaseScaleBy(common - operation.left_scale));
  const Wide wide_right(Widen(right).IncreaseScaleBy(common - operation.right_scale));
  return RescaleWide(Wide(wide_left + wide_right), common, operation.precision, operation.scale);
}

std::optional<Int128> SubtractDecimals(Int128 left, Int128 right,
                                       const DecimalOperation& operation) {
  return AddDecimals(left, -right, operation);
}

std::optional<Int128> MultiplyDecimals(Int128 left, Int128 right,
                                       const DecimalOperation& operation) {
  const int32_t product_scale = operation.left_scale + operation.right_scale;
  Int128 product = 0;
  if (!__builtin_mul_overflow(left, right, &product) &&
      product_scale - operation.scale <= kDigitsMax) {
    return RescaleDecimal(product, product_scale, operation.precision, operation.scale);
  }
  return RescaleWide(Wide(Widen(left) * Widen(right)), product_scale, operation.precision,
                     operation.scale);
}

std::optional<Int128> DivideDecimals(Int128 left, Int128 right, const DecimalOperation& operation) {
  // The quotient of the unscaled values has the scale left_scale - right_scale.
  const int32_t digits = operation.scale - operation.left_scale + operation.right_scale;
  if (digits < 0) {
    const auto divisor = ScaleUp(right, -digits);
    return divisor ? WithinPrecision(DivideHalfUp(left, *divisor), operation.precision)
                   : std::optional<Int128>(0);
  }
  if (const auto dividend = ScaleUp(left, digits)) {
    return WithinPrecision(DivideHalfUp(*dividend, right), operation.precision);
  }
  // A dividend of more than 76 digits over at most 38 gives a quotient of more than 38.
  constexpr int32_t kWideDigitsMax = 76;
  if (digits > kWideDigitsMax || !Widen(left).FitsInPrecision(kWideDigitsMax - digits)) {
    return std::nullopt;
  }
  const Wide dividend(Widen(left).IncreaseScaleBy(digits));
  const Wide divisor = Widen(right);
  Wide quotient(dividend / divisor);
  const Wide remainder(Wide::Abs(Wide(dividend % divisor)));
  if (Wide(remainder * Wide(2)) >= Wide(Wide::Abs(divisor))) {
    quotient += (left < 0) == (right < 0) ? Wide(1) : Wide(-1);
  }
  return RescaleWide(quotient, operation.scale, operation.precision, operation.scale);
}

std::optional<Int128> RemainderOfDecimals(Int128 left, Int128 right,
                                          const DecimalOperation& operation) {
  const int32_t common = std::max(operation.left_scale, operation.right_scale);
  const auto scaled_left = ScaleUp(left, common - operation.left_scale);
  const auto scaled_right = ScaleUp(right, common - operation.right_scale);
  if (scaled_left && scaled_right) {
    return RescaleDecimal(*scaled_left % *scaled_right, common, operation.precision,
                          operation.scale);
  }
  const Wide wide_left(Widen(left).IncreaseScaleBy(common - operation.left_scale));
  const Wide wide_right(Widen(right).IncreaseScaleBy(common - operation.right_scale));
  return RescaleWide(Wide(wide_left % wide_right), common, operation.precision, operation.scale);
}

double DecimalToDouble(Int128 value, int32_t scale) {
  // Both are exact doubles here, so that the division rounds once.
  constexpr Int128 kExactMax = Int128{1} << 53;
  constexpr int32_t kExactPowerMax = 22;
  if (Absolute(value) <= kExactMax && scale <= kExactPowerMax) {
    return static_cast<double>(value) / static_cast<double>(PowerOfTen(scale));
  }
  std::string text;
  types::AppendDecimal(ToArrowDecimal(value), scale, &text);
  return std::strtod(text.c_str(), nullptr);
}

}  // namespace lakeward::expr
