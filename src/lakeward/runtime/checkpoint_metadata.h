#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/runtime/task_report.h"
#include "lakeward/stream/sink.h"
#include "lakeward/stream/source.h"

namespace lakeward::runtime {

/// All that a checkpoint knows of one source. Splits that are neither finished nor open are unread.
struct SourceCheckpoint {
  std::string operator_id;
  std::vector<stream::Split> splits;  ///< as enumerated at the job's first start
  std::vector<std::string> finished;
  std::vector<stream::Split> open;  ///< with positions

  /// Goes on by what all subtasks together have read since. A split that was open and that nobody
  /// has taken up again stays as it is.
  void Advance(const SourceProgress& progress);

  /// What is still to be read, in the order of `splits`.
  std::vector<stream::Split> Unread() const;
};

/// The committables of one sink that a checkpoint holds.
struct SinkCheckpoint {
  std::string operator_id;
  stream::CommitRequest request;
};

/// The content of `chk-<n>/_metadata`; docs/formats/checkpoint.md. A value.
struct CheckpointMetadata {
  int64_t checkpoint_id = 0;
  /// Random, of the process that wrote it: tells one's own file from a rival's.
  std::string attempt_id;
  /// Only keeps the number from being used: nothing was saved.
  bool sealed = false;
  /// The job has ended; nothing is to be run from here.
  bool finished = false;
  /// Whether the committables are to be committed under this checkpoint, or only carried on.
  bool commit = false;
  std::vector<SourceCheckpoint> sources;
  /// Operators whose every task had finished: they must not emit their last rows again.
  std::vector<std::string> finished_operators;
  std::vector<StateHandle> states;
  std::vector<SinkCheckpoint> sinks;
};

Result<std::string> WriteMetadata(const CheckpointMetadata& metadata);
/// `what` names the file in errors. kCorruptData.
Result<CheckpointMetadata> ReadMetadata(std::string_view text, std::string_view what);

}  // namespace lakeward::runtime
