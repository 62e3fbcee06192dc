#include "lakeward/base/crash_point.h"

#include <csignal>
#include <cstdlib>

#include "gtest/gtest.h"

namespace lakeward {
namespace {

// In children only: the variable is read at the first passage of a process.
void PassThreeTimes(const char* armed) {
  setenv("LAKEWARD_CRASH_POINT", armed, 1);
  CrashPoint("checkpoint.before-put");
  CrashPoint("delta.after-log-put");
  std::fputs("one, ", stderr);
  CrashPoint("delta.after-log-put");
  std::fputs("two, ", stderr);
  CrashPoint("delta.after-log-put");
  std::fputs("three", stderr);
  std::_Exit(0);
}

TEST(CrashPointDeathTest, KillsAtTheFirstPassage) {
  EXPECT_EXIT(PassThreeTimes("checkpoint.before-put"), ::testing::KilledBySignal(SIGKILL), "^$");
}

TEST(CrashPointDeathTest, KillsAtTheNthPassage) {
  EXPECT_EXIT(PassThreeTimes("delta.after-log-put:3"), ::testing::KilledBySignal(SIGKILL),
              "one, two, $");
}

TEST(CrashPointDeathTest, LivesWhenAnotherNameIsArmed) {
  EXPECT_EXIT(PassThreeTimes("sink.after-intent"), ::testing::ExitedWithCode(0), "one, two, three");
}

TEST(CrashPointDeathTest, LivesWhenNothingIsArmed) {
  EXPECT_EXIT(PassThreeTimes(""), ::testing::ExitedWithCode(0), "one, two, three");
}

TEST(CrashPointDeathTest, RefusesANameThatIsNotListed) {
  EXPECT_DEATH(PassThreeTimes("delta.after-lunch"), "names_a_crash_point");
  EXPECT_DEATH(PassThreeTimes("delta.after-log-put:x"), "is_passage_number");
  EXPECT_DEATH(PassThreeTimes("delta.after-log-put:0"), "is_passage_number");
}

TEST(CrashPointTest, EveryProtocolStepHasABeforeAndAnAfter) {
  const auto names = CrashPointNames();
  ASSERT_EQ(names.size() % 2, 0U);
  for (size_t i = 0; i < names.size(); i += 2) {
    EXPECT_NE(names[i].find(".before-"), std::string_view::npos) << names[i];
    EXPECT_NE(names[i + 1].find(".after-"), std::string_view::npos) << names[i + 1];
  }
}

}  // namespace
}  // namespace lakeward
