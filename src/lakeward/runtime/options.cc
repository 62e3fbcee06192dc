#include "lakeward/runtime/options.h"

#include "fmt/format.h"
#include "lakeward/base/executor.h"
#include "lakeward/plan/options.h"
#include "lakeward/state/operator_state.h"
#include "lakeward/stream/batch.h"

namespace lakeward::runtime {

using config::Duration;

const config::Option<int64_t>& ParallelismOption() {
  static const config::Option<int64_t> option{
      "parallelism.default",
      "How many tasks each step of a job is divided into; as many as the machine has processors "
      "when it is not set."};
  return option;
}

const config::Option<Duration>& CheckpointIntervalOption() {
  static const config::Option<Duration> option{
      "execution.checkpointing.interval",
      "How often a job takes a checkpoint and commits to its tables. When it is not set, unbounded "
      "jobs do so every 10 s and bounded jobs commit once, at their end."};
  return option;
}

const config::Option<Duration>& CheckpointTimeoutOption() {
  static const config::Option<Duration> option{
      "execution.checkpointing.timeout", Duration{600'000},
      "How long a checkpoint may take before it is given up for a new one."};
  return option;
}

const config::Option<int64_t>& RetainedCheckpointsOption() {
  static const config::Option<int64_t> option =
      config::Option<int64_t>{"execution.checkpointing.num-retained", 1,
                              "How many completed checkpoints are kept."}
          .Also({"state.checkpoints.num-retained"});
  return option;
}

const config::Option<Duration>& BufferTimeoutOption() {
  static const config::Option<Duration> option =
      config::Option<Duration>{
          "execution.buffer-timeout.interval", Duration{100},
          "How long rows may wait for others before they are sent to another task."}
          .Also({"execution.buffer-timeout"});
  return option;
}

const config::Option<int64_t>& BatchRowsMaxOption() {
  static const config::Option<int64_t> option{
      "execution.batch-rows-max", stream::kBatchRowsMax,
      "How many rows of a source travel together at most. Results never depend on it; 1 shows what "
      "row-at-a-time execution gives."};
  return option;
}

const config::Option<std::string>& TableAheadOption() {
  static const config::Option<std::string> option =
      config::Option<std::string>{
          "execution.restore.table-ahead", "fail",
          "What a restored job does when a table already shows a later checkpoint of the same job: "
          "stop, or go on and write the rows in between a second time."}
          .Allowed({"fail", "rollback", "accept-duplicates"});
  return option;
}

const config::Option<std::string>& PipelineNameOption() {
  static const config::Option<std::string> option{
      "pipeline.name", "The job's name; made from the statement when it is not set."};
  return option;
}

std::vector<config::OptionInfo> RuntimeOptions() {
  return {ParallelismOption().info(),       CheckpointIntervalOption().info(),
          CheckpointTimeoutOption().info(), RetainedCheckpointsOption().info(),
          BufferTimeoutOption().info(),     BatchRowsMaxOption().info(),
          TableAheadOption().info(),        PipelineNameOption().info()};
}

namespace {

Result<int> ReadParallelism(const config::Configuration& settings) {
  LW_ASSIGN(const std::optional<int64_t> parallelism, settings.Find(ParallelismOption()));
  if (!parallelism.has_value()) {
    return std::min(AvailableParallelism(), state::kKeyGroupCount);
  }
  if (*parallelism < 1 || *parallelism > state::kKeyGroupCount) {
    return MakeError(ErrorKind::kConfig,
                     fmt::format("'{}' is {}", ParallelismOption().key(), *parallelism),
                     fmt::format("Set it to a number from 1 to {}.", state::kKeyGroupCount));
  }
  return static_cast<int>(*parallelism);
}

Result<TableAhead> ReadTableAhead(const config::Configuration& settings) {
  LW_ASSIGN(const std::string word, settings.Get(TableAheadOption()));
  if (word == "rollback") {
    return MakeError(
        ErrorKind::kUnsupported,
        fmt::format("'{}' = 'rollback' is not supported yet", TableAheadOption().key()),
        "Use 'fail' or 'accept-duplicates'.");
  }
  return word == "accept-duplicates" ? TableAhead::kAcceptDuplicates : TableAhead::kFail;
}

}  // namespace

Result<JobSettings> JobSettings::Read(const config::Configuration& settings) {
  JobSettings read;
  LW_ASSIGN(read.parallelism, ReadParallelism(settings));
  LW_ASSIGN(const std::optional<Duration> interval, settings.Find(CheckpointIntervalOption()));
  if (interval.has_value()) {
    read.checkpoint_interval_ms = interval->millis;
  }
  LW_ASSIGN(const Duration timeout, settings.Get(CheckpointTimeoutOption()));
  read.checkpoint_timeout_ms = timeout.millis;
  LW_ASSIGN(read.retained_checkpoints, settings.Get(RetainedCheckpointsOption()));
  if (read.retained_checkpoints < 1) {
    return MakeError(
        ErrorKind::kConfig,
        fmt::format("'{}' is {}", RetainedCheckpointsOption().key(), read.retained_checkpoints),
        "Keep at least 1: a job recovers from its newest checkpoint.");
  }
  LW_ASSIGN(const Duration buffer_timeout, settings.Get(BufferTimeoutOption()));
  read.buffer_timeout_ms = buffer_timeout.millis;
  LW_ASSIGN(read.batch_rows_max, settings.Get(BatchRowsMaxOption()));
  if (read.batch_rows_max < 1 || read.batch_rows_max > stream::kBatchRowsMax) {
    return MakeError(ErrorKind::kConfig,
                     fmt::format("'{}' is {}", BatchRowsMaxOption().key(), read.batch_rows_max),
                     fmt::format("Set it to a number from 1 to {}.", stream::kBatchRowsMax));
  }
  LW_ASSIGN(read.table_ahead, ReadTableAhead(settings));
  LW_ASSIGN(read.zone, plan::LocalTimeZone(settings));
  return read;
}

}  // namespace lakeward::runtime
