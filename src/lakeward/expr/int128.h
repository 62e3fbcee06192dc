#pragma once

#include <cstdint>

#include "arrow/util/decimal.h"

namespace lakeward::expr {

/// The unscaled value of a DECIMAL, in the memory form that Arrow's decimal128 has on little-endian
/// machines.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

inline arrow::Decimal128 ToArrowDecimal(Int128 value) {
  return arrow::Decimal128(static_cast<int64_t>(value >> 64), static_cast<uint64_t>(value));
}

inline Int128 FromArrowDecimal(const arrow::Decimal128& value) {
  return static_cast<Int128>(
      (static_cast<UInt128>(static_cast<uint64_t>(value.high_bits())) << 64) | value.low_bits());
}

}  // namespace lakeward::expr
