#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/state/operator_state.h"
#include "lakeward/stream/batch.h"
#include "lakeward/stream/operator.h"

namespace lakeward::stream {

/// What a writer made that no table shows yet: text of the sink's own making, kept in the
/// checkpoint.
struct Committable {
  std::string payload;
};

/// Announces, durably and before it happens, that a task is about to create files. The next start
/// removes files of announced prefixes that no table refers to. Called by writers.
class IntentLog {
 public:
  virtual ~IntentLog() = default;
  /// `folder_uri` is where files will appear whose names begin with `file_prefix`. Repeating the
  /// same pair for the same checkpoint is free.
  virtual Status Announce(int64_t checkpoint_id, const std::string& folder_uri,
                          const std::string& file_prefix) = 0;
};

/// What a writer is told about itself.
struct WriterContext {
  TaskContext task;
  std::string sink_id;
  IntentLog* intents = nullptr;
  /// The checkpoint that rows written now will belong to: the number in the names of new files.
  /// Grows as barriers pass; read it at each file's opening.
  std::function<int64_t()> current_checkpoint;
};

/// Writes one subtask's rows. One thread.
class Writer {
 public:
  virtual ~Writer() = default;

  virtual Status Restore(const state::OperatorState& state) { return Status::OK(); }
  virtual Status Write(const Batch& batch) = 0;

  /// A barrier (or the end of input): closes every open file and hands over what the checkpoint
  /// must remember to commit it. Afterwards the writer goes on with new files.
  virtual Result<std::vector<Committable>> PrepareCommit(int64_t checkpoint_id) = 0;

  /// State besides committables, taken right after PrepareCommit.
  virtual Result<state::OperatorState> Snapshot() { return state::OperatorState{}; }

  /// The job failed or was cancelled: give up what is open. Also called before destruction when
  /// PrepareCommit was not the last call.
  virtual void Abort() {}
};

/// All committables of one sink and one checkpoint.
struct CommitRequest {
  std::string sink_id;  ///< of the sink that made them, which may be a former incarnation
  int64_t checkpoint_id = 0;
  std::vector<Committable> committables;
};

/// Makes a durable checkpoint's committables visible. One thread (the coordinator's), in checkpoint
/// order; must be repeatable: a request that was already carried out succeeds. A Status error or an
/// unknown outcome fails the job, which then recovers and asks again.
class Committer {
 public:
  virtual ~Committer() = default;
  virtual Status Commit(const CommitRequest& request) = 0;

  /// The newest checkpoint id of this sink id that the outside world already shows, 0 when none.
  virtual Result<int64_t> CommittedCheckpoint(const std::string& sink_id) = 0;

  /// After a crash: deletes files with one of these announced prefixes that nothing refers to and
  /// that are not among `pending`. Returns how many.
  virtual Result<int64_t> RemoveOrphans(const std::string& folder_uri,
                                        const std::string& file_prefix,
                                        const std::vector<CommitRequest>& pending) {
    return 0;
  }
};

/// Where rows go. MakeWriter is called from the tasks' threads, the rest from the coordinator's.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Result<std::unique_ptr<Writer>> MakeWriter(const WriterContext& context) = 0;
  /// Null for sinks that have nothing to commit (print, blackhole, collect).
  virtual Result<std::unique_ptr<Committer>> MakeCommitter() { return nullptr; }
};

}  // namespace lakeward::stream
