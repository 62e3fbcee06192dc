#include "lakeward/base/executor.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "lakeward/base/local_file.h"
#include "lakeward/base/mutex.h"
#include "lakeward/base/work_context.h"

namespace lakeward {

struct Thread::State {
  std::thread thread;
};

Thread::Thread() = default;

Thread::Thread(std::string name, std::function<void()> body) : state_(std::make_unique<State>()) {
  // The kernel keeps 15 bytes and refuses longer names instead of cutting them.
  name.resize(std::min<size_t>(name.size(), 15));
  state_->thread = std::thread([name = std::move(name), body = std::move(body)] {
    pthread_setname_np(pthread_self(), name.c_str());
    body();
  });
}

Thread::Thread(Thread&& other) noexcept = default;

Thread& Thread::operator=(Thread&& other) noexcept {
  Join();
  state_ = std::move(other.state_);
  return *this;
}

Thread::~Thread() { Join(); }

void Thread::Join() {
  if (state_ != nullptr && state_->thread.joinable()) {
    state_->thread.join();
  }
}

namespace {

// A piece of work, and for whom it is done.
struct Work {
  std::function<void()> run;
  std::shared_ptr<const WorkContext> context;
};

class ThreadPool final : public Executor {
 public:
  ThreadPool(const std::string& name, int thread_count) {
    for (int i = 0; i < std::max(1, thread_count); ++i) {
      threads_.emplace_back(name + "-" + std::to_string(i), [this] { RunUntilStopped(); });
    }
  }

  ~ThreadPool() override {
    {
      MutexLock lock(&mutex_);
      stopped_ = true;
      changed_.NotifyAll();
    }
    for (Thread& thread : threads_) {
      thread.Join();
    }
  }

  void Submit(std::function<void()> work) override {
    MutexLock lock(&mutex_);
    queue_.push_back({std::move(work), CurrentWorkContext()});
    changed_.NotifyOne();
  }

  int thread_count() const override { return static_cast<int>(threads_.size()); }

 private:
  void RunUntilStopped() {
    while (true) {
      Work next;
      {
        MutexLock lock(&mutex_);
        while (queue_.empty() && !stopped_) {
          changed_.Wait(&mutex_);
        }
        if (queue_.empty()) {
          return;
        }
        next = std::move(queue_.front());
        queue_.pop_front();
      }
      const ScopedWorkContext context(std::move(next.context));
      next.run();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<Work> queue_;
  bool stopped_ = false;
  std::vector<Thread> threads_;
};

// "150000 100000" (microseconds of processor time per period) as whole threads; 0 when there is no
// limit.
int ThreadsOfCpuMax(const std::string& text) {
  int64_t quota_us = 0;
  int64_t period_us = 0;
  const char* end = text.data() + text.size();
  const auto quota = std::from_chars(text.data(), end, quota_us);
  if (quota.ec != std::errc() || quota.ptr == end) {
    return 0;
  }
  const auto period = std::from_chars(quota.ptr + 1, end, period_us);
  if (period.ec != std::errc() || quota_us <= 0 || period_us <= 0) {
    return 0;
  }
  return static_cast<int>((quota_us + period_us - 1) / period_us);
}

// The tightest limit of this process' cgroup (version 2) and its ancestors; 0 when there is none.
int CgroupThreads() {
  const Result<std::string> membership = ReadWholeLocalFile("/proc/self/cgroup");
  if (!membership.ok()) {
    return 0;
  }
  const size_t start = membership->find("0::");
  if (start == std::string::npos) {
    return 0;
  }
  std::string group = membership->substr(start + 3);
  group.resize(std::min(group.size(), group.find('\n')));
  int tightest = 0;
  while (true) {
    const Result<std::string> limit = ReadWholeLocalFile("/sys/fs/cgroup" + group + "/cpu.max");
    const int threads = limit.ok() ? ThreadsOfCpuMax(*limit) : 0;
    if (threads > 0 && (tightest == 0 || threads < tightest)) {
      tightest = threads;
    }
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) {
      return tightest;
    }
    group.resize(slash);
  }
}

}  // namespace

std::unique_ptr<Executor> MakeThreadPool(std::string name, int thread_count) {
  return std::make_unique<ThreadPool>(name, thread_count);
}

int AvailableParallelism() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  int threads = sched_getaffinity(0, sizeof(allowed), &allowed) == 0
                    ? CPU_COUNT(&allowed)
                    : static_cast<int>(std::thread::hardware_concurrency());
  const int cgroup_threads = CgroupThreads();
  if (cgroup_threads > 0) {
    threads = std::min(threads, cgroup_threads);
  }
  return std::max(1, threads);
}

}  // namespace lakeward
