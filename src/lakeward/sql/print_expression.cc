#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/print.h"
#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {
namespace {

/// How tightly the text of `expression` holds together.
int PrecedenceOf(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kBinary:
      return PrecedenceOf(expression.As<BinaryExpression>().op);
    case ExpressionKind::kUnary:
      return expression.As<UnaryExpression>().op == UnaryOperator::kNot ? kNotPrecedence
                                                                        : kSignPrecedence;
    case ExpressionKind::kIs:
    case ExpressionKind::kIsJson:
      return kIsPrecedence;
    // IS DISTINCT FROM takes everything up to a comparison as its right operand.
    case ExpressionKind::kIsDistinctFrom:
    case ExpressionKind::kQuantified:
      return kComparisonPrecedence;
    case ExpressionKind::kBetween:
    case ExpressionKind::kInList:
    case ExpressionKind::kInSubquery:
    case ExpressionKind::kLike:
      return kPredicatePrecedence;
    default:
      return kPrimaryPrecedence;
  }
}

}  // namespace

void SqlPrinter::PrintExpression(const Expression& expression, int precedence_min) {
  if (PrecedenceOf(expression) >= precedence_min) {
    PrintBare(expression);
    return;
  }
  Write("(");
  PrintBare(expression);
  Write(")");
}

void SqlPrinter::PrintExpressions(const std::vector<ExpressionPtr>& expressions) {
  WriteList(expressions, [this](const ExpressionPtr& expression) { Print(*expression); });
}

void SqlPrinter::PrintParenthesized(const Query& query) {
  Write("(");
  Print(query);
  Write(")");
}

void SqlPrinter::PrintBare(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kName:
      return Print(expression.As<NameExpression>().name);
    case ExpressionKind::kStar: {
      const QualifiedName& qualifier = expression.As<StarExpression>().qualifier;
      Print(qualifier);
      return Write(qualifier.empty() ? "*" : ".*");
    }
    case ExpressionKind::kLiteral:
      return PrintLiteral(expression.As<LiteralExpression>());
    case ExpressionKind::kInterval:
      return PrintIntervalExpression(expression.As<IntervalExpression>());
    case ExpressionKind::kUnary:
      return PrintUnary(expression.As<UnaryExpression>());
    case ExpressionKind::kBinary:
      return PrintBinary(expression.As<BinaryExpression>());
    case ExpressionKind::kExists:
      Write("EXISTS ");
      return PrintParenthesized(*expression.As<ExistsExpression>().query);
    case ExpressionKind::kCase:
      return PrintCase(expression.As<CaseExpression>());
    case ExpressionKind::kCast: {
      const auto& cast = expression.As<CastExpression>();
      Write(cast.null_on_error ? "TRY_CAST(" : "CAST(");
      Print(*cast.operand);
      Write(" AS ");
      Print(*cast.type);
      return Write(")");
    }
    case ExpressionKind::kFunctionCall:
      return PrintCall(expression.As<FunctionCallExpression>());
    case ExpressionKind::kScalarSubquery:
      return PrintParenthesized(*expression.As<ScalarSubqueryExpression>().query);
    case ExpressionKind::kTableArgument:
      return PrintTableArgument(expression.As<TableArgumentExpression>());
    case ExpressionKind::kDescriptor:
      Write("DESCRIPTOR");
      return PrintNames(expression.As<DescriptorExpression>().columns);
    case ExpressionKind::kDefault:
      return Write("DEFAULT");
    case ExpressionKind::kArray:
    case ExpressionKind::kMap:
    case ExpressionKind::kMultiset:
    case ExpressionKind::kRow:
      return PrintConstructor(expression);
    case ExpressionKind::kElementAccess:
    case ExpressionKind::kFieldAccess:
      return PrintAccess(expression);
    default:
      return PrintPredicate(expression);
  }
}

void SqlPrinter::PrintConstructor(const Expression& expression) {
  if (const auto* array = expression.AsIf<ArrayExpression>()) {
    return PrintCollection("ARRAY", array->items, array->query);
  }
  if (const auto* map = expression.AsIf<MapExpression>()) {
    return PrintCollection("MAP", map->items, map->query);
  }
  if (const auto* multiset = expression.AsIf<MultisetExpression>()) {
    return PrintCollection("MULTISET", multiset->items, multiset->query);
  }
  const auto& row = expression.As<RowExpression>();
  Write(row.keyword ? "ROW(" : "(");
  PrintExpressions(row.items);
  Write(")");
}

void SqlPrinter::PrintAccess(const Expression& expression) {
  if (const auto* element = expression.AsIf<ElementAccessExpression>()) {
    PrintPostfixOperand(*element->operand);
    Write("[");
    Print(*element->index);
    return Write("]");
  }
  const auto& access = expression.As<FieldAccessExpression>();
  if (access.operand->kind == ExpressionKind::kName) {
    Write("(");
    Print(*access.operand);
    Write(")");
  } else {
    PrintPostfixOperand(*access.operand);
  }
  Write(".");
  return access.star ? Write("*") : Print(access.field);
}

void SqlPrinter::PrintPostfixOperand(const Expression& operand) {
  bool bare = false;
  switch (operand.kind) {
    case ExpressionKind::kName:
    case ExpressionKind::kElementAccess:
    case ExpressionKind::kFieldAccess:
    case ExpressionKind::kArray:
    case ExpressionKind::kMap:
      bare = true;
      break;
    case ExpressionKind::kFunctionCall:
      bare = operand.As<FunctionCallExpression>().over == nullptr &&
             operand.As<FunctionCallExpression>().syntax != CallSyntax::kPrefix;
      break;
    default:
      break;
  }
  Write(bare ? "" : "(");
  PrintBare(operand);
  Write(bare ? "" : ")");
}

void SqlPrinter::PrintUnary(const UnaryExpression& unary) {
  if (unary.op == UnaryOperator::kNot) {
    Write("NOT ");
    return PrintExpression(*unary.operand, kNotPrecedence);
  }
  const char sign = unary.op == UnaryOperator::kMinus ? '-' : '+';
  out_.push_back(sign);
  const size_t operand_at = out_.size();
  PrintExpression(*unary.operand, kSignPrecedence);
  // Two minus signs in a row would begin a comment.
  if (operand_at < out_.size() && out_[operand_at] == '-') {
    out_.insert(operand_at, " ");
  }
}

void SqlPrinter::PrintBinary(const BinaryExpression& top) {
  const std::vector<const BinaryExpression*> spine = LeftSpine(top);
  // A left operand that binds more loosely than its parent stands in parentheses, all of which
  // open at the very left.
  std::vector<bool> parenthesized(spine.size(), false);
  for (size_t i = 0; i + 1 < spine.size(); ++i) {
    parenthesized[i] = PrecedenceOf(spine[i]->op) < PrecedenceOf(spine[i + 1]->op);
    Write(parenthesized[i] ? "(" : "");
  }
  PrintExpression(*spine.front()->left, PrecedenceOf(spine.front()->op));
  for (size_t i = 0; i < spine.size(); ++i) {
    Write(" ");
    Write(SymbolOf(spine[i]->op));
    Write(" ");
    PrintExpression(*spine[i]->right, PrecedenceOf(spine[i]->op) + 1);
    Write(parenthesized[i] ? ")" : "");
  }
}

void SqlPrinter::PrintLiteral(const LiteralExpression& literal) {
  switch (literal.literal) {
    case LiteralKind::kNull:
      return Write("NULL");
    case LiteralKind::kBoolean:
      return Write(literal.boolean ? "TRUE" : "FALSE");
    case LiteralKind::kUnknown:
      return Write("UNKNOWN");
    case LiteralKind::kString:
      return WriteString(literal.text);
    case LiteralKind::kBinary: {
      static constexpr char kDigits[] = "0123456789ABCDEF";
      Write("X'");
      for (const char c : literal.text) {
        const auto byte = static_cast<uint8_t>(c);
        out_.push_back(kDigits[byte >> 4]);
        out_.push_back(kDigits[byte & 0x0F]);
      }
      return Write("'");
    }
    case LiteralKind::kExactNumber:
    case LiteralKind::kApproximateNumber:
      return Write(literal.text);
    case LiteralKind::kDate:
      Write("DATE ");
      return WriteString(literal.text);
    case LiteralKind::kTime:
      Write("TIME ");
      return WriteString(literal.text);
    case LiteralKind::kTimestamp:
      Write("TIMESTAMP ");
      return WriteString(literal.text);
  }
}

void SqlPrinter::PrintIntervalExpression(const IntervalExpression& interval) {
  Write(interval.negative ? "INTERVAL -" : "INTERVAL ");
  const auto* literal = interval.value->AsIf<LiteralExpression>();
  const bool bare = interval.value->kind == ExpressionKind::kName ||
                    (literal != nullptr && (literal->literal == LiteralKind::kString ||
                                            literal->literal == LiteralKind::kExactNumber));
  Write(bare ? "" : "(");
  Print(*interval.value);
  Write(bare ? " " : ") ");
  PrintInterval(interval.qualifier);
}

void SqlPrinter::PrintCase(const CaseExpression& node) {
  Write("CASE");
  if (node.operand != nullptr) {
    Write(" ");
    Print(*node.operand);
  }
  for (const CaseBranch& branch : node.branches) {
    Write(" WHEN ");
    Print(*branch.condition);
    Write(" THEN ");
    Print(*branch.result);
  }
  if (node.otherwise != nullptr) {
    Write(" ELSE ");
    Print(*node.otherwise);
  } else if (for_view()) {
    Write(" ELSE NULL");
  }
  Write(" END");
}

void SqlPrinter::PrintCollection(std::string_view keyword, const std::vector<ExpressionPtr>& items,
                                 const QueryPtr& query) {
  Write(keyword);
  if (query != nullptr) {
    return PrintParenthesized(*query);
  }
  Write("[");
  PrintExpressions(items);
  Write("]");
}

void SqlPrinter::PrintOrder(const std::vector<OrderItem>& items) {
  WriteList(items, [this](const OrderItem& item) {
    Print(*item.expression);
    Write(item.descending ? " DESC" : "");
    if (item.nulls != NullsOrder::kDefault) {
      Write(item.nulls == NullsOrder::kFirst ? " NULLS FIRST" : " NULLS LAST");
    }
  });
}

}  // namespace lakeward::sql
