#include "lakeward/expr/functions/time_arithmetic.h"

#include <utility>

#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/types/civil_time.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

bool IsInterval(const LogicalType& type) {
  return type.root() == TypeRoot::kIntervalYearMonth || type.root() == TypeRoot::kIntervalDayTime;
}

bool IsTime(const LogicalType& type) {
  return type.root() >= TypeRoot::kDate && type.root() <= TypeRoot::kTimestampLtz;
}

int64_t WrappingMultiply(int64_t left, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(left) * static_cast<uint64_t>(right));
}
int64_t WrappingAdd(int64_t left, int64_t right) {
  return static_cast<int64_t>(static_cast<uint64_t>(left) + static_cast<uint64_t>(right));
}

/// A column of 32- or 64-bit numbers read as 64-bit ones.
class IntegerValues {
 public:
  explicit IntegerValues(const ColumnValues& column)
      : column_(column), is_narrow_(arrow::bit_width(column.data().type->id()) == 32) {}
  int64_t operator[](int64_t row) const {
    const int64_t at = row * column_.step();
    return is_narrow_ ? column_.data().GetValues<int32_t>(1)[at]
                      : column_.data().GetValues<int64_t>(1)[at];
  }

 private:
  const ColumnValues& column_;
  bool is_narrow_;
};

/// Fills a column of the result's width by `compute(row)`.
template <typename Compute>
Result<arrow::Datum> FillIntegers(const KernelCall& call, Compute compute) {
  const TypeRoot root = call.result_type->root();
  if (root == TypeRoot::kDate || root == TypeRoot::kIntervalYearMonth) {
    LW_ASSIGN(FixedOutput<int32_t> output,
              FixedOutput<int32_t>::Make(call.row_count, call.context));
    for (int64_t row = 0; row < call.row_count; ++row) {
      output[row] = static_cast<int32_t>(compute(row));
    }
    return std::move(output).Finish(*call.result_type, call.row_count);
  }
  LW_ASSIGN(FixedOutput<int64_t> output, FixedOutput<int64_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = compute(row);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

Result<arrow::Datum> Combine(const KernelCall& call, int64_t sign) {
  const bool is_interval_first = IsInterval(*call.argument_types[0]);
  const bool are_both_intervals = is_interval_first && IsInterval(*call.argument_types[1]);
  const size_t time_at = is_interval_first && !are_both_intervals ? 1 : 0;
  LW_ASSIGN(const ColumnValues time_column, ColumnValues::Make(call.arguments[time_at]));
  LW_ASSIGN(const ColumnValues interval_column, ColumnValues::Make(call.arguments[1 - time_at]));
  const IntegerValues times(time_column);
  const IntegerValues intervals(interval_column);
  if (are_both_intervals) {
    return FillIntegers(call, [&](int64_t row) {
      return WrappingAdd(times[row], WrappingMultiply(sign, intervals[row]));
    });
  }
  const LogicalType& type = *call.argument_types[time_at];
  if (call.argument_types[1 - time_at]->root() == TypeRoot::kIntervalYearMonth) {
    return FillIntegers(
        call, [&](int64_t row) { return MoveByMonths(times[row], sign * intervals[row], type); });
  }
  return FillIntegers(call, [&](int64_t row) {
    return MoveByMillis(times[row], WrappingMultiply(sign, intervals[row]), type);
  });
}

}  // namespace

int64_t MoveByMonths(int64_t value, int64_t months, const LogicalType& type) {
  if (type.root() == TypeRoot::kDate) {
    return types::AddMonthsToDays(value, months);
  }
  if (type.root() == TypeRoot::kTime) {
    return value;
  }
  const int64_t per_day =
      type.precision() <= 6 ? types::kMicrosPerDay : types::kMicrosPerDay * 1'000;
  const int64_t days = types::FloorDivide(value, per_day);
  return WrappingAdd(WrappingMultiply(types::AddMonthsToDays(days, months), per_day),
                     value - days * per_day);
}

int64_t MoveByMillis(int64_t value, int64_t millis, const LogicalType& type) {
  switch (type.root()) {
    case TypeRoot::kDate:
      return value + millis / types::kMillisPerDay;
    case TypeRoot::kTime:
      return types::FloorModulo(WrappingAdd(value, WrappingMultiply(millis, 1'000)),
                                types::kMicrosPerDay);
    default:
      return WrappingAdd(value,
                         WrappingMultiply(millis, type.precision() <= 6 ? 1'000 : 1'000'000));
  }
}

std::optional<BoundSignature> BindTimeAddition(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 2) {
    return std::nullopt;
  }
  const LogicalType& left = *arguments[0];
  const LogicalType& right = *arguments[1];
  if (IsTime(left) && IsInterval(right)) {
    return BoundSignature{arguments, NullableIfAny(arguments[0], arguments)};
  }
  if (IsInterval(left) && IsTime(right)) {
    return BoundSignature{arguments, NullableIfAny(arguments[1], arguments)};
  }
  if (IsInterval(left) && left.root() == right.root()) {
    return BoundSignature{arguments, NullableIfAny(arguments[0], arguments)};
  }
  return std::nullopt;
}

std::optional<BoundSignature> BindTimeSubtraction(const std::vector<TypePtr>& arguments) {
  if (arguments.size() == 2 && IsInterval(*arguments[0]) && IsTime(*arguments[1])) {
    return std::nullopt;
  }
  return BindTimeAddition(arguments);
}

std::optional<BoundSignature> BindIntervalMultiplication(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 2) {
    return std::nullopt;
  }
  for (size_t i = 0; i < 2; ++i) {
    if (IsInterval(*arguments[i]) && arguments[1 - i]->IsExactInteger()) {
      std::vector<TypePtr> bound = arguments;
      bound[1 - i] = types::BigInt(arguments[1 - i]->nullable());
      TypePtr result = NullableIfAny(arguments[i], arguments);
      return BoundSignature{std::move(bound), std::move(result)};
    }
  }
  return std::nullopt;
}

Result<arrow::Datum> AddToTime(const KernelCall& call) { return Combine(call, 1); }
Result<arrow::Datum> SubtractFromTime(const KernelCall& call) { return Combine(call, -1); }

Result<arrow::Datum> MultiplyInterval(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues left_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues right_column, ColumnValues::Make(call.arguments[1]));
  const IntegerValues left(left_column);
  const IntegerValues right(right_column);
  return FillIntegers(call, [&](int64_t row) { return WrappingMultiply(left[row], right[row]); });
}

}  // namespace lakeward::expr
