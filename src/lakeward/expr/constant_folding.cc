#include <utility>

#include "arrow/record_batch.h"
#include "arrow/scalar.h"
#include "arrow/type.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/expr/function.h"

namespace lakeward::expr {

namespace {

bool AreAllLiterals(const std::vector<ExpressionPtr>& arguments) {
  for (const ExpressionPtr& argument : arguments) {
    if (argument->kind() != ExpressionKind::kLiteral) {
      return false;
    }
  }
  return true;
}

ExpressionPtr Rebuild(const Expression& node, std::vector<ExpressionPtr> arguments) {
  switch (node.kind()) {
    case ExpressionKind::kCall:
      return MakeCall(node.function(), std::move(arguments), node.type());
    case ExpressionKind::kCast:
      return MakeCast(std::move(arguments[0]), node.type(), node.null_on_failure());
    default:
      return MakeCase(std::move(arguments), node.type());
  }
}

}  // namespace

ExpressionPtr FoldConstants(const ExpressionPtr& expression, const EvaluationContext& context) {
  if (expression->kind() == ExpressionKind::kColumn ||
      expression->kind() == ExpressionKind::kLiteral) {
    return expression;
  }
  std::vector<ExpressionPtr> arguments;
  bool is_changed = false;
  for (const ExpressionPtr& argument : expression->arguments()) {
    arguments.push_back(FoldConstants(argument, context));
    is_changed = is_changed || arguments.back() != argument;
  }
  const ExpressionPtr folded = is_changed ? Rebuild(*expression, std::move(arguments)) : expression;
  const bool is_call_with_choice =
      folded->kind() == ExpressionKind::kCall && !folded->function()->deterministic;
  if (is_call_with_choice || !AreAllLiterals(folded->arguments())) {
    return folded;
  }
  const auto one_row = arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 1,
                                                std::vector<std::shared_ptr<arrow::Array>>());
  auto value = EvaluateToArray(*folded, *one_row, context);
  if (!value.ok()) {
    return folded;
  }
  auto scalar = (*value)->GetScalar(0);
  return scalar.ok() ? MakeLiteral(*std::move(scalar), folded->type()) : folded;
}

}  // namespace lakeward::expr
