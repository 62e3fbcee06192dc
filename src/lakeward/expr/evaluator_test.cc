#include "lakeward/expr/evaluator.h"

#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"
#include "support/status_matchers.h"

namespace lakeward::expr {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Evaluate, KeepsConstantsAsScalars) {
  TestInput input({{types::Int(), "[1, 2]"}});
  const ExpressionPtr sum = CallOf("+", {IntLiteral(1), IntLiteral(2)});
  ASSERT_ASSIGN(const arrow::Datum value, Evaluate(*sum, *input.batch, {}));
  EXPECT_TRUE(value.is_scalar());
  EXPECT_THAT(ValuesOf(sum, *input.batch), ElementsAre("3", "3"));
}

TEST(Evaluate, ReadsSlicedColumns) {
  TestInput input(
      {{types::Int(), "[9, null, 1, 2, null]"}, {types::Int(), "[9, 9, 10, null, 30]"}});
  const auto slice = input.batch->Slice(1, 4);
  EXPECT_THAT(ValuesOf(CallOf("+", {input.columns[0], input.columns[1]}), *slice),
              ElementsAre("<NULL>", "11", "<NULL>", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("IS NULL", {input.columns[0]}), *slice),
              ElementsAre("TRUE", "FALSE", "FALSE", "TRUE"));
}

ExpressionPtr OneOver(const ExpressionPtr& divisor) {
  return CallOf("/", {IntLiteral(1), divisor});
}

TEST(Evaluate, AndKeepsErrorsAwayFromRowsThatAreDecided) {
  TestInput input({{types::Int(), "[0, 1, 2, null]"}});
  const ExpressionPtr x = input.columns[0];
  const ExpressionPtr not_zero = CallOf("<>", {x, IntLiteral(0)});
  const ExpressionPtr large = CallOf(">", {OneOver(x), IntLiteral(0)});
  EXPECT_THAT(ValuesOf(CallOf("AND", {not_zero, large}), *input.batch),
              ElementsAre("FALSE", "TRUE", "FALSE", "<NULL>"));
  EXPECT_THAT(ValuesOf(CallOf("AND", {large, not_zero}), *input.batch)[0],
              HasSubstr("division by zero"));
  EXPECT_THAT(ValuesOf(CallOf("OR", {CallOf("=", {x, IntLiteral(0)}), large}), *input.batch),
              ElementsAre("TRUE", "TRUE", "FALSE", "<NULL>"));
}

TEST(Evaluate, CaseComputesABranchOnlyWhereItIsTaken) {
  TestInput input(
      {{types::Int(), "[0, 1, 2, null]"}, {types::String(), R"(["a", "b", "c", "d"])"}});
  const ExpressionPtr x = input.columns[0];
  const ExpressionPtr guarded =
      MakeCase({CallOf("=", {x, IntLiteral(0)}), IntLiteral(-1), OneOver(x)}, types::Int());
  EXPECT_THAT(ValuesOf(guarded, *input.batch), ElementsAre("-1", "1", "0", "<NULL>"));
  const ExpressionPtr texts =
      MakeCase({CallOf("=", {x, IntLiteral(2)}), input.columns[1], CallOf("IS NULL", {x}),
                TextLiteral("none"), NullOf(types::String())},
               types::String());
  EXPECT_THAT(ValuesOf(texts, *input.batch), ElementsAre("<NULL>", "<NULL>", "c", "none"));
}

TEST(Evaluate, CoalesceAndIfComputeOnlyWhatIsNeeded) {
  TestInput input({{types::Int(), "[0, null, 4]"}});
  const ExpressionPtr x = input.columns[0];
  EXPECT_THAT(ValuesOf(CallOf("COALESCE", {x, OneOver(IntLiteral(0))}), *input.batch)[0],
              HasSubstr("division by zero"));
  EXPECT_THAT(ValuesOf(CallOf("IF", {CallOf("=", {x, IntLiteral(0)}), IntLiteral(7), OneOver(x)}),
                       *input.batch),
              ElementsAre("7", "<NULL>", "0"));
}

TEST(Evaluate, OfNoRowsIsEmpty) {
  TestInput input({{types::Int(), "[]"}});
  EXPECT_THAT(ValuesOf(OneOver(input.columns[0]), *input.batch), ElementsAre());
  EXPECT_THAT(ValuesOf(MakeCase({CallOf("=", {input.columns[0], IntLiteral(0)}), IntLiteral(1),
                                 IntLiteral(2)},
                                types::Int()),
                       *input.batch),
              ElementsAre());
}

std::string Selected(const ExpressionPtr& condition, const TestInput& input) {
  auto rows = EvaluateSelection(*condition, *input.batch, {});
  if (!rows.ok()) {
    return rows.status().message();
  }
  if (*rows == nullptr) {
    return "all";
  }
  std::string text;
  for (int64_t i = 0; i < (*rows)->length(); ++i) {
    text += (i == 0 ? "" : " ") + std::to_string((*rows)->Value(i));
  }
  return text;
}

TEST(EvaluateSelection, ComparesColumnsWithConstants) {
  TestInput input({{types::Int(), "[1, 5, null, 3]"},
                   {types::String(), R"(["a", "b", "c", null])"},
                   {types::Decimal(5, 2), R"(["1.00", "2.50", "2.50", null])"}});
  const ExpressionPtr x = input.columns[0];
  EXPECT_EQ(Selected(CallOf(">", {x, IntLiteral(2)}), input), "1 3");
  EXPECT_EQ(Selected(CallOf("<", {IntLiteral(2), x}), input), "1 3");
  EXPECT_EQ(Selected(CallOf("<>", {x, IntLiteral(5)}), input), "0 3");
  EXPECT_EQ(Selected(CallOf("=", {input.columns[1], TextLiteral("b")}), input), "1");
  EXPECT_EQ(
      Selected(CallOf(">=", {input.columns[2], Literal(types::Decimal(5, 2), R"("2.50")")}), input),
      "1 2");
  EXPECT_EQ(Selected(CallOf("=", {x, NullOf(types::Int())}), input), "");
}

TEST(EvaluateSelection, GivesNothingWhenAllRowsPass) {
  TestInput input({{types::Int(), "[1, 2]"}});
  EXPECT_EQ(Selected(CallOf(">", {input.columns[0], IntLiteral(0)}), input), "all");
  EXPECT_EQ(Selected(Literal(types::Boolean(false), "true"), input), "all");
  EXPECT_EQ(Selected(Literal(types::Boolean(false), "false"), input), "");
}

TEST(EvaluateSelection, EvaluatesConjunctsInOrderOnTheRemainingRows) {
  TestInput input({{types::Int(), "[0, 1, 2, 0, 3]"}});
  const ExpressionPtr x = input.columns[0];
  const ExpressionPtr condition =
      CallOf("AND", {CallOf("<>", {x, IntLiteral(0)}),
                     CallOf("=", {CallOf("%", {IntLiteral(6), x}), IntLiteral(0)})});
  EXPECT_EQ(Selected(condition, input), "1 2 4");
}

TEST(FoldConstants, ReplacesWhatIsConstant) {
  TestInput input({{types::Int(), "[1]"}});
  const ExpressionPtr sum =
      CallOf("+", {input.columns[0], CallOf("*", {IntLiteral(2), IntLiteral(3)})});
  EXPECT_EQ(FoldConstants(sum, {})->ToString(), "(c0 + 6)");
  const ExpressionPtr failing = OneOver(IntLiteral(0));
  EXPECT_EQ(FoldConstants(failing, {}), failing);
  const ExpressionPtr random = CallOf("RAND", {});
  EXPECT_EQ(FoldConstants(random, {}), random);
}

TEST(Expression, IsPrintedComparedAndRewritten) {
  const ExpressionPtr a = MakeColumn(0, "a", types::Int());
  const ExpressionPtr b = MakeColumn(3, "b", types::BigInt());
  const ExpressionPtr sum = CallOf("+", {a, b});
  EXPECT_EQ(sum->ToString(), "(CAST(a AS BIGINT) + b)");
  EXPECT_EQ(CallOf("UPPER", {TextLiteral("x")})->ToString(), "UPPER('x')");
  EXPECT_EQ(CallOf("IS NULL", {a})->ToString(), "a IS NULL");
  EXPECT_TRUE(sum->Equals(*CallOf("+", {a, b})));
  EXPECT_FALSE(sum->Equals(*CallOf("-", {a, b})));
  EXPECT_THAT(ReferencedColumns(*sum), ElementsAre(0, 3));
  EXPECT_THAT(ReferencedColumns(*RemapColumns(sum, {5, -1, -1, 1})), ElementsAre(1, 5));
  EXPECT_EQ(Substitute(sum, {IntLiteral(1), a, a, a})->ToString(), "(CAST(1 AS BIGINT) + a)");
  const ExpressionPtr truth = CallOf("IS NULL", {a});
  const ExpressionPtr both = CallOf("AND", {CallOf("AND", {truth, truth}), truth});
  EXPECT_EQ(SplitConjunction(both).size(), 3U);
}

}  // namespace
}  // namespace lakeward::expr
