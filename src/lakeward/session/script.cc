#include "lakeward/session/script.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lakeward/session/options.h"
#include "lakeward/session/tableau.h"
#include "lakeward/sql/split.h"

namespace lakeward::session {
namespace {

constexpr std::string_view kSucceeded = "[INFO] Execute statement succeeded.\n\n";

std::string RowsInSet(int64_t count) {
  return count == 1 ? "1 row in set\n\n" : fmt::format("{} rows in set\n\n", count);
}

/// The statement with the script's lines and columns before it blanked out, so that positions in
/// errors are positions in the script.
std::string InPlace(const sql::StatementText& statement) {
  std::string text(static_cast<size_t>(statement.line - 1), '\n');
  text.append(static_cast<size_t>(statement.column - 1), ' ');
  text += statement.text;
  return text;
}

class ScriptRunner {
 public:
  ScriptRunner(Session* session, const ScriptOptions& options, const ScriptOutput& output)
      : session_(session), options_(options), output_(output) {}

  bool Run(std::string_view text) {
    const auto statements = sql::SplitStatements(text);
    if (!statements.ok()) {
      output_.print_error(ErrorBlock(statements.status(), options_.name));
      return false;
    }
    bool succeeded = true;
    for (const sql::StatementText& statement : *statements) {
      const Status status = RunOne(InPlace(statement));
      if (!has_reader_) {
        return false;
      }
      if (interrupted_) {
        break;
      }
      if (!status.ok()) {
        succeeded = false;
        output_.print_error(ErrorBlock(status, options_.name));
        if (options_.stop_on_error) {
          break;
        }
      }
    }
    return succeeded;
  }

 private:
  Status RunOne(const std::string& text) {
    LW_ASSIGN(const StatementResult result,
              session_->Execute(text, [this](const runtime::Job& job) {
                Print(fmt::format(
                    "[INFO] Submitting SQL update statement to the cluster...\n"
                    "[INFO] SQL update statement has been successfully submitted to the cluster:\n"
                    "Job ID: {}\n\n",
                    job.id()));
              }));
    if (!result.notice.empty()) {
      output_.print_error("[WARNING] " + result.notice + "\n");
    }
    switch (result.kind) {
      case ResultKind::kSuccess:
        Print(result.information.empty() ? std::string(kSucceeded)
                                         : "[INFO] " + result.information + "\n\n");
        return Status::OK();
      case ResultKind::kSuccessWithContent:
        PrintRows(result.schema, {result.rows}, result.null_as_empty);
        return Status::OK();
      case ResultKind::kQuery:
        return PrintQuery(result);
      case ResultKind::kJobSubmitted:
        interrupted_ = result.interrupted;
        if (!result.information.empty()) {
          Print("[INFO] " + result.information + "\n\n");
        }
        return Status::OK();
    }
    return Status::OK();
  }

  void PrintRows(const types::RowSchema& schema,
                 const std::vector<std::shared_ptr<arrow::RecordBatch>>& rows, bool null_as_empty) {
    int64_t count = 0;
    for (const auto& records : rows) {
      count += records->num_rows();
    }
    if (count == 0) {
      Print("Empty set\n\n");
      return;
    }
    const Tableau tableau = Tableau::ForRows(schema, session_->zone(), rows, null_as_empty);
    Print(tableau.Header());
    for (const auto& records : rows) {
      stream::Batch batch;
      batch.records = records;
      Print(tableau.Rows(batch));
    }
    Print(tableau.Rule() + RowsInSet(count));
  }

  Status PrintQuery(const StatementResult& result) {
    LW_ASSIGN(const std::string mode, session_->settings().Get(ResultModeOption()));
    if (mode != "tableau") {
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: '" + ResultModeOption().key() + "' = '" + mode + "'",
                       "Remove the SET, or SET '" + ResultModeOption().key() + "' = 'tableau'.");
    }
    return result.streaming ? PrintChangelog(result) : PrintBatchQuery(result);
  }

  Status PrintChangelog(const StatementResult& result) {
    LW_ASSIGN(const int64_t width, session_->settings().Get(MaxColumnWidthOption()));
    const Tableau tableau = Tableau::ForChangelog(result.schema, session_->zone(), width);
    Print(tableau.Header());
    int64_t count = 0;
    while (has_reader_) {
      LW_ASSIGN(const std::optional<stream::Batch> batch, session_->NextRows(result));
      if (!batch.has_value()) {
        break;
      }
      Print(tableau.Rows(*batch));
      count += batch->row_count();
    }
    // Flink's client draws no closing rule below nothing, and says "row" for none and one.
    if (count > 0) {
      Print(tableau.Rule());
    }
    Print(fmt::format("Received a total of {} {}\n\n", count, count > 1 ? "rows" : "row"));
    return Status::OK();
  }

  Status PrintBatchQuery(const StatementResult& result) {
    std::vector<std::shared_ptr<arrow::RecordBatch>> rows;
    while (true) {
      LW_ASSIGN(const std::optional<stream::Batch> batch, session_->NextRows(result));
      if (!batch.has_value()) {
        break;
      }
      LW_ASSIGN(const stream::Batch whole,
                stream::Materialize(*batch, arrow::default_memory_pool()));
      rows.push_back(whole.records);
    }
    PrintRows(result.schema, rows, false);
    return Status::OK();
  }

  void Print(std::string_view text) { has_reader_ = has_reader_ && output_.print(text); }

  Session* session_;
  const ScriptOptions& options_;
  const ScriptOutput& output_;
  bool has_reader_ = true;
  bool interrupted_ = false;
};

}  // namespace

bool RunScript(Session* session, std::string_view text, const ScriptOptions& options,
               const ScriptOutput& output) {
  return ScriptRunner(session, options, output).Run(text);
}

std::string ErrorBlock(const Status& error, const std::string& script_name) {
  std::string block = "[ERROR] Could not execute SQL statement. Reason:\n" + error.message() + "\n";
  const std::string hint = HintOf(error);
  if (!hint.empty()) {
    block += hint + "\n";
  }
  if (const std::optional<SqlPosition> position = PositionOf(error)) {
    block += fmt::format("At {}:{}:{}\n", script_name, position->line, position->column);
  }
  return block + "\n";
}

}  // namespace lakeward::session
