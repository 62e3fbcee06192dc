#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::expr {
namespace {

using ::testing::ElementsAre;

ExpressionPtr DecimalOf(int32_t precision, int32_t scale, const std::string& value) {
  return Literal(types::Decimal(precision, scale, false), "\"" + value + "\"");
}
ExpressionPtr DoubleOf(const std::string& value) { return Literal(types::Double(false), value); }

std::string TypeAndValue(const ExpressionPtr& expression) {
  return types::WithNullability(expression->type(), true)->ToString() + " " + ValueOf(expression);
}

// Values and types that Flink 1.20's client printed.
TEST(Arithmetic, FollowsFlink) {
  EXPECT_EQ(TypeAndValue(CallOf("/", {IntLiteral(7), IntLiteral(2)})), "INT 3");
  EXPECT_EQ(ValueOf(CallOf("/", {IntLiteral(-7), IntLiteral(2)})), "-3");
  EXPECT_EQ(TypeAndValue(CallOf("/", {IntLiteral(7), DecimalOf(2, 1, "2.0")})),
            "DECIMAL(17, 6) 3.500000");
  EXPECT_EQ(TypeAndValue(CallOf("/", {IntLiteral(7), DoubleOf("2")})), "DOUBLE 3.5");
  EXPECT_EQ(ValueOf(CallOf("%", {IntLiteral(7), IntLiteral(-3)})), "1");
  EXPECT_EQ(ValueOf(CallOf("MOD", {IntLiteral(-10), IntLiteral(3)})), "-1");
  EXPECT_EQ(ValueOf(CallOf("+", {IntLiteral(2147483647), IntLiteral(1)})), "-2147483648");
  EXPECT_EQ(
      ValueOf(CallOf("+", {Literal(types::BigInt(false), "9223372036854775807"), IntLiteral(1)})),
      "-9223372036854775808");
  EXPECT_EQ(TypeAndValue(CallOf(
                "+", {Literal(types::TinyInt(false), "127"), Literal(types::TinyInt(false), "1")})),
            "TINYINT -128");
  EXPECT_EQ(ValueOf(CallOf("+", {DecimalOf(2, 1, "1.1"), DecimalOf(3, 2, "2.22")})), "3.32");
  EXPECT_EQ(TypeAndValue(CallOf("*", {DecimalOf(3, 2, "1.10"), DecimalOf(3, 2, "2.20")})),
            "DECIMAL(7, 4) 2.4200");
  EXPECT_EQ(ValueOf(CallOf("/", {DecimalOf(3, 1, "10.0"), IntLiteral(3)})), "3.333333333333");
  EXPECT_EQ(TypeAndValue(CallOf("*", {Literal(types::Float(false), "1"), IntLiteral(2)})),
            "FLOAT 2.0");
}

// MathFunctionsITCase of Flink.
TEST(Arithmetic, OfWideDecimalsFollowsFlink) {
  const ExpressionPtr f0 = DecimalOf(19, 0, "1514356320000");
  EXPECT_EQ(TypeAndValue(CallOf("-", {f0, IntLiteral(6)})), "DECIMAL(20, 0) 1514356319994");
  EXPECT_EQ(TypeAndValue(CallOf("/", {f0, IntLiteral(6)})),
            "DECIMAL(30, 11) 252392720000.00000000000");
  EXPECT_EQ(TypeAndValue(CallOf("/", {f0, f0})), "DECIMAL(38, 19) 1.0000000000000000000");
  EXPECT_EQ(TypeAndValue(CallOf("*", {f0, IntLiteral(6)})), "DECIMAL(30, 0) 9086137920000");
  EXPECT_EQ(TypeAndValue(CallOf("MOD", {f0, IntLiteral(6)})), "INT 0");
  EXPECT_EQ(TypeAndValue(CallOf("MOD", {Literal(types::BigInt(false), "44"), IntLiteral(3)})),
            "INT 2");
  const ExpressionPtr most = DecimalOf(38, 0, "99999999999999999999999999999999999999");
  EXPECT_EQ(ValueOf(CallOf("+", {most, IntLiteral(1)})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("*", {most, most})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("-", {most, most})), "0");
  EXPECT_EQ(
      ValueOf(CallOf("/", {most, DecimalOf(38, 38, "0.00000000000000000000000000000000000001")})),
      "<NULL>");
}

TEST(Arithmetic, RefusesZeroAsDivisorOnlyWhereARowHasIt) {
  TestInput input({{types::Int(), "[1, null, 4]"}, {types::Int(), "[1, 0, 2]"}});
  EXPECT_THAT(ValuesOf(CallOf("/", {input.columns[0], input.columns[1]}), *input.batch),
              ElementsAre("1", "<NULL>", "2"));
  EXPECT_EQ(ValueOf(CallOf("/", {IntLiteral(1), IntLiteral(0)})),
            "ERROR: (1 / 0): division by zero");
  EXPECT_EQ(ValueOf(CallOf("%", {IntLiteral(1), IntLiteral(0)})),
            "ERROR: (1 % 0): division by zero");
  EXPECT_EQ(ValueOf(CallOf("/", {DecimalOf(5, 2, "1.00"), DecimalOf(5, 2, "0.00")})),
            "ERROR: (1.00 / 0.00): division by zero");
  EXPECT_EQ(ValueOf(CallOf("/", {DoubleOf("1"), IntLiteral(0)})), "Infinity");
  EXPECT_EQ(ValueOf(CallOf("/", {Literal(types::Int(false), "-2147483648"), IntLiteral(-1)})),
            "-2147483648");
}

TEST(Arithmetic, NegatesAndKeepsNulls) {
  TestInput input({{types::Int(), "[1, null, -2147483648]"}});
  EXPECT_THAT(ValuesOf(CallOf("-", {input.columns[0]}), *input.batch),
              ElementsAre("-1", "<NULL>", "-2147483648"));
  EXPECT_THAT(ValuesOf(CallOf("*", {IntLiteral(2), input.columns[0]}), *input.batch),
              ElementsAre("2", "<NULL>", "0"));
}

int32_t DaysOf(int64_t year, int month, int day) {
  return static_cast<int32_t>(types::DaysFromCivil(year, month, day));
}

TEST(Arithmetic, MovesPointsInTime) {
  const ExpressionPtr month = Literal(types::IntervalYearMonth(2, false), "1");
  const ExpressionPtr second = Literal(types::IntervalDayTime(2, 3, false), "1000");
  const ExpressionPtr day = Literal(types::IntervalDayTime(2, 3, false), "86400000");
  const ExpressionPtr date = Literal(types::Date(false), std::to_string(DaysOf(2024, 1, 31)));
  EXPECT_EQ(ValueOf(CallOf("+", {date, month})), "2024-02-29");
  const ExpressionPtr march = Literal(types::Date(false), std::to_string(DaysOf(2024, 3, 1)));
  EXPECT_EQ(ValueOf(CallOf("-", {march, day})), "2024-02-29");
  const ExpressionPtr midnight =
      Literal(types::Timestamp(0, false), std::to_string(DaysOf(2024, 1, 1) * 86'400'000'000LL));
  EXPECT_EQ(ValueOf(CallOf("-", {midnight, second})), "2023-12-31 23:59:59");
  EXPECT_EQ(ValueOf(CallOf("+", {month, midnight})), "2024-02-01 00:00:00");
  const ExpressionPtr last = Literal(types::Time(0, false), "86399000000");
  EXPECT_EQ(ValueOf(CallOf("+", {last, second})), "00:00:00");
  EXPECT_EQ(ValueOf(CallOf("*", {second, IntLiteral(90)})), "+0 00:01:30.000");
}

TEST(Comparison, FollowsFlink) {
  EXPECT_EQ(ValueOf(CallOf("=", {IntLiteral(1), DecimalOf(2, 1, "1.0")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("<", {TextLiteral("a"), TextLiteral("b")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("=", {TextLiteral("A"), TextLiteral("a")})), "FALSE");
  EXPECT_EQ(ValueOf(CallOf("=", {IntLiteral(1), NullOf(types::Null())})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("IS DISTINCT FROM", {IntLiteral(1), NullOf(types::Int())})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("IS NOT DISTINCT FROM", {NullOf(types::Int()), NullOf(types::Int())})),
            "TRUE");
  EXPECT_EQ(ValueOf(CallOf(">=", {Literal(types::Boolean(false), "true"),
                                  Literal(types::Boolean(false), "false")})),
            "TRUE");
  EXPECT_EQ(ValueOf(CallOf("=", {Literal(types::Date(false), "0"), TextLiteral("1970-01-01")})),
            "TRUE");
  EXPECT_FALSE(FunctionRegistry::Builtin()
                   ->FindScalar("=")
                   ->bind({types::String(), types::Int()})
                   .has_value());
}

TEST(Comparison, HandlesNullsRowByRow) {
  TestInput input({{types::Double(), "[1, null, 3, null]"}, {types::Int(), "[1, 2, null, null]"}});
  const ExpressionPtr a = input.columns[0];
  const ExpressionPtr b = input.columns[1];
  EXPECT_THAT(ValuesOf(CallOf("<>", {a, b}), *input.batch),
              ElementsAre("FALSE", "<NULL>", "<NULL>", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("IS DISTINCT FROM", {a, b}), *input.batch),
              ElementsAre("FALSE", "TRUE", "TRUE", "FALSE"));
}

TEST(Comparison, ComparesNestedValuesForEquality) {
  const types::TypePtr type = types::Array(types::Int());
  TestInput input({{type, "[[1, 2], [1], null]"}, {type, "[[1, 2], [2], [1]]"}});
  EXPECT_THAT(ValuesOf(CallOf("=", {input.columns[0], input.columns[1]}), *input.batch),
              ElementsAre("TRUE", "FALSE", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("<>", {input.columns[0], Literal(type, "[1]")}), *input.batch),
              ElementsAre("TRUE", "FALSE", "<NULL>"));
}

TEST(Logic, IsThreeValued) {
  TestInput input({{types::Boolean(), "[true, true, true, false, false, null]"},
                   {types::Boolean(), "[true, false, null, false, null, null]"}});
  const ExpressionPtr a = input.columns[0];
  const ExpressionPtr b = input.columns[1];
  EXPECT_THAT(ValuesOf(CallOf("AND", {a, b}), *input.batch),
              ElementsAre("TRUE", "FALSE", "<NULL>", "FALSE", "FALSE", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("OR", {a, b}), *input.batch),
              ElementsAre("TRUE", "TRUE", "TRUE", "FALSE", "<NULL>", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("NOT", {b}), *input.batch),
              ElementsAre("FALSE", "TRUE", "<NULL>", "TRUE", "<NULL>", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("IS NOT TRUE", {b}), *input.batch),
              ElementsAre("FALSE", "TRUE", "TRUE", "TRUE", "TRUE", "TRUE"));
  EXPECT_THAT(ValuesOf(CallOf("IS FALSE", {b}), *input.batch),
              ElementsAre("FALSE", "TRUE", "FALSE", "TRUE", "FALSE", "FALSE"));
}

}  // namespace
}  // namespace lakeward::expr
