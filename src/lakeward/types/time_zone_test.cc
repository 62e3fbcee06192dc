#include "lakeward/types/time_zone.h"

#include "gtest/gtest.h"
#include "lakeward/types/date_time_text.h"
#include "support/status_matchers.h"

namespace lakeward::types {
namespace {

int64_t Micros(std::string_view text) {
  const auto time = ParseTimestamp(text);
  return time->seconds * 1'000'000 + time->nanos / 1'000;
}

std::string Text(int64_t micros) {
  std::string text;
  AppendTimestamp(micros, arrow::TimeUnit::MICRO, 0, &text);
  return text;
}

TEST(TimeZone, ConvertsInstantsToWallClocks) {
  ASSERT_ASSIGN(const TimeZone zone, TimeZone::Find("America/New_York"));
  EXPECT_EQ(Text(zone.ToLocal(1'700'000'000'123'000)), "2023-11-14 17:13:20.123");
  EXPECT_EQ(Text(zone.ToLocal(Micros("2024-07-01 12:00:00"))), "2024-07-01 08:00:00");
  EXPECT_EQ(Text(zone.ToLocal(Micros("1969-12-31 23:59:59"))), "1969-12-31 18:59:59");
}

// java.time: ZonedDateTime.of(LocalDateTime, ZoneId).
TEST(TimeZone, MovesForwardInAGapAndTakesTheEarlierInstantInAnOverlap) {
  ASSERT_ASSIGN(const TimeZone zone, TimeZone::Find("America/New_York"));
  EXPECT_EQ(Text(zone.ToInstant(Micros("2024-03-10 02:30:00"))), "2024-03-10 07:30:00");
  EXPECT_EQ(Text(zone.ToLocal(zone.ToInstant(Micros("2024-03-10 02:30:00")))),
            "2024-03-10 03:30:00");
  EXPECT_EQ(Text(zone.ToInstant(Micros("2024-11-03 01:30:00"))), "2024-11-03 05:30:00");
  EXPECT_EQ(Text(zone.ToInstant(Micros("2024-11-03 02:00:00"))), "2024-11-03 07:00:00");
}

TEST(TimeZone, UnderstandsFixedOffsets) {
  for (const char* name : {"+08:00", "GMT+08:00", "UTC+8", "+08", "+0800"}) {
    ASSERT_ASSIGN(const TimeZone zone, TimeZone::Find(name));
    EXPECT_EQ(zone.ToLocal(0), 8 * 3'600'000'000LL) << name;
    EXPECT_EQ(zone.ToInstant(8 * 3'600'000'000LL), 0) << name;
  }
  ASSERT_ASSIGN(const TimeZone west, TimeZone::Find("GMT-03:30"));
  EXPECT_EQ(west.ToLocal(0), -(3 * 3'600 + 30 * 60) * 1'000'000LL);
  EXPECT_EQ(TimeZone().ToLocal(42), 42);
}

TEST(TimeZone, RefusesUnknownNamesAndSuggests) {
  const auto result = TimeZone::Find("Europe/Zuerich");
  EXPECT_EQ(KindOf(result.status()), ErrorKind::kConfig);
  EXPECT_NE(HintOf(result.status()).find("Europe/Zurich"), std::string::npos);
  EXPECT_FALSE(TimeZone::Find("+25:99").ok());
}

}  // namespace
}  // namespace lakeward::types
