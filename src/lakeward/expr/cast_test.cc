#include "lakeward/expr/cast.h"

#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"
#include "support/status_matchers.h"

namespace lakeward::expr {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string CastText(const std::string& text, const types::TypePtr& target,
                     bool null_on_failure = false) {
  return ValueOf(MakeCast(TextLiteral(text), target, null_on_failure));
}

std::string CastValue(const types::TypePtr& source, std::string_view json,
                      const types::TypePtr& target) {
  return ValueOf(MakeCast(Literal(source, json), target));
}

// What Flink 1.20's client printed, and CastFunctionITCase of the same version.
TEST(Cast, ReadsNumbersFromText) {
  EXPECT_EQ(CastText(" 5 ", types::Int()), "5");
  EXPECT_EQ(CastText("1.234", types::Int()), "1");
  EXPECT_EQ(CastText("-3276913443134", types::BigInt()), "-3276913443134");
  EXPECT_EQ(CastText("-3276913443134", types::Float()), "-3.27691351E12");
  EXPECT_EQ(CastText("1.234", types::Double()), "1.234");
  EXPECT_EQ(CastText("1e400", types::Double()), "Infinity");
  EXPECT_EQ(CastText("12.345", types::Decimal(5, 2)), "12.35");
  EXPECT_EQ(CastText("-1.5e1", types::Decimal(5, 2)), "-15.00");
  EXPECT_EQ(CastText("123456", types::Decimal(5, 2)), "<NULL>");
  EXPECT_EQ(CastText("0.000001", types::Decimal(5, 2)), "0.00");
  EXPECT_EQ(CastText("999.995", types::Decimal(5, 2)), "<NULL>");
}

TEST(Cast, QuotesTextThatCannotBeRead) {
  EXPECT_EQ(CastText("abc", types::Int()),
            "ERROR: cannot cast 'abc' to INT: invalid character found");
  EXPECT_EQ(CastText("99999999999999999999", types::BigInt()),
            "ERROR: cannot cast '99999999999999999999' to BIGINT: overflow");
  EXPECT_THAT(CastText("", types::Int()), HasSubstr("ERROR"));
  EXPECT_THAT(CastText("-", types::Int()), HasSubstr("ERROR"));
  EXPECT_THAT(CastText("inf", types::Double()), HasSubstr("ERROR"));
  EXPECT_THAT(CastText("foo", types::Decimal(5, 2)), HasSubstr("ERROR"));
  EXPECT_THAT(CastText("2021/09/27", types::Timestamp(3)), HasSubstr("2021/09/27"));
  EXPECT_THAT(CastText("Apache Flink", types::Boolean()), HasSubstr("Apache Flink"));
  EXPECT_EQ(CastText("x", types::Int(), /*null_on_failure=*/true), "<NULL>");
  EXPECT_EQ(CastText("2024-13-01", types::Date(), /*null_on_failure=*/true), "<NULL>");
  EXPECT_EQ(CastText("1.5", types::Double(), /*null_on_failure=*/true), "1.5");
}

TEST(Cast, ReadsBooleansAndTimesFromText) {
  EXPECT_EQ(CastText("FalsE", types::Boolean()), "FALSE");
  EXPECT_EQ(CastText("true", types::Boolean()), "TRUE");
  EXPECT_EQ(CastText("123", types::Date()), "0123-01-01");
  EXPECT_EQ(CastText("2021-09-27 12:34:56.123456789", types::Date()), "2021-09-27");
  EXPECT_EQ(CastText("23:45", types::Time(0)), "23:45:00");
  EXPECT_EQ(CastText("12:34:56.123456789", types::Time(3)), "12:34:56.123");
  EXPECT_EQ(CastText("2024-02-29 12:34:56.1", types::Timestamp(3)), "2024-02-29 12:34:56.100");
  EXPECT_EQ(CastText("2024-02-29", types::Timestamp(3)), "2024-02-29 00:00:00.000");
}

TEST(Cast, NarrowsNumbersAsJavaDoes) {
  EXPECT_EQ(CastValue(types::BigInt(), "12345678901", types::Int()), "-539222987");
  EXPECT_EQ(CastValue(types::Double(), "9.23456789112345E9", types::Int()), "2147483647");
  EXPECT_EQ(CastValue(types::Double(), "-123.456789", types::Int()), "-123");
  EXPECT_EQ(CastValue(types::Decimal(4, 3), R"("9.870")", types::Int()), "9");
  EXPECT_EQ(CastValue(types::Decimal(20, 3), R"("3276913443134.870")", types::Int()), "-146603714");
  EXPECT_EQ(
      CastValue(types::Decimal(30, 20), R"("123456789.12345678912345678900")", types::Double()),
      "1.2345678912345679E8");
  EXPECT_EQ(CastValue(types::Double(), "123.456789", types::Float()), "123.45679");
  EXPECT_EQ(CastValue(types::Int(), "-1234567", types::Boolean()), "TRUE");
  EXPECT_EQ(CastValue(types::Boolean(), "true", types::Int()), "1");
}

TEST(Cast, RoundsDecimalsHalfUp) {
  EXPECT_EQ(CastValue(types::Decimal(6, 3), R"("123.456")", types::Decimal(10, 2)), "123.46");
  EXPECT_EQ(CastValue(types::Decimal(4, 3), R"("-1.005")", types::Decimal(5, 2)), "-1.01");
  EXPECT_EQ(CastValue(types::Double(), "1.005", types::Decimal(5, 2)), "1.01");
  EXPECT_EQ(CastValue(types::Int(), "127", types::Decimal(38, 0)), "127");
  EXPECT_EQ(CastValue(types::Double(), "1.7976931348623157E308", types::Decimal(38, 32)), "<NULL>");
  EXPECT_EQ(CastValue(types::Int(), "1000", types::Decimal(3, 0)), "<NULL>");
}

TEST(Cast, WritesText) {
  EXPECT_EQ(CastValue(types::Decimal(4, 3), R"("9.870")", types::String()), "9.870");
  EXPECT_EQ(CastValue(types::Boolean(), "true", types::String()), "TRUE");
  EXPECT_EQ(CastValue(types::Float(), "-123.456", types::String()), "-123.456");
  EXPECT_EQ(CastValue(types::IntervalYearMonth(), "123", types::String()), "+10-03");
  EXPECT_EQ(CastValue(types::IntervalDayTime(), "123456789", types::String()), "+1 10:17:36.789");
  EXPECT_EQ(CastValue(types::Array(types::Int()), "[null, 456]", types::String()), "[NULL, 456]");
  EXPECT_EQ(CastText("Apache", types::VarChar(3)), "Apa");
  EXPECT_EQ(CastText("foo", types::Char(5)), "foo  ");
  EXPECT_EQ(CastText("héllo", types::Char(2)), "hé");
  EXPECT_EQ(CastText("a", types::Binary(2)), "x'6100'");
  EXPECT_EQ(CastText("foobar", types::VarBinary(4)), "x'666f6f62'");
}

EvaluationContext InShanghai() {
  EvaluationContext context;
  context.zone = *types::TimeZone::Find("Asia/Shanghai");
  return context;
}

std::string CastInShanghai(const ExpressionPtr& value, const types::TypePtr& target) {
  return ValueOf(MakeCast(value, target), InShanghai());
}

TEST(Cast, MovesBetweenKindsOfTime) {
  // 2021-09-24 12:34:56.123456
  const ExpressionPtr wall = Literal(types::Timestamp(6), "1632486896123456");
  EXPECT_EQ(CastInShanghai(wall, types::Date()), "2021-09-24");
  EXPECT_EQ(CastInShanghai(wall, types::Time(3)), "12:34:56.123");
  EXPECT_EQ(CastInShanghai(wall, types::Timestamp(3)), "2021-09-24 12:34:56.123");
  EXPECT_EQ(CastInShanghai(wall, types::Timestamp(9)), "2021-09-24 12:34:56.123456000");
  EXPECT_EQ(CastInShanghai(wall, types::TimestampLtz(6)), "2021-09-24 12:34:56.123456");
  const ExpressionPtr instant =
      Literal(types::TimestampLtz(6), "1632527696123456");  // 23:54:56 UTC
  EXPECT_EQ(CastInShanghai(instant, types::Time(0)), "07:54:56");
  EXPECT_EQ(CastInShanghai(instant, types::Date()), "2021-09-25");
  EXPECT_EQ(CastInShanghai(instant, types::Timestamp(3)), "2021-09-25 07:54:56.123");
  EXPECT_EQ(CastInShanghai(instant, types::String()), "2021-09-25 07:54:56.123456");
  EXPECT_EQ(CastInShanghai(Literal(types::Date(), "0"), types::TimestampLtz(0)),
            "1970-01-01 00:00:00");
  EXPECT_EQ(CastInShanghai(TextLiteral("2021-09-27"), types::TimestampLtz(3)),
            "2021-09-27 00:00:00.000");
}

TEST(Cast, ConvertsTheInsideOfNestedValues) {
  TestInput input({{types::Array(types::String()), R"([["1", "2"], null, ["a"], [null]])"}});
  const auto sliced = input.batch->Slice(1, 3);
  const types::TypePtr target = types::Array(types::Int());
  EXPECT_THAT(ValuesOf(MakeCast(input.columns[0], target, true), *sliced),
              ElementsAre("<NULL>", "<NULL>", "[NULL]"));
  EXPECT_THAT(ValuesOf(MakeCast(input.columns[0], target, false), *sliced)[0],
              HasSubstr("cannot cast 'a' to INT"));
  const types::TypePtr row = types::Row({{"p", types::Int(), ""}, {"q", types::String(), ""}});
  const types::TypePtr wider = types::Row({{"x", types::BigInt(), ""}, {"y", types::Char(2), ""}});
  TestInput rows({{row, R"([[1, "abc"], null])"}});
  EXPECT_THAT(ValuesOf(MakeCast(rows.columns[0], wider), *rows.batch),
              ElementsAre("(1, ab)", "<NULL>"));
  TestInput maps({{types::Map(types::Int(false), types::Int()), "[[[1, 2]], null]"}});
  EXPECT_THAT(ValuesOf(MakeCast(maps.columns[0], types::Map(types::String(false), types::Double())),
                       *maps.batch),
              ElementsAre("{1=2.0}", "<NULL>"));
}

TEST(Cast, OfUntypedNullIsNullOfAnyType) {
  EXPECT_EQ(ValueOf(MakeCast(MakeNullLiteral(types::Null()), types::Array(types::Int()))),
            "<NULL>");
}

TEST(Cast, RefusesPairsWithoutConversion) {
  const auto result = CastArray(ArrayOf(types::Timestamp(3), "[0]"),
                                {*types::Timestamp(3), *types::Int(), false, EvaluationContext()});
  EXPECT_EQ(KindOf(result.status()), ErrorKind::kUnsupported);
  EXPECT_THAT(HintOf(result.status()), HasSubstr("UNIX_TIMESTAMP"));
}

}  // namespace
}  // namespace lakeward::expr
