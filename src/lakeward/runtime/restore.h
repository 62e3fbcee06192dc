#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/random.h"
#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/runtime/checkpoint_coordinator.h"
#include "lakeward/runtime/checkpoint_store.h"
#include "lakeward/runtime/job_graph.h"
#include "lakeward/runtime/options.h"
#include "lakeward/state/operator_state.h"

namespace lakeward::runtime {

/// Brings a job back to where its newest durable checkpoint left it. One thread, before any task
/// runs. In this order: Open, FindSplits while the plan is translated, Resume.
class JobRestore {
 public:
  /// Reads the newest checkpoint under `checkpoint_uri` (empty: checkpoints stay in this process).
  static Result<std::unique_ptr<JobRestore>> Open(const std::string& checkpoint_uri,
                                                  const fs::FileSystems& file_systems,
                                                  const config::Configuration& settings,
                                                  Random* random);

  /// Null without a folder.
  CheckpointStore* store() const { return store_.get(); }
  bool restored() const { return checkpoint_.has_value(); }
  /// The job had ended: there is nothing to run.
  bool finished() const { return restored() && checkpoint_->finished; }

  Result<SourceCheckpoint> FindSplits(const std::string& operator_id, stream::Source* source,
                                      int parallelism) const;

  /// Gives the graph's sinks their ids, finishes the restored checkpoint's commits, fences off
  /// other processes, checks that no table is ahead, removes orphaned files and reads the state.
  Status Resume(const std::string& job_name, TableAhead table_ahead, JobGraph* graph);

  // After Resume.
  const std::vector<CoordinatedSink>& sinks() const { return sinks_; }
  int64_t first_checkpoint_id() const { return first_checkpoint_id_; }
  /// Why the job failed: `cause`, unless another process on the same state directory explains it,
  /// whose files and seals come out as errors of any kind. After Resume; any thread.
  Status ExplainFailure(const Status& cause) const;
  /// By operator id: restored committables that the next commit must take along.
  std::map<std::string, std::vector<stream::Committable>> pending() const;
  std::vector<std::string> finished_operators() const;
  Result<state::OperatorState> FindState(const std::string& operator_id, int subtask,
                                         int parallelism) const;

 private:
  explicit JobRestore(Random* random) : random_(random) {}

  Status FindNewest();
  Status ClaimIdentity(const std::string& job_name, JobGraph* graph);
  Status MakeCommitters(const JobGraph& graph);
  /// Takes every number out of use under which another process could still make something durable.
  Status FenceOff();
  Status SealUpTo(int64_t checkpoint_id);
  int64_t restored_id() const;  ///< 0: nothing was restored
  Status CommitRestored();
  /// The newest mark of any table; an error when one is ahead and that is not allowed.
  Result<int64_t> CheckMarks(TableAhead table_ahead);
  Status RemoveOrphans();
  Status ReadStates(const JobGraph& graph);
  Result<const CoordinatedSink*> FindSink(const std::string& operator_id) const;

  Random* const random_;
  std::unique_ptr<CheckpointStore> store_;
  std::optional<CheckpointMetadata> checkpoint_;
  int64_t newest_number_ = 0;
  int64_t sealed_up_to_ = 0;  ///< every number up to here has a `_metadata`
  int64_t first_checkpoint_id_ = 1;
  std::vector<CoordinatedSink> sinks_;
  std::map<std::string, std::string> sink_names_;
  std::map<std::string, std::vector<state::OperatorState>> states_;
};

}  // namespace lakeward::runtime
