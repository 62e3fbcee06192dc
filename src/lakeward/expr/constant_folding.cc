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

/// The node itself where its value is known, once its arguments are folded.
ExpressionPtr FoldNode(ExpressionPtr node, const EvaluationContext& context) {
  const bool is_call_with_choice =
      node->kind() == ExpressionKind::kCall && !node->function()->deterministic;
  if (is_call_with_choice || !AreAllLiterals(node->arguments())) {
    return node;
  }
  const auto one_row = arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector{}), 1,
                                                std::vector<std::shared_ptr<arrow::Array>>());
  auto value = EvaluateToArray(*node, *one_row, context);
  if (!value.ok()) {
    return node;
  }
  auto scalar = (*value)->GetScalar(0);
  return scalar.ok() ? MakeLiteral(*std::move(scalar), node->type()) : node;
}

bool HasArguments(const Expression& expression) {
  return expression.kind() != ExpressionKind::kColumn &&
         expression.kind() != ExpressionKind::kLiteral && !expression.arguments().empty();
}

}  // namespace

ExpressionPtr FoldConstants(const ExpressionPtr& expression, const EvaluationContext& context) {
  if (expression->kind() == ExpressionKind::kColumn ||
      expression->kind() == ExpressionKind::kLiteral) {
    return expression;
  }
  // A chain `a + b + c …` leans to the left and may be thousands of operators long: its first
  // arguments are walked, only the others recurse.
  std::vector<ExpressionPtr> chain = {expression};
  while (HasArguments(*chain.back()) && HasArguments(*chain.back()->arguments()[0])) {
    chain.push_back(chain.back()->arguments()[0]);
  }
  ExpressionPtr folded;
  for (; !chain.empty(); chain.pop_back()) {
    const ExpressionPtr& node = chain.back();
    std::vector<ExpressionPtr> arguments;
    bool is_changed = false;
    for (const ExpressionPtr& argument : node->arguments()) {
      const bool is_walked = folded != nullptr && arguments.empty();
      arguments.push_back(is_walked ? folded : FoldConstants(argument, context));
      is_changed = is_changed || arguments.back() != argument;
    }
    folded = FoldNode(is_changed ? Rebuild(*node, std::move(arguments)) : node, context);
  }
  return folded;
}

}  // namespace lakeward::expr
