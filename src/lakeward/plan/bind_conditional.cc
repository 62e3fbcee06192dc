#include <string>
#include <utility>

#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/planner.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::plan {

using expr::ExpressionPtr;

Result<ExpressionPtr> ExpressionBinder::MakeCommonCase(std::vector<ExpressionPtr> arguments,
                                                       SqlPosition at) {
  std::vector<types::TypePtr> types;
  for (size_t i = 1; i < arguments.size(); i += 2) {
    types.push_back(arguments[i]->type());
  }
  types.push_back(arguments.back()->type());
  const std::optional<types::TypePtr> common = types::FindCommonType(types);
  if (!common.has_value()) {
    std::string list;
    for (const types::TypePtr& type : types) {
      list += (list.empty() ? "" : ", ") + type->ToString();
    }
    return MakeError(ErrorKind::kValidation,
                     "Illegal mixing of types in CASE or COALESCE statement: " + list + ".",
                     "Convert the results to one type with CAST(… AS type).", at);
  }
  for (size_t i = 1; i < arguments.size(); i += 2) {
    arguments[i] = CoerceTo(arguments[i], *common);
  }
  arguments.back() = CoerceTo(arguments.back(), *common);
  return expr::MakeCase(std::move(arguments), *common);
}

Result<ExpressionPtr> ExpressionBinder::BindCase(const sql::CaseExpression& expression) {
  ExpressionPtr operand;
  if (expression.operand != nullptr) {
    LW_ASSIGN(operand, Bind(*expression.operand));
  }
  std::vector<ExpressionPtr> arguments;
  for (const sql::CaseBranch& branch : expression.branches) {
    if (operand == nullptr) {
      ExpressionBinder condition_binder(context_, scope_, "WHEN", replacer_);
      LW_ASSIGN(ExpressionPtr condition, condition_binder.BindCondition(*branch.condition));
      arguments.push_back(std::move(condition));
    } else {
      LW_ASSIGN(ExpressionPtr value, Bind(*branch.condition));
      LW_ASSIGN(ExpressionPtr condition,
                Call("=", {operand, std::move(value)}, branch.condition->position));
      arguments.push_back(std::move(condition));
    }
    LW_ASSIGN(ExpressionPtr result, Bind(*branch.result));
    arguments.push_back(std::move(result));
  }
  if (expression.otherwise != nullptr) {
    LW_ASSIGN(ExpressionPtr otherwise, Bind(*expression.otherwise));
    arguments.push_back(std::move(otherwise));
  } else {
    arguments.push_back(expr::MakeNullLiteral(types::Null()));
  }
  return MakeCommonCase(std::move(arguments), expression.position);
}

Result<ExpressionPtr> ExpressionBinder::BindCast(const sql::CastExpression& cast) {
  LW_ASSIGN(const types::TypePtr target, BindType(*cast.type));
  LW_ASSIGN(const ExpressionPtr operand, Bind(*cast.operand));
  const types::TypePtr& source = operand->type();
  if (source->root() == types::TypeRoot::kNull) {
    return expr::MakeNullLiteral(types::WithNullability(target, true));
  }
  if (types::FindCast(*source, *target) == types::CastKind::kNone) {
    return MakeError(ErrorKind::kValidation,
                     "Cast function cannot convert value of type " + source->ToString() +
                         " to type " + target->ToString() + ".",
                     "", cast.position);
  }
  const bool nullable = source->nullable() || cast.null_on_error;
  if (source->EqualsIgnoringNullability(*target) && !cast.null_on_error) {
    return operand;
  }
  return expr::MakeCast(operand, types::WithNullability(target, nullable), cast.null_on_error);
}

}  // namespace lakeward::plan
