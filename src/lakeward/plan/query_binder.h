#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/scope.h"
#include "lakeward/sql/query.h"

namespace lakeward::plan {

/// Turns parsed queries into logical plans. One object per statement; `context` outlives it.
class QueryBinder {
 public:
  explicit QueryBinder(const BindContext& context) : context_(context) {}

  /// The plan of a query; its schema has the names of the result's columns.
  Result<LogicalNodePtr> Bind(const sql::Query& query);

  /// As Bind, for the query of an INSERT: a bare NULL in VALUES takes the type of its target.
  Result<LogicalNodePtr> BindForTarget(const sql::Query& query,
                                       const types::RowSchema& target_columns);

 private:
  /// A query by name: WITH name (columns) AS (query). It sees those before it.
  struct NamedQuery {
    const sql::CommonTableExpression* definition;
    size_t visible_count;
  };

  Result<LogicalNodePtr> BindBody(const sql::Query& query, const types::RowSchema* target);
  Result<LogicalNodePtr> BindSelect(const sql::SelectQuery& query);
  Result<LogicalNodePtr> BindValues(const sql::ValuesQuery& query, const types::RowSchema* target);
  Result<LogicalNodePtr> BindSetOperation(const sql::SetOperationQuery& query,
                                          const types::RowSchema* target);
  /// ORDER BY and LIMIT of a query whose output alone they may name.
  Result<LogicalNodePtr> OrderAndLimit(const sql::Query& query, LogicalNodePtr node);

  Result<LogicalNodePtr> BindTableReference(const sql::TableReference& reference, Scope* scope);
  Result<LogicalNodePtr> BindNamedTable(const sql::NamedTable& table,
                                        std::vector<std::string>* path);
  Result<LogicalNodePtr> BindView(const catalog::ObjectPath& path,
                                  const catalog::CatalogTable& view, SqlPosition at);
  Result<LogicalNodePtr> BindNamedQuery(size_t number);

  const BindContext& context_;
  std::vector<NamedQuery> named_queries_;
  int view_depth_ = 0;
};

/// A limit over `node` when the query has LIMIT, FETCH or OFFSET.
Result<LogicalNodePtr> ApplyLimit(const sql::Query& query, LogicalNodePtr node);
/// kUnsupported where rows cannot be put in order (streaming mode).
Status CheckOrderAllowed(const BindContext& context, const sql::Query& query);
/// All inputs one after the other, with common column types; `at` is where a mismatch is reported.
Result<LogicalNodePtr> MakeUnion(std::vector<LogicalNodePtr> inputs, SqlPosition at);
/// The distinct rows of `node`.
LogicalNodePtr MakeDistinct(LogicalNodePtr node);

/// Scan of a table with its computed columns, as a relation of all declared columns. `at` is where
/// the statement names it.
Result<LogicalNodePtr> MakeScan(const BindContext& context, const catalog::ObjectPath& path,
                                const catalog::CatalogTable& table,
                                const std::vector<sql::Hint>& hints, SqlPosition at);

/// What connectors are told of a table; OPTIONS hints are laid over its options.
Result<catalog::TableContext> MakeTableContext(const BindContext& context,
                                               const catalog::ObjectPath& path,
                                               const catalog::CatalogTable& table,
                                               const std::vector<sql::Hint>& hints);

}  // namespace lakeward::plan
