#pragma once

#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/expr/expression.h"
#include "lakeward/expr/function.h"
#include "lakeward/plan/bind_context.h"

namespace lakeward::plan {

/// A call of the named scalar function (or operator) with arguments of any types: finds the form
/// that takes them and adds the casts that it needs. kValidation names the argument types and the
/// forms that there are; an unknown name gets near misses.
Result<expr::ExpressionPtr> CallFunction(const BindContext& context, std::string_view name,
                                         std::vector<expr::ExpressionPtr> arguments,
                                         SqlPosition at);

/// `argument` as a value of `type`, nullability as it is; the same expression when it has that type
/// already. With `null_on_failure` a value that cannot be converted becomes null.
expr::ExpressionPtr CoerceTo(const expr::ExpressionPtr& argument, const types::TypePtr& type,
                             bool null_on_failure = false);

/// kValidation with near misses when there is no scalar function of this name.
Status CheckFunctionExists(const BindContext& context, std::string_view name, SqlPosition at);

/// "Cannot apply '+' to arguments of type '<CHAR(1)> + <INT>'": no form of a function takes these.
Status NoMatchingForm(std::string_view name, const std::vector<std::string>& forms,
                      const std::vector<types::TypePtr>& arguments, SqlPosition at);

}  // namespace lakeward::plan
