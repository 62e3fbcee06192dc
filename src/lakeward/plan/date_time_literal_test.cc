#include "lakeward/plan/date_time_literal.h"

#include "gtest/gtest.h"

namespace lakeward::plan {
namespace {

using sql::TimeUnit;

std::optional<int64_t> Interval(std::string_view text, TimeUnit from,
                                std::optional<TimeUnit> to = std::nullopt) {
  sql::IntervalQualifier qualifier;
  qualifier.from = from;
  qualifier.to = to;
  return ReadIntervalLiteral(text, qualifier);
}

TEST(DateTimeLiteralTest, ReadsDaysThatExist) {
  EXPECT_EQ(ReadDateLiteral("1970-01-01"), 0);
  EXPECT_EQ(ReadDateLiteral("2024-2-29"), 19'782);
  EXPECT_EQ(ReadDateLiteral("0001-01-01"), -719'162);
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-00-01", "24-01-01", "2024-01-01 ", "",
                           "2024-01", "2024-01-32"}) {
    EXPECT_FALSE(ReadDateLiteral(text).has_value()) << text;
  }
}

TEST(DateTimeLiteralTest, ReadsTimesWithAsManyDigitsAsWritten) {
  EXPECT_EQ(ReadTimeLiteral("12:34:56")->nanos, 45'296'000'000'000);
  EXPECT_EQ(ReadTimeLiteral("12:34:56")->precision, 0);
  EXPECT_EQ(ReadTimeLiteral("00:00:00.123456789")->nanos, 123'456'789);
  EXPECT_EQ(ReadTimeLiteral("00:00:00.10")->precision, 2);
  for (const char* text : {"24:00:00", "12:60:00", "12:34", "12:34:56.", "12:34:56.1234567890"}) {
    EXPECT_FALSE(ReadTimeLiteral(text).has_value()) << text;
  }
}

TEST(DateTimeLiteralTest, ReadsIntervalsInMonthsAndMilliseconds) {
  EXPECT_EQ(Interval("2", TimeUnit::kYear), 24);
  EXPECT_EQ(Interval("2-3", TimeUnit::kYear, TimeUnit::kMonth), 27);
  EXPECT_EQ(Interval("-2-3", TimeUnit::kYear, TimeUnit::kMonth), -27);
  EXPECT_EQ(Interval("90", TimeUnit::kMinute), 5'400'000);
  EXPECT_EQ(Interval("1 02:03:04.567", TimeUnit::kDay, TimeUnit::kSecond), 93'784'567);
  EXPECT_EQ(Interval("10:30", TimeUnit::kHour, TimeUnit::kMinute), 37'800'000);
  EXPECT_EQ(Interval("1.5", TimeUnit::kSecond), 1'500);
  EXPECT_FALSE(Interval("1 25:00", TimeUnit::kDay, TimeUnit::kMinute).has_value());
  EXPECT_FALSE(Interval("x", TimeUnit::kDay).has_value());
  EXPECT_FALSE(Interval("1-13", TimeUnit::kYear, TimeUnit::kMonth).has_value());
  EXPECT_FALSE(Interval("1.5", TimeUnit::kDay).has_value());
}

}  // namespace
}  // namespace lakeward::plan
