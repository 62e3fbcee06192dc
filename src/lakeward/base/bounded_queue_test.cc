#include "lakeward/base/bounded_queue.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/base/executor.h"

namespace lakeward {
namespace {

TEST(BoundedQueueTest, KeepsTheOrder) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.Push(1));
  EXPECT_TRUE(queue.Push(2));
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), 2);
  EXPECT_EQ(queue.PopFor(0), std::nullopt);
}

TEST(BoundedQueueTest, CloseDrainsAndRefuses) {
  BoundedQueue<std::unique_ptr<int>> queue(2);
  EXPECT_TRUE(queue.Push(std::make_unique<int>(1)));
  queue.Close();
  EXPECT_TRUE(queue.closed());
  EXPECT_FALSE(queue.Push(std::make_unique<int>(2)));
  EXPECT_EQ(**queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), std::nullopt);
}

TEST(BoundedQueueTest, HandsEveryItemToOneThread) {
  constexpr int kItems = 20'000;
  BoundedQueue<int> queue(8);
  std::vector<int64_t> sums(3, 0);
  std::vector<Thread> readers;
  for (size_t i = 0; i < sums.size(); ++i) {
    readers.emplace_back("reader", [&queue, sum = &sums[i]] {
      while (const std::optional<int> item = queue.Pop()) {
        *sum += *item;
      }
    });
  }
  Thread writer("writer", [&] {
    for (int item = 1; item <= kItems; ++item) {
      queue.Push(item);
    }
    queue.Close();
  });
  writer.Join();
  int64_t total = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    readers[i].Join();
    total += sums[i];
  }
  EXPECT_EQ(total, int64_t{kItems} * (kItems + 1) / 2);
}

}  // namespace
}  // namespace lakeward
