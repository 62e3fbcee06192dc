#include "lakeward/base/work_context.h"

#include "gtest/gtest.h"
#include "lakeward/base/executor.h"

namespace lakeward {
namespace {

TEST(WorkContextTest, ScopesNest) {
  EXPECT_EQ(CurrentWorkContext()->job, "");
  {
    const ScopedWorkContext outer({"j", "t (1/2)"});
    {
      const ScopedWorkContext inner({"j", "clean-up"});
      EXPECT_EQ(CurrentWorkContext()->task, "clean-up");
    }
    EXPECT_EQ(CurrentWorkContext()->task, "t (1/2)");
  }
  EXPECT_EQ(CurrentWorkContext()->task, "");
}

TEST(WorkContextTest, WorkOfAnExecutorKeepsIt) {
  std::string seen;
  std::string seen_after;
  {
    const auto pool = MakeThreadPool("pool", 1);
    {
      const ScopedWorkContext scope({"j", "t (1/2)"});
      pool->Submit([&seen] { seen = DescribeWork(); });
    }
    pool->Submit([&seen_after] { seen_after = DescribeWork(); });
  }
  EXPECT_EQ(seen, "[job j, task t (1/2), thread pool-0]");
  EXPECT_EQ(seen_after, "[thread pool-0]");
}

}  // namespace
}  // namespace lakeward
