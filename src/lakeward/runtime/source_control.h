#pragma once

#include <cstdint>

#include "lakeward/base/mutex.h"

namespace lakeward::runtime {

/// How the coordinator speaks to a source task: checkpoint requests, and the job's teardown.
/// Thread-safe.
class SourceControl {
 public:
  struct Request {
    int64_t checkpoint_id = 0;  ///< the newest requested so far, 0: none
    bool stop = false;          ///< nothing is to be read after that barrier
    bool closed = false;        ///< the job is being torn down
  };

  void RequestCheckpoint(int64_t checkpoint_id, bool stop) {
    MutexLock lock(&mutex_);
    request_.checkpoint_id = checkpoint_id;
    request_.stop = request_.stop || stop;
    changed_.NotifyAll();
  }

  void Close() {
    MutexLock lock(&mutex_);
    request_.closed = true;
    changed_.NotifyAll();
  }

  Request Current() const {
    MutexLock lock(&mutex_);
    return request_;
  }

  /// Waits until something newer than `seen_checkpoint_id` is requested, the job is torn down, or
  /// `timeout_us` (negative: no limit) has passed.
  void WaitForNews(int64_t seen_checkpoint_id, int64_t timeout_us) {
    MutexLock lock(&mutex_);
    while (!request_.closed && request_.checkpoint_id <= seen_checkpoint_id) {
      if (timeout_us < 0) {
        changed_.Wait(&mutex_);
      } else if (timeout_us == 0 || !changed_.WaitForMicros(&mutex_, timeout_us)) {
        return;
      }
    }
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  Request request_;
};

}  // namespace lakeward::runtime
