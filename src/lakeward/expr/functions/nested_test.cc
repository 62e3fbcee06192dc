#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"

namespace lakeward::expr {
namespace {

using ::testing::ElementsAre;

ExpressionPtr Field(const ExpressionPtr& row, const std::string& name) {
  return CallOf("GET_FIELD", {row, TextLiteral(name)});
}

TEST(NestedFunctions, ReadFieldsOfRows) {
  const types::TypePtr type = types::Row(
      {{"a", types::Int(false), ""}, {"b c", types::Row({{"x", types::String(), ""}}), ""}});
  TestInput input({{type, R"([[1, ["p"]], null, [3, null], [4, ["q"]]])"}});
  const ExpressionPtr row = input.columns[0];
  EXPECT_EQ(Field(row, "a")->type()->ToString(), "INT");
  EXPECT_THAT(ValuesOf(Field(row, "a"), *input.batch), ElementsAre("1", "<NULL>", "3", "4"));
  EXPECT_THAT(ValuesOf(Field(Field(row, "b c"), "x"), *input.batch->Slice(1, 3)),
              ElementsAre("<NULL>", "<NULL>", "q"));
}

TEST(NestedFunctions, ReadElements) {
  TestInput input({{types::Array(types::Int()), "[[7, 8], [9], null, []]"},
                   {types::Map(types::String(false), types::Int()),
                    R"([[["a", 1], ["b", 2]], [["b", 3]], null, []])"},
                   {types::Int(), "[2, 2, 1, 1]"}});
  EXPECT_THAT(ValuesOf(CallOf("ITEM", {input.columns[0], input.columns[2]}), *input.batch),
              ElementsAre("8", "<NULL>", "<NULL>", "<NULL>"));
  EXPECT_THAT(
      ValuesOf(CallOf("ITEM", {input.columns[0], IntLiteral(1)}), *input.batch->Slice(1, 2)),
      ElementsAre("9", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("ITEM", {input.columns[1], TextLiteral("b")}), *input.batch),
              ElementsAre("2", "3", "<NULL>", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("CARDINALITY", {input.columns[1]}), *input.batch),
              ElementsAre("2", "1", "<NULL>", "0"));
}

// Types and values that Flink 1.20's client printed.
TEST(NestedFunctions, MakeCollections) {
  const ExpressionPtr array =
      CallOf("ARRAY", {TextLiteral("a"), NullOf(types::String()), TextLiteral("b")});
  EXPECT_EQ(ValueOf(array), "[a, NULL, b]");
  EXPECT_EQ(CallOf("ARRAY", {IntLiteral(1)})->type()->ToString(), "ARRAY<INT NOT NULL> NOT NULL");
  EXPECT_EQ(
      ValueOf(CallOf("MAP", {TextLiteral("k"), IntLiteral(1), TextLiteral("z"), IntLiteral(2)})),
      "{k=1, z=2}");
  EXPECT_EQ(ValueOf(CallOf("ROW", {IntLiteral(1), TextLiteral("x"), NullOf(types::Int())})),
            "(1, x, NULL)");
  TestInput input({{types::Int(), "[1, 2]"}, {types::Int(), "[null, 4]"}});
  EXPECT_THAT(
      ValuesOf(CallOf("ARRAY", {input.columns[0], input.columns[1], IntLiteral(9)}), *input.batch),
      ElementsAre("[1, NULL, 9]", "[2, 4, 9]"));
}

}  // namespace
}  // namespace lakeward::expr
