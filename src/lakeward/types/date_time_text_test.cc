#include "lakeward/types/date_time_text.h"

#include "gtest/gtest.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::types {
namespace {

TEST(CivilTime, AgreesWithTheCalendar) {
  EXPECT_EQ(DaysFromCivil(1970, 1, 1), 0);
  EXPECT_EQ(DaysFromCivil(2000, 3, 1), 11'017);
  EXPECT_EQ(DaysFromCivil(1, 1, 1), -719'162);
  EXPECT_EQ(CivilFromDays(-1), (CivilDate{1969, 12, 31}));
  for (int64_t day = -1'000'000; day < 1'000'000; day += 997) {
    const CivilDate date = CivilFromDays(day);
    EXPECT_EQ(DaysFromCivil(date.year, date.month, date.day), day);
  }
  EXPECT_EQ(AddMonthsToDays(DaysFromCivil(2024, 1, 31), 1), DaysFromCivil(2024, 2, 29));
  EXPECT_EQ(AddMonthsToDays(DaysFromCivil(2024, 3, 31), -13), DaysFromCivil(2023, 2, 28));
}

std::string Timestamp(int64_t value, arrow::TimeUnit::type unit, int precision) {
  std::string text;
  AppendTimestamp(value, unit, precision, &text);
  return text;
}

TEST(DateTimeText, PrintsTimestampsWithTheDigitsOfTheirPrecision) {
  EXPECT_EQ(Timestamp(0, arrow::TimeUnit::MICRO, 0), "1970-01-01 00:00:00");
  EXPECT_EQ(Timestamp(-1, arrow::TimeUnit::MICRO, 6), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(Timestamp(500'000, arrow::TimeUnit::MICRO, 1), "1970-01-01 00:00:00.5");
  EXPECT_EQ(Timestamp(0, arrow::TimeUnit::NANO, 9), "1970-01-01 00:00:00.000000000");
}

template <typename F, typename... Arguments>
std::string Text(F append, Arguments... arguments) {
  std::string text;
  append(arguments..., &text);
  return text;
}

TEST(DateTimeText, PrintsTimesAndIntervals) {
  EXPECT_EQ(Text(AppendTime, 45'296'789'000, 0), "12:34:56");
  EXPECT_EQ(Text(AppendTime, 45'296'789'000, 3), "12:34:56.789");
  EXPECT_EQ(Text(AppendTime, 45'296'500'000, 3), "12:34:56.5");
  EXPECT_EQ(Text(AppendIntervalYearMonth, 27), "+2-03");
  EXPECT_EQ(Text(AppendIntervalYearMonth, -1), "-0-01");
  EXPECT_EQ(Text(AppendIntervalDayTime, 93'784'567), "+1 02:03:04.567");
  EXPECT_EQ(Text(AppendIntervalDayTime, -5'000), "-0 00:00:05.000");
}

TEST(DateTimeText, ReadsDatesLeniently) {
  EXPECT_EQ(ParseDate("2024-02-29"), DaysFromCivil(2024, 2, 29));
  EXPECT_EQ(ParseDate("2024-2-9"), DaysFromCivil(2024, 2, 9));
  EXPECT_EQ(ParseDate("2024"), DaysFromCivil(2024, 1, 1));
  EXPECT_EQ(ParseDate("2017-12-12 09:30:00.0"), DaysFromCivil(2017, 12, 12));
  for (const char* text : {"2024-13-01", "2023-02-29", "x", "", "2024-01-01T00:00:00"}) {
    EXPECT_EQ(ParseDate(text), std::nullopt) << text;
  }
}

TEST(DateTimeText, ReadsTimes) {
  EXPECT_EQ(ParseTime("12:34:56.7891"), 45'296'789'000);
  EXPECT_EQ(ParseTime("12:34:56.7895"), 45'296'790'000);
  EXPECT_EQ(ParseTime("1:02"), 3'720'000'000);
  EXPECT_EQ(ParseTime("24:00:00"), std::nullopt);
  EXPECT_EQ(ParseTime("12:34:56x"), std::nullopt);
}

TEST(DateTimeText, ReadsTimestamps) {
  const auto time = ParseTimestamp("2024-2-29 1:02:03.123456789");
  ASSERT_TRUE(time.has_value());
  EXPECT_EQ(time->seconds, DaysFromCivil(2024, 2, 29) * 86'400 + 3'723);
  EXPECT_EQ(time->nanos, 123'456'789);
  EXPECT_EQ(ParseTimestamp("2024-02-29")->seconds, DaysFromCivil(2024, 2, 29) * 86'400);
  for (const char* text : {"2024-02-29T01:02:03", "24-01-01 00:00:00", "2024-01-01 25:00:00",
                           "2024-01-01 00:00", ""}) {
    EXPECT_EQ(ParseTimestamp(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace lakeward::types
