#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/catalog/catalogs.h"
#include "lakeward/catalog/table_factory.h"
#include "lakeward/config/configuration.h"
#include "lakeward/expr/function.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::sql {
struct Statement;
struct Query;
struct TypeName;
}  // namespace lakeward::sql

namespace lakeward::plan {

/// What planning looks names up in. Owned by the session; outlives the call.
struct PlannerContext {
  const catalog::Catalogs* catalogs = nullptr;
  const catalog::TableFactories* factories = nullptr;
  const expr::FunctionRegistry* functions = nullptr;
  const config::Configuration* settings = nullptr;
  const catalog::EngineContext* engine = nullptr;
  int64_t statement_start_us = 0;
};

/// A statement ready to run.
struct PlannedStatement {
  PhysicalPlan plan;
  /// EXPLAIN's text, in Flink's three sections.
  std::string explanation;
};

/// Plans a query whose rows are collected. Errors carry the position in the statement's text.
Result<PlannedStatement> PlanQuery(const sql::Query& query, const PlannerContext& context);

/// Plans INSERT statements (one, or a statement set) as one job.
Result<PlannedStatement> PlanInserts(const std::vector<const sql::Statement*>& inserts,
                                     const PlannerContext& context);

/// What a view keeps of its query.
struct ViewQuery {
  types::RowSchema schema;
  /// SQL text of the same meaning whatever the current catalog and database are.
  std::string text;
};

/// Resolves the names of a view's query. Errors carry the position in the statement's text.
Result<ViewQuery> BindViewQuery(const sql::Query& query, const PlannerContext& context);

/// The logical type that a type's SQL spelling means; nullable unless it says NOT NULL.
Result<types::TypePtr> BindType(const sql::TypeName& type_name);

}  // namespace lakeward::plan
