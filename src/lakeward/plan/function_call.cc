#include "lakeward/plan/function_call.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "lakeward/base/similar_names.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/plan/flink_function_names.h"

namespace lakeward::plan {
namespace {

bool IsSymbol(std::string_view name) {
  return std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

Status UnknownFunction(const BindContext& context, std::string_view name, SqlPosition at) {
  if (IsFlinkFunction(name)) {
    return MakeError(ErrorKind::kUnsupported,
                     "not supported yet: the function " + std::string(name),
                     "SHOW FUNCTIONS lists the functions that there are.", at);
  }
  std::vector<std::string> names;
  for (const expr::ScalarFunction* function : context.functions().Scalars()) {
    if (!function->internal) {
      names.push_back(function->name);
    }
  }
  for (const expr::AggregateFunction* function : context.functions().Aggregates()) {
    names.push_back(function->name);
  }
  const std::string near = DidYouMean(name, names);
  return MakeError(ErrorKind::kValidation,
                   "No match found for function signature " + std::string(name) +
                       ": there is no function of this name.",
                   near.empty() ? "SHOW FUNCTIONS lists the functions that there are." : near, at);
}

}  // namespace

Status CheckFunctionExists(const BindContext& context, std::string_view name, SqlPosition at) {
  return context.functions().FindScalar(name) != nullptr ? Status::OK()
                                                         : UnknownFunction(context, name, at);
}

expr::ExpressionPtr CoerceTo(const expr::ExpressionPtr& argument, const types::TypePtr& type,
                             bool null_on_failure) {
  if (argument->type()->EqualsIgnoringNullability(*type)) {
    return argument;
  }
  if (argument->type()->root() == types::TypeRoot::kNull) {
    return expr::MakeNullLiteral(types::WithNullability(type, true));
  }
  const bool nullable = argument->type()->nullable() || null_on_failure;
  return expr::MakeCast(argument, types::WithNullability(type, nullable), null_on_failure);
}

namespace {

// A comparison gives NULL for a text that is no date, but a constant one is a mistake.
Status CheckConstantCast(const BindContext& context, const expr::ExpressionPtr& literal,
                         const types::TypePtr& type, SqlPosition at) {
  const expr::ExpressionPtr cast = CoerceTo(literal, type);
  if (cast->kind() != expr::ExpressionKind::kCast ||
      expr::FoldConstants(cast, context.evaluation)->kind() == expr::ExpressionKind::kLiteral) {
    return Status::OK();
  }
  return MakeError(ErrorKind::kValidation,
                   "Error when casting " + literal->type()->ToString() + " to " +
                       types::WithNullability(type, true)->ToString() + ": " + literal->ToString() +
                       " is no such value.",
                   "Compare with a value of the other side's type.", at);
}

}  // namespace

Status NoMatchingForm(std::string_view name, const std::vector<std::string>& forms,
                      const std::vector<types::TypePtr>& arguments, SqlPosition at) {
  std::string call;
  const auto spelled = [](const types::TypePtr& type) {
    return "<" + types::WithNullability(type, true)->ToString() + ">";
  };
  if (arguments.size() == 2 && IsSymbol(name)) {
    call = spelled(arguments[0]) + " " + std::string(name) + " " + spelled(arguments[1]);
  } else {
    call = std::string(name) + "(";
    for (size_t i = 0; i < arguments.size(); ++i) {
      call += (i == 0 ? "" : ", ") + spelled(arguments[i]);
    }
    call += ")";
  }
  std::string message =
      "Cannot apply '" + std::string(name) + "' to arguments of type '" + call + "'.";
  if (!forms.empty()) {
    message += " Supported form(s):";
    for (const std::string& form : forms) {
      message += " '" + form + "'";
    }
  }
  return MakeError(ErrorKind::kValidation, std::move(message),
                   "Convert an argument with CAST(… AS type).", at);
}

Result<expr::ExpressionPtr> CallFunction(const BindContext& context, std::string_view name,
                                         std::vector<expr::ExpressionPtr> arguments,
                                         SqlPosition at) {
  const expr::ScalarFunction* function = context.functions().FindScalar(name);
  if (function == nullptr) {
    return UnknownFunction(context, name, at);
  }
  std::vector<types::TypePtr> types;
  types.reserve(arguments.size());
  for (const expr::ExpressionPtr& argument : arguments) {
    types.push_back(argument->type());
  }
  const std::optional<expr::BoundSignature> signature = function->bind(types);
  if (!signature.has_value()) {
    return NoMatchingForm(function->name, function->signatures, types, at);
  }
  LW_CHECK(signature->argument_types.size() == arguments.size());
  std::vector<const arrow::Scalar*> literals(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (signature->lenient_casts && arguments[i]->kind() == expr::ExpressionKind::kLiteral) {
      LW_TRY(CheckConstantCast(context, arguments[i], signature->argument_types[i], at));
    }
    arguments[i] = CoerceTo(arguments[i], signature->argument_types[i], signature->lenient_casts);
    if (arguments[i]->kind() == expr::ExpressionKind::kLiteral) {
      literals[i] = arguments[i]->literal().get();
    }
  }
  types::TypePtr type =
      function->refine ? function->refine(*signature, literals) : signature->result_type;
  return expr::MakeCall(function, std::move(arguments), std::move(type));
}

}  // namespace lakeward::plan
