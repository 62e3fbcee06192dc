#pragma once

#include <cstddef>
#include <vector>

#include "lakeward/base/mutex.h"
#include "lakeward/stream/source.h"

namespace lakeward::runtime {

/// Hands a source's unread splits to its subtasks, each split to exactly one. Thread-safe.
///
/// Splits of a bounded source go one by one to whoever has nothing to read. Those of an unbounded
/// source never end, so each subtask takes its share of them at once and reads them side by side.
class SplitAssigner {
 public:
  SplitAssigner(std::vector<stream::Split> unread, bool bounded, int parallelism)
      : unread_(std::move(unread)), bounded_(bounded), taken_(parallelism, false) {
    parallelism_ = static_cast<size_t>(parallelism);
  }

  /// What `subtask` should open next; nothing: there is no more for it.
  std::vector<stream::Split> Take(int subtask) {
    MutexLock lock(&mutex_);
    std::vector<stream::Split> share;
    if (bounded_) {
      if (next_ < unread_.size()) {
        share.push_back(unread_[next_++]);
      }
      return share;
    }
    if (!taken_[subtask]) {
      taken_[subtask] = true;
      for (size_t i = subtask; i < unread_.size(); i += parallelism_) {
        share.push_back(unread_[i]);
      }
    }
    return share;
  }

 private:
  Mutex mutex_;
  const std::vector<stream::Split> unread_;
  const bool bounded_;
  size_t parallelism_ = 1;
  size_t next_ = 0;
  std::vector<bool> taken_;
};

}  // namespace lakeward::runtime
