#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"
#include "lakeward/plan/scope.h"

namespace lakeward::plan {

/// Whether the expression calls an aggregate function (outside of OVER).
bool HasAggregateCall(const sql::Expression& expression, const expr::FunctionRegistry& functions);

/// The grouping of one SELECT: what is grouped by, and the aggregate calls that its other clauses
/// turn out to need. As an ExpressionReplacer it binds those clauses over the grouped rows: keys
/// first, then one column for each distinct call.
class Grouping final : public ExpressionReplacer {
 public:
  /// `context` and `input_scope` (the columns behind FROM) outlive it.
  Grouping(const BindContext& context, const Scope& input_scope)
      : context_(context), input_scope_(input_scope) {}

  /// Adds an expression of GROUP BY.
  Status AddKey(const sql::Expression& expression);

  Result<std::optional<expr::ExpressionPtr>> Replace(const sql::Expression& expression) override;
  Status CheckColumn(const sql::NameExpression& name) override;

  /// The next call that is added gets this name (the select item's that it is all of).
  void SuggestName(std::string name) { suggested_name_ = std::move(name); }

  /// The aggregation over `input`, once every clause has been bound.
  LogicalNodePtr Build(LogicalNodePtr input) const;

 private:
  struct Call {
    const expr::AggregateFunction* function = nullptr;
    expr::BoundSignature signature;
    std::vector<expr::ExpressionPtr> arguments;
    expr::ExpressionPtr filter;
    bool distinct = false;
    std::string name;

    bool SameAs(const Call& other) const;
  };

  Result<expr::ExpressionPtr> AddCall(const sql::FunctionCallExpression& call,
                                      const expr::AggregateFunction& function);
  Result<Call> BindCall(const sql::FunctionCallExpression& call,
                        const expr::AggregateFunction& function);
  expr::ExpressionPtr ColumnOf(size_t call_number) const;

  const BindContext& context_;
  const Scope& input_scope_;
  std::vector<expr::ExpressionPtr> keys_;
  std::vector<sql::ExpressionKind> key_kinds_;
  std::vector<std::string> key_names_;
  std::vector<Call> calls_;
  std::string suggested_name_;
};

}  // namespace lakeward::plan
