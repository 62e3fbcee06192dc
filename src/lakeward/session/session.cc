#include "lakeward/session/session.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lakeward/base/work_context.h"
#include "lakeward/plan/options.h"
#include "lakeward/session/catalogs.h"
#include "lakeward/session/session_state.h"
#include "lakeward/sql/ast.h"
#include "lakeward/sql/caret.h"
#include "lakeward/sql/parse.h"

namespace lakeward::session {
namespace {

Result<StatementResult> Information(std::string text) {
  StatementResult result = Succeeded();
  result.information = std::move(text);
  return result;
}

class SqlSession final : public Session {
 public:
  explicit SqlSession(std::shared_ptr<Engine> engine, SessionOptions options) {
    state_.functions = std::make_unique<expr::FunctionRegistry>(engine->functions);
    state_.engine = std::move(engine);
    state_.settings = options.settings;
    state_.options = std::move(options);
  }

  Status Open() {
    const std::shared_ptr<catalog::Catalog> first =
        MakeDefaultCatalog(*state_.engine, &state_.settings);
    LW_TRY(state_.catalogs.Add(first));
    LW_TRY(state_.catalogs.UseCatalog(first->name()));
    return plan::LocalTimeZone(state_.settings).status();
  }

  Result<StatementResult> Execute(std::string_view text, const OnSubmitted& on_submitted) override {
    LW_ASSIGN(const sql::StatementPtr statement, sql::ParseStatement(text));
    const ScopedWorkContext context({.requests = std::make_shared<RequestJournal>()});
    Result<StatementResult> result = Dispatch(*statement, on_submitted);
    return result.ok() ? std::move(result) : sql::WithCaret(result.status(), text);
  }

  Result<std::optional<stream::Batch>> NextRows(const StatementResult& result) override {
    return NextQueryRows(&state_, result);
  }
  void Interrupt() override { state_.interrupts.fetch_add(1); }
  const config::Configuration& settings() const override { return state_.settings; }
  types::TimeZone zone() const override {
    return plan::LocalTimeZone(state_.settings).ValueOr(types::TimeZone());
  }
  std::vector<std::shared_ptr<runtime::Job>> jobs() const override { return state_.jobs; }

 private:
  Result<StatementResult> Dispatch(const sql::Statement& statement,
                                   const OnSubmitted& on_submitted) {
    if (state_.statement_set.has_value()) {
      return InStatementSet(statement, on_submitted);
    }
    switch (statement.kind) {
      case sql::StatementKind::kQuery:
        return ExecuteQuery(&state_, *statement.As<sql::QueryStatement>().query);
      case sql::StatementKind::kInsert:
        return ExecuteInserts(&state_, {Shared(statement.As<sql::InsertStatement>())},
                              on_submitted);
      case sql::StatementKind::kStatementSet:
        return ExecuteInserts(&state_, statement.As<sql::StatementSetStatement>().inserts,
                              on_submitted);
      case sql::StatementKind::kBeginStatementSet:
        state_.statement_set.emplace();
        return Succeeded();
      case sql::StatementKind::kEndStatementSet:
        return MakeError(ErrorKind::kValidation, "END without BEGIN STATEMENT SET",
                         "Write BEGIN STATEMENT SET before the INSERTs.", statement.position);
      case sql::StatementKind::kExplain:
        return ExecuteExplain(&state_, statement.As<sql::ExplainStatement>());
      case sql::StatementKind::kJar:
        return Information("ADD JAR and REMOVE JAR do nothing here: every connector is built in.");
      case sql::StatementKind::kStopJob:
        return ExecuteStopJob(&state_, statement.As<sql::StopJobStatement>());
      default:
        return DispatchDefinition(statement);
    }
  }

  Result<StatementResult> DispatchDefinition(const sql::Statement& statement) {
    switch (statement.kind) {
      case sql::StatementKind::kCreateCatalog:
        return ExecuteCreateCatalog(&state_, statement.As<sql::CreateCatalogStatement>());
      case sql::StatementKind::kCreateDatabase:
        return ExecuteCreateDatabase(&state_, statement.As<sql::CreateDatabaseStatement>());
      case sql::StatementKind::kCreateTable:
        return ExecuteCreateTable(&state_, statement.As<sql::CreateTableStatement>());
      case sql::StatementKind::kCreateView:
        return ExecuteCreateView(&state_, statement.As<sql::CreateViewStatement>());
      case sql::StatementKind::kAlterView:
        return ExecuteAlterView(&state_, statement.As<sql::AlterViewStatement>());
      case sql::StatementKind::kDrop:
        return ExecuteDrop(&state_, statement.As<sql::DropStatement>());
      case sql::StatementKind::kUse:
        return ExecuteUse(&state_, statement.As<sql::UseStatement>());
      case sql::StatementKind::kShow:
        return ExecuteShow(&state_, statement.As<sql::ShowStatement>());
      case sql::StatementKind::kDescribe:
        return ExecuteDescribe(&state_, statement.As<sql::DescribeStatement>());
      case sql::StatementKind::kSet:
        return ExecuteSet(&state_, statement.As<sql::SetStatement>());
      case sql::StatementKind::kReset:
        return ExecuteReset(&state_, statement.As<sql::ResetStatement>());
      default:
        return MakeError(ErrorKind::kUnsupported,
                         "not supported yet: " + std::string(sql::NameOf(statement.kind)),
                         "docs/sql lists the statements that run today.", statement.position);
    }
  }

  Result<StatementResult> InStatementSet(const sql::Statement& statement,
                                         const OnSubmitted& on_submitted) {
    if (const auto* insert = statement.AsIf<sql::InsertStatement>()) {
      state_.statement_set->push_back(Shared(*insert));
      return Succeeded();
    }
    if (statement.kind != sql::StatementKind::kEndStatementSet) {
      return MakeError(ErrorKind::kValidation,
                       "Only INSERT may stand between BEGIN STATEMENT SET and END",
                       "End the set with END; before other statements.", statement.position);
    }
    const auto inserts = std::move(*state_.statement_set);
    state_.statement_set.reset();
    if (inserts.empty()) {
      return MakeError(ErrorKind::kValidation, "The statement set holds no INSERT",
                       "Put at least one INSERT before END.", statement.position);
    }
    return ExecuteInserts(&state_, inserts, on_submitted);
  }

  /// Nodes are shared and immutable: a copy of the node shares all that it owns.
  static std::shared_ptr<const sql::InsertStatement> Shared(const sql::InsertStatement& insert) {
    return sql::MakeNode<sql::InsertStatement>(insert);
  }

  SessionState state_;
};

}  // namespace

Result<std::unique_ptr<Session>> Session::Make(std::shared_ptr<Engine> engine,
                                               SessionOptions options) {
  auto session = std::make_unique<SqlSession>(std::move(engine), std::move(options));
  LW_TRY(session->Open());
  return session;
}

}  // namespace lakeward::session
