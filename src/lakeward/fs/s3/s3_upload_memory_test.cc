#include "lakeward/fs/s3/s3_upload_memory.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/base/executor.h"

namespace lakeward::fs {
namespace {

constexpr int64_t kPartBytes = 100 << 20;

TEST(S3UploadMemoryTest, NeverMoreThanTwoLargePartsAreUnderWay) {
  S3UploadMemory memory(kPartBytes);
  Mutex mutex;
  int active = 0;
  int active_max = 0;
  int done = 0;
  std::vector<Thread> senders;
  for (int i = 0; i < 8; ++i) {
    senders.emplace_back("sender" + std::to_string(i), [&] {
      for (int part = 0; part < 50; ++part) {
        memory.Take(kPartBytes);
        {
          MutexLock lock(&mutex);
          active_max = std::max(active_max, ++active);
        }
        {
          MutexLock lock(&mutex);
          --active;
          ++done;
        }
        memory.Give(kPartBytes);
      }
    });
  }
  for (Thread& sender : senders) {
    sender.Join();
  }
  EXPECT_EQ(done, 8 * 50);
  EXPECT_LE(active_max, 2);
  // What was taken was all given back.
  memory.Take(kPartBytes);
  memory.Take(kPartBytes);
}

}  // namespace
}  // namespace lakeward::fs
