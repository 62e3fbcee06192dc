#include "lakeward/plan/grouping.h"

#include <algorithm>
#include <utility>

#include "lakeward/plan/function_call.h"
#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/sql/print.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;

const expr::AggregateFunction* FindAggregate(const sql::Expression& expression,
                                             const expr::FunctionRegistry& functions) {
  const auto* call = expression.AsIf<sql::FunctionCallExpression>();
  if (call == nullptr || call->over != nullptr || call->name.size() != 1) {
    return nullptr;
  }
  return functions.FindAggregate(call->name.back().text);
}

bool BothSame(const ExpressionPtr& left, const ExpressionPtr& right) {
  if (left == nullptr || right == nullptr) {
    return left == right;
  }
  return left->Equals(*right);
}

}  // namespace

bool HasAggregateCall(const sql::Expression& expression, const expr::FunctionRegistry& functions) {
  // Long chains lean to the left: their nodes are visited in a loop.
  std::vector<const sql::Expression*> pending{&expression};
  while (!pending.empty()) {
    const sql::Expression* node = pending.back();
    pending.pop_back();
    if (FindAggregate(*node, functions) != nullptr) {
      return true;
    }
    sql::ForEachOperand(*node, [&](const sql::ExpressionPtr& operand) {
      if (operand != nullptr) {
        pending.push_back(operand.get());
      }
    });
  }
  return false;
}

bool Grouping::Call::SameAs(const Call& other) const {
  return function == other.function && distinct == other.distinct &&
         BothSame(filter, other.filter) &&
         std::equal(arguments.begin(), arguments.end(), other.arguments.begin(),
                    other.arguments.end(), BothSame);
}

Status Grouping::AddKey(const sql::Expression& expression) {
  ExpressionBinder binder(context_, input_scope_, "GROUP BY");
  LW_ASSIGN(ExpressionPtr key, binder.Bind(expression));
  for (const ExpressionPtr& other : keys_) {
    if (other->Equals(*key)) {
      return Status::OK();
    }
  }
  const auto* name = expression.AsIf<sql::NameExpression>();
  key_names_.push_back(name != nullptr ? name->name.back().text
                                       : "$f" + std::to_string(keys_.size()));
  key_kinds_.push_back(expression.kind);
  keys_.push_back(std::move(key));
  return Status::OK();
}

Result<std::optional<ExpressionPtr>> Grouping::Replace(const sql::Expression& expression) {
  if (const expr::AggregateFunction* function = FindAggregate(expression, context_.functions())) {
    LW_ASSIGN(ExpressionPtr column,
              AddCall(expression.As<sql::FunctionCallExpression>(), *function));
    return std::optional<ExpressionPtr>(std::move(column));
  }
  if (std::find(key_kinds_.begin(), key_kinds_.end(), expression.kind) == key_kinds_.end()) {
    return std::nullopt;
  }
  ExpressionBinder binder(context_, input_scope_, "GROUP BY");
  const Result<ExpressionPtr> bound = binder.Bind(expression);
  for (size_t i = 0; bound.ok() && i < keys_.size(); ++i) {
    if (keys_[i]->Equals(**bound)) {
      return std::optional<ExpressionPtr>(
          expr::MakeColumn(static_cast<int>(i), key_names_[i], keys_[i]->type()));
    }
  }
  return std::nullopt;
}

Status Grouping::CheckColumn(const sql::NameExpression& name) {
  return MakeError(
      ErrorKind::kValidation, "Expression '" + name.name.ToString() + "' is not being grouped",
      "Add it to GROUP BY, or put it into an aggregate function such as MAX.", name.position);
}

Result<Grouping::Call> Grouping::BindCall(const sql::FunctionCallExpression& call,
                                          const expr::AggregateFunction& function) {
  if (!call.argument_order.empty() || !call.within_group.empty() || call.separator != nullptr ||
      call.null_treatment != sql::NullTreatment::kUnspecified || call.json.has_value()) {
    return NotSupportedYet(
        "ORDER BY, SEPARATOR, WITHIN GROUP and treatment of nulls in " + function.name,
        call.position);
  }
  Call bound;
  bound.function = &function;
  bound.distinct = call.quantifier == sql::SetQuantifier::kDistinct;
  ExpressionBinder binder(context_, input_scope_, function.name + " argument");
  std::vector<types::TypePtr> types;
  for (const sql::FunctionArgument& argument : call.arguments) {
    if (argument.value != nullptr && HasAggregateCall(*argument.value, context_.functions())) {
      return MakeError(ErrorKind::kValidation,
                       "Aggregate expressions cannot be nested: " + sql::ToSql(call) + ".",
                       "Aggregate in a query behind FROM first.", argument.value->position);
    }
    LW_ASSIGN(ExpressionPtr value, binder.Bind(*argument.value));
    types.push_back(value->type());
    bound.arguments.push_back(std::move(value));
  }
  std::optional<expr::BoundSignature> signature = function.bind(types);
  if (!signature.has_value() || (call.star && !call.arguments.empty())) {
    return NoMatchingForm(function.name, function.signatures, types, call.position);
  }
  for (size_t i = 0; i < bound.arguments.size(); ++i) {
    bound.arguments[i] = CoerceTo(bound.arguments[i], signature->argument_types[i]);
  }
  bound.signature = *std::move(signature);
  if (call.filter != nullptr) {
    ExpressionBinder condition(context_, input_scope_, "FILTER");
    LW_ASSIGN(bound.filter, condition.BindCondition(*call.filter));
  }
  // Without keys there is a result even when no row was aggregated; then all but counts are null.
  if ((keys_.empty() || bound.filter != nullptr) && function.name != "COUNT") {
    bound.signature.result_type = types::WithNullability(bound.signature.result_type, true);
  }
  return bound;
}

Result<ExpressionPtr> Grouping::AddCall(const sql::FunctionCallExpression& call,
                                        const expr::AggregateFunction& function) {
  LW_ASSIGN(Call bound, BindCall(call, function));
  std::string suggested = std::exchange(suggested_name_, "");
  for (size_t i = 0; i < calls_.size(); ++i) {
    if (calls_[i].SameAs(bound)) {
      return ColumnOf(i);
    }
  }
  bound.name = suggested.empty() ? "$f" + std::to_string(keys_.size() + calls_.size())
                                 : std::move(suggested);
  calls_.push_back(std::move(bound));
  return ColumnOf(calls_.size() - 1);
}

ExpressionPtr Grouping::ColumnOf(size_t call_number) const {
  const Call& call = calls_[call_number];
  return expr::MakeColumn(static_cast<int>(keys_.size() + call_number), call.name,
                          call.signature.result_type);
}

LogicalNodePtr Grouping::Build(LogicalNodePtr input) const {
  std::vector<ExpressionPtr> projections = keys_;
  std::vector<std::string> names = key_names_;
  const auto column_of = [&](const ExpressionPtr& expression) {
    for (size_t i = 0; i < projections.size(); ++i) {
      if (projections[i]->Equals(*expression)) {
        return static_cast<int>(i);
      }
    }
    names.push_back(expression->kind() == expr::ExpressionKind::kColumn
                        ? expression->column_name()
                        : "$f" + std::to_string(projections.size()));
    projections.push_back(expression);
    return static_cast<int>(projections.size() - 1);
  };
  auto aggregate = std::make_shared<LogicalAggregate>();
  for (size_t i = 0; i < keys_.size(); ++i) {
    aggregate->keys.push_back(static_cast<int>(i));
    aggregate->schema.columns.push_back({key_names_[i], keys_[i]->type()});
  }
  for (const Call& call : calls_) {
    AggregateCall result;
    result.function = call.function;
    result.signature = call.signature;
    result.distinct = call.distinct;
    for (const ExpressionPtr& argument : call.arguments) {
      result.arguments.push_back(column_of(argument));
    }
    if (call.filter != nullptr) {
      result.filter = column_of(call.filter);
    }
    aggregate->schema.columns.push_back({call.name, call.signature.result_type});
    aggregate->calls.push_back(std::move(result));
  }
  for (AggregateCall& call : aggregate->calls) {
    call.name = call.function->name + "(" + (call.distinct ? "DISTINCT " : "");
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      call.name += (i == 0 ? "" : ", ") + names[call.arguments[i]];
    }
    call.name += call.arguments.empty() ? "*)" : ")";
    if (call.filter.has_value()) {
      call.name += " FILTER " + names[*call.filter];
    }
  }
  // COUNT(*) alone reads no column at all.
  aggregate->inputs.push_back(projections.empty()
                                  ? std::move(input)
                                  : MakeProject(std::move(input), std::move(projections), names));
  return aggregate;
}

}  // namespace lakeward::plan
