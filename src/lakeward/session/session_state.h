#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/catalog/catalogs.h"
#include "lakeward/plan/planner.h"
#include "lakeward/session/engine.h"
#include "lakeward/session/session.h"
#include "lakeward/sql/ast.h"

namespace lakeward::session {

using OnSubmitted = std::function<void(const runtime::Job&)>;

/// What the statements of one session share. Single-threaded but for `interrupts`.
struct SessionState {
  std::shared_ptr<Engine> engine;
  SessionOptions options;
  config::Configuration settings;
  catalog::Catalogs catalogs;
  std::unique_ptr<expr::FunctionRegistry> functions;
  std::vector<std::shared_ptr<runtime::Job>> jobs;
  /// The INSERTs since BEGIN STATEMENT SET; nothing outside of one.
  std::optional<std::vector<std::shared_ptr<const sql::InsertStatement>>> statement_set;
  /// Jobs that keep their state get a folder each, numbered in the order of the script.
  int durable_job_count = 0;
  std::atomic<int> interrupts{0};

  plan::PlannerContext Planner() const;
};

/// One small function per family of statements; session.cc chooses.
Result<StatementResult> ExecuteCreateCatalog(SessionState* state,
                                             const sql::CreateCatalogStatement& statement);
Result<StatementResult> ExecuteCreateDatabase(SessionState* state,
                                              const sql::CreateDatabaseStatement& statement);
Result<StatementResult> ExecuteCreateTable(SessionState* state,
                                           const sql::CreateTableStatement& statement);
Result<StatementResult> ExecuteCreateView(SessionState* state,
                                          const sql::CreateViewStatement& statement);
Result<StatementResult> ExecuteAlterView(SessionState* state,
                                         const sql::AlterViewStatement& statement);
Result<StatementResult> ExecuteDrop(SessionState* state, const sql::DropStatement& statement);
Result<StatementResult> ExecuteUse(SessionState* state, const sql::UseStatement& statement);
Result<StatementResult> ExecuteShow(SessionState* state, const sql::ShowStatement& statement);
Result<StatementResult> ExecuteDescribe(SessionState* state,
                                        const sql::DescribeStatement& statement);
Result<StatementResult> ExecuteSet(SessionState* state, const sql::SetStatement& statement);
Result<StatementResult> ExecuteReset(SessionState* state, const sql::ResetStatement& statement);
Result<StatementResult> ExecuteExplain(SessionState* state, const sql::ExplainStatement& statement);
Result<StatementResult> ExecuteQuery(SessionState* state, const sql::Query& query);
Result<StatementResult> ExecuteInserts(
    SessionState* state, const std::vector<std::shared_ptr<const sql::InsertStatement>>& inserts,
    const OnSubmitted& on_submitted);
Result<std::optional<stream::Batch>> NextQueryRows(SessionState* state,
                                                   const StatementResult& result);
Result<StatementResult> ExecuteStopJob(SessionState* state, const sql::StopJobStatement& statement);

/// A result of nothing but success.
StatementResult Succeeded();
/// Creating is fine when the thing is there and IF NOT EXISTS was written.
Result<StatementResult> UnlessExists(const Status& status, bool if_not_exists);
/// A result of one STRING column, a row per value.
Result<StatementResult> OneColumn(const std::string& name, const std::vector<std::string>& values);

/// The same with many columns of as many values each.
Result<StatementResult> TextColumns(const std::vector<std::string>& names,
                                    const std::vector<std::vector<std::string>>& columns);

}  // namespace lakeward::session
