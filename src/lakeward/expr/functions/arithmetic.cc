#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "lakeward/expr/cast.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/decimal_math.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/physical_dispatch.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/time_arithmetic.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

/// Java's arithmetic: integers wrap around.
template <typename T>
using Unsigned = std::make_unsigned_t<T>;

struct Add {
  template <typename T>
  static T Apply(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
      return left + right;
    } else {
      return static_cast<T>(static_cast<Unsigned<T>>(left) + static_cast<Unsigned<T>>(right));
    }
  }
  static constexpr auto kDecimal = AddDecimals;
};

struct Subtract {
  template <typename T>
  static T Apply(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
      return left - right;
    } else {
      return static_cast<T>(static_cast<Unsigned<T>>(left) - static_cast<Unsigned<T>>(right));
    }
  }
  static constexpr auto kDecimal = SubtractDecimals;
};

struct Multiply {
  template <typename T>
  static T Apply(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
      return left * right;
    } else {
      // Through 64 bits: two uint16_t would be promoted to int and could overflow it.
      return static_cast<T>(static_cast<uint64_t>(left) * static_cast<uint64_t>(right));
    }
  }
  static constexpr auto kDecimal = MultiplyDecimals;
};

struct Divide {
  template <typename T>
  static T Apply(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
      return left / right;
    } else {
      return right == -1 ? Subtract::Apply<T>(0, left) : static_cast<T>(left / right);
    }
  }
  static constexpr auto kDecimal = DivideDecimals;
};

struct Remainder {
  template <typename T>
  static T Apply(T left, T right) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(left, right);
    } else {
      return right == -1 ? T{0} : static_cast<T>(left % right);
    }
  }
  static constexpr auto kDecimal = RemainderOfDecimals;
};

Status DivisionByZero() {
  return MakeError(ErrorKind::kValidation, "division by zero",
                   "Guard the divisor, for example with NULLIF(divisor, 0).");
}

template <typename Operation, typename T>
Result<arrow::Datum> ApplyToNumbers(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues left_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues right_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(call.row_count, call.context));
  const T* left = FixedValues<T>(left_column).pointer();
  const T* right = FixedValues<T>(right_column).pointer();
  T* out = output.values();
  // Three loops, so that each is one that the compiler vectorises.
  if (left_column.is_scalar()) {
    for (int64_t row = 0; row < call.row_count; ++row) {
      out[row] = Operation::template Apply<T>(*left, right[row * right_column.step()]);
    }
  } else if (right_column.is_scalar()) {
    for (int64_t row = 0; row < call.row_count; ++row) {
      out[row] = Operation::template Apply<T>(left[row], *right);
    }
  } else {
    for (int64_t row = 0; row < call.row_count; ++row) {
      out[row] = Operation::template Apply<T>(left[row], right[row]);
    }
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

/// Integer division and remainder, whose divisor must not be zero.
template <typename Operation, typename T>
Result<arrow::Datum> ApplyToIntegersChecked(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues left_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues right_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(call.row_count, call.context));
  const FixedValues<T> left(left_column);
  const FixedValues<T> right(right_column);
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (right[row] == 0) [[unlikely]] {
      if (IsValidRow(call, row)) {
        return DivisionByZero();
      }
      output[row] = 0;
      continue;
    }
    output[row] = Operation::template Apply<T>(left[row], right[row]);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

template <typename Operation>
constexpr bool kNeedsDivisor =
    std::is_same_v<Operation, Divide> || std::is_same_v<Operation, Remainder>;

template <typename Operation>
Result<arrow::Datum> ApplyToDecimals(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues left_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues right_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(FixedOutput<Int128> output, FixedOutput<Int128>::Make(call.row_count, call.context));
  LW_ASSIGN(BitOutput validity, BitOutput::Make(call.row_count, call.context));
  const FixedValues<Int128> left(left_column);
  const FixedValues<Int128> right(right_column);
  const DecimalOperation operation{call.argument_types[0]->scale(), call.argument_types[1]->scale(),
                                   call.result_type->precision(), call.result_type->scale()};
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = 0;
    if (!IsValidRow(call, row)) {
      continue;
    }
    if (kNeedsDivisor<Operation> && right[row] == 0) {
      return DivisionByZero();
    }
    if (const auto value = Operation::kDecimal(left[row], right[row], operation)) {
      output[row] = *value;
      validity.Set(row);
    }
  }
  return std::move(output).Finish(*call.result_type, call.row_count, validity.buffer());
}

template <typename Operation>
Result<arrow::Datum> Arithmetic(const KernelCall& call) {
  return DispatchNumber(*call.argument_types[0], [&]<typename T>() -> Result<arrow::Datum> {
    if constexpr (std::is_same_v<T, Int128>) {
      return ApplyToDecimals<Operation>(call);
    } else if constexpr (std::is_integral_v<T> && kNeedsDivisor<Operation>) {
      return ApplyToIntegersChecked<Operation, T>(call);
    } else {
      return ApplyToNumbers<Operation, T>(call);
    }
  });
}

/// Computes in the arguments' type, then narrows to the result's.
Result<arrow::Datum> RemainderKernel(const KernelCall& call) {
  const LogicalType& left = *call.argument_types[0];
  const LogicalType& right = *call.argument_types[1];
  const TypePtr computed = left.root() == TypeRoot::kDecimal
                               ? types::DecimalModuloType(left.precision(), left.scale(),
                                                          right.precision(), right.scale())
                               : call.argument_types[0];
  LW_ASSIGN(arrow::Datum remainder,
            Arithmetic<Remainder>({call.arguments, call.row_count, computed, call.argument_types,
                                   call.context, call.validity}));
  LW_ASSIGN(auto narrowed,
            CastArray(remainder.make_array(), {*computed, *call.result_type, false, call.context}));
  return arrow::Datum(std::move(narrowed));
}

bool IsInterval(const LogicalType& type) {
  return type.root() == TypeRoot::kIntervalYearMonth || type.root() == TypeRoot::kIntervalDayTime;
}

Result<arrow::Datum> Negate(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const auto negate = [&]<typename T>() -> Result<arrow::Datum> {
    LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(call.row_count, call.context));
    const FixedValues<T> values(column);
    for (int64_t row = 0; row < call.row_count; ++row) {
      if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Int128>) {
        output[row] = -values[row];
      } else {
        output[row] = Subtract::Apply<T>(0, values[row]);
      }
    }
    return std::move(output).Finish(*call.result_type, call.row_count);
  };
  if (call.argument_types[0]->root() == TypeRoot::kIntervalYearMonth) {
    return negate.operator()<int32_t>();
  }
  return DispatchNumber(*call.argument_types[0], negate);
}

Result<arrow::Datum> AddKernel(const KernelCall& call) {
  if (call.arguments.size() == 1) {
    return call.arguments[0];
  }
  return call.result_type->IsNumeric() ? Arithmetic<Add>(call) : AddToTime(call);
}

Result<arrow::Datum> SubtractKernel(const KernelCall& call) {
  if (call.arguments.size() == 1) {
    return Negate(call);
  }
  return call.result_type->IsNumeric() ? Arithmetic<Subtract>(call) : SubtractFromTime(call);
}

Result<arrow::Datum> MultiplyKernel(const KernelCall& call) {
  return call.result_type->IsNumeric() ? Arithmetic<Multiply>(call) : MultiplyInterval(call);
}

/// Rules for numbers: integers give the wider one, an approximate side makes the result
/// approximate, decimals follow `decimal_type`.
using DecimalRule = TypePtr (*)(int32_t p1, int32_t s1, int32_t p2, int32_t s2);

std::optional<BoundSignature> BindNumbers(const std::vector<TypePtr>& arguments,
                                          DecimalRule decimal_type) {
  if (arguments.size() != 2) {
    return std::nullopt;
  }
  std::vector<TypePtr> sides = arguments;
  for (size_t i = 0; i < 2; ++i) {
    if (sides[i]->root() == TypeRoot::kNull) {
      sides[i] = sides[1 - i]->root() == TypeRoot::kNull
                     ? types::Int()
                     : types::WithNullability(sides[1 - i], true);
    }
  }
  if (!sides[0]->IsNumeric() || !sides[1]->IsNumeric()) {
    return std::nullopt;
  }
  const bool has_decimal =
      sides[0]->root() == TypeRoot::kDecimal || sides[1]->root() == TypeRoot::kDecimal;
  if (has_decimal && !sides[0]->IsApproximateNumeric() && !sides[1]->IsApproximateNumeric()) {
    const TypePtr left = types::AsDecimal(*sides[0]);
    const TypePtr right = types::AsDecimal(*sides[1]);
    TypePtr result =
        decimal_type(left->precision(), left->scale(), right->precision(), right->scale());
    result = NullableIfAny(result, sides);
    return BoundSignature{{left, right}, std::move(result)};
  }
  const std::optional<TypePtr> common =
      has_decimal ? types::Double() : types::FindCommonType({sides[0], sides[1]});
  return BoundSignature{{types::WithNullability(*common, sides[0]->nullable()),
                         types::WithNullability(*common, sides[1]->nullable())},
                        NullableIfAny(*common, sides)};
}

std::optional<BoundSignature> BindUnary(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 1 || !(arguments[0]->IsNumeric() || IsInterval(*arguments[0]))) {
    return std::nullopt;
  }
  return BoundSignature{arguments, arguments[0]};
}

std::optional<BoundSignature> BindAdd(const std::vector<TypePtr>& arguments) {
  if (auto unary = BindUnary(arguments)) {
    return unary;
  }
  auto numbers = BindNumbers(arguments, types::DecimalAdditionType);
  return numbers ? numbers : BindTimeAddition(arguments);
}

std::optional<BoundSignature> BindSubtract(const std::vector<TypePtr>& arguments) {
  if (auto unary = BindUnary(arguments)) {
    return unary;
  }
  auto numbers = BindNumbers(arguments, types::DecimalAdditionType);
  return numbers ? numbers : BindTimeSubtraction(arguments);
}

std::optional<BoundSignature> BindMultiply(const std::vector<TypePtr>& arguments) {
  auto numbers = BindNumbers(arguments, types::DecimalMultiplicationType);
  return numbers ? numbers : BindIntervalMultiplication(arguments);
}

std::optional<BoundSignature> BindDivide(const std::vector<TypePtr>& arguments) {
  return BindNumbers(arguments, types::DecimalDivisionType);
}

/// Between numbers without fraction the remainder has the divisor's type.
std::optional<BoundSignature> BindRemainder(const std::vector<TypePtr>& arguments) {
  std::optional<BoundSignature> bound = BindNumbers(arguments, types::DecimalModuloType);
  const auto is_whole = [](const LogicalType& type) {
    return type.IsExactInteger() || (type.root() == TypeRoot::kDecimal && type.scale() == 0);
  };
  if (bound && is_whole(*arguments[0]) && is_whole(*arguments[1])) {
    bound->result_type = NullableIfAny(arguments[1], arguments);
  }
  return bound;
}

ScalarFunction Operator(std::string name, SignatureBinder bind, ScalarKernel kernel,
                        std::string doc, std::string example, std::string example_result,
                        bool may_fail = false) {
  return {.name = name,
          .signatures = {"value1 " + name + " value2"},
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .internal = true,
          .may_fail = may_fail};
}

}  // namespace

void AddArithmeticFunctions(FunctionRegistry* registry) {
  registry->Add(Operator("+", BindAdd, AddKernel,
                         "The sum; integers wrap around, a point in time moves by an interval.",
                         "1 + 2", "3"));
  registry->Add(Operator("-", BindSubtract, SubtractKernel,
                         "The difference, or the negative of one value.", "1 - 2", "-1"));
  registry->Add(Operator("*", BindMultiply, MultiplyKernel, "The product.", "3 * 4", "12"));
  registry->Add(Operator("/", BindDivide, Arithmetic<Divide>,
                         "The quotient; integers drop the remainder, zero as divisor is an error.",
                         "7 / 2", "3", /*may_fail=*/true));
  registry->Add(Operator("%", BindRemainder, RemainderKernel,
                         "The remainder, with the sign of the first value.", "7 % -3", "1",
                         /*may_fail=*/true));
  registry->Add({.name = "MOD",
                 .signatures = {"MOD(value1, value2)"},
                 .bind = BindRemainder,
                 .kernel = RemainderKernel,
                 .doc = "The remainder, with the sign of the first value.",
                 .example = "MOD(-10, 3)",
                 .example_result = "-1",
                 .may_fail = true});
}

}  // namespace lakeward::expr
