#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lakeward/expr/function.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::expr {

/// What a parameter takes and what its argument becomes. An untyped NULL fits everywhere.
enum class Parameter : uint8_t {
  kString,   ///< CHAR or VARCHAR, as it is
  kBytes,    ///< BINARY or VARBINARY, as it is
  kInteger,  ///< an integer type, becomes INT
  kLong,     ///< an integer type, becomes BIGINT
  kNumeric,  ///< any number, as it is
  kDouble,   ///< any number, becomes DOUBLE
  kBoolean,
  kDate,       ///< DATE
  kTimestamp,  ///< TIMESTAMP or TIMESTAMP_LTZ, as it is
  kTemporal,   ///< DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ, as it is
  kAny,        ///< as it is
};

struct Shape {
  std::vector<Parameter> parameters;
  size_t optional_count = 0;  ///< of the last ones
  bool repeats_last = false;
};

/// Given the bound argument types, the result's type; its nullability counts.
using ResultRule = std::function<types::TypePtr(const std::vector<types::TypePtr>& arguments)>;

/// A function of one shape; the result is nullable when an argument is.
SignatureBinder Bind(Shape shape, types::TypePtr result);
/// A function of one shape whose result type depends on the arguments.
SignatureBinder BindWith(Shape shape, ResultRule result);
/// The first of several forms that takes the arguments.
SignatureBinder BindFirstOf(std::vector<SignatureBinder> forms);

bool AnyNullable(const std::vector<types::TypePtr>& types);
/// `type` with the nullability that NULL in, NULL out gives it.
types::TypePtr NullableIfAny(const types::TypePtr& type, const std::vector<types::TypePtr>& types);

/// The type that both sides of a comparison become: the common type of numbers, strings, times and
/// their texts …; nothing when the two cannot be compared.
std::optional<types::TypePtr> ComparisonType(const types::TypePtr& left,
                                             const types::TypePtr& right);

}  // namespace lakeward::expr
