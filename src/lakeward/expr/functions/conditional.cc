#include <utility>

#include "arrow/compute/api_scalar.h"
#include "arrow/compute/exec.h"
#include "arrow/scalar.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::TypePtr;
using types::TypeRoot;

namespace {

/// All arguments from `first` on become their common type, which is the result's.
std::optional<BoundSignature> BindCommon(const std::vector<TypePtr>& arguments, size_t first) {
  const std::optional<TypePtr> common =
      types::FindCommonType({arguments.begin() + static_cast<int64_t>(first), arguments.end()});
  if (!common) {
    return std::nullopt;
  }
  BoundSignature bound{arguments, *common};
  for (size_t i = first; i < arguments.size(); ++i) {
    bound.argument_types[i] = types::WithNullability(*common, arguments[i]->nullable());
  }
  return bound;
}

/// Not null when one of the arguments never is.
std::optional<BoundSignature> BindCoalesce(const std::vector<TypePtr>& arguments) {
  if (arguments.empty()) {
    return std::nullopt;
  }
  std::optional<BoundSignature> bound = BindCommon(arguments, 0);
  if (bound) {
    bool is_nullable = true;
    for (const TypePtr& type : arguments) {
      is_nullable = is_nullable && type->nullable();
    }
    bound->result_type = types::WithNullability(bound->result_type, is_nullable);
  }
  return bound;
}

std::optional<BoundSignature> BindIfNull(const std::vector<TypePtr>& arguments) {
  return arguments.size() == 2 ? BindCoalesce(arguments) : std::nullopt;
}

std::optional<BoundSignature> BindIf(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 3 ||
      (arguments[0]->root() != TypeRoot::kBoolean && arguments[0]->root() != TypeRoot::kNull)) {
    return std::nullopt;
  }
  std::optional<BoundSignature> bound = BindCommon(arguments, 1);
  if (bound) {
    bound->argument_types[0] = types::Boolean(arguments[0]->nullable());
  }
  return bound;
}

std::optional<BoundSignature> BindNullIf(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 2) {
    return std::nullopt;
  }
  const std::optional<TypePtr> common = ComparisonType(arguments[0], arguments[1]);
  if (!common) {
    return std::nullopt;
  }
  return BoundSignature{{types::WithNullability(*common, arguments[0]->nullable()),
                         types::WithNullability(*common, arguments[1]->nullable())},
                        types::WithNullability(*common, true)};
}

std::optional<BoundSignature> BindExtreme(const std::vector<TypePtr>& arguments) {
  if (arguments.empty()) {
    return std::nullopt;
  }
  std::optional<BoundSignature> bound = BindCommon(arguments, 0);
  if (bound && bound->result_type->root() >= TypeRoot::kArray) {
    return std::nullopt;
  }
  return bound;
}

arrow::compute::ExecContext ContextOf(const KernelCall& call) {
  return arrow::compute::ExecContext(PoolOf(call.context));
}

Result<arrow::Datum> Coalesce(const KernelCall& call) {
  arrow::compute::ExecContext context = ContextOf(call);
  return arrow::compute::CallFunction("coalesce", call.arguments, &context);
}

/// A condition that is NULL chooses the second value, as FALSE does.
Result<arrow::Datum> If(const KernelCall& call) {
  arrow::compute::ExecContext context = ContextOf(call);
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  arrow::Datum condition = call.arguments[0];
  if (column.may_have_nulls()) {
    LW_ASSIGN(condition,
              arrow::compute::CallFunction("coalesce", {condition, arrow::Datum(false)}, &context));
  }
  return arrow::compute::IfElse(condition, call.arguments[1], call.arguments[2], &context);
}

Result<arrow::Datum> NullIf(const KernelCall& call) {
  arrow::compute::ExecContext context = ContextOf(call);
  LW_ASSIGN(arrow::Datum is_equal, arrow::compute::CallFunction("equal", call.arguments, &context));
  LW_ASSIGN(is_equal,
            arrow::compute::CallFunction("coalesce", {is_equal, arrow::Datum(false)}, &context));
  const arrow::Datum null(arrow::MakeNullScalar(call.arguments[0].type()));
  return arrow::compute::IfElse(is_equal, null, call.arguments[0], &context);
}

/// Keeps the better of two by `comparison`; null arguments were taken care of.
Result<arrow::Datum> Extreme(const KernelCall& call, const char* comparison) {
  arrow::compute::ExecContext context = ContextOf(call);
  arrow::Datum best = call.arguments[0];
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    LW_ASSIGN(const arrow::Datum is_better,
              arrow::compute::CallFunction(comparison, {call.arguments[i], best}, &context));
    LW_ASSIGN(best, arrow::compute::IfElse(is_better, call.arguments[i], best, &context));
  }
  return best;
}

Result<arrow::Datum> Greatest(const KernelCall& call) { return Extreme(call, "greater"); }
Result<arrow::Datum> Least(const KernelCall& call) { return Extreme(call, "less"); }

}  // namespace

void AddConditionalFunctions(FunctionRegistry* registry) {
  registry->Add({.name = "COALESCE",
                 .signatures = {"COALESCE(value1, value2, …)"},
                 .bind = BindCoalesce,
                 .null_rule = NullRule::kHandledByKernel,
                 .kernel = Coalesce,
                 .doc = "The first argument that is not NULL.",
                 .example = "COALESCE(CAST(NULL AS INT), 5)",
                 .example_result = "5",
                 .argument_rule = ArgumentRule::kUntilNotNull});
  registry->Add({.name = "IFNULL",
                 .signatures = {"IFNULL(value, replacement)"},
                 .bind = BindIfNull,
                 .null_rule = NullRule::kHandledByKernel,
                 .kernel = Coalesce,
                 .doc = "The replacement where the value is NULL, else the value.",
                 .example = "IFNULL(CAST(NULL AS INT), 9)",
                 .example_result = "9",
                 .argument_rule = ArgumentRule::kUntilNotNull});
  registry->Add({.name = "IF",
                 .signatures = {"IF(condition, value_if_true, value_otherwise)"},
                 .bind = BindIf,
                 .null_rule = NullRule::kHandledByKernel,
                 .kernel = If,
                 .doc = "The first value where the condition is TRUE, else the second.",
                 .example = "IF(5 > 3, 'larger', 'smaller')",
                 .example_result = "larger",
                 .argument_rule = ArgumentRule::kFirstThenChosen});
  registry->Add({.name = "NULLIF",
                 .signatures = {"NULLIF(value1, value2)"},
                 .bind = BindNullIf,
                 .null_rule = NullRule::kHandledByKernel,
                 .kernel = NullIf,
                 .doc = "NULL when the values are equal, else the first.",
                 .example = "NULLIF(5, 0)",
                 .example_result = "5"});
  registry->Add({.name = "GREATEST",
                 .signatures = {"GREATEST(value1, value2, …)"},
                 .bind = BindExtreme,
                 .kernel = Greatest,
                 .doc = "The greatest of the values; NULL when one is NULL.",
                 .example = "GREATEST(1, 5, 3)",
                 .example_result = "5"});
  registry->Add({.name = "LEAST",
                 .signatures = {"LEAST(value1, value2, …)"},
                 .bind = BindExtreme,
                 .kernel = Least,
                 .doc = "The least of the values; NULL when one is NULL.",
                 .example = "LEAST(1, 5, 3)",
                 .example_result = "1"});
}

}  // namespace lakeward::expr
