#include "lakeward/plan/planner.h"

#include <utility>

#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/explain.h"
#include "lakeward/plan/insert_binder.h"
#include "lakeward/plan/query_binder.h"
#include "lakeward/plan/rules.h"
#include "lakeward/plan/to_physical.h"
#include "lakeward/sql/statement.h"

namespace lakeward::plan {
namespace {

Result<PlannedStatement> PlanBound(const std::vector<LogicalNodePtr>& bound,
                                   const BindContext& context) {
  std::vector<LogicalNodePtr> optimized;
  for (const LogicalNodePtr& root : bound) {
    LW_ASSIGN(LogicalNodePtr better, Optimize(root, context));
    optimized.push_back(std::move(better));
  }
  LW_ASSIGN(const PhysicalPlan plan, ToPhysical(optimized, context));
  return PlannedStatement{Finish(plan), Explain(bound, plan)};
}

}  // namespace

Result<PlannedStatement> PlanQuery(const sql::Query& query, const PlannerContext& context) {
  LW_ASSIGN(const BindContext bind_context, BindContext::Make(context));
  QueryBinder binder(bind_context);
  LW_ASSIGN(LogicalNodePtr root, binder.Bind(query));
  return PlanBound({std::move(root)}, bind_context);
}

Result<PlannedStatement> PlanInserts(const std::vector<const sql::Statement*>& inserts,
                                     const PlannerContext& context) {
  LW_ASSIGN(const BindContext bind_context, BindContext::Make(context));
  std::vector<LogicalNodePtr> roots;
  for (const sql::Statement* statement : inserts) {
    LW_ASSIGN(LogicalNodePtr root, BindInsert(statement->As<sql::InsertStatement>(), bind_context));
    roots.push_back(std::move(root));
  }
  return PlanBound(roots, bind_context);
}

Result<ViewQuery> BindViewQuery(const sql::Query& query, const PlannerContext& context) {
  LW_ASSIGN(BindContext bind_context, BindContext::Make(context));
  sql::FullNames full_names;
  bind_context.full_names = &full_names;
  QueryBinder binder(bind_context);
  LW_ASSIGN(const LogicalNodePtr root, binder.Bind(query));
  return ViewQuery{root->schema, sql::ToViewSql(query, full_names)};
}

}  // namespace lakeward::plan
