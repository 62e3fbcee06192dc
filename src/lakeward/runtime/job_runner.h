#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lakeward/base/executor.h"
#include "lakeward/base/metrics.h"
#include "lakeward/base/mutex.h"
#include "lakeward/base/work_context.h"
#include "lakeward/runtime/checkpoint_coordinator.h"
#include "lakeward/runtime/job.h"
#include "lakeward/runtime/job_graph.h"
#include "lakeward/runtime/options.h"
#include "lakeward/runtime/restore.h"
#include "lakeward/runtime/result_queue.h"
#include "lakeward/runtime/source_control.h"
#include "lakeward/runtime/split_assigner.h"
#include "lakeward/runtime/task.h"
#include "lakeward/stream/input_gate.h"

namespace lakeward::runtime {

/// A job in this process: owns the graph, the tasks with their threads, the channels between them
/// and the coordinator.
class JobRunner final : public Job {
 public:
  JobRunner(JobDescription description, JobSettings settings, const catalog::EngineContext* engine);
  ~JobRunner() override;

  /// Everything up to the tasks' start. Called once.
  Status Start();

  const std::string& id() const override { return id_; }
  const std::string& name() const override { return description_.name; }
  bool bounded() const override { return description_.plan.bounded; }
  JobStatus status() const override;
  bool WaitForMicros(int64_t timeout_us) override;
  Status Await() override;
  void Cancel() override;
  void Stop() override;
  ResultStream* results() override;

 private:
  class QueueResultStream;

  CheckpointPlan PlanCheckpoints() const;
  void BuildCoordinator();
  void BuildTasks();
  /// The gates of a vertex' subtasks; empty for sources.
  void BuildGates();
  std::unique_ptr<stream::Exchange> MakeExchange(int vertex_number, int subtask);
  stream::TaskContext TaskContextTemplate() const;
  WorkContext ContextOf(std::string task) const;
  /// The body of the coordinator's thread.
  void Run();
  void CloseChannels();
  /// After a failure or cancellation of a job that keeps no checkpoints: nobody can commit what its
  /// writers left, so it goes.
  void RemoveUncommitted(const std::vector<Intent>& announced);
  void OnTaskFailed(const Status& cause);
  void EndAs(JobState state, const Status& cause);

  const JobDescription description_;
  const JobSettings settings_;
  const catalog::EngineContext* const engine_;
  const std::string id_;
  const std::shared_ptr<RequestJournal> requests_ = std::make_shared<RequestJournal>();

  JobGraph graph_;
  std::unique_ptr<JobRestore> restore_;
  std::unique_ptr<CheckpointCoordinator> coordinator_;
  std::vector<std::unique_ptr<SplitAssigner>> assigners_;              // by vertex; null: no source
  std::vector<std::vector<std::unique_ptr<SourceControl>>> controls_;  // by vertex and subtask
  std::vector<std::vector<std::unique_ptr<stream::InputGate>>> gates_;  // likewise
  std::vector<std::vector<int>> first_channels_;  // by edge and receiver: its first channel
  std::vector<std::unique_ptr<Task>> tasks_;
  std::shared_ptr<ResultQueue> result_queue_;
  std::unique_ptr<QueueResultStream> results_;
  Counter rows_in_;
  Counter rows_out_;
  bool commits_at_end_only_ = false;  // set before the threads start

  mutable Mutex mutex_;
  CondVar state_changed_;
  JobState state_ = JobState::kInitializing;
  Status root_cause_;
  int64_t start_time_ms_ = 0;
  std::optional<int64_t> end_time_ms_;
  bool stopped_ = false;

  Thread thread_;  // last: its body uses all of the above
};

}  // namespace lakeward::runtime
