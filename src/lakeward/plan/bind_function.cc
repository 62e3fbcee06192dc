#include <string>
#include <utility>

#include "lakeward/base/letter_case.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/literal.h"

namespace lakeward::plan {
namespace {

// Clauses that no scalar function takes yet.
Status CheckPlainCall(const sql::FunctionCallExpression& call, const std::string& name) {
  if (call.json.has_value()) {
    return NotSupportedYet("the clauses of " + name, call.position);
  }
  if (call.quantifier == sql::SetQuantifier::kDistinct || call.star || call.filter != nullptr ||
      call.separator != nullptr || !call.within_group.empty() || !call.argument_order.empty()) {
    return MakeError(ErrorKind::kValidation,
                     "'" + name +
                         "' is not an aggregate function: *, DISTINCT, FILTER and the "
                         "like do not apply.",
                     "", call.position);
  }
  for (const sql::FunctionArgument& argument : call.arguments) {
    if (argument.name.has_value()) {
      return NotSupportedYet("named arguments", argument.name->position);
    }
  }
  return Status::OK();
}

}  // namespace

Result<expr::ExpressionPtr> ExpressionBinder::BindFunction(
    const sql::FunctionCallExpression& call) {
  std::string name = ToUpper(call.name.back().text);
  if (call.name.size() > 1) {
    return NotSupportedYet("functions of a catalog ('" + call.name.ToString() + "')",
                           call.position);
  }
  if (call.over != nullptr) {
    return NotSupportedYet("OVER windows", call.position);
  }
  if (context_.functions().FindScalar(name) == nullptr &&
      context_.functions().FindAggregate(name) != nullptr) {
    return MakeError(ErrorKind::kValidation,
                     "Aggregate expressions are not allowed in the " + std::string(clause_) +
                         " clause: " + name + "(…).",
                     clause_ == "WHERE" ? "Conditions on groups stand behind HAVING." : "",
                     call.position);
  }
  LW_TRY(CheckFunctionExists(context_, name, call.position));
  LW_TRY(CheckPlainCall(call, name));
  std::vector<expr::ExpressionPtr> arguments;
  for (const sql::FunctionArgument& argument : call.arguments) {
    LW_ASSIGN(expr::ExpressionPtr bound, Bind(*argument.value));
    arguments.push_back(std::move(bound));
  }
  switch (call.syntax) {
    case sql::CallSyntax::kOrdinary:
    case sql::CallSyntax::kNoParentheses:
    case sql::CallSyntax::kPosition:
    case sql::CallSyntax::kSubstring:
    case sql::CallSyntax::kOverlay:
      break;
    case sql::CallSyntax::kTrim:
      if (call.trim_side != sql::TrimSide::kBoth) {
        name = call.trim_side == sql::TrimSide::kLeading ? "LTRIM" : "RTRIM";
      }
      break;
    case sql::CallSyntax::kExtract:
    case sql::CallSyntax::kTimeUnitFirst:
      arguments.insert(arguments.begin(), MakeText(sql::NameOf(call.time_unit.value())));
      break;
    case sql::CallSyntax::kRoundToUnit:
      arguments.push_back(MakeText(sql::NameOf(call.time_unit.value())));
      break;
    case sql::CallSyntax::kUsing:
    case sql::CallSyntax::kJsonObject:
    case sql::CallSyntax::kPrefix:
      return NotSupportedYet(name, call.position);
  }
  return Call(name, std::move(arguments), call.position);
}

}  // namespace lakeward::plan
