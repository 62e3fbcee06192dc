#pragma once

// What the tests of this folder build expressions with; the binder proper is in plan/.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/array.h"
#include "arrow/json/from_string.h"
#include "arrow/record_batch.h"
#include "gtest/gtest.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/expr/function.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::expr {

inline std::shared_ptr<arrow::Array> ArrayOf(const types::TypePtr& type, std::string_view json) {
  auto array = arrow::json::ArrayFromJSONString(types::ToArrow(*type), json);
  EXPECT_TRUE(array.ok()) << array.status().ToString();
  return *array;
}

/// A literal from its JSON form, for example Literal(types::Int(false), "5").
inline ExpressionPtr Literal(const types::TypePtr& type, std::string_view json) {
  return MakeLiteral(*ArrayOf(type, "[" + std::string(json) + "]")->GetScalar(0), type);
}
inline ExpressionPtr IntLiteral(int32_t value) {
  return Literal(types::Int(false), std::to_string(value));
}
inline ExpressionPtr TextLiteral(const std::string& text) {
  return MakeLiteral(std::make_shared<arrow::StringScalar>(text), types::String(false));
}
inline ExpressionPtr NullOf(const types::TypePtr& type) { return MakeNullLiteral(type); }

/// Calls a built-in function with whatever casts its signature asks for.
inline ExpressionPtr CallOf(std::string_view name, std::vector<ExpressionPtr> arguments) {
  const ScalarFunction* function = FunctionRegistry::Builtin()->FindScalar(name);
  EXPECT_NE(function, nullptr) << name;
  std::vector<types::TypePtr> argument_types;
  std::vector<const arrow::Scalar*> literals;
  for (const ExpressionPtr& argument : arguments) {
    argument_types.push_back(argument->type());
    literals.push_back(argument->kind() == ExpressionKind::kLiteral ? argument->literal().get()
                                                                    : nullptr);
  }
  const auto bound = function->bind(argument_types);
  EXPECT_TRUE(bound.has_value()) << name << " does not take these arguments";
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]->type()->EqualsIgnoringNullability(*bound->argument_types[i])) {
      arguments[i] = MakeCast(arguments[i], bound->argument_types[i], bound->lenient_casts);
    }
  }
  const types::TypePtr type =
      function->refine == nullptr ? bound->result_type : function->refine(*bound, literals);
  return MakeCall(function, std::move(arguments), type);
}

/// A batch of columns and expressions that read them.
struct TestInput {
  explicit TestInput(std::vector<std::pair<types::TypePtr, std::string>> columns_as_json) {
    arrow::FieldVector fields;
    arrow::ArrayVector arrays;
    for (const auto& [type, json] : columns_as_json) {
      const int number = static_cast<int>(columns.size());
      const std::string name = "c" + std::to_string(number);
      columns.push_back(MakeColumn(number, name, type));
      arrays.push_back(ArrayOf(type, json));
      fields.push_back(types::ToArrowField({name, type}));
    }
    const int64_t row_count = arrays.empty() ? 1 : arrays[0]->length();
    batch = arrow::RecordBatch::Make(arrow::schema(fields), row_count, arrays);
  }

  std::shared_ptr<arrow::RecordBatch> batch;
  std::vector<ExpressionPtr> columns;
};

/// The printed values of all rows, "ERROR: …" for a failed evaluation.
inline std::vector<std::string> ValuesOf(const ExpressionPtr& expression,
                                         const arrow::RecordBatch& batch,
                                         const EvaluationContext& context = {}) {
  const auto array = EvaluateToArray(*expression, batch, context);
  if (!array.ok()) {
    return {"ERROR: " + array.status().message()};
  }
  EXPECT_TRUE((*array)->ValidateFull().ok()) << (*array)->ValidateFull().ToString();
  EXPECT_TRUE((*array)->type()->Equals(types::ToArrow(*expression->type())))
      << (*array)->type()->ToString() << " for " << expression->type()->ToString();
  std::vector<std::string> values;
  for (int64_t row = 0; row < (*array)->length(); ++row) {
    values.push_back(types::PrintedForm(**array, row, *expression->type(), context.zone));
  }
  return values;
}

/// The printed value of an expression without columns.
inline std::string ValueOf(const ExpressionPtr& expression, const EvaluationContext& context = {}) {
  return ValuesOf(expression, *TestInput({}).batch, context)[0];
}

}  // namespace lakeward::expr
