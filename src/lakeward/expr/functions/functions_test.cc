#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::expr {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ExpressionPtr Text(const std::string& text) { return TextLiteral(text); }
ExpressionPtr Number(int32_t number) { return IntLiteral(number); }
ExpressionPtr DecimalOf(int32_t precision, int32_t scale, const std::string& value) {
  return Literal(types::Decimal(precision, scale, false), "\"" + value + "\"");
}
ExpressionPtr DoubleOf(const std::string& value) { return Literal(types::Double(false), value); }

TEST(StringFunctions, CutText) {
  EXPECT_EQ(ValueOf(CallOf("SUBSTRING", {Text("hello"), Number(2)})), "ello");
  EXPECT_EQ(ValueOf(CallOf("SUBSTRING", {Text("hello"), Number(2), Number(3)})), "ell");
  EXPECT_EQ(ValueOf(CallOf("SUBSTR", {Text("hello"), Number(-3)})), "llo");
  EXPECT_EQ(ValueOf(CallOf("SUBSTRING", {Text("héllo"), Number(2), Number(1)})), "é");
  EXPECT_EQ(ValueOf(CallOf("SUBSTRING", {Text("hello"), Number(9)})), "");
  EXPECT_EQ(ValueOf(CallOf("SUBSTRING", {Text("hello"), Number(2), Number(0)})), "");
  EXPECT_EQ(ValueOf(CallOf("SUBSTRING", {Text("hello"), Number(2), Number(-1)})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("LEFT", {Text("hello"), Number(2)})), "he");
  EXPECT_EQ(ValueOf(CallOf("RIGHT", {Text("hello"), Number(2)})), "lo");
  EXPECT_EQ(ValueOf(CallOf("TRIM", {Text("xxyxx"), Text("x")})), "y");
  EXPECT_EQ(ValueOf(CallOf("TRIM", {Text("  x ")})), "x");
  EXPECT_EQ(ValueOf(CallOf("LTRIM", {Text("  x ")})), "x ");
  EXPECT_EQ(ValueOf(CallOf("RTRIM", {Text("ééaé"), Text("é")})), "ééa");
}

TEST(StringFunctions, SearchText) {
  EXPECT_EQ(ValueOf(CallOf("CHAR_LENGTH", {Text("héllo")})), "5");
  EXPECT_EQ(ValueOf(CallOf("POSITION", {Text("l"), Text("héllo")})), "3");
  EXPECT_EQ(ValueOf(CallOf("LOCATE", {Text("l"), Text("hello"), Number(4)})), "4");
  EXPECT_EQ(ValueOf(CallOf("INSTR", {Text("hello"), Text("x")})), "0");
  const auto instr = [](const std::string& text, const std::string& part, int start, int count) {
    return ValueOf(CallOf("INSTR", {Text(text), Text(part), Number(start), Number(count)}));
  };
  EXPECT_EQ(instr("Corporate Floor", "or", 3, 2), "14");
  EXPECT_EQ(instr("Corporate Floor", "or", -3, 2), "2");
  EXPECT_EQ(instr("Tech on the net", "e", 1, 3), "14");
  EXPECT_EQ(instr("Tech on the net", "e", -3, 2), "2");
}

TEST(StringFunctions, MakeText) {
  EXPECT_EQ(ValueOf(CallOf("UPPER", {Text("aBcé")})), "ABCÉ");
  EXPECT_EQ(ValueOf(CallOf("||", {Text("a"), Text("b")})), "ab");
  EXPECT_EQ(ValueOf(CallOf("CONCAT", {Text("a"), NullOf(types::String()), Text("b")})), "<NULL>");
  EXPECT_EQ(
      ValueOf(CallOf("CONCAT_WS", {Text("-"), Text("a"), NullOf(types::String()), Text("b")})),
      "a-b");
  EXPECT_EQ(ValueOf(CallOf("REPLACE", {Text("hello"), Text("l"), Text("L")})), "heLLo");
  EXPECT_EQ(ValueOf(CallOf("REPEAT", {Text("ab"), Number(3)})), "ababab");
  EXPECT_EQ(ValueOf(CallOf("REVERSE", {Text("añb")})), "bña");
  EXPECT_THAT(ValueOf(CallOf("REPEAT", {Text("ab"), Number(2'147'483'647)})),
              HasSubstr("REPEAT would make a text of more than 256 MiB"));
  EXPECT_THAT(ValueOf(CallOf("LPAD", {Text("a"), Number(2'147'483'647), Text("b")})),
              HasSubstr("LPAD would make a text of more than 256 MiB"));
  EXPECT_EQ(ValueOf(CallOf("LPAD", {Text("hi"), Number(5), Text("xy")})), "xyxhi");
  EXPECT_EQ(ValueOf(CallOf("RPAD", {Text("hi"), Number(5), Text("xy")})), "hixyx");
  EXPECT_EQ(ValueOf(CallOf("LPAD", {Text("hello"), Number(2), Text("x")})), "he");
  EXPECT_EQ(ValueOf(CallOf("LPAD", {Text("hello"), Number(-1), Text("x")})), "<NULL>");
  EXPECT_EQ(CallOf("||", {Literal(types::Char(2, false), R"("ab")"),
                          Literal(types::Char(3, false), R"("abc")")})
                ->type()
                ->ToString(),
            "CHAR(5) NOT NULL");
}

TEST(StringFunctions, LikeMatchesPatterns) {
  const auto like = [](const std::string& text, const std::string& pattern) {
    return ValueOf(CallOf("LIKE", {Text(text), Text(pattern)}));
  };
  EXPECT_EQ(like("abc", "a%"), "TRUE");
  EXPECT_EQ(like("abc", "_b_"), "TRUE");
  EXPECT_EQ(like("abc", "%b"), "FALSE");
  EXPECT_EQ(like("abcbc", "a%bc"), "TRUE");
  EXPECT_EQ(like("abcb", "a%c%b"), "TRUE");
  EXPECT_EQ(like("ab", "a%_b"), "FALSE");
  EXPECT_EQ(like("axb", "a%_b"), "TRUE");
  EXPECT_EQ(like("é", "_"), "TRUE");
  EXPECT_EQ(like("", "%"), "TRUE");
  EXPECT_EQ(like("", "_"), "FALSE");
  EXPECT_EQ(like("a.c", "a.c"), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("LIKE", {Text("a%c"), Text("a!%c"), Text("!")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("LIKE", {Text("abc"), Text("a!%c"), Text("!")})), "FALSE");
  EXPECT_THAT(ValueOf(CallOf("LIKE", {Text("abc"), Text("a!b"), Text("!")})), HasSubstr("ERROR"));
}

TEST(StringFunctions, WorkOnWholeColumns) {
  TestInput input(
      {{types::String(), R"(["one", null, "", "thrée"])"}, {types::Int(), "[1, 2, 3, null]"}});
  EXPECT_THAT(ValuesOf(CallOf("CHAR_LENGTH", {input.columns[0]}), *input.batch),
              ElementsAre("3", "<NULL>", "0", "5"));
  EXPECT_THAT(ValuesOf(CallOf("LEFT", {input.columns[0], input.columns[1]}), *input.batch),
              ElementsAre("o", "<NULL>", "", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("||", {input.columns[0], Text("!")}), *input.batch->Slice(2, 2)),
              ElementsAre("!", "thrée!"));
}

// Values that Flink 1.20's client printed.
TEST(MathFunctions, FollowFlink) {
  EXPECT_EQ(ValueOf(CallOf("ABS", {Number(-5)})), "5");
  EXPECT_EQ(ValueOf(CallOf("POWER", {Number(2), Number(10)})), "1024.0");
  EXPECT_EQ(ValueOf(CallOf("SQRT", {Number(2)})), "1.4142135623730951");
  EXPECT_EQ(ValueOf(CallOf("LN", {DoubleOf("2.718281828")})), "0.9999999998311266");
  EXPECT_EQ(ValueOf(CallOf("LOG10", {Number(1000)})), "3.0");
  EXPECT_EQ(ValueOf(CallOf("LOG2", {Number(8)})), "3.0");
  EXPECT_EQ(ValueOf(CallOf("LOG2", {Number(10)})), "3.3219280948873626");
  EXPECT_EQ(ValueOf(CallOf("LOG", {Number(2), Number(8)})), "3.0");
  EXPECT_EQ(ValueOf(CallOf("EXP", {Number(1)})), "2.718281828459045");
  EXPECT_EQ(ValueOf(CallOf("CEIL", {DecimalOf(2, 1, "1.2")})), "2");
  EXPECT_EQ(ValueOf(CallOf("FLOOR", {DecimalOf(2, 1, "-1.2")})), "-2");
  EXPECT_EQ(ValueOf(CallOf("CEIL", {DoubleOf("1.2")})), "2.0");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {DecimalOf(4, 3, "2.567"), Number(1)})), "2.6");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {DecimalOf(2, 1, "2.5")})), "3");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {DoubleOf("-2.5")})), "-3.0");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {Number(1234), Number(-2)})), "1200");
  EXPECT_EQ(ValueOf(CallOf("TRUNCATE", {DecimalOf(5, 3, "42.324"), Number(2)})), "42.32");
  EXPECT_EQ(ValueOf(CallOf("TRUNCATE", {DecimalOf(3, 1, "-42.7")})), "-42");
  EXPECT_EQ(ValueOf(CallOf("SIGN", {Number(-3)})), "-1");
  EXPECT_EQ(ValueOf(CallOf("SIGN", {DoubleOf("0.5")})), "1.0");
  EXPECT_EQ(ValueOf(CallOf("PI", {})), "3.141592653589793");
  EXPECT_EQ(ValueOf(CallOf("E", {})), "2.718281828459045");
  EXPECT_EQ(ValueOf(CallOf("DEGREES", {CallOf("PI", {})})), "180.0");
  EXPECT_EQ(ValueOf(CallOf("RADIANS", {Number(180)})), "3.141592653589793");
  EXPECT_EQ(ValueOf(CallOf("TAN", {Number(1)})), "1.5574077246549023");
  EXPECT_EQ(ValueOf(CallOf("ATAN2", {Number(1), Number(1)})), "0.7853981633974483");
  EXPECT_EQ(ValueOf(CallOf("ASIN", {Number(1)})), "1.5707963267948966");
}

TEST(MathFunctions, RoundInEveryPlace) {
  EXPECT_EQ(ValueOf(CallOf("ROUND", {DecimalOf(5, 2, "999.99"), Number(-1)})), "1000");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {DecimalOf(5, 2, "-0.05"), Number(1)})), "-0.1");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {DoubleOf("1.005"), Number(2)})), "1.01");
  EXPECT_EQ(ValueOf(CallOf("ROUND", {Number(-1250), Number(-2)})), "-1300");
  EXPECT_EQ(CallOf("ROUND", {DecimalOf(4, 3, "2.567"), Number(1)})->type()->ToString(),
            "DECIMAL(3, 1) NOT NULL");
}

TEST(ConditionalFunctions, FollowFlink) {
  EXPECT_EQ(ValueOf(CallOf("NULLIF", {Number(1), Number(1)})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("NULLIF", {Number(1), Number(2)})), "1");
  EXPECT_EQ(ValueOf(CallOf("COALESCE", {NullOf(types::Null()), NullOf(types::Null()), Text("z")})),
            "z");
  EXPECT_EQ(ValueOf(CallOf("IFNULL", {NullOf(types::Int()), Number(9)})), "9");
  EXPECT_EQ(ValueOf(CallOf("GREATEST", {Number(1), Number(5), Number(3)})), "5");
  EXPECT_EQ(ValueOf(CallOf("LEAST", {Number(1), NullOf(types::Int())})), "<NULL>");
  EXPECT_EQ(CallOf("COALESCE", {Number(1), Literal(types::BigInt(false), "2")})->type()->ToString(),
            "BIGINT NOT NULL");
  TestInput input({{types::Boolean(), "[true, false, null]"}, {types::Int(), "[1, 2, null]"}});
  EXPECT_THAT(ValuesOf(CallOf("IF", {input.columns[0], input.columns[1], Number(0)}), *input.batch),
              ElementsAre("1", "0", "0"));
  EXPECT_THAT(ValuesOf(CallOf("GREATEST", {input.columns[1], Number(2)}), *input.batch),
              ElementsAre("2", "2", "<NULL>"));
}

TEST(TimeFunctions, ReadFieldsOfTheCalendar) {
  const auto field = [](const std::string& name, int64_t year, int month, int day) {
    const int64_t days = types::DaysFromCivil(year, month, day);
    return ValueOf(
        CallOf("EXTRACT", {Text(name), Literal(types::Date(false), std::to_string(days))}));
  };
  EXPECT_EQ(field("WEEK", 2024, 12, 31), "1");
  EXPECT_EQ(field("ISOYEAR", 2024, 12, 31), "2025");
  EXPECT_EQ(field("WEEK", 2021, 1, 3), "53");
  EXPECT_EQ(field("DOW", 2024, 2, 29), "5");
  EXPECT_EQ(field("ISODOW", 2024, 3, 3), "7");
  EXPECT_EQ(field("DOY", 2024, 12, 31), "366");
  EXPECT_EQ(field("QUARTER", 2024, 4, 1), "2");
  EXPECT_EQ(field("CENTURY", 2000, 1, 1), "20");
  EXPECT_EQ(field("MILLENNIUM", 2001, 1, 1), "3");
  EXPECT_THAT(field("FORTNIGHT", 2001, 1, 1), HasSubstr("ERROR"));
  const ExpressionPtr before_epoch = Literal(types::Timestamp(3, false), "-1000000");
  EXPECT_EQ(ValueOf(CallOf("YEAR", {before_epoch})), "1969");
  EXPECT_EQ(ValueOf(CallOf("SECOND", {before_epoch})), "59");
}

ExpressionPtr DateOf(int64_t year, int month, int day) {
  return Literal(types::Date(false), std::to_string(types::DaysFromCivil(year, month, day)));
}
ExpressionPtr TimestampOf(const std::string& text, int32_t precision = 0) {
  return MakeCast(Text(text), types::Timestamp(precision));
}

// TemporalTypesTest of Flink.
TEST(TimeFunctions, RoundToUnits) {
  const auto floor = [](const ExpressionPtr& time, const std::string& unit) {
    return ValueOf(CallOf("FLOOR", {time, Text(unit)}));
  };
  const auto ceil = [](const ExpressionPtr& time, const std::string& unit) {
    return ValueOf(CallOf("CEIL", {time, Text(unit)}));
  };
  EXPECT_EQ(floor(TimestampOf("2024-05-17 13:14:15"), "MONTH"), "2024-05-01 00:00:00");
  EXPECT_EQ(ceil(TimestampOf("2024-05-17 13:14:15"), "DAY"), "2024-05-18 00:00:00");
  EXPECT_EQ(ceil(TimestampOf("2018-03-01 00:00:00"), "DAY"), "2018-03-01 00:00:00");
  EXPECT_EQ(floor(DateOf(2024, 5, 17), "YEAR"), "2024-01-01");
  EXPECT_EQ(floor(DateOf(2021, 3, 1), "WEEK"), "2021-02-28");
  EXPECT_EQ(ceil(DateOf(2021, 3, 1), "WEEK"), "2021-03-07");
  EXPECT_EQ(ceil(DateOf(2021, 2, 27), "DAY"), "2021-02-28");
  EXPECT_EQ(ceil(DateOf(2018, 1, 2), "MILLENNIUM"), "3001-01-01");
  EXPECT_EQ(floor(DateOf(1990, 10, 14), "CENTURY"), "1901-01-01");
  EXPECT_EQ(ceil(TimestampOf("2018-03-01 21:00:01"), "MONTH"), "2018-03-01 00:00:00");
  EXPECT_EQ(ceil(TimestampOf("2018-12-02 00:00:00"), "MONTH"), "2019-01-01 00:00:00");
  EXPECT_EQ(ceil(TimestampOf("2021-03-21 00:00:00"), "QUARTER"), "2021-04-01 00:00:00");
  EXPECT_EQ(ceil(TimestampOf("1999-01-01 00:00:00"), "DECADE"), "2000-01-01 00:00:00");
  EXPECT_EQ(ceil(TimestampOf("2020-02-29 01:56:59.987654", 6), "MILLISECOND"),
            "2020-02-29 01:56:59.988000");
  const ExpressionPtr noon = Literal(types::Time(0, false), "45871000000");  // 12:44:31
  EXPECT_EQ(floor(noon, "MINUTE"), "12:44:00");
  EXPECT_EQ(ceil(noon, "HOUR"), "13:00:00");
  EXPECT_THAT(floor(noon, "YEAR"), HasSubstr("ERROR"));
}

TEST(TimeFunctions, CountAndAddUnits) {
  const auto between = [](const std::string& unit, const ExpressionPtr& from,
                          const ExpressionPtr& to) {
    return ValueOf(CallOf("TIMESTAMPDIFF", {Text(unit), from, to}));
  };
  EXPECT_EQ(between("DAY", TimestampOf("2024-01-01"), TimestampOf("2024-03-01")), "60");
  EXPECT_EQ(between("MONTH", TimestampOf("2024-01-31"), TimestampOf("2024-02-29")), "1");
  EXPECT_EQ(between("MONTH", DateOf(2020, 1, 4), TimestampOf("2021-02-04 12:00:00")), "13");
  EXPECT_EQ(between("MONTH", DateOf(2021, 2, 4), DateOf(2020, 1, 4)), "-13");
  EXPECT_EQ(between("SECOND", TimestampOf("2024-01-01"), TimestampOf("2024-01-01 00:01:00")), "60");
  EXPECT_EQ(ValueOf(CallOf("TIMESTAMPADD", {Text("DAY"), Number(3), DateOf(2024, 2, 27)})),
            "2024-03-01");
  EXPECT_EQ(ValueOf(CallOf("TIMESTAMPADD",
                           {Text("HOUR"), Number(1), TimestampOf("2024-01-01 23:30:00")})),
            "2024-01-02 00:30:00");
  EXPECT_EQ(ValueOf(CallOf("TIMESTAMPADD", {Text("HOUR"), Number(-1), DateOf(2016, 6, 15)})),
            "2016-06-14 23:00:00.000000");
  EXPECT_FALSE(FunctionRegistry::Builtin()
                   ->FindScalar("TIMESTAMPDIFF")
                   ->bind({types::String(), types::TimestampLtz(3), types::Timestamp(3)})
                   .has_value());
}

TEST(TimeFunctions, ReadAndWriteByPattern) {
  EXPECT_EQ(
      ValueOf(CallOf("DATE_FORMAT", {Text("2018-03-14 01:02:03"), Text("yyyy/MM/dd HH:mm:ss")})),
      "2018/03/14 01:02:03");
  EXPECT_EQ(ValueOf(CallOf("DATE_FORMAT", {TimestampOf("2018-03-14 01:02:03.123456", 6),
                                           Text("yyyy/MM/dd HH:mm:ss.SSSSSS")})),
            "2018/03/14 01:02:03.123456");
  EXPECT_EQ(ValueOf(CallOf("DATE_FORMAT", {TimestampOf("2018-03-14 13:02:03"),
                                           Text("EEE, d MMM yy 'at' h:mm a")})),
            "Wed, 14 Mar 18 at 1:02 PM");
  EXPECT_EQ(ValueOf(CallOf("DATE_FORMAT", {Text("invalid value"), Text("yyyy/MM/dd")})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("TO_TIMESTAMP", {Text("1970-01-01 08:01:40")})),
            "1970-01-01 08:01:40.000");
  EXPECT_EQ(ValueOf(CallOf("TO_TIMESTAMP", {Text("invalid value"), Text("yyyy-MM-dd")})), "<NULL>");
  EXPECT_EQ(
      ValueOf(CallOf("TO_TIMESTAMP", {Text("1999-9-10 05:20:10"), Text("yyyy-MM-dd HH:mm:ss")})),
      "1999-09-10 05:20:10.000");
  EXPECT_EQ(ValueOf(CallOf("TO_DATE", {Text("2018-03-18")})), "2018-03-18");
  EXPECT_EQ(ValueOf(CallOf("TO_DATE", {Text("20180318"), Text("yyyyMMdd")})), "2018-03-18");
  EXPECT_EQ(ValueOf(CallOf("TO_TIMESTAMP_LTZ",
                           {Literal(types::BigInt(false), "1700000000123"), Number(3)})),
            "2023-11-14 22:13:20.123");
  EXPECT_EQ(ValueOf(CallOf("TO_TIMESTAMP_LTZ", {Number(-100), Number(0)})),
            "1969-12-31 23:58:20.000");
  EXPECT_EQ(ValueOf(CallOf("TO_TIMESTAMP_LTZ", {DoubleOf("-1.7976931348623157E308"), Number(0)})),
            "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("TO_TIMESTAMP_LTZ",
                           {Text("01/01/2023 00:00:00"), Text("dd/MM/yyyy HH:mm:ss")})),
            "2023-01-01 00:00:00.000");
  EXPECT_EQ(ValueOf(CallOf("FROM_UNIXTIME", {Number(44)})), "1970-01-01 00:00:44");
  EXPECT_EQ(ValueOf(CallOf("FROM_UNIXTIME", {Number(44), Text("yy-MM-dd HH-mm-ss")})),
            "70-01-01 00-00-44");
  EXPECT_EQ(ValueOf(CallOf("CONVERT_TZ", {Text("1970-01-01 00:00:00"), Text("UTC"),
                                          Text("America/Los_Angeles")})),
            "1969-12-31 16:00:00");
  EXPECT_THAT(ValueOf(CallOf("DATE_FORMAT", {TimestampOf("2024-01-01"), Text("rrr")})),
              HasSubstr("unknown letter 'r'"));
}

class FixedClock final : public Clock {
 public:
  int64_t NowMicros() const override { return 1'700'000'000'123'456; }
  int64_t MonotonicMicros() const override { return 0; }
  void SleepForMicros(int64_t) override {}
};

TEST(TimeFunctions, AskTheContextForNow) {
  FixedClock clock;
  EvaluationContext context;
  context.clock = &clock;
  context.zone = *types::TimeZone::Find("America/New_York");
  EXPECT_EQ(ValueOf(CallOf("CURRENT_TIMESTAMP", {}), context), "2023-11-14 17:13:20.123");
  EXPECT_EQ(ValueOf(CallOf("LOCALTIMESTAMP", {}), context), "2023-11-14 17:13:20.123");
  EXPECT_EQ(ValueOf(CallOf("CURRENT_DATE", {}), context), "2023-11-14");
  EXPECT_EQ(ValueOf(CallOf("LOCALTIME", {}), context), "17:13:20");
  context.batch_mode = true;
  context.query_start_us = 0;
  EXPECT_EQ(ValueOf(CallOf("NOW", {}), context), "1969-12-31 19:00:00.000");
}

}  // namespace
}  // namespace lakeward::expr
