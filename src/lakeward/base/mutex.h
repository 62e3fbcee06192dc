#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace lakeward {

/// A mutual-exclusion lock. Locks of this class (never std::mutex) are used everywhere, so that a
/// simulation can decide who runs next.
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() { mutex_.lock(); }
  void Unlock() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* mutex_;
};

/// A condition variable for Mutex. Wake-ups may be spurious: callers wait in a loop on their
/// condition.
class CondVar {
 public:
  /// Blocks until notified; `mutex` must be held by the caller and is held again on return.
  void Wait(Mutex* mutex);

  /// As Wait, but at most `timeout_us`; false when the time ran out.
  bool WaitForMicros(Mutex* mutex, int64_t timeout_us);

  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace lakeward
