#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "lakeward/expr/cast_families.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/decimal_math.h"
#include "lakeward/types/number_text.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypeRoot;

namespace {

/// A number as Java's narrowing conversion makes it: integers wrap, floating point saturates.
template <typename To, typename From>
To ConvertNumber(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Java goes to int or long first; byte and short then wrap around.
    using Wide = std::conditional_t<(sizeof(To) < 4), int32_t, To>;
    if (std::isnan(value)) {
      return 0;
    }
    if (value <= static_cast<From>(std::numeric_limits<Wide>::min())) {
      return static_cast<To>(std::numeric_limits<Wide>::min());
    }
    if (value >= static_cast<From>(std::numeric_limits<Wide>::max())) {
      return static_cast<To>(std::numeric_limits<Wide>::max());
    }
    return static_cast<To>(static_cast<Wide>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
Result<std::shared_ptr<arrow::Array>> ConvertColumn(const arrow::Array& values,
                                                    const CastCall& call) {
  const From* from = values.data()->GetValues<From>(1);
  LW_ASSIGN(FixedOutput<To> output, FixedOutput<To>::Make(values.length(), call.context));
  To* to = output.values();
  for (int64_t row = 0; row < values.length(); ++row) {
    to[row] = ConvertNumber<To>(from[row]);
  }
  LW_ASSIGN(auto validity, CopyValidity(values, call.context));
  return std::move(output).Finish(call.target, values.length(), std::move(validity)).make_array();
}

template <typename From>
Result<std::shared_ptr<arrow::Array>> ToBoolean(const arrow::Array& values, const CastCall& call) {
  const From* from = values.data()->GetValues<From>(1);
  LW_ASSIGN(BitOutput output, BitOutput::Make(values.length(), call.context));
  for (int64_t row = 0; row < values.length(); ++row) {
    if (from[row] != 0) {
      output.Set(row);
    }
  }
  LW_ASSIGN(auto validity, CopyValidity(values, call.context));
  return std::move(output).FinishBoolean(values.length(), std::move(validity)).make_array();
}

/// Fills a DECIMAL column by `convert(row)`, which gives nothing where the value does not fit.
template <typename Convert>
Result<std::shared_ptr<arrow::Array>> FillDecimals(const arrow::Array& values, const CastCall& call,
                                                   Convert convert) {
  LW_ASSIGN(FixedOutput<Int128> output, FixedOutput<Int128>::Make(values.length(), call.context));
  LW_ASSIGN(BitOutput validity, BitOutput::Make(values.length(), call.context));
  for (int64_t row = 0; row < values.length(); ++row) {
    output[row] = 0;
    if (values.IsNull(row)) {
      continue;
    }
    const std::optional<Int128> value = convert(row);
    if (value) {
      output[row] = *value;
      validity.Set(row);
    }
  }
  return std::move(output).Finish(call.target, values.length(), validity.buffer()).make_array();
}

template <typename From>
Result<std::shared_ptr<arrow::Array>> ToDecimal(const arrow::Array& values, const CastCall& call) {
  const From* from = values.data()->GetValues<From>(1);
  const int32_t precision = call.target.precision();
  const int32_t scale = call.target.scale();
  if constexpr (std::is_floating_point_v<From>) {
    // As BigDecimal.valueOf: the digits that the number prints with, not its binary value.
    return FillDecimals(values, call, [=](int64_t row) {
      std::string text;
      types::AppendDouble(static_cast<double>(from[row]), &text);
      bool is_number = false;
      return ParseDecimal(text, precision, scale, &is_number);
    });
  } else {
    return FillDecimals(values, call, [=](int64_t row) {
      return RescaleDecimal(static_cast<Int128>(from[row]), 0, precision, scale);
    });
  }
}

template <typename To>
To FromDecimal(Int128 value, int32_t scale) {
  if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(DecimalToDouble(value, scale));
  } else {
    return static_cast<To>(static_cast<int64_t>(value / PowerOfTen(scale)));
  }
}

template <typename To>
Result<std::shared_ptr<arrow::Array>> DecimalColumnTo(const arrow::Array& values,
                                                      const CastCall& call) {
  const Int128* from = values.data()->GetValues<Int128>(1);
  LW_ASSIGN(FixedOutput<To> output, FixedOutput<To>::Make(values.length(), call.context));
  for (int64_t row = 0; row < values.length(); ++row) {
    output[row] = FromDecimal<To>(from[row], call.source.scale());
  }
  LW_ASSIGN(auto validity, CopyValidity(values, call.context));
  return std::move(output).Finish(call.target, values.length(), std::move(validity)).make_array();
}

template <typename To>
Result<std::shared_ptr<arrow::Array>> BooleanColumnTo(const arrow::Array& values,
                                                      const CastCall& call) {
  LW_ASSIGN(FixedOutput<To> output, FixedOutput<To>::Make(values.length(), call.context));
  const uint8_t* bits = values.data()->GetValues<uint8_t>(1, 0);
  for (int64_t row = 0; row < values.length(); ++row) {
    output[row] = arrow::bit_util::GetBit(bits, values.offset() + row) ? 1 : 0;
  }
  LW_ASSIGN(auto validity, CopyValidity(values, call.context));
  return std::move(output).Finish(call.target, values.length(), std::move(validity)).make_array();
}

/// The target is known to be `To` (or BOOLEAN, DECIMAL): finds the source.
template <typename To>
Result<std::shared_ptr<arrow::Array>> CastToNumber(const arrow::Array& values,
                                                   const CastCall& call) {
  switch (call.source.root()) {
    case TypeRoot::kBoolean:
      return BooleanColumnTo<To>(values, call);
    case TypeRoot::kTinyInt:
      return ConvertColumn<int8_t, To>(values, call);
    case TypeRoot::kSmallInt:
      return ConvertColumn<int16_t, To>(values, call);
    case TypeRoot::kInteger:
    case TypeRoot::kIntervalYearMonth:
      return ConvertColumn<int32_t, To>(values, call);
    case TypeRoot::kBigInt:
    case TypeRoot::kIntervalDayTime:
      return ConvertColumn<int64_t, To>(values, call);
    case TypeRoot::kFloat:
      return ConvertColumn<float, To>(values, call);
    case TypeRoot::kDouble:
      return ConvertColumn<double, To>(values, call);
    default:
      return DecimalColumnTo<To>(values, call);
  }
}

Result<std::shared_ptr<arrow::Array>> CastToBoolean(const arrow::Array& values,
                                                    const CastCall& call) {
  switch (call.source.root()) {
    case TypeRoot::kTinyInt:
      return ToBoolean<int8_t>(values, call);
    case TypeRoot::kSmallInt:
      return ToBoolean<int16_t>(values, call);
    case TypeRoot::kInteger:
      return ToBoolean<int32_t>(values, call);
    default:
      return ToBoolean<int64_t>(values, call);
  }
}

Result<std::shared_ptr<arrow::Array>> CastToDecimal(const arrow::Array& values,
                                                    const CastCall& call) {
  switch (call.source.root()) {
    case TypeRoot::kBoolean: {
      const uint8_t* bits = values.data()->GetValues<uint8_t>(1, 0);
      return FillDecimals(values, call, [&](int64_t row) {
        const Int128 one_or_zero = arrow::bit_util::GetBit(bits, values.offset() + row) ? 1 : 0;
        return RescaleDecimal(one_or_zero, 0, call.target.precision(), call.target.scale());
      });
    }
    case TypeRoot::kTinyInt:
      return ToDecimal<int8_t>(values, call);
    case TypeRoot::kSmallInt:
      return ToDecimal<int16_t>(values, call);
    case TypeRoot::kInteger:
    case TypeRoot::kIntervalYearMonth:
      return ToDecimal<int32_t>(values, call);
    case TypeRoot::kBigInt:
    case TypeRoot::kIntervalDayTime:
      return ToDecimal<int64_t>(values, call);
    case TypeRoot::kFloat:
      return ToDecimal<float>(values, call);
    case TypeRoot::kDouble:
      return ToDecimal<double>(values, call);
    default: {
      const Int128* from = values.data()->GetValues<Int128>(1);
      return FillDecimals(values, call, [&](int64_t row) {
        return RescaleDecimal(from[row], call.source.scale(), call.target.precision(),
                              call.target.scale());
      });
    }
  }
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> CastNumbers(const std::shared_ptr<arrow::Array>& values,
                                                  const CastCall& call) {
  switch (call.target.root()) {
    case TypeRoot::kBoolean:
      return CastToBoolean(*values, call);
    case TypeRoot::kTinyInt:
      return CastToNumber<int8_t>(*values, call);
    case TypeRoot::kSmallInt:
      return CastToNumber<int16_t>(*values, call);
    case TypeRoot::kInteger:
    case TypeRoot::kIntervalYearMonth:
      return CastToNumber<int32_t>(*values, call);
    case TypeRoot::kBigInt:
    case TypeRoot::kIntervalDayTime:
      return CastToNumber<int64_t>(*values, call);
    case TypeRoot::kFloat:
      return CastToNumber<float>(*values, call);
    case TypeRoot::kDouble:
      return CastToNumber<double>(*values, call);
    default:
      return CastToDecimal(*values, call);
  }
}

}  // namespace lakeward::expr
