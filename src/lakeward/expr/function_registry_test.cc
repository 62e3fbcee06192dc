#include "gtest/gtest.h"
#include "lakeward/expr/function.h"

namespace lakeward::expr {
namespace {

TEST(FunctionRegistry, FindsNamesInEitherCase) {
  const FunctionRegistry* builtin = FunctionRegistry::Builtin();
  ASSERT_NE(builtin->FindScalar("upper"), nullptr);
  EXPECT_EQ(builtin->FindScalar("Upper"), builtin->FindScalar("UPPER"));
  EXPECT_EQ(builtin->FindScalar("NO_SUCH"), nullptr);
  EXPECT_NE(builtin->FindAggregate("count"), nullptr);
  EXPECT_EQ(builtin->FindAggregate("upper"), nullptr);
}

TEST(FunctionRegistry, AChildScopeHidesItsParentsFunctions) {
  FunctionRegistry child(FunctionRegistry::Builtin());
  ScalarFunction mine = *child.FindScalar("UPPER");
  mine.doc = "mine";
  child.Add(mine);
  EXPECT_EQ(child.FindScalar("UPPER")->doc, "mine");
  EXPECT_NE(FunctionRegistry::Builtin()->FindScalar("UPPER")->doc, "mine");
  EXPECT_EQ(child.Scalars().size(), FunctionRegistry::Builtin()->Scalars().size());
}

TEST(FunctionRegistry, EveryFunctionIsDocumented) {
  for (const ScalarFunction* function : FunctionRegistry::Builtin()->Scalars()) {
    EXPECT_FALSE(function->signatures.empty()) << function->name;
    EXPECT_TRUE(function->doc.ends_with('.')) << function->name;
    EXPECT_FALSE(function->example.empty()) << function->name;
    EXPECT_FALSE(function->example_result.empty()) << function->name;
  }
  for (const AggregateFunction* function : FunctionRegistry::Builtin()->Aggregates()) {
    EXPECT_FALSE(function->doc.empty()) << function->name;
    EXPECT_NE(function->saved_types, nullptr) << function->name;
  }
}

}  // namespace
}  // namespace lakeward::expr
