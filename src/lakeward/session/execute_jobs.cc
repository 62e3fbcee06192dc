#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "lakeward/runtime/options.h"
#include "lakeward/session/options.h"
#include "lakeward/session/session_state.h"
#include "lakeward/sql/print.h"

namespace lakeward::session {
namespace {

constexpr int64_t kTickMicros = 50'000;

/// "insert-into_c.db.t", as Flink names the jobs of INSERT statements.
Result<std::string> JobNameOf(
    const SessionState& state,
    const std::vector<std::shared_ptr<const sql::InsertStatement>>& inserts) {
  LW_ASSIGN(const std::optional<std::string> chosen,
            state.settings.Find(runtime::PipelineNameOption()));
  if (chosen.has_value()) {
    return *chosen;
  }
  std::string name = "insert-into_";
  for (size_t i = 0; i < inserts.size(); ++i) {
    LW_ASSIGN(const catalog::ObjectPath path, state.catalogs.Qualify(inserts[i]->table.Texts()));
    name += (i == 0 ? "" : ",") + path.ToString();
  }
  return name;
}

/// A folder for one job: its number in the script and its name, which a person can read.
std::string CheckpointFolder(SessionState* state, const std::string& job_name) {
  if (state->options.state_directory.empty()) {
    return "";
  }
  std::string readable;
  for (const char c : job_name.substr(0, 120)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    readable += plain ? c : '_';
  }
  return fs::JoinPath(state->options.state_directory,
                      fmt::format("{:03}-{}", ++state->durable_job_count, readable));
}

/// How many interrupts have come since the last look.
int NewInterrupts(SessionState* state) {
  if (state->options.on_wait) {
    state->options.on_wait();
  }
  return state->interrupts.exchange(0);
}

/// Blocks until the job has ended; an interrupt asks it to stop gracefully, a second one cancels
/// it. Whether there was one. A bounded job that was stopped has not done what it should: an error.
Result<bool> AwaitInterruptibly(SessionState* state, runtime::Job* job) {
  int interrupts = 0;
  while (!job->WaitForMicros(kTickMicros)) {
    const int before = interrupts;
    interrupts += NewInterrupts(state);
    if (interrupts >= 2) {
      job->Cancel();
    } else if (interrupts > before) {
      job->Stop();
    }
  }
  LW_TRY(job->Await());
  if (job->bounded() && job->status().stopped) {
    return MakeError(ErrorKind::kCancelled,
                     fmt::format("Job '{}' was stopped before the end of its input", job->name()),
                     state->options.state_directory.empty()
                         ? "What its checkpoints had committed stays."
                         : "The same command goes on where it stopped.");
  }
  return interrupts > 0;
}

Result<plan::PlannedStatement> PlanStatement(const sql::Statement& statement,
                                             const plan::PlannerContext& planner) {
  if (const auto* query = statement.AsIf<sql::QueryStatement>()) {
    return plan::PlanQuery(*query->query, planner);
  }
  if (statement.kind == sql::StatementKind::kInsert) {
    return plan::PlanInserts({&statement}, planner);
  }
  if (const auto* set = statement.AsIf<sql::StatementSetStatement>()) {
    std::vector<const sql::Statement*> inserts;
    for (const auto& insert : set->inserts) {
      inserts.push_back(insert.get());
    }
    return plan::PlanInserts(inserts, planner);
  }
  return MakeError(ErrorKind::kUnsupported,
                   "not supported yet: EXPLAIN " + std::string(sql::NameOf(statement.kind)),
                   "EXPLAIN takes queries, INSERT and STATEMENT SET.", statement.position);
}

}  // namespace

plan::PlannerContext SessionState::Planner() const {
  plan::PlannerContext planner;
  planner.catalogs = &catalogs;
  planner.factories = &engine->factories;
  planner.functions = functions.get();
  planner.settings = &settings;
  planner.engine = &engine->context;
  planner.statement_start_us = engine->context.clock->NowMicros();
  return planner;
}

Result<StatementResult> ExecuteExplain(SessionState* state,
                                       const sql::ExplainStatement& statement) {
  if (!statement.details.empty()) {
    return MakeError(ErrorKind::kUnsupported, "not supported yet: details of EXPLAIN",
                     "Write EXPLAIN without details.", statement.position);
  }
  LW_ASSIGN(const plan::PlannedStatement planned,
            PlanStatement(*statement.statement, state->Planner()));
  return OneColumn("result", {planned.explanation});
}

Result<StatementResult> ExecuteQuery(SessionState* state, const sql::Query& query) {
  LW_ASSIGN(plan::PlannedStatement planned, plan::PlanQuery(query, state->Planner()));
  StatementResult result;
  result.kind = ResultKind::kQuery;
  result.streaming = !planned.plan.batch_mode;
  runtime::JobDescription description;
  description.name = "collect";
  description.plan = std::move(planned.plan);
  description.settings = state->settings;
  LW_ASSIGN(result.job, runtime::Job::Start(std::move(description), &state->engine->context));
  result.schema = result.job->results()->schema();
  return result;
}

Result<StatementResult> ExecuteInserts(
    SessionState* state, const std::vector<std::shared_ptr<const sql::InsertStatement>>& inserts,
    const OnSubmitted& on_submitted) {
  std::vector<const sql::Statement*> statements;
  for (const auto& insert : inserts) {
    statements.push_back(insert.get());
  }
  LW_ASSIGN(plan::PlannedStatement planned, plan::PlanInserts(statements, state->Planner()));
  LW_ASSIGN(const std::optional<bool> sync, state->settings.Find(DmlSyncOption()));
  const bool await = sync.value_or(planned.plan.bounded);

  runtime::JobDescription description;
  LW_ASSIGN(description.name, JobNameOf(*state, inserts));
  description.checkpoint_uri = CheckpointFolder(state, description.name);
  description.plan = std::move(planned.plan);
  description.settings = state->settings;
  StatementResult result;
  result.kind = ResultKind::kJobSubmitted;
  LW_ASSIGN(result.job, runtime::Job::Start(std::move(description), &state->engine->context));
  state->jobs.push_back(result.job);
  if (result.job->status().restored && result.job->status().state == runtime::JobState::kFinished) {
    result.notice = fmt::format(
        "Job '{}' had already finished with this --state-dir: nothing was written again. To run it "
        "once more, give another --state-dir.",
        result.job->name());
  }
  const bool asked_for_sync = sync.value_or(false);
  if (!asked_for_sync && on_submitted) {
    on_submitted(*result.job);
  }
  if (await) {
    LW_ASSIGN(result.interrupted, AwaitInterruptibly(state, result.job.get()));
    result.awaited = true;
    if (asked_for_sync) {
      result.information = "Complete execution of the SQL update statement.";
    }
  }
  return result;
}

Result<std::optional<stream::Batch>> NextQueryRows(SessionState* state,
                                                   const StatementResult& result) {
  while (true) {
    // Looked for before each batch: a query whose rows never pause can be cancelled too.
    if (NewInterrupts(state) > 0) {
      result.job->Cancel();
      return MakeError(ErrorKind::kCancelled, "The query was cancelled");
    }
    LW_ASSIGN(std::optional<stream::Batch> batch, result.job->results()->Next(kTickMicros));
    if (!batch.has_value()) {
      LW_TRY(result.job->Await());
      return batch;
    }
    if (batch->records != nullptr) {
      return batch;
    }
  }
}

Result<StatementResult> ExecuteStopJob(SessionState* state,
                                       const sql::StopJobStatement& statement) {
  if (statement.with_savepoint || statement.with_drain) {
    return MakeError(ErrorKind::kUnsupported,
                     "not supported yet: STOP JOB … WITH SAVEPOINT and WITH DRAIN",
                     "STOP JOB alone takes a last checkpoint and commits it.", statement.position);
  }
  for (const auto& job : state->jobs) {
    if (job->id() == statement.job_id) {
      job->Stop();
      return Succeeded();
    }
  }
  return MakeError(ErrorKind::kNotFound, "There is no job '" + statement.job_id + "'",
                   "SHOW JOBS lists the jobs of this session.", statement.position);
}

}  // namespace lakeward::session
