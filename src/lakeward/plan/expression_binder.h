#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/expr/expression.h"
#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/scope.h"
#include "lakeward/sql/expression.h"

namespace lakeward::plan {

/// Has a say before each node of an expression is bound: grouping replaces keys and aggregate calls
/// by columns.
class ExpressionReplacer {
 public:
  virtual ~ExpressionReplacer() = default;
  /// The bound form, or nothing when the node is to be bound as usual.
  virtual Result<std::optional<expr::ExpressionPtr>> Replace(const sql::Expression& expression) = 0;
  /// Called for a plain column that was not replaced: whether it may stand here.
  virtual Status CheckColumn(const sql::NameExpression& name) = 0;
};

/// Turns parsed expressions into bound ones: names become columns of the scope, operators become
/// functions, every conversion becomes explicit. Errors are kValidation or kUnsupported with the
/// position in the statement. `context`, `scope` and `replacer` outlive it.
class ExpressionBinder {
 public:
  /// `clause` names the place for messages about misused aggregates: "WHERE".
  ExpressionBinder(const BindContext& context, const Scope& scope, std::string_view clause,
                   ExpressionReplacer* replacer = nullptr)
      : context_(context), scope_(scope), clause_(clause), replacer_(replacer) {}

  Result<expr::ExpressionPtr> Bind(const sql::Expression& expression);
  /// Refuses what is not BOOLEAN.
  Result<expr::ExpressionPtr> BindCondition(const sql::Expression& expression);

 private:
  Result<expr::ExpressionPtr> BindNode(const sql::Expression& expression);
  Result<expr::ExpressionPtr> BindName(const sql::NameExpression& name);
  Result<expr::ExpressionPtr> BindUnary(const sql::UnaryExpression& unary);
  Result<expr::ExpressionPtr> BindBinaryChain(const sql::BinaryExpression& top);
  Result<expr::ExpressionPtr> BindBetween(const sql::BetweenExpression& between);
  Result<expr::ExpressionPtr> BindInList(const sql::InListExpression& in);
  Result<expr::ExpressionPtr> BindIs(const sql::IsExpression& is);
  Result<expr::ExpressionPtr> BindLike(const sql::LikeExpression& like);
  Result<expr::ExpressionPtr> BindCase(const sql::CaseExpression& expression);
  Result<expr::ExpressionPtr> BindCast(const sql::CastExpression& cast);
  Result<expr::ExpressionPtr> BindFunction(const sql::FunctionCallExpression& call);
  Result<expr::ExpressionPtr> BindInterval(const sql::IntervalExpression& interval);
  Result<expr::ExpressionPtr> BindElementAccess(const sql::ElementAccessExpression& access);
  /// One of ARRAY, MAP, ROW with its parts.
  Result<expr::ExpressionPtr> BindConstructor(std::string_view name,
                                              const std::vector<sql::ExpressionPtr>& items,
                                              SqlPosition at);

  Result<expr::ExpressionPtr> Call(std::string_view name,
                                   std::vector<expr::ExpressionPtr> arguments, SqlPosition at);
  Result<expr::ExpressionPtr> Negate(bool negated, expr::ExpressionPtr condition, SqlPosition at);
  Result<expr::ExpressionPtr> AccessField(const expr::ExpressionPtr& row,
                                          const sql::Identifier& field);
  Result<std::vector<expr::ExpressionPtr>> BindAll(const std::vector<sql::ExpressionPtr>& items);
  /// The branches of a CASE with a common type.
  Result<expr::ExpressionPtr> MakeCommonCase(std::vector<expr::ExpressionPtr> arguments,
                                             SqlPosition at);

  const BindContext& context_;
  const Scope& scope_;
  std::string_view clause_;
  ExpressionReplacer* replacer_;
};

}  // namespace lakeward::plan
