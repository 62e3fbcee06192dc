#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/stream/sink.h"
#include "lakeward/stream/source.h"

namespace lakeward::runtime {

/// What one subtask of a source has read: whole splits since the job's start, and the splits that
/// it is in the middle of, with their positions.
struct SourceProgress {
  std::vector<std::string> finished;
  std::vector<stream::Split> open;

  void Add(const SourceProgress& other) {
    finished.insert(finished.end(), other.finished.begin(), other.finished.end());
    open.insert(open.end(), other.open.begin(), other.open.end());
  }
};

/// A state file of a checkpoint.
struct StateHandle {
  std::string operator_id;
  int subtask = 0;
  std::string path;  ///< below the checkpoint folder's root
  int64_t size_bytes = 0;
  uint32_t crc = 0;
};

/// State that a finished task leaves behind, as bytes: each later checkpoint writes it anew, so
/// that no checkpoint refers to another's files.
struct FinalState {
  std::string operator_id;
  int subtask = 0;
  std::string bytes;
};

/// One task's part of a checkpoint, or what it leaves behind when it has finished.
struct TaskReport {
  int task = 0;
  int64_t checkpoint_id = 0;                      ///< of a snapshot
  std::optional<SourceProgress> progress;         ///< of tasks that read a source
  std::vector<StateHandle> states;                ///< of a snapshot
  std::vector<FinalState> final_states;           ///< of a finished task
  std::vector<stream::Committable> committables;  ///< of tasks that write a sink
};

/// How tasks tell what became of them. Thread-safe; never blocks for long.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  virtual void OnSnapshot(TaskReport report) = 0;
  /// Its inputs have ended and everything is emitted. Called at most once, as the last.
  virtual void OnFinished(TaskReport report) = 0;
  virtual void OnFailed(const Status& cause) = 0;
};

}  // namespace lakeward::runtime
