#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/catalog/table_factory.h"
#include "lakeward/config/configuration.h"
#include "lakeward/expr/function.h"
#include "lakeward/runtime/job.h"

namespace lakeward::session {

/// Everything that is built once per program: file systems, connectors, functions. Built by
/// MakeEngine in builtin.cc, the composition root.
struct Engine;
Result<std::shared_ptr<Engine>> MakeEngine();

/// What a statement gave.
enum class ResultKind : uint8_t {
  kSuccess,             ///< nothing to show but that it worked
  kSuccessWithContent,  ///< a small table in `rows` (SHOW, DESCRIBE, EXPLAIN)
  kQuery,               ///< rows come from `job->results()`
  kJobSubmitted,        ///< an INSERT that goes on (or was awaited and finished)
};

struct StatementResult {
  ResultKind kind = ResultKind::kSuccess;
  types::RowSchema schema;                   ///< of kSuccessWithContent and kQuery
  std::shared_ptr<arrow::RecordBatch> rows;  ///< of kSuccessWithContent
  std::shared_ptr<runtime::Job> job;         ///< of kQuery and kJobSubmitted
  bool streaming = false;                    ///< kQuery: print a changelog
  bool null_as_empty = false;                ///< of kSuccessWithContent: as DESCRIBE prints nulls
  bool awaited = false;                      ///< kJobSubmitted: it has already finished
  bool interrupted = false;                  ///< kJobSubmitted: by Interrupt(); a script ends here
  std::string information;                   ///< an [INFO] line instead of the usual one
  std::string notice;                        ///< a [WARNING] line beside the result; may be empty
};

struct SessionOptions {
  config::Configuration settings;
  /// --state-dir: where jobs keep their checkpoints; empty: only in this process.
  std::string state_directory;
  /// What stands before line numbers in errors: a script's path, or empty.
  std::string script_name;
  /// Called about 20 times a second while a statement waits, from the thread that executes it: for
  /// progress and for noticing Ctrl-C. May be empty; may call Interrupt().
  std::function<void()> on_wait;
};

/// One person's conversation: catalogs, settings, temporary objects, jobs. The only door for shell,
/// server and Python. One statement at a time; not thread-safe.
class Session {
 public:
  static Result<std::unique_ptr<Session>> Make(std::shared_ptr<Engine> engine,
                                               SessionOptions options);
  virtual ~Session() = default;

  /// Runs one statement. Submitting an INSERT calls `on_submitted` (may be empty) before waiting
  /// for it. Errors carry their position in `text`.
  virtual Result<StatementResult> Execute(
      std::string_view text, const std::function<void(const runtime::Job&)>& on_submitted) = 0;

  /// The next rows of a query's result, nothing at its end; the job's root cause when it failed.
  virtual Result<std::optional<stream::Batch>> NextRows(const StatementResult& result) = 0;

  /// Somebody pressed Ctrl-C: a query ends at once; an INSERT that is waited for stops gracefully,
  /// at the second call at once. Other threads may call it.
  virtual void Interrupt() = 0;

  virtual const config::Configuration& settings() const = 0;
  virtual types::TimeZone zone() const = 0;
  /// Every job of this session, in the order of submission.
  virtual std::vector<std::shared_ptr<runtime::Job>> jobs() const = 0;
};

}  // namespace lakeward::session
