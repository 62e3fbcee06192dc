#include "lakeward/plan/expression_binder.h"

#include <string>
#include <utility>

#include "lakeward/base/similar_names.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/literal.h"
#include "lakeward/sql/print.h"

namespace lakeward::plan {

using expr::ExpressionPtr;
using sql::ExpressionKind;

namespace {

// Kinds of expressions that are understood, but cannot be computed.
Status RefuseNode(const sql::Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kInSubquery:
      return NotSupportedYet("IN (query)", expression.position);
    case ExpressionKind::kQuantified:
      return NotSupportedYet("comparison with SOME or ALL", expression.position);
    case ExpressionKind::kExists:
      return NotSupportedYet("EXISTS", expression.position);
    case ExpressionKind::kScalarSubquery:
      return NotSupportedYet("a query as a value", expression.position);
    case ExpressionKind::kIsJson:
      return NotSupportedYet("IS JSON", expression.position);
    case ExpressionKind::kMultiset:
      return NotSupportedYet("MULTISET", expression.position);
    case ExpressionKind::kTableArgument:
    case ExpressionKind::kDescriptor:
      return NotSupportedYet("table functions", expression.position);
    case ExpressionKind::kDefault:
      return NotSupportedYet("DEFAULT", expression.position);
    default:
      return MakeError(ErrorKind::kInternal, "An expression of unknown kind", "",
                       expression.position);
  }
}

}  // namespace

Result<ExpressionPtr> ExpressionBinder::Bind(const sql::Expression& expression) {
  if (replacer_ != nullptr) {
    LW_ASSIGN(std::optional<ExpressionPtr> replaced, replacer_->Replace(expression));
    if (replaced.has_value()) {
      return *std::move(replaced);
    }
  }
  Result<ExpressionPtr> bound = BindNode(expression);
  return bound.ok() ? bound : WithPosition(bound.status(), expression.position);
}

Result<ExpressionPtr> ExpressionBinder::BindNode(const sql::Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kName:
      return BindName(expression.As<sql::NameExpression>());
    case ExpressionKind::kLiteral:
      return BindLiteral(expression.As<sql::LiteralExpression>());
    case ExpressionKind::kInterval:
      return BindInterval(expression.As<sql::IntervalExpression>());
    case ExpressionKind::kUnary:
      return BindUnary(expression.As<sql::UnaryExpression>());
    case ExpressionKind::kBinary:
      return BindBinaryChain(expression.As<sql::BinaryExpression>());
    case ExpressionKind::kBetween:
      return BindBetween(expression.As<sql::BetweenExpression>());
    case ExpressionKind::kInList:
      return BindInList(expression.As<sql::InListExpression>());
    case ExpressionKind::kIs:
      return BindIs(expression.As<sql::IsExpression>());
    case ExpressionKind::kIsDistinctFrom: {
      const auto& node = expression.As<sql::IsDistinctFromExpression>();
      LW_ASSIGN(ExpressionPtr left, Bind(*node.left));
      LW_ASSIGN(ExpressionPtr right, Bind(*node.right));
      return Call(node.negated ? "IS NOT DISTINCT FROM" : "IS DISTINCT FROM",
                  {std::move(left), std::move(right)}, node.position);
    }
    case ExpressionKind::kLike:
      return BindLike(expression.As<sql::LikeExpression>());
    case ExpressionKind::kCase:
      return BindCase(expression.As<sql::CaseExpression>());
    case ExpressionKind::kCast:
      return BindCast(expression.As<sql::CastExpression>());
    case ExpressionKind::kFunctionCall:
      return BindFunction(expression.As<sql::FunctionCallExpression>());
    case ExpressionKind::kArray: {
      const auto& node = expression.As<sql::ArrayExpression>();
      return node.query != nullptr ? NotSupportedYet("ARRAY(query)", node.position)
                                   : BindConstructor("ARRAY", node.items, node.position);
    }
    case ExpressionKind::kMap: {
      const auto& node = expression.As<sql::MapExpression>();
      return node.query != nullptr ? NotSupportedYet("MAP(query)", node.position)
                                   : BindConstructor("MAP", node.items, node.position);
    }
    case ExpressionKind::kRow: {
      const auto& node = expression.As<sql::RowExpression>();
      return BindConstructor("ROW", node.items, node.position);
    }
    case ExpressionKind::kElementAccess:
      return BindElementAccess(expression.As<sql::ElementAccessExpression>());
    case ExpressionKind::kFieldAccess: {
      const auto& node = expression.As<sql::FieldAccessExpression>();
      if (node.star) {
        return NotSupportedYet("(row).*", node.position, "Name the fields one by one.");
      }
      LW_ASSIGN(const ExpressionPtr row, Bind(*node.operand));
      return AccessField(row, node.field);
    }
    case ExpressionKind::kStar:
      return MakeError(ErrorKind::kValidation, "Unknown identifier '*'",
                       "* stands for all columns only as an item of SELECT and in COUNT(*).",
                       expression.position);
    default:
      return RefuseNode(expression);
  }
}

Result<ExpressionPtr> ExpressionBinder::BindCondition(const sql::Expression& expression) {
  LW_ASSIGN(ExpressionPtr condition, Bind(expression));
  const types::TypeRoot root = condition->type()->root();
  if (root == types::TypeRoot::kNull) {
    return expr::MakeNullLiteral(types::Boolean());
  }
  if (root != types::TypeRoot::kBoolean) {
    return MakeError(ErrorKind::kValidation,
                     std::string(clause_) + " clause must be a condition, but its type is " +
                         condition->type()->ToString() + ".",
                     "Compare it with something, for example with <> 0.", expression.position);
  }
  return condition;
}

Result<ExpressionPtr> ExpressionBinder::BindName(const sql::NameExpression& name) {
  LW_ASSIGN(const ResolvedColumn resolved, scope_.Resolve(name.name));
  if (context_.full_names != nullptr && resolved.parts_used == 1) {
    if (const std::string& alias = scope_.AliasOf(resolved.column); !alias.empty()) {
      std::vector<std::string> parts = name.name.Texts();
      parts.insert(parts.begin(), alias);
      context_.full_names->emplace(&name.name, std::move(parts));
    }
  }
  if (replacer_ != nullptr) {
    LW_TRY(replacer_->CheckColumn(name));
  }
  ExpressionPtr bound = expr::MakeColumn(
      resolved.column, scope_.columns().columns[resolved.column].name, resolved.type);
  for (size_t i = resolved.parts_used; i < name.name.size(); ++i) {
    LW_ASSIGN(bound, AccessField(bound, name.name.parts[i]));
  }
  return bound;
}

Result<ExpressionPtr> ExpressionBinder::AccessField(const ExpressionPtr& row,
                                                    const sql::Identifier& field) {
  if (row->type()->root() != types::TypeRoot::kRow) {
    return MakeError(ErrorKind::kValidation,
                     "There is no field '" + field.text + "' in a value of type " +
                         row->type()->ToString() + ".",
                     "Only ROW values have fields; elements of arrays and maps are read with [ ].",
                     field.position);
  }
  const std::vector<types::RowField>& fields = row->type()->fields();
  std::vector<std::string> names;
  for (const types::RowField& candidate : fields) {
    if (candidate.name == field.text) {
      return Call("GET_FIELD", {row, MakeText(field.text)}, field.position);
    }
    names.push_back(candidate.name);
  }
  const std::string near = DidYouMean(field.text, names);
  return MakeError(ErrorKind::kValidation,
                   "Field '" + field.text + "' not found in " + row->type()->ToString() + ".", near,
                   field.position);
}

Result<ExpressionPtr> ExpressionBinder::BindInterval(const sql::IntervalExpression& interval) {
  const auto* literal = interval.value->AsIf<sql::LiteralExpression>();
  if (literal == nullptr || literal->literal != sql::LiteralKind::kString) {
    return NotSupportedYet("INTERVAL of an expression", interval.position,
                           "Multiply an interval instead: n * INTERVAL '1' " +
                               std::string(sql::NameOf(interval.qualifier.from)) + ".");
  }
  return plan::BindInterval(interval);
}

Result<ExpressionPtr> ExpressionBinder::BindElementAccess(
    const sql::ElementAccessExpression& access) {
  LW_ASSIGN(ExpressionPtr operand, Bind(*access.operand));
  LW_ASSIGN(ExpressionPtr index, Bind(*access.index));
  if (operand->type()->root() == types::TypeRoot::kRow) {
    return NotSupportedYet("ROW values with [ ]", access.position, "Name the field: r.f.");
  }
  return Call("ITEM", {std::move(operand), std::move(index)}, access.position);
}

Result<ExpressionPtr> ExpressionBinder::BindConstructor(
    std::string_view name, const std::vector<sql::ExpressionPtr>& items, SqlPosition at) {
  if (context_.functions().FindScalar(name) == nullptr) {
    return NotSupportedYet(std::string(name) + "[…]", at);
  }
  LW_ASSIGN(std::vector<ExpressionPtr> arguments, BindAll(items));
  return Call(name, std::move(arguments), at);
}

Result<std::vector<ExpressionPtr>> ExpressionBinder::BindAll(
    const std::vector<sql::ExpressionPtr>& items) {
  std::vector<ExpressionPtr> bound;
  bound.reserve(items.size());
  for (const sql::ExpressionPtr& item : items) {
    LW_ASSIGN(ExpressionPtr expression, Bind(*item));
    bound.push_back(std::move(expression));
  }
  return bound;
}

Result<ExpressionPtr> ExpressionBinder::Call(std::string_view name,
                                             std::vector<ExpressionPtr> arguments, SqlPosition at) {
  return CallFunction(context_, name, std::move(arguments), at);
}

}  // namespace lakeward::plan
