#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lakeward/stream/operator.h"

namespace lakeward::stream {

/// Operators of one task, each feeding the next by a function call. One thread.
class OperatorChain {
 public:
  struct Member {
    std::unique_ptr<Operator> op;
    TaskContext context;
    /// Had finished before the checkpoint that the job was restored from: it gets no rows any more
    /// and must not emit its final rows a second time.
    bool finished = false;
  };

  /// `end` takes the last operator's rows; outlives the chain.
  OperatorChain(std::vector<Member> members, Output* end);
  ~OperatorChain();

  Status Open();
  /// `states` has one element per operator, in order.
  Status Restore(const std::vector<state::OperatorState>& states);
  Status Process(const Batch& batch);
  Result<std::vector<state::OperatorState>> Snapshot();
  /// Finishes each operator, first to last.
  Status Finish();

 private:
  class Link;
  std::vector<Member> members_;
  std::vector<std::unique_ptr<Link>> links_;  // links_[i] feeds members_[i]
  Output* end_;
};

}  // namespace lakeward::stream
