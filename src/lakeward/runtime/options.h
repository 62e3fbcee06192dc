#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/config/configuration.h"
#include "lakeward/config/option.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::runtime {

/// The settings that running a job reads, each declared once. Functions, not variables, so that
/// nothing runs before main.
const config::Option<int64_t>& ParallelismOption();
const config::Option<config::Duration>& CheckpointIntervalOption();
const config::Option<config::Duration>& CheckpointTimeoutOption();
const config::Option<int64_t>& RetainedCheckpointsOption();
const config::Option<config::Duration>& BufferTimeoutOption();
const config::Option<int64_t>& BatchRowsMaxOption();
const config::Option<std::string>& TableAheadOption();
const config::Option<std::string>& PipelineNameOption();

/// Their documentation, for SHOW and docs.
std::vector<config::OptionInfo> RuntimeOptions();

/// What a restored job does when a table already shows more than the checkpoint knows.
enum class TableAhead : uint8_t { kFail, kAcceptDuplicates };

/// The same, read and checked.
struct JobSettings {
  int parallelism = 1;
  std::optional<int64_t> checkpoint_interval_ms;  ///< only when somebody set it; 0: none
  int64_t checkpoint_timeout_ms = 0;
  int64_t retained_checkpoints = 1;
  int64_t buffer_timeout_ms = 0;
  int64_t batch_rows_max = 0;
  TableAhead table_ahead = TableAhead::kFail;
  types::TimeZone zone;

  static Result<JobSettings> Read(const config::Configuration& settings);
};

}  // namespace lakeward::runtime
