#pragma once

#include <algorithm>
#include <cstdint>

#include "lakeward/base/mutex.h"

namespace lakeward::fs {

/// What the parts that are on their way may hold in memory, all uploads of one bucket together:
/// with one file for each of many partitions a limit per file bounds nothing. Whoever has a part to
/// send waits until there is room. Thread-safe.
class S3UploadMemory {
 public:
  /// Room for two parts at least, so that sending and filling go on side by side.
  explicit S3UploadMemory(int64_t part_bytes) : free_bytes_(std::max(kBytes, 2 * part_bytes)) {}

  /// Blocks until `bytes` (at most one part) are free. Give() must follow without another Take() by
  /// the same work.
  void Take(int64_t bytes) {
    MutexLock lock(&mutex_);
    while (free_bytes_ < bytes) {
      changed_.Wait(&mutex_);
    }
    free_bytes_ -= bytes;
  }

  void Give(int64_t bytes) {
    MutexLock lock(&mutex_);
    free_bytes_ += bytes;
    changed_.NotifyAll();
  }

 private:
  static constexpr int64_t kBytes = 64 << 20;

  Mutex mutex_;
  CondVar changed_;
  int64_t free_bytes_;
};

}  // namespace lakeward::fs
