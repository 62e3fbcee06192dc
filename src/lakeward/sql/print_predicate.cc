#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {

void SqlPrinter::PrintPredicate(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kBetween:
      return PrintBetween(expression.As<BetweenExpression>());
    case ExpressionKind::kInList: {
      const auto& in = expression.As<InListExpression>();
      PrintExpression(*in.operand, kPredicatePrecedence + 1);
      Write(in.negated ? " NOT IN (" : " IN (");
      PrintExpressions(in.items);
      return Write(")");
    }
    case ExpressionKind::kInSubquery: {
      const auto& in = expression.As<InSubqueryExpression>();
      PrintExpression(*in.operand, kPredicatePrecedence + 1);
      Write(in.negated ? " NOT IN " : " IN ");
      return PrintParenthesized(*in.query);
    }
    case ExpressionKind::kQuantified:
      return PrintQuantified(expression.As<QuantifiedExpression>());
    case ExpressionKind::kIs:
    case ExpressionKind::kIsDistinctFrom:
    case ExpressionKind::kIsJson:
      return PrintIs(expression);
    default:
      return PrintLike(expression.As<LikeExpression>());
  }
}

void SqlPrinter::PrintBetween(const BetweenExpression& between) {
  PrintExpression(*between.operand, kPredicatePrecedence + 1);
  Write(between.negated ? " NOT BETWEEN " : " BETWEEN ");
  Write(between.symmetric ? "SYMMETRIC " : for_view() ? "ASYMMETRIC " : "");
  PrintExpression(*between.lower, kPredicatePrecedence + 1);
  Write(" AND ");
  PrintExpression(*between.upper, kPredicatePrecedence + 1);
}

void SqlPrinter::PrintQuantified(const QuantifiedExpression& quantified) {
  PrintExpression(*quantified.operand, kComparisonPrecedence);
  Write(" ");
  Write(SymbolOf(quantified.op));
  Write(quantified.quantifier == Quantifier::kAll ? " ALL (" : " SOME (");
  if (quantified.query != nullptr) {
    Print(*quantified.query);
  } else {
    PrintExpressions(quantified.items);
  }
  Write(")");
}

void SqlPrinter::PrintIs(const Expression& expression) {
  if (const auto* distinct = expression.AsIf<IsDistinctFromExpression>()) {
    PrintExpression(*distinct->left, kAdditivePrecedence);
    Write(distinct->negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ");
    return PrintExpression(*distinct->right, kAdditivePrecedence + 1);
  }
  if (const auto* json = expression.AsIf<IsJsonExpression>()) {
    static constexpr std::string_view kTests[] = {"", " OBJECT", " ARRAY", " SCALAR"};
    PrintExpression(*json->operand, kIsPrecedence);
    Write(json->negated ? " IS NOT JSON" : " IS JSON");
    return Write(kTests[static_cast<size_t>(json->test)]);
  }
  static constexpr std::string_view kTests[] = {"NULL",    "TRUE",  "FALSE",
                                                "UNKNOWN", "A SET", "EMPTY"};
  const auto& is = expression.As<IsExpression>();
  PrintExpression(*is.operand, kIsPrecedence);
  Write(is.negated ? " IS NOT " : " IS ");
  Write(kTests[static_cast<size_t>(is.test)]);
}

void SqlPrinter::PrintLike(const LikeExpression& like) {
  static constexpr std::string_view kOperators[] = {"LIKE ", "ILIKE ", "RLIKE ", "SIMILAR TO "};
  PrintExpression(*like.operand, kPredicatePrecedence + 1);
  Write(like.negated ? " NOT " : " ");
  Write(kOperators[static_cast<size_t>(like.op)]);
  PrintExpression(*like.pattern, kPredicatePrecedence + 1);
  if (like.escape != nullptr) {
    Write(" ESCAPE ");
    PrintExpression(*like.escape, kPredicatePrecedence + 1);
  }
}

}  // namespace lakeward::sql
