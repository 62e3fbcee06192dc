#include "lakeward/base/executor.h"

#include <atomic>
#include <utility>

#include "gtest/gtest.h"
#include "lakeward/base/mutex.h"

namespace lakeward {
namespace {

TEST(ThreadTest, RunsItsBodyAndJoins) {
  int value = 0;
  Thread thread("a name longer than fifteen bytes", [&] { value = 42; });
  thread.Join();
  thread.Join();
  EXPECT_EQ(value, 42);
}

TEST(ThreadTest, AssignmentJoinsTheFormerThread) {
  std::atomic<int> ended{0};
  Thread thread("first", [&] { ++ended; });
  thread = Thread("second", [&] { ++ended; });
  EXPECT_GE(ended.load(), 1);
  thread = Thread();
  EXPECT_EQ(ended.load(), 2);
}

TEST(ThreadPoolTest, FinishesQueuedWorkBeforeItEnds) {
  std::atomic<int> done{0};
  {
    const std::unique_ptr<Executor> pool = MakeThreadPool("pool", 3);
    EXPECT_EQ(pool->thread_count(), 3);
    for (int i = 0; i < 1'000; ++i) {
      pool->Submit([&] { ++done; });
    }
  }
  EXPECT_EQ(done.load(), 1'000);
}

TEST(ThreadPoolTest, RunsWorkSideBySide) {
  Mutex mutex;
  CondVar changed;
  int present = 0;
  const auto meet = [&] {
    MutexLock lock(&mutex);
    ++present;
    changed.NotifyAll();
    while (present < 2) {
      changed.Wait(&mutex);
    }
  };
  const std::unique_ptr<Executor> pool = MakeThreadPool("pool", 2);
  pool->Submit(meet);
  pool->Submit(meet);
}

TEST(CondVarTest, TellsWhenTheTimeRanOut) {
  Mutex mutex;
  CondVar changed;
  MutexLock lock(&mutex);
  EXPECT_FALSE(changed.WaitForMicros(&mutex, 1));
}

TEST(AvailableParallelismTest, IsPositive) { EXPECT_GE(AvailableParallelism(), 1); }

}  // namespace
}  // namespace lakeward
