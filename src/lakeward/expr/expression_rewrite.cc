#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "lakeward/expr/expression.h"
#include "lakeward/expr/function.h"

namespace lakeward::expr {

namespace {

void CollectColumns(const Expression& expression, std::set<int>* columns) {
  if (expression.kind() == ExpressionKind::kColumn) {
    columns->insert(expression.column());
  }
  for (const ExpressionPtr& argument : expression.arguments()) {
    CollectColumns(*argument, columns);
  }
}

/// The same node over other arguments.
ExpressionPtr WithArguments(const Expression& node, std::vector<ExpressionPtr> arguments) {
  switch (node.kind()) {
    case ExpressionKind::kCall:
      return MakeCall(node.function(), std::move(arguments), node.type());
    case ExpressionKind::kCast:
      return MakeCast(std::move(arguments[0]), node.type(), node.null_on_failure());
    default:
      LW_CHECK(node.kind() == ExpressionKind::kCase);
      return MakeCase(std::move(arguments), node.type());
  }
}

/// Replaces the columns; shares the sub-trees that stay the same.
ExpressionPtr ReplaceColumns(
    const ExpressionPtr& expression,
    const std::function<ExpressionPtr(const ExpressionPtr& column)>& replacement) {
  if (expression->kind() == ExpressionKind::kColumn) {
    return replacement(expression);
  }
  std::vector<ExpressionPtr> arguments;
  bool is_changed = false;
  for (const ExpressionPtr& argument : expression->arguments()) {
    arguments.push_back(ReplaceColumns(argument, replacement));
    is_changed = is_changed || arguments.back() != argument;
  }
  return is_changed ? WithArguments(*expression, std::move(arguments)) : expression;
}

void AppendConjuncts(const ExpressionPtr& condition, std::vector<ExpressionPtr>* conjuncts) {
  if (condition->kind() == ExpressionKind::kCall && condition->function()->name == "AND") {
    for (const ExpressionPtr& argument : condition->arguments()) {
      AppendConjuncts(argument, conjuncts);
    }
  } else {
    conjuncts->push_back(condition);
  }
}

}  // namespace

std::vector<int> ReferencedColumns(const Expression& expression) {
  std::set<int> columns;
  CollectColumns(expression, &columns);
  return {columns.begin(), columns.end()};
}

ExpressionPtr RemapColumns(const ExpressionPtr& expression, const std::vector<int>& mapping) {
  return ReplaceColumns(expression, [&mapping](const ExpressionPtr& column) {
    LW_CHECK(column->column() < static_cast<int>(mapping.size()));
    const int target = mapping[static_cast<size_t>(column->column())];
    LW_CHECK(target >= 0);
    return target == column->column() ? column
                                      : MakeColumn(target, column->column_name(), column->type());
  });
}

ExpressionPtr Substitute(const ExpressionPtr& expression,
                         const std::vector<ExpressionPtr>& replacements) {
  return ReplaceColumns(expression, [&replacements](const ExpressionPtr& column) {
    LW_CHECK(column->column() < static_cast<int>(replacements.size()));
    return replacements[static_cast<size_t>(column->column())];
  });
}

std::vector<ExpressionPtr> SplitConjunction(const ExpressionPtr& condition) {
  std::vector<ExpressionPtr> conjuncts;
  AppendConjuncts(condition, &conjuncts);
  return conjuncts;
}

}  // namespace lakeward::expr
