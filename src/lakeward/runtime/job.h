#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/catalog/table_factory.h"
#include "lakeward/config/configuration.h"
#include "lakeward/plan/physical_plan.h"
#include "lakeward/stream/batch.h"

namespace lakeward::runtime {

/// Flink's job states, as far as a job here can be in them.
enum class JobState : uint8_t {
  kInitializing,
  kCreated,
  kRunning,
  kFailing,
  kFailed,
  kCancelling,
  kCanceled,
  kFinished,
};
/// "RUNNING", "CANCELED" …
std::string_view ToString(JobState state);

/// A query's rows on their way to the person. Thread-safe.
class ResultStream {
 public:
  virtual ~ResultStream() = default;
  virtual const types::RowSchema& schema() const = 0;
  /// The next rows; nothing at the end; the job's root cause when it failed. Blocks at most
  /// `timeout_us` (negative: until something comes); running out of time gives a batch without
  /// records.
  virtual Result<std::optional<stream::Batch>> Next(int64_t timeout_us) = 0;
};

/// What a job needs to know besides its plan.
struct JobDescription {
  std::string name;  ///< "insert-into_c.db.t", "collect"
  plan::PhysicalPlan plan;
  config::Configuration settings;
  /// Where checkpoints live (a folder for this job alone); empty: only in this process.
  std::string checkpoint_uri;
};

/// Numbers for people. A value.
struct JobStatus {
  std::string id;
  std::string name;
  JobState state = JobState::kInitializing;
  int64_t start_time_ms = 0;
  std::optional<int64_t> end_time_ms;
  Status root_cause;     ///< of kFailed
  int64_t rows_in = 0;   ///< read by sources
  int64_t rows_out = 0;  ///< given to sinks
  int64_t completed_checkpoints = 0;
  std::optional<int64_t> last_checkpoint_id;
  std::optional<int64_t> last_commit_time_ms;
  bool restored = false;  ///< started from a checkpoint
  bool stopped = false;   ///< ended by Stop before the end of its input
};

/// A running (or ended) job. Thread-safe. Destroying the last reference cancels it and waits.
class Job {
 public:
  /// Translates the plan, restores the newest durable checkpoint under `checkpoint_uri` when there
  /// is one (a job that had finished there is reported kFinished and runs nothing), and starts.
  /// `engine` outlives the job.
  static Result<std::shared_ptr<Job>> Start(JobDescription description,
                                            const catalog::EngineContext* engine);
  virtual ~Job() = default;

  virtual const std::string& id() const = 0;
  virtual const std::string& name() const = 0;
  virtual bool bounded() const = 0;
  virtual JobStatus status() const = 0;

  /// Blocks until the job has ended, at most `timeout_us` (negative: for ever). True when it has.
  virtual bool WaitForMicros(int64_t timeout_us) = 0;
  /// OK once finished, the root cause once failed, kCancelled once cancelled; blocks until then.
  virtual Status Await() = 0;

  /// Ends at once; nothing further is committed.
  virtual void Cancel() = 0;
  /// Ends gracefully: sources stop, a last checkpoint is taken and committed, then kFinished. A job
  /// that commits only at its end (bounded, without an interval of its own) commits nothing: with a
  /// `checkpoint_uri` the checkpoint is where the next start goes on, without one this is Cancel.
  virtual void Stop() = 0;

  /// The rows of the plan's CollectNode; null when it has none.
  virtual ResultStream* results() = 0;
};

}  // namespace lakeward::runtime
