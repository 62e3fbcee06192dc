#pragma once

#include <functional>
#include <memory>
#include <string>

namespace lakeward {

/// A thread with a name (shown by the operating system's tools, first 15 bytes). Joins in its
/// destructor at the latest. The body must not throw.
class Thread {
 public:
  Thread();
  Thread(std::string name, std::function<void()> body);
  Thread(Thread&& other) noexcept;
  Thread& operator=(Thread&& other) noexcept;
  ~Thread();

  /// Blocks until the body has returned; does nothing when never started or already joined.
  void Join();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs short pieces of work on threads of its own. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Queues `work`, which must not throw and should not block for long.
  virtual void Submit(std::function<void()> work) = 0;
  virtual int thread_count() const = 0;
};

/// A pool of `thread_count` threads; its destructor finishes queued work first.
std::unique_ptr<Executor> MakeThreadPool(std::string name, int thread_count);

/// How many threads this machine (or its cgroup) can run at once, at least 1.
int AvailableParallelism();

}  // namespace lakeward
