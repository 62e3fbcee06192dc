#include <utility>

#include "arrow/compute/api_scalar.h"
#include "arrow/compute/exec.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"

namespace lakeward::expr {

using types::TypePtr;

namespace {

/// Folds two or more arguments with a three-valued operator.
template <typename Combine>
Result<arrow::Datum> Fold(const KernelCall& call, Combine combine) {
  arrow::compute::ExecContext context(PoolOf(call.context));
  arrow::Datum result = call.arguments[0];
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    LW_ASSIGN(result, combine(result, call.arguments[i], &context));
  }
  return result;
}

Result<arrow::Datum> And(const KernelCall& call) { return Fold(call, arrow::compute::KleeneAnd); }
Result<arrow::Datum> Or(const KernelCall& call) { return Fold(call, arrow::compute::KleeneOr); }
Result<arrow::Datum> Not(const KernelCall& call) {
  return arrow::compute::Invert(call.arguments[0]);
}

/// IS [NOT] TRUE and IS [NOT] FALSE: never null.
template <bool kTruth, bool kNegated>
Result<arrow::Datum> TestTruth(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const BooleanValues values(column);
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    const bool matches = !column.IsNull(row) && values[row] == kTruth;
    if (matches != kNegated) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

template <bool kNegated>
Result<arrow::Datum> TestUnknown(const KernelCall& call) {
  return kNegated ? arrow::compute::IsValid(call.arguments[0])
                  : arrow::compute::IsNull(call.arguments[0]);
}

ScalarFunction Connective(std::string name, ScalarKernel kernel, ArgumentRule rule, std::string doc,
                          std::string example, std::string example_result) {
  return {.name = name,
          .signatures = {"boolean1 " + name + " boolean2"},
          .bind = Bind({{Parameter::kBoolean, Parameter::kBoolean}, 0, true}, types::Boolean()),
          .null_rule = NullRule::kHandledByKernel,
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .internal = true,
          .argument_rule = rule};
}

ScalarFunction TruthTest(std::string name, ScalarKernel kernel, std::string example,
                         std::string example_result) {
  return {.name = name,
          .signatures = {"boolean " + name},
          .bind = BindWith({{Parameter::kBoolean}},
                           [](const std::vector<TypePtr>&) { return types::Boolean(false); }),
          .null_rule = NullRule::kHandledByKernel,
          .kernel = kernel,
          .doc = "Tests a boolean that may be NULL (UNKNOWN); the answer never is.",
          .example = std::move(example),
          .example_result = std::move(example_result),
          .internal = true};
}

}  // namespace

void AddLogicFunctions(FunctionRegistry* registry) {
  registry->Add(Connective("AND", And, ArgumentRule::kUntilFalse,
                           "TRUE when both are, FALSE when one is, else NULL.", "TRUE AND FALSE",
                           "FALSE"));
  registry->Add(Connective("OR", Or, ArgumentRule::kUntilTrue,
                           "TRUE when one is, FALSE when both are, else NULL.", "TRUE OR FALSE",
                           "TRUE"));
  registry->Add({.name = "NOT",
                 .signatures = {"NOT boolean"},
                 .bind = Bind({{Parameter::kBoolean}}, types::Boolean()),
                 .kernel = Not,
                 .doc = "The opposite; NULL stays NULL.",
                 .example = "NOT TRUE",
                 .example_result = "FALSE",
                 .internal = true});
  registry->Add(TruthTest("IS TRUE", TestTruth<true, false>, "(1 = 2) IS TRUE", "FALSE"));
  registry->Add(TruthTest("IS NOT TRUE", TestTruth<true, true>, "(1 = 2) IS NOT TRUE", "TRUE"));
  registry->Add(TruthTest("IS FALSE", TestTruth<false, false>, "(1 = 2) IS FALSE", "TRUE"));
  registry->Add(TruthTest("IS NOT FALSE", TestTruth<false, true>, "(1 = 2) IS NOT FALSE", "FALSE"));
  registry->Add(TruthTest("IS UNKNOWN", TestUnknown<false>, "(1 = 2) IS UNKNOWN", "FALSE"));
  registry->Add(TruthTest("IS NOT UNKNOWN", TestUnknown<true>, "(1 = 2) IS NOT UNKNOWN", "TRUE"));
}

}  // namespace lakeward::expr
