#pragma once

#include <cstdint>
#include <string>

#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/state/operator_state.h"
#include "lakeward/stream/batch.h"

namespace lakeward::stream {

/// Where an operator sends its rows: the next operator of the chain or an exchange. A chained edge
/// is a function call without a copy.
class Output {
 public:
  virtual ~Output() = default;
  virtual Status Emit(Batch batch) = 0;
};

/// What a subtask is told about itself. Owned by its task, valid from Open to destruction.
struct TaskContext {
  std::string operator_name;
  std::string operator_id;  ///< stable across restarts of the same script
  int subtask = 0;
  int parallelism = 1;
  expr::EvaluationContext evaluation;
  Clock* clock = nullptr;
  Random* random = nullptr;
};

/// Transforms batches. One thread calls it: Open, Restore (when there is state), then ProcessBatch
/// and OnTimer in any order with Snapshot between them, Finish once, destruction. A batch given to
/// it may carry a selection; it never changes a batch that it was given.
class Operator {
 public:
  virtual ~Operator() = default;

  virtual Status Open(const TaskContext& context) = 0;

  /// `input` counts from 0. Watermarks travel inside the batch and must be passed on.
  virtual Status ProcessBatch(int input, const Batch& batch, Output* output) = 0;

  /// A processing-time timer that the operator asked for is due.
  virtual Status OnTimer(int64_t time_ms, Output* output) { return Status::OK(); }

  /// The state at a barrier, all earlier batches taken in and none later.
  virtual Result<state::OperatorState> Snapshot() { return state::OperatorState{}; }
  virtual Status Restore(const state::OperatorState& state) { return Status::OK(); }

  /// Every input has ended: emit what is left.
  virtual Status Finish(Output* output) { return Status::OK(); }
};

}  // namespace lakeward::stream
