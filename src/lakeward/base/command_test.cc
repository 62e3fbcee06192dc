#include "lakeward/base/command.h"

#include "gtest/gtest.h"
#include "lakeward/base/clock.h"
#include "support/status_matchers.h"

namespace lakeward {
namespace {

TEST(CommandTest, GivesWhatItPrinted) {
  ASSERT_ASSIGN(const std::string text, RunCommand("echo 'a  b'; echo c", 10'000));
  EXPECT_EQ(text, "a  b\nc\n");
  ASSERT_ASSIGN(
      const std::string long_text,
      RunCommand("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done", 10'000));
  EXPECT_EQ(long_text.size(), 220'000U);
}

TEST(CommandTest, FailuresAreNamed) {
  EXPECT_EQ(RunCommand("exit 3", 10'000).status().message(), "The command ended with code 3");
  EXPECT_EQ(RunCommand("kill -9 $$", 10'000).status().message(),
            "The command was ended by signal 9");
  EXPECT_EQ(RunCommand("no-such-program 2>/dev/null", 10'000).status().message(),
            "The command ended with code 127");
}

TEST(CommandTest, EndsOneThatHangs) {
  const int64_t start_us = SystemClock()->MonotonicMicros();
  EXPECT_EQ(RunCommand("sleep 60 | cat", 50).status().message(),
            "The command did not end within 50 ms");
  EXPECT_LT(SystemClock()->MonotonicMicros() - start_us, 10'000'000);
}

}  // namespace
}  // namespace lakeward
