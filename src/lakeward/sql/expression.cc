#include "lakeward/sql/expression.h"

#include <algorithm>

namespace lakeward::sql {
namespace {

using Visit = std::function<void(const ExpressionPtr&)>;

void VisitOne(const ExpressionPtr& expression, const Visit& visit) {
  if (expression != nullptr) {
    visit(expression);
  }
}

void VisitAll(const std::vector<ExpressionPtr>& expressions, const Visit& visit) {
  for (const ExpressionPtr& expression : expressions) {
    VisitOne(expression, visit);
  }
}

void VisitOrder(const std::vector<OrderItem>& items, const Visit& visit) {
  for (const OrderItem& item : items) {
    VisitOne(item.expression, visit);
  }
}

void VisitCall(const FunctionCallExpression& call, const Visit& visit) {
  for (const FunctionArgument& argument : call.arguments) {
    VisitOne(argument.value, visit);
  }
  if (call.json.has_value()) {
    for (const std::optional<JsonBehavior>* behavior :
         {&call.json->on_empty, &call.json->on_error}) {
      if (behavior->has_value()) {
        VisitOne((*behavior)->value, visit);
      }
    }
  }
  VisitOrder(call.argument_order, visit);
  VisitOne(call.separator, visit);
  VisitOrder(call.within_group, visit);
  VisitOne(call.filter, visit);
  if (call.over != nullptr) {
    VisitAll(call.over->partition_by, visit);
    VisitOrder(call.over->order_by, visit);
    if (call.over->frame.has_value()) {
      VisitOne(call.over->frame->start.offset, visit);
      if (call.over->frame->end.has_value()) {
        VisitOne(call.over->frame->end->offset, visit);
      }
    }
  }
}

void VisitPredicate(const Expression& expression, const Visit& visit) {
  switch (expression.kind) {
    case ExpressionKind::kBetween: {
      const auto& between = expression.As<BetweenExpression>();
      VisitOne(between.operand, visit);
      VisitOne(between.lower, visit);
      return VisitOne(between.upper, visit);
    }
    case ExpressionKind::kInList:
      VisitOne(expression.As<InListExpression>().operand, visit);
      return VisitAll(expression.As<InListExpression>().items, visit);
    case ExpressionKind::kInSubquery:
      return VisitOne(expression.As<InSubqueryExpression>().operand, visit);
    case ExpressionKind::kQuantified:
      VisitOne(expression.As<QuantifiedExpression>().operand, visit);
      return VisitAll(expression.As<QuantifiedExpression>().items, visit);
    case ExpressionKind::kIs:
      return VisitOne(expression.As<IsExpression>().operand, visit);
    case ExpressionKind::kIsDistinctFrom:
      VisitOne(expression.As<IsDistinctFromExpression>().left, visit);
      return VisitOne(expression.As<IsDistinctFromExpression>().right, visit);
    case ExpressionKind::kIsJson:
      return VisitOne(expression.As<IsJsonExpression>().operand, visit);
    case ExpressionKind::kLike: {
      const auto& like = expression.As<LikeExpression>();
      VisitOne(like.operand, visit);
      VisitOne(like.pattern, visit);
      return VisitOne(like.escape, visit);
    }
    default:
      return;
  }
}

}  // namespace

void ForEachOperand(const Expression& expression, const Visit& visit) {
  switch (expression.kind) {
    case ExpressionKind::kInterval:
      return VisitOne(expression.As<IntervalExpression>().value, visit);
    case ExpressionKind::kUnary:
      return VisitOne(expression.As<UnaryExpression>().operand, visit);
    case ExpressionKind::kBinary:
      VisitOne(expression.As<BinaryExpression>().left, visit);
      return VisitOne(expression.As<BinaryExpression>().right, visit);
    case ExpressionKind::kCase: {
      const auto& node = expression.As<CaseExpression>();
      VisitOne(node.operand, visit);
      for (const CaseBranch& branch : node.branches) {
        VisitOne(branch.condition, visit);
        VisitOne(branch.result, visit);
      }
      return VisitOne(node.otherwise, visit);
    }
    case ExpressionKind::kCast:
      return VisitOne(expression.As<CastExpression>().operand, visit);
    case ExpressionKind::kFunctionCall:
      return VisitCall(expression.As<FunctionCallExpression>(), visit);
    case ExpressionKind::kArray:
      return VisitAll(expression.As<ArrayExpression>().items, visit);
    case ExpressionKind::kMap:
      return VisitAll(expression.As<MapExpression>().items, visit);
    case ExpressionKind::kMultiset:
      return VisitAll(expression.As<MultisetExpression>().items, visit);
    case ExpressionKind::kRow:
      return VisitAll(expression.As<RowExpression>().items, visit);
    case ExpressionKind::kElementAccess:
      VisitOne(expression.As<ElementAccessExpression>().operand, visit);
      return VisitOne(expression.As<ElementAccessExpression>().index, visit);
    case ExpressionKind::kFieldAccess:
      return VisitOne(expression.As<FieldAccessExpression>().operand, visit);
    case ExpressionKind::kTableArgument:
      VisitAll(expression.As<TableArgumentExpression>().partition_by, visit);
      return VisitOrder(expression.As<TableArgumentExpression>().order_by, visit);
    default:
      return VisitPredicate(expression, visit);
  }
}

void ForEachSubquery(const Expression& expression,
                     const std::function<void(const QueryPtr&)>& visit) {
  const QueryPtr* query = nullptr;
  switch (expression.kind) {
    case ExpressionKind::kInSubquery:
      query = &expression.As<InSubqueryExpression>().query;
      break;
    case ExpressionKind::kQuantified:
      query = &expression.As<QuantifiedExpression>().query;
      break;
    case ExpressionKind::kExists:
      query = &expression.As<ExistsExpression>().query;
      break;
    case ExpressionKind::kArray:
      query = &expression.As<ArrayExpression>().query;
      break;
    case ExpressionKind::kMap:
      query = &expression.As<MapExpression>().query;
      break;
    case ExpressionKind::kMultiset:
      query = &expression.As<MultisetExpression>().query;
      break;
    case ExpressionKind::kScalarSubquery:
      query = &expression.As<ScalarSubqueryExpression>().query;
      break;
    case ExpressionKind::kTableArgument:
      query = &expression.As<TableArgumentExpression>().query;
      break;
    default:
      return;
  }
  if (*query != nullptr) {
    visit(*query);
  }
}

std::vector<const BinaryExpression*> LeftSpine(const BinaryExpression& top) {
  std::vector<const BinaryExpression*> spine;
  for (const BinaryExpression* node = &top; node != nullptr;
       node = node->left->AsIf<BinaryExpression>()) {
    spine.push_back(node);
  }
  std::reverse(spine.begin(), spine.end());
  return spine;
}

std::string_view SymbolOf(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kOr:
      return "OR";
    case BinaryOperator::kAnd:
      return "AND";
    case BinaryOperator::kEqual:
      return "=";
    case BinaryOperator::kNotEqual:
      return "<>";
    case BinaryOperator::kLess:
      return "<";
    case BinaryOperator::kLessOrEqual:
      return "<=";
    case BinaryOperator::kGreater:
      return ">";
    case BinaryOperator::kGreaterOrEqual:
      return ">=";
    case BinaryOperator::kPlus:
      return "+";
    case BinaryOperator::kMinus:
      return "-";
    case BinaryOperator::kMultiply:
      return "*";
    case BinaryOperator::kDivide:
      return "/";
    case BinaryOperator::kModulo:
      return "%";
    case BinaryOperator::kConcat:
      return "||";
    case BinaryOperator::kMemberOf:
      return "MEMBER OF";
    case BinaryOperator::kSubmultisetOf:
      return "SUBMULTISET OF";
    case BinaryOperator::kMultisetUnion:
      return "MULTISET UNION ALL";
    case BinaryOperator::kMultisetUnionDistinct:
      return "MULTISET UNION DISTINCT";
    case BinaryOperator::kMultisetIntersect:
      return "MULTISET INTERSECT ALL";
    case BinaryOperator::kMultisetIntersectDistinct:
      return "MULTISET INTERSECT DISTINCT";
    case BinaryOperator::kMultisetExcept:
      return "MULTISET EXCEPT ALL";
    case BinaryOperator::kMultisetExceptDistinct:
      return "MULTISET EXCEPT DISTINCT";
    case BinaryOperator::kOverlaps:
      return "OVERLAPS";
    case BinaryOperator::kContains:
      return "CONTAINS";
    case BinaryOperator::kPeriodEquals:
      return "EQUALS";
    case BinaryOperator::kPrecedes:
      return "PRECEDES";
    case BinaryOperator::kSucceeds:
      return "SUCCEEDS";
    case BinaryOperator::kImmediatelyPrecedes:
      return "IMMEDIATELY PRECEDES";
    case BinaryOperator::kImmediatelySucceeds:
      return "IMMEDIATELY SUCCEEDS";
  }
  return "";
}

std::string_view NameOf(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kYear:
      return "YEAR";
    case TimeUnit::kQuarter:
      return "QUARTER";
    case TimeUnit::kMonth:
      return "MONTH";
    case TimeUnit::kWeek:
      return "WEEK";
    case TimeUnit::kDay:
      return "DAY";
    case TimeUnit::kHour:
      return "HOUR";
    case TimeUnit::kMinute:
      return "MINUTE";
    case TimeUnit::kSecond:
      return "SECOND";
    case TimeUnit::kMillisecond:
      return "MILLISECOND";
    case TimeUnit::kMicrosecond:
      return "MICROSECOND";
    case TimeUnit::kNanosecond:
      return "NANOSECOND";
    case TimeUnit::kEpoch:
      return "EPOCH";
    case TimeUnit::kDayOfWeek:
      return "DOW";
    case TimeUnit::kDayOfYear:
      return "DOY";
    case TimeUnit::kIsoDayOfWeek:
      return "ISODOW";
    case TimeUnit::kIsoYear:
      return "ISOYEAR";
    case TimeUnit::kDecade:
      return "DECADE";
    case TimeUnit::kCentury:
      return "CENTURY";
    case TimeUnit::kMillennium:
      return "MILLENNIUM";
  }
  return "";
}

}  // namespace lakeward::sql
