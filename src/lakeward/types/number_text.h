#pragma once

#include <cstdint>
#include <string>

#include "arrow/util/decimal.h"

namespace lakeward::types {

/// Append numbers as Java prints them, which is how Flink shows them: 1.0, 1.0E10, 1.0E-4, NaN,
/// -Infinity; decimals with exactly `scale` digits after the point, never with an exponent.
void AppendInteger(int64_t value, std::string* out);
void AppendDouble(double value, std::string* out);
void AppendFloat(float value, std::string* out);
void AppendDecimal(const arrow::Decimal128& value, int32_t scale, std::string* out);

}  // namespace lakeward::types
