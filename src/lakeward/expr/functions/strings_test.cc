#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"

namespace lakeward::expr {
namespace {

using ::testing::HasSubstr;

ExpressionPtr Text(const std::string& text) { return TextLiteral(text); }
ExpressionPtr Number(int32_t number) { return IntLiteral(number); }

TEST(EncodingFunctions, FollowFlink) {
  EXPECT_EQ(ValueOf(CallOf("HEX", {Number(10)})), "A");
  EXPECT_EQ(ValueOf(CallOf("HEX", {Number(-1)})), "FFFFFFFFFFFFFFFF");
  EXPECT_EQ(ValueOf(CallOf("HEX", {Text("az")})), "617A");
  EXPECT_EQ(ValueOf(CallOf("UNHEX", {Text("146")})), "x'0046'");
  EXPECT_EQ(ValueOf(CallOf("UNHEX", {Text("4D7953514C")})), "x'4d7953514c'");
  EXPECT_EQ(ValueOf(CallOf("UNHEX", {Text("1-")})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("UNHEX", {Text("")})), "x''");
  EXPECT_EQ(ValueOf(CallOf("BIN", {Number(10)})), "1010");
  EXPECT_EQ(ValueOf(CallOf("TO_BASE64", {Text("hello world")})), "aGVsbG8gd29ybGQ=");
  EXPECT_EQ(ValueOf(CallOf("TO_BASE64", {Text("abc")})), "YWJj");
  EXPECT_EQ(ValueOf(CallOf("FROM_BASE64", {Text("aGVsbG8gd29ybGQ=")})), "hello world");
  EXPECT_EQ(ValueOf(CallOf("TO_BASE64", {Literal(types::Bytes(), R"("abc")")})), "YWJj");
  EXPECT_EQ(ValueOf(CallOf("ASCII", {Text("A")})), "65");
  EXPECT_EQ(ValueOf(CallOf("CHR", {Number(97)})), "a");
  EXPECT_EQ(ValueOf(CallOf("CHR", {Number(233)})), "é");
  EXPECT_EQ(ValueOf(CallOf("IS_ALPHA", {Text("abc")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("IS_ALPHA", {NullOf(types::String())})), "FALSE");
  EXPECT_EQ(ValueOf(CallOf("IS_DIGIT", {Text("11.4445")})), "FALSE");
  EXPECT_EQ(ValueOf(CallOf("IS_DECIMAL", {Text("11.4445")})), "TRUE");
}

TEST(RegexpFunctions, FollowFlink) {
  EXPECT_EQ(ValueOf(CallOf("REGEXP", {Text("abc"), Text("b.")})), "TRUE");
  EXPECT_EQ(
      ValueOf(CallOf("REGEXP_EXTRACT", {Text("foobar42"), Text("([a-z]+)([0-9]+)"), Number(2)})),
      "42");
  EXPECT_EQ(ValueOf(CallOf("REGEXP_EXTRACT", {Text("x"), Text("y")})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("REGEXP_EXTRACT", {Text("x"), Text("x"), Number(3)})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("REGEXP_REPLACE", {Text("a1b2"), Text("[0-9]"), Text("$0")})), "a$0b$0");
  EXPECT_EQ(ValueOf(CallOf("REGEXP_REPLACE", {Text("éa"), Text("x*"), Text("-")})), "-é-a-");
  EXPECT_EQ(ValueOf(CallOf("SIMILAR TO", {Text("abc"), Text("(a|b)+c")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("SIMILAR TO", {Text("abcd"), Text("a%_d")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("SIMILAR TO", {Text("a.c"), Text("a.b")})), "FALSE");
  EXPECT_EQ(ValueOf(CallOf("SIMILAR TO", {Text("*_x"), Text("&*&__"), Text("&")})), "TRUE");
  EXPECT_EQ(ValueOf(CallOf("SIMILAR TO", {Text("*ax"), Text("&*&__"), Text("&")})), "FALSE");
  EXPECT_THAT(ValueOf(CallOf("REGEXP", {Text("abc"), Text("(")})),
              HasSubstr("'(' is not a regular expression"));
}

TEST(RegexpFunctions, EndPatternsThatBacktrackForEver) {
  const std::string text(40, 'a');
  EXPECT_THAT(ValueOf(CallOf("REGEXP", {Text(text + "b"), Text("^(a+)+$")})),
              HasSubstr("cannot be matched"));
}

TEST(StringParts, FollowFlink) {
  EXPECT_EQ(ValueOf(CallOf("INITCAP", {Text("hello wORLD-x")})), "Hello World-X");
  EXPECT_EQ(ValueOf(CallOf("SPLIT_INDEX", {Text("a,b,c"), Text(","), Number(1)})), "b");
  EXPECT_EQ(ValueOf(CallOf("SPLIT_INDEX", {Text("a,b,c"), Text(","), Number(5)})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("OVERLAY", {Text("hello"), Text("XX"), Number(2), Number(3)})), "hXXo");
  EXPECT_EQ(ValueOf(CallOf("SPLIT_INDEX", {Text("a,b,c"), Number(44), Number(2)})), "c");
  EXPECT_EQ(ValueOf(CallOf("SPLIT_INDEX", {Text("a,b,c"), Number(256), Number(0)})), "<NULL>");
  EXPECT_EQ(ValueOf(CallOf("OVERLAY", {Text("This is"), Text("IS"), Number(6), Number(-1)})),
            "This IS");
  EXPECT_EQ(ValueOf(CallOf("OVERLAY", {Text("Hello"), Text("hello world"), Number(2), Number(3)})),
            "Hhello worldo");
  EXPECT_EQ(ValueOf(CallOf("TYPEOF", {Number(1)})), "INT NOT NULL");
  EXPECT_EQ(ValueOf(CallOf("TYPEOF", {MakeNullLiteral(types::Null())})), "NULL");
  EXPECT_EQ(ValueOf(CallOf("CHAR_LENGTH", {CallOf("UUID", {})})), "36");
  EXPECT_EQ(ValueOf(CallOf("RAND_INTEGER", {Number(1)})), "0");
}

}  // namespace
}  // namespace lakeward::expr
