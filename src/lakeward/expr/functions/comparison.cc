#include <utility>

#include "arrow/compute/api_scalar.h"
#include "arrow/compute/exec.h"
#include "arrow/scalar.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/arrow_call.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::TypePtr;
using types::TypeRoot;

namespace {

bool IsNested(const types::LogicalType& type) { return type.root() >= TypeRoot::kArray; }

/// Both sides become their common type; strings stay as they are (CHAR against VARCHAR compares
/// without padding).
std::optional<std::vector<TypePtr>> BindSides(const std::vector<TypePtr>& arguments) {
  if (arguments.size() != 2) {
    return std::nullopt;
  }
  if (arguments[0]->IsCharacterString() && arguments[1]->IsCharacterString()) {
    return arguments;
  }
  const std::optional<TypePtr> common = ComparisonType(arguments[0], arguments[1]);
  if (!common) {
    return std::nullopt;
  }
  return std::vector<TypePtr>{types::WithNullability(*common, arguments[0]->nullable()),
                              types::WithNullability(*common, arguments[1]->nullable())};
}

std::optional<BoundSignature> BindEquality(const std::vector<TypePtr>& arguments) {
  std::optional<std::vector<TypePtr>> sides = BindSides(arguments);
  if (!sides) {
    return std::nullopt;
  }
  const bool reads_text = arguments[0]->IsCharacterString() != arguments[1]->IsCharacterString();
  TypePtr result = reads_text ? types::Boolean() : NullableIfAny(types::Boolean(), *sides);
  return BoundSignature{*std::move(sides), std::move(result), /*lenient_casts=*/reads_text};
}

std::optional<BoundSignature> BindOrder(const std::vector<TypePtr>& arguments) {
  std::optional<BoundSignature> bound = BindEquality(arguments);
  if (bound && IsNested(*bound->argument_types[0])) {
    return std::nullopt;
  }
  return bound;
}

std::optional<BoundSignature> BindDistinctness(const std::vector<TypePtr>& arguments) {
  std::optional<BoundSignature> bound = BindEquality(arguments);
  if (bound) {
    bound->result_type = types::Boolean(/*nullable=*/false);
  }
  return bound;
}

/// Equality of arrays, maps and rows, one row at a time.
Result<arrow::Datum> NestedEqual(const KernelCall& call) {
  std::shared_ptr<arrow::Array> sides[2];
  int64_t steps[2];
  for (size_t i = 0; i < 2; ++i) {
    LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[i]));
    sides[i] = arrow::Datum(std::make_shared<arrow::ArrayData>(column.data())).make_array();
    steps[i] = column.step();
  }
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    const int64_t left = row * steps[0];
    if (IsValidRow(call, row) && sides[0]->RangeEquals(left, left + 1, row * steps[1], *sides[1])) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

Result<arrow::Datum> Equal(const KernelCall& call) {
  return IsNested(*call.argument_types[0]) ? NestedEqual(call) : CallArrowFunction("equal", call);
}
Result<arrow::Datum> NotEqual(const KernelCall& call) {
  if (IsNested(*call.argument_types[0])) {
    LW_ASSIGN(const arrow::Datum equal, NestedEqual(call));
    return arrow::compute::Invert(equal);
  }
  return CallArrowFunction("not_equal", call);
}
Result<arrow::Datum> Less(const KernelCall& call) { return CallArrowFunction("less", call); }
Result<arrow::Datum> LessEqual(const KernelCall& call) {
  return CallArrowFunction("less_equal", call);
}
Result<arrow::Datum> Greater(const KernelCall& call) { return CallArrowFunction("greater", call); }
Result<arrow::Datum> GreaterEqual(const KernelCall& call) {
  return CallArrowFunction("greater_equal", call);
}

/// For every row whether the sides differ, null being a value like any other.
Result<arrow::Datum> Distinctness(const KernelCall& call, bool when_distinct) {
  LW_ASSIGN(const ColumnValues left, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues right, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const arrow::Datum equal, Equal(call));
  LW_ASSIGN(const ColumnValues equal_column, ColumnValues::Make(equal));
  const BooleanValues is_equal(equal_column);
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    const bool left_null = left.IsNull(row);
    const bool right_null = right.IsNull(row);
    const bool is_distinct = left_null || right_null ? left_null != right_null : !is_equal[row];
    if (is_distinct == when_distinct) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

Result<arrow::Datum> IsDistinctFrom(const KernelCall& call) { return Distinctness(call, true); }
Result<arrow::Datum> IsNotDistinctFrom(const KernelCall& call) { return Distinctness(call, false); }

Result<arrow::Datum> IsNull(const KernelCall& call) { return CallArrowFunction("is_null", call); }
Result<arrow::Datum> IsNotNull(const KernelCall& call) {
  return CallArrowFunction("is_valid", call);
}

ScalarFunction Comparison(std::string name, SignatureBinder bind, ScalarKernel kernel,
                          std::string doc, std::string example, std::string example_result) {
  return {.name = name,
          .signatures = {"value1 " + name + " value2"},
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .internal = true};
}

ScalarFunction NullSafe(ScalarFunction function) {
  function.null_rule = NullRule::kHandledByKernel;
  return function;
}

ScalarFunction NullTest(std::string name, ScalarKernel kernel, std::string doc, std::string example,
                        std::string example_result) {
  return {.name = name,
          .signatures = {"value " + name},
          .bind = BindWith({{Parameter::kAny}},
                           [](const std::vector<TypePtr>&) { return types::Boolean(false); }),
          .null_rule = NullRule::kHandledByKernel,
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .internal = true};
}

}  // namespace

void AddComparisonFunctions(FunctionRegistry* registry) {
  registry->Add(Comparison("=", BindEquality, Equal,
                           "TRUE when the values are equal, NULL when one is NULL.", "1 = 1.0",
                           "TRUE"));
  registry->Add(Comparison("<>", BindEquality, NotEqual,
                           "TRUE when the values differ, NULL when one is NULL.", "'a' <> 'b'",
                           "TRUE"));
  registry->Add(
      Comparison("<", BindOrder, Less, "TRUE when the first value is less.", "1 < 2", "TRUE"));
  registry->Add(Comparison("<=", BindOrder, LessEqual,
                           "TRUE when the first value is less or equal.", "2 <= 2", "TRUE"));
  registry->Add(Comparison(">", BindOrder, Greater, "TRUE when the first value is greater.",
                           "'a' > 'b'", "FALSE"));
  registry->Add(Comparison(">=", BindOrder, GreaterEqual,
                           "TRUE when the first value is greater or equal.", "1 >= 2", "FALSE"));
  registry->Add(NullSafe(Comparison("IS DISTINCT FROM", BindDistinctness, IsDistinctFrom,
                                    "TRUE when the values differ; NULL equals NULL.",
                                    "1 IS DISTINCT FROM 2", "TRUE")));
  registry->Add(NullSafe(Comparison("IS NOT DISTINCT FROM", BindDistinctness, IsNotDistinctFrom,
                                    "TRUE when the values are equal; NULL equals NULL.",
                                    "1 IS NOT DISTINCT FROM 2", "FALSE")));
  registry->Add(NullTest("IS NULL", IsNull, "TRUE when the value is NULL.", "1 IS NULL", "FALSE"));
  registry->Add(NullTest("IS NOT NULL", IsNotNull, "TRUE when the value is not NULL.",
                         "1 IS NOT NULL", "TRUE"));
}

}  // namespace lakeward::expr
