#pragma once

#include <string>

#include "fmt/format.h"
#include "lakeward/sql/ast.h"
#include "lakeward/sql/print.h"

namespace lakeward::sql {

/// For tests: the tree under `expression` with parentheses around every node that has operands, so
/// that trees of different shape have different texts.
inline std::string TreeText(const Expression& expression) {
  std::string label = fmt::format("{}", static_cast<int>(expression.kind));
  if (const auto* binary = expression.AsIf<BinaryExpression>()) {
    // Chains are long: no recursion to the left.
    std::string text;
    bool first = true;
    for (const BinaryExpression* node : LeftSpine(*binary)) {
      text = fmt::format("({} {} {})", first ? TreeText(*node->left) : text, SymbolOf(node->op),
                         TreeText(*node->right));
      first = false;
    }
    return text;
  }
  std::string operands;
  ForEachOperand(expression, [&operands](const ExpressionPtr& operand) {
    operands += operands.empty() ? "" : ", ";
    operands += TreeText(*operand);
  });
  if (const auto* unary = expression.AsIf<UnaryExpression>()) {
    static constexpr const char* kNames[] = {"+", "-", "NOT"};
    label = kNames[static_cast<size_t>(unary->op)];
  } else if (const auto* is = expression.AsIf<IsExpression>()) {
    label = fmt::format("is{}{}", is->negated ? "not" : "", static_cast<int>(is->test));
  } else if (const auto* between = expression.AsIf<BetweenExpression>()) {
    label = between->negated ? "notbetween" : "between";
  } else if (const auto* like = expression.AsIf<LikeExpression>()) {
    label = fmt::format("{}like{}", like->negated ? "not" : "", static_cast<int>(like->op));
  } else if (const auto* in = expression.AsIf<InListExpression>()) {
    label = in->negated ? "notin" : "in";
  } else if (const auto* distinct = expression.AsIf<IsDistinctFromExpression>()) {
    label = distinct->negated ? "notdistinct" : "distinct";
  } else if (const auto* call = expression.AsIf<FunctionCallExpression>()) {
    label = call->name.ToString();
  } else if (expression.kind == ExpressionKind::kRow) {
    label = "row";
  }
  return operands.empty() ? ToSql(expression) : fmt::format("{}[{}]", label, operands);
}

}  // namespace lakeward::sql
