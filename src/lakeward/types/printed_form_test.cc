#include "lakeward/types/printed_form.h"

#include "arrow/array/array_binary.h"
#include "arrow/json/from_string.h"
#include "gtest/gtest.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/number_text.h"
#include "support/status_matchers.h"

namespace lakeward::types {
namespace {

std::string Print(const TypePtr& type, std::string_view json, const TimeZone& zone = TimeZone()) {
  auto array = arrow::json::ArrayFromJSONString(ToArrow(*type), "[" + std::string(json) + "]");
  EXPECT_TRUE(array.ok()) << array.status().ToString();
  return PrintedForm(**array, 0, *type, zone);
}

std::string DoubleText(double value) {
  std::string text;
  AppendDouble(value, &text);
  return text;
}

std::string FloatText(float value) {
  std::string text;
  AppendFloat(value, &text);
  return text;
}

// Double.toString's documentation, and what Flink printed.
TEST(NumberText, PrintsDoublesAsJavaDoes) {
  EXPECT_EQ(DoubleText(1e10), "1.0E10");
  EXPECT_EQ(DoubleText(1024), "1024.0");
  EXPECT_EQ(DoubleText(9'999'999), "9999999.0");
  EXPECT_EQ(DoubleText(1e7), "1.0E7");
  EXPECT_EQ(DoubleText(12'345'678.9), "1.23456789E7");
  EXPECT_EQ(DoubleText(0.001), "0.001");
  EXPECT_EQ(DoubleText(0.00012), "1.2E-4");
  EXPECT_EQ(DoubleText(-0.0), "-0.0");
  EXPECT_EQ(DoubleText(3.141592653589793), "3.141592653589793");
  EXPECT_EQ(DoubleText(-1.0 / 0.0), "-Infinity");
  EXPECT_EQ(DoubleText(0.0 / 0.0), "NaN");
  EXPECT_EQ(DoubleText(1152921504606846976.0), "1.15292150460684698E18");
  EXPECT_EQ(DoubleText(1e18), "1.0E18");
  EXPECT_EQ(DoubleText(1e23), "1.0E23");
  EXPECT_EQ(FloatText(0.1F), "0.1");
  EXPECT_EQ(FloatText(-3276913443134.0F), "-3.27691351E12");
  EXPECT_EQ(FloatText(12345678901.0F), "1.23456788E10");
}

TEST(PrintedForm, PrintsScalarsAsFlinksClient) {
  EXPECT_EQ(Print(Boolean(), "true"), "TRUE");
  EXPECT_EQ(Print(Decimal(10, 2), "\"123.40\""), "123.40");
  EXPECT_EQ(Print(Decimal(10, 8), "\"-0.00000001\""), "-0.00000001");
  EXPECT_EQ(Print(Decimal(38, 0), "\"12345678901234567890123456789012345678\""),
            "12345678901234567890123456789012345678");
  EXPECT_EQ(Print(Int(), "null"), "<NULL>");
  EXPECT_EQ(Print(Date(), "0"), "1970-01-01");
  EXPECT_EQ(Print(Timestamp(3), "0"), "1970-01-01 00:00:00.000");
  EXPECT_EQ(Print(Bytes(), "\"abc\""), "x'616263'");
}

TEST(PrintedForm, ShowsInstantsInTheZone) {
  ASSERT_ASSIGN(const TimeZone zone, TimeZone::Find("America/New_York"));
  EXPECT_EQ(Print(TimestampLtz(3), "1700000000123000", zone), "2023-11-14 17:13:20.123");
  EXPECT_EQ(Print(TimestampLtz(9), "1700000000123000001", zone), "2023-11-14 17:13:20.123000001");
}

TEST(PrintedForm, PrintsNestedValues) {
  EXPECT_EQ(Print(Array(String()), R"(["a", null, "b"])"), "[a, NULL, b]");
  EXPECT_EQ(Print(Map(String(false), Int()), R"([["k", 1], ["z", 2]])"), "{k=1, z=2}");
  EXPECT_EQ(Print(Multiset(String()), R"([["a", 2], ["b", 1]])"), "{a=2, b=1}");
  const TypePtr nested = Array(Row({{"x", Int(), ""}, {"y", Array(String()), ""}}));
  EXPECT_EQ(Print(nested, R"([[1, ["n"]], [2, ["m", "o"]]])"), "[(1, [n]), (2, [m, o])]");
}

TEST(PrintedForm, OfACastShowsBytesAsText) {
  ASSERT_ASSIGN(const auto array, arrow::json::ArrayFromJSONString(arrow::binary(), R"(["ab"])"));
  EXPECT_EQ(PrintedForm(*array, 0, *Bytes(), TimeZone(), PrintStyle::kCast), "ab");
}

// Widths of the tables that Flink 1.20's client printed.
TEST(TableauWidth, FollowsTheType) {
  EXPECT_EQ(TableauWidth(*Int()), 11);
  EXPECT_EQ(TableauWidth(*BigInt()), 20);
  EXPECT_EQ(TableauWidth(*Boolean()), 6);
  EXPECT_EQ(TableauWidth(*TinyInt()), 6);
  EXPECT_EQ(TableauWidth(*Decimal(7, 4)), 9);
  EXPECT_EQ(TableauWidth(*Decimal(38, 6)), 40);
  EXPECT_EQ(TableauWidth(*Date()), 10);
  EXPECT_EQ(TableauWidth(*Time()), 8);
  EXPECT_EQ(TableauWidth(*Timestamp(0)), 19);
  EXPECT_EQ(TableauWidth(*TimestampLtz(3)), 23);
  EXPECT_EQ(TableauWidth(*Timestamp(9)), 29);
  EXPECT_EQ(TableauWidth(*String()), 30);
  EXPECT_EQ(TableauWidth(*IntervalDayTime()), 30);
}

}  // namespace
}  // namespace lakeward::types
