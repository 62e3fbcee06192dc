#include "lakeward/base/random.h"

#include <array>
#include <set>

#include "gtest/gtest.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/environment.h"
#include "lakeward/base/ids.h"

namespace lakeward {
namespace {

TEST(RandomTest, ASeedDecidesTheSequence) {
  SeededRandom first(7);
  SeededRandom second(7);
  SeededRandom other(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = first.NextUint64();
    EXPECT_EQ(value, second.NextUint64());
    differs |= value != other.NextUint64();
  }
  EXPECT_TRUE(differs);
}

TEST(RandomTest, BelowIsUniform) {
  SeededRandom random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) {
    ++counts[random.NextBelow(counts.size())];
  }
  for (const int count : counts) {
    // Five standard deviations of a binomial distribution with p = 1/7.
    EXPECT_NEAR(count, 10'000, 463);
  }
  EXPECT_EQ(random.NextBelow(1), 0U);
}

TEST(RandomTest, TheSystemsNumbersDiffer) {
  EXPECT_NE(SystemRandom()->NextUint64(), SystemRandom()->NextUint64());
}

TEST(IdsTest, UuidsAreOfVersionFour) {
  SeededRandom random(3);
  std::set<std::string> seen;
  for (int i = 0; i < 1'000; ++i) {
    const std::string uuid = MakeUuid(&random);
    ASSERT_TRUE(IsUuid(uuid)) << uuid;
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos) << uuid;
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(IdsTest, KnowsTheFormOfUuids) {
  EXPECT_TRUE(IsUuid("6BA7B810-9dad-11d1-80b4-00c04fd430c8"));
  EXPECT_FALSE(IsUuid(""));
  EXPECT_FALSE(IsUuid("6ba7b8109dad11d180b400c04fd430c8"));
  EXPECT_FALSE(IsUuid("6ba7b810-9dad-11d1-80b4-00c04fd430cg"));
  EXPECT_FALSE(IsUuid("6ba7b810-9dad-11d1-80b4_00c04fd430c8"));
}

TEST(IdsTest, JobIdsAreThirtyTwoHexDigits) {
  SeededRandom random(3);
  const std::string id = MakeJobId(&random);
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(ClockTest, MonotonicTimeNeverGoesBack) {
  int64_t last = SystemClock()->MonotonicMicros();
  for (int i = 0; i < 1'000; ++i) {
    const int64_t now = SystemClock()->MonotonicMicros();
    EXPECT_GE(now, last);
    last = now;
  }
  // 2020-01-01: the unit is microseconds.
  EXPECT_GT(SystemClock()->NowMicros(), 1'577'836'800'000'000);
  EXPECT_GT(SystemClock()->NowMillis(), 1'577'836'800'000);
}

TEST(EnvironmentTest, TellsUnsetFromEmpty) {
  EXPECT_EQ(GetEnvironment("LAKEWARD_TEST_NEVER_SET"), std::nullopt);
  ::setenv("LAKEWARD_TEST_EMPTY", "", 1);
  EXPECT_EQ(GetEnvironment("LAKEWARD_TEST_EMPTY"), "");
  EXPECT_FALSE(HostName().empty());
  EXPECT_GT(ProcessId(), 0);
}

}  // namespace
}  // namespace lakeward
