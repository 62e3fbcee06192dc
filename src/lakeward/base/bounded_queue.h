#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "lakeward/base/mutex.h"

namespace lakeward {

/// A first-in-first-out queue of at most `capacity` items between threads. Thread-safe.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

  /// Blocks while the queue is full. False when the queue is closed: the item is dropped.
  bool Push(T item) {
    MutexLock lock(&mutex_);
    while (items_.size() >= capacity_ && !closed_) {
      changed_.Wait(&mutex_);
    }
    if (closed_) {
      return false;
    }
    items_.push_back(std::move(item));
    changed_.NotifyAll();
    return true;
  }

  /// Blocks while the queue is empty. Nothing when it is closed and drained.
  std::optional<T> Pop() {
    MutexLock lock(&mutex_);
    while (items_.empty() && !closed_) {
      changed_.Wait(&mutex_);
    }
    return TakeFront();
  }

  /// As Pop, but waits at most `timeout_us` microseconds (0: not at all).
  std::optional<T> PopFor(int64_t timeout_us) {
    MutexLock lock(&mutex_);
    if (items_.empty() && !closed_ && timeout_us > 0) {
      changed_.WaitForMicros(&mutex_, timeout_us);
    }
    return TakeFront();
  }

  /// Wakes everybody: further pushes fail, pops drain what is left.
  void Close() {
    MutexLock lock(&mutex_);
    closed_ = true;
    changed_.NotifyAll();
  }

  bool closed() const {
    MutexLock lock(&mutex_);
    return closed_;
  }

  size_t size() const {
    MutexLock lock(&mutex_);
    return items_.size();
  }

 private:
  std::optional<T> TakeFront() {
    if (items_.empty()) {
      return std::nullopt;
    }
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.NotifyAll();
    return item;
  }

  const size_t capacity_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace lakeward
