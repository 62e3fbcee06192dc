#pragma once

#include <cstdint>
#include <optional>

#include "lakeward/expr/int128.h"

namespace lakeward::expr {

/// Arithmetic on unscaled DECIMAL values. Results are rounded half up (away from zero) to `scale`;
/// nothing when they need more than `precision` digits.
/// Source: Flink 1.20, org.apache.flink.table.data.DecimalDataUtils.

/// 10^exponent, exponent 0..38.
Int128 PowerOfTen(int32_t exponent);

std::optional<Int128> RescaleDecimal(Int128 value, int32_t from_scale, int32_t precision,
                                     int32_t scale);

/// The shape of a binary operation: scales of both sides, precision and scale of the result.
struct DecimalOperation {
  int32_t left_scale;
  int32_t right_scale;
  int32_t precision;
  int32_t scale;
};

std::optional<Int128> AddDecimals(Int128 left, Int128 right, const DecimalOperation& operation);
std::optional<Int128> SubtractDecimals(Int128 left, Int128 right,
                                       const DecimalOperation& operation);
std::optional<Int128> MultiplyDecimals(Int128 left, Int128 right,
                                       const DecimalOperation& operation);
/// `right` must not be 0.
std::optional<Int128> DivideDecimals(Int128 left, Int128 right, const DecimalOperation& operation);
std::optional<Int128> RemainderOfDecimals(Int128 left, Int128 right,
                                          const DecimalOperation& operation);

/// The nearest double.
double DecimalToDouble(Int128 value, int32_t scale);

}  // namespace lakeward::expr
