#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/metrics.h"
#include "lakeward/base/status.h"
#include "lakeward/runtime/checkpoint_store.h"
#include "lakeward/runtime/job_graph.h"
#include "lakeward/runtime/source_control.h"
#include "lakeward/runtime/source_reader.h"
#include "lakeward/runtime/split_assigner.h"
#include "lakeward/runtime/task_intent_log.h"
#include "lakeward/runtime/task_report.h"
#include "lakeward/stream/exchange.h"
#include "lakeward/stream/input_gate.h"
#include "lakeward/stream/operator_chain.h"

namespace lakeward::runtime {

/// What a task is made of. Everything pointed to outlives it.
struct TaskSpec {
  int number = 0;  ///< in the job
  const JobVertex* vertex = nullptr;
  int subtask = 0;
  stream::TaskContext context;  ///< a template for the operators' contexts

  SplitAssigner* assigner = nullptr;           ///< of tasks that read a source
  SourceControl* control = nullptr;            ///< likewise
  stream::InputGate* gate = nullptr;           ///< of the others
  std::unique_ptr<stream::Exchange> exchange;  ///< null: the vertex ends with a sink

  CheckpointStore* store = nullptr;  ///< null: checkpoints are kept in this process only
  TaskListener* listener = nullptr;
  int64_t first_checkpoint_id = 1;
  int64_t batch_rows_max = stream::kBatchRowsMax;  ///< larger batches of a source are cut

  /// By operator id: what this subtask is restored with.
  std::function<Result<state::OperatorState>(const std::string& operator_id)> find_state;
  /// Whether the operator had finished before the checkpoint that the job was restored from.
  std::function<bool(const std::string& operator_id)> had_finished;

  Counter* rows_in = nullptr;
  Counter* rows_out = nullptr;
};

/// One subtask of a vertex: reads its source or its gate, feeds the chain, answers barriers. Run is
/// its thread's body.
class Task {
 public:
  explicit Task(TaskSpec spec);
  ~Task();

  /// Until everything is read, the job is torn down, or something fails (which the listener is
  /// told).
  void Run();
  /// "Source: t -> Sink: u (1/2)".
  std::string name() const;

  /// The files that it announced for checkpoints that may not be committed; after Run.
  std::vector<Intent> AnnouncedFiles() const;

 private:
  class WriterEnd;

  Status Work();
  Status Prepare();
  stream::TaskContext ContextOf(const std::string& id, const std::string& name) const;
  Status PrepareWriter();
  Status RestoreState();
  Status ReadSource();
  Status ReadGate();
  Status ProcessInParts(const stream::Batch& batch);
  /// After a stopping barrier: only answers further checkpoint requests until the job ends.
  Status AwaitTeardown();
  Status HandleBarrier(int64_t checkpoint_id);
  Status Finish();
  Status FlushWhenDue();
  /// How long the task may sleep before waiting rows must be sent; negative: for ever.
  int64_t MicrosUntilFlush() const;
  Status SaveState(const std::string& operator_id, const state::OperatorState& state,
                   TaskReport* report);

  TaskSpec spec_;
  std::optional<stream::TaskContext> source_context_;
  std::optional<SourceReader> reader_;
  std::unique_ptr<TaskIntentLog> intents_;
  std::unique_ptr<WriterEnd> writer_;
  std::unique_ptr<stream::OperatorChain> chain_;
  int64_t answered_checkpoint_id_ = 0;
};

}  // namespace lakeward::runtime
