#include "lakeward/base/log.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward {
namespace {

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override { SetLogFile(path_); }
  void TearDown() override {
    SetLogFile("");
    SetLogLevel(LogLevel::kWarn);
  }

  std::string Written() {
    const Result<std::string> text = ReadWholeLocalFile(path_);
    return text.ok() ? *text : text.status().ToString();
  }

  test::TemporaryFolder folder_;
  const std::string path_ = folder_.path() + "/log";
};

TEST_F(LogTest, WritesTimeLevelAndComponent) {
  Log(LogLevel::kWarn, "fs", "first\nsecond");
  EXPECT_THAT(Written(), ::testing::MatchesRegex(
                             "20[0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9:.]+ WARN  \\[fs\\] first\n"
                             "    second\n"));
}

TEST_F(LogTest, LeavesOutWhatIsBelowTheLevel) {
  SetLogLevel(LogLevel::kInfo);
  Log(LogLevel::kDebug, "fs", "unseen");
  Log(LogLevel::kInfo, "fs", "seen");
  EXPECT_THAT(Written(), ::testing::HasSubstr("INFO  [fs] seen"));
  EXPECT_THAT(Written(), ::testing::Not(::testing::HasSubstr("unseen")));
  EXPECT_FALSE(LogEnabled(LogLevel::kOff, "fs"));
}

TEST_F(LogTest, TheLongestPrefixOfAComponentCounts) {
  SetLogLevel("table", LogLevel::kError);
  SetLogLevel("table/delta", LogLevel::kDebug);
  EXPECT_TRUE(LogEnabled(LogLevel::kDebug, "table/delta"));
  EXPECT_FALSE(LogEnabled(LogLevel::kWarn, "table/iceberg"));
  EXPECT_TRUE(LogEnabled(LogLevel::kWarn, "stream"));
  SetLogLevel("table", LogLevel::kWarn);
  SetLogLevel("table/delta", LogLevel::kWarn);
}

TEST(LogLevelTest, ReadsWords) {
  EXPECT_EQ(ParseLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(ParseLogLevel("WARN"), LogLevel::kWarn);
  EXPECT_EQ(ParseLogLevel("loud"), std::nullopt);
}

}  // namespace
}  // namespace lakeward
