#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lakeward/base/clock.h"
#include "lakeward/base/mutex.h"
#include "lakeward/base/status.h"
#include "lakeward/runtime/checkpoint_metadata.h"
#include "lakeward/runtime/checkpoint_store.h"
#include "lakeward/runtime/source_control.h"
#include "lakeward/runtime/task_report.h"
#include "lakeward/stream/sink.h"

namespace lakeward::runtime {

/// A sink as the coordinator sees it.
struct CoordinatedSink {
  std::string operator_id;
  std::string sink_id;
  std::shared_ptr<stream::Committer> committer;  ///< null: it has nothing to commit
};

/// A task as the coordinator sees it.
struct CoordinatedTask {
  std::string source_id;                  ///< empty: it reads no source
  std::string sink_id;                    ///< operator id of the sink that it writes; empty: none
  std::vector<std::string> operator_ids;  ///< all of its chain, without source and sink
  SourceControl* control = nullptr;       ///< of tasks that read a source
};

struct CheckpointPlan {
  int64_t interval_us = 0;  ///< 0: only at the end, and when the job is stopped
  int64_t timeout_us = 0;
  int64_t retained = 1;
  /// Whether each checkpoint commits. Otherwise committables pile up in the checkpoints and are
  /// committed at the end.
  bool commits_each = true;
  int64_t first_checkpoint_id = 1;
};

/// Takes a job's checkpoints and commits them, from its start to its end; DESIGN's protocol:
/// barriers, acknowledgements, one atomic put that makes the checkpoint durable, then the commits.
/// Run belongs to one thread, which alone calls committers; all else may be called from any.
class CheckpointCoordinator final : public TaskListener {
 public:
  struct Parts {
    CheckpointPlan plan;
    std::vector<CoordinatedTask> tasks;
    std::vector<CoordinatedSink> sinks;
    /// Where each source began: the lists in every checkpoint build on it.
    std::vector<SourceCheckpoint> sources;
    std::vector<std::string> finished_operators;
    /// Restored committables that are not committed yet, by the sink's operator id.
    std::map<std::string, std::vector<stream::Committable>> pending;
    CheckpointStore* store = nullptr;  ///< null: checkpoints are kept in this process only
    Clock* clock = nullptr;
  };

  enum class Outcome : uint8_t {
    kFinished,     ///< everything is read, written and committed
    kStopped,      ///< the stopping checkpoint is committed; the tasks wait for teardown
    kInterrupted,  ///< by Interrupt, or because a task failed
  };

  struct Progress {
    int64_t completed = 0;
    std::optional<int64_t> last_checkpoint_id;
    std::optional<int64_t> last_commit_time_ms;
  };

  /// `on_task_failed` is called from tasks' threads.
  CheckpointCoordinator(Parts parts, std::function<void(const Status&)> on_task_failed);

  /// Blocks until the job has come to its end.
  Result<Outcome> Run();

  /// Asks for a last checkpoint after which sources read nothing more.
  void RequestStop();
  /// Makes Run return soon; nothing is committed from here on that has not begun already.
  void Interrupt();
  Progress progress() const;

  void OnSnapshot(TaskReport report) override;
  void OnFinished(TaskReport report) override;
  void OnFailed(const Status& cause) override;

 private:
  struct TaskState {
    std::optional<TaskReport> snapshot;  ///< of the checkpoint in flight
    std::optional<TaskReport> last;      ///< once finished
  };
  struct InFlight {
    int64_t checkpoint_id = 0;
    int64_t started_us = 0;
    bool stops = false;
  };
  enum class Step : uint8_t { kWait, kTrigger, kComplete, kAbandon, kEnd };

  Step NextStep(int64_t now_us, int64_t* wait_us);
  bool AllTasks(bool (*holds)(const TaskState&)) const;
  bool AllFinished() const;
  bool AnySourceRuns() const;
  void Trigger(int64_t now_us);
  /// Gives the checkpoint in flight up and takes its number out of use.
  Status Abandon();
  /// Gives the snapshots of the checkpoint in flight up; what they would have committed waits.
  void DropSnapshots();
  /// What the tasks' reports add up to; their committables move to `pending_`.
  CheckpointMetadata Collect(std::vector<FinalState>* final_states);
  void AddPending(const CoordinatedTask& task, TaskReport* report);
  /// Takes the lock off while storage is waited for.
  Status Complete();
  Status CompleteUnlocked(CheckpointMetadata* metadata,
                          const std::vector<FinalState>& final_states);
  Status MakeDurable(CheckpointMetadata* metadata, const std::vector<FinalState>& final_states);
  Status Commit(const CheckpointMetadata& metadata);
  void RemoveOld(int64_t checkpoint_id);
  bool interrupted() const;

  const Parts parts_;
  const std::function<void(const Status&)> on_task_failed_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<TaskState> task_states_;
  std::map<std::string, std::vector<stream::Committable>> pending_;
  std::optional<InFlight> in_flight_;
  int64_t next_checkpoint_id_;
  int64_t next_trigger_us_ = 0;
  bool stop_requested_ = false;
  bool interrupted_ = false;
  Progress progress_;
};

}  // namespace lakeward::runtime
