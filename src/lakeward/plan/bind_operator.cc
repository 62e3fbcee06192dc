#include <string>
#include <utility>

#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/literal.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::plan {

using expr::ExpressionPtr;

Result<ExpressionPtr> ExpressionBinder::Negate(bool negated, ExpressionPtr condition,
                                               SqlPosition at) {
  return negated ? Call("NOT", {std::move(condition)}, at) : Result<ExpressionPtr>(condition);
}

Result<ExpressionPtr> ExpressionBinder::BindUnary(const sql::UnaryExpression& unary) {
  if (unary.op == sql::UnaryOperator::kMinus) {
    const auto* literal = unary.operand->AsIf<sql::LiteralExpression>();
    if (literal != nullptr && (literal->literal == sql::LiteralKind::kExactNumber ||
                               literal->literal == sql::LiteralKind::kApproximateNumber)) {
      return BindLiteral(*literal, /*negative=*/true);
    }
  }
  LW_ASSIGN(ExpressionPtr operand, Bind(*unary.operand));
  switch (unary.op) {
    case sql::UnaryOperator::kNot:
      return Call("NOT", {std::move(operand)}, unary.position);
    case sql::UnaryOperator::kMinus:
      return Call("-", {std::move(operand)}, unary.position);
    case sql::UnaryOperator::kPlus:
      break;
  }
  const types::LogicalType& type = *operand->type();
  if (!type.IsNumeric() && type.root() != types::TypeRoot::kIntervalDayTime &&
      type.root() != types::TypeRoot::kIntervalYearMonth) {
    return NoMatchingForm("+", {"+<NUMERIC>"}, {operand->type()}, unary.position);
  }
  return operand;
}

namespace {

/// A chain becomes a tree as deep as the chain is long, which everything behind walks recursively.
constexpr size_t kChainLengthMax = 5'000;

std::string_view FunctionOf(sql::BinaryOperator op) {
  switch (op) {
    case sql::BinaryOperator::kOr:
    case sql::BinaryOperator::kAnd:
    case sql::BinaryOperator::kEqual:
    case sql::BinaryOperator::kNotEqual:
    case sql::BinaryOperator::kLess:
    case sql::BinaryOperator::kLessOrEqual:
    case sql::BinaryOperator::kGreater:
    case sql::BinaryOperator::kGreaterOrEqual:
    case sql::BinaryOperator::kPlus:
    case sql::BinaryOperator::kMinus:
    case sql::BinaryOperator::kMultiply:
    case sql::BinaryOperator::kDivide:
    case sql::BinaryOperator::kModulo:
    case sql::BinaryOperator::kConcat:
      return sql::SymbolOf(op);
    default:
      return "";
  }
}

}  // namespace

Result<ExpressionPtr> ExpressionBinder::BindBinaryChain(const sql::BinaryExpression& top) {
  const std::vector<const sql::BinaryExpression*> spine = sql::LeftSpine(top);
  if (spine.size() > kChainLengthMax) {
    return MakeError(ErrorKind::kUnsupported,
                     "More than " + std::to_string(kChainLengthMax) + " operators in a row",
                     "Compare with many constants by IN (…), or compute parts in a query behind "
                     "FROM.",
                     spine[kChainLengthMax]->op_position);
  }
  // A node inside the chain may be a grouping key: start above the outermost one that is.
  size_t first = 0;
  ExpressionPtr left;
  if (replacer_ != nullptr) {
    for (size_t i = spine.size() - 1; i > 0 && left == nullptr; --i) {
      LW_ASSIGN(const std::optional<ExpressionPtr> replaced, replacer_->Replace(*spine[i - 1]));
      if (replaced.has_value()) {
        left = *replaced;
        first = i;
      }
    }
  }
  if (left == nullptr) {
    LW_ASSIGN(left, Bind(*spine.front()->left));
  }
  for (size_t i = first; i < spine.size(); ++i) {
    const sql::BinaryExpression& node = *spine[i];
    const std::string_view function = FunctionOf(node.op);
    if (function.empty()) {
      return NotSupportedYet(sql::SymbolOf(node.op), node.op_position);
    }
    LW_ASSIGN(ExpressionPtr right, Bind(*node.right));
    LW_ASSIGN(left, Call(function, {std::move(left), std::move(right)}, node.op_position));
  }
  return left;
}

Result<ExpressionPtr> ExpressionBinder::BindBetween(const sql::BetweenExpression& between) {
  LW_ASSIGN(const ExpressionPtr operand, Bind(*between.operand));
  LW_ASSIGN(const ExpressionPtr lower, Bind(*between.lower));
  LW_ASSIGN(const ExpressionPtr upper, Bind(*between.upper));
  const SqlPosition at = between.position;
  const auto inside = [&](const ExpressionPtr& from,
                          const ExpressionPtr& to) -> Result<ExpressionPtr> {
    LW_ASSIGN(ExpressionPtr above, Call(">=", {operand, from}, at));
    LW_ASSIGN(ExpressionPtr below, Call("<=", {operand, to}, at));
    return Call("AND", {std::move(above), std::move(below)}, at);
  };
  LW_ASSIGN(ExpressionPtr condition, inside(lower, upper));
  if (between.symmetric) {
    LW_ASSIGN(ExpressionPtr reversed, inside(upper, lower));
    LW_ASSIGN(condition, Call("OR", {std::move(condition), std::move(reversed)}, at));
  }
  return Negate(between.negated, std::move(condition), at);
}

Result<ExpressionPtr> ExpressionBinder::BindInList(const sql::InListExpression& in) {
  LW_ASSIGN(const ExpressionPtr operand, Bind(*in.operand));
  LW_ASSIGN(const std::vector<ExpressionPtr> items, BindAll(in.items));
  // Combined in pairs of pairs, so that a list of thousands is not thousands of levels deep.
  std::vector<ExpressionPtr> level;
  for (size_t i = 0; i < items.size(); ++i) {
    LW_ASSIGN(ExpressionPtr equal, Call("=", {operand, items[i]}, in.items[i]->position));
    level.push_back(std::move(equal));
  }
  while (level.size() > 1) {
    std::vector<ExpressionPtr> above;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      LW_ASSIGN(ExpressionPtr either, Call("OR", {level[i], level[i + 1]}, in.position));
      above.push_back(std::move(either));
    }
    if (level.size() % 2 == 1) {
      above.push_back(level.back());
    }
    level = std::move(above);
  }
  return Negate(in.negated, level.front(), in.position);
}

Result<ExpressionPtr> ExpressionBinder::BindIs(const sql::IsExpression& is) {
  LW_ASSIGN(ExpressionPtr operand, Bind(*is.operand));
  std::string name = is.negated ? "IS NOT " : "IS ";
  switch (is.test) {
    case sql::IsTest::kNull:
      name += "NULL";
      break;
    case sql::IsTest::kTrue:
      name += "TRUE";
      break;
    case sql::IsTest::kFalse:
      name += "FALSE";
      break;
    case sql::IsTest::kUnknown:
      name += "NULL";
      if (operand->type()->root() != types::TypeRoot::kBoolean &&
          operand->type()->root() != types::TypeRoot::kNull) {
        return NoMatchingForm("IS UNKNOWN", {"<BOOLEAN> IS UNKNOWN"}, {operand->type()},
                              is.position);
      }
      break;
    case sql::IsTest::kASet:
    case sql::IsTest::kEmpty:
      return NotSupportedYet("IS A SET and IS EMPTY", is.position);
  }
  return Call(name, {std::move(operand)}, is.position);
}

Result<ExpressionPtr> ExpressionBinder::BindLike(const sql::LikeExpression& like) {
  if (like.op == sql::LikeOperator::kIlike || like.op == sql::LikeOperator::kRlike) {
    return NotSupportedYet(like.op == sql::LikeOperator::kIlike ? "ILIKE" : "RLIKE", like.position);
  }
  std::vector<ExpressionPtr> arguments(2);
  LW_ASSIGN(arguments[0], Bind(*like.operand));
  LW_ASSIGN(arguments[1], Bind(*like.pattern));
  if (like.escape != nullptr) {
    LW_ASSIGN(ExpressionPtr escape, Bind(*like.escape));
    arguments.push_back(std::move(escape));
  }
  const std::string_view name = like.op == sql::LikeOperator::kSimilarTo ? "SIMILAR TO" : "LIKE";
  if (context_.functions().FindScalar(name) == nullptr) {
    return NotSupportedYet(name, like.position);
  }
  LW_ASSIGN(ExpressionPtr condition, Call(name, std::move(arguments), like.position));
  return Negate(like.negated, std::move(condition), like.position);
}

}  // namespace lakeward::plan
