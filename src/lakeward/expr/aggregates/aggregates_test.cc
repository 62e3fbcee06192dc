#include "gmock/gmock.h"
#include "lakeward/expr/expression_testing.h"
#include "support/status_matchers.h"

namespace lakeward::expr {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Print(const arrow::Array& array, const types::TypePtr& type) {
  EXPECT_TRUE(array.type()->Equals(types::ToArrow(*type)));
  std::vector<std::string> values;
  for (int64_t row = 0; row < array.length(); ++row) {
    values.push_back(types::PrintedForm(array, row, *type, types::TimeZone()));
  }
  return values;
}

/// An aggregate over a handful of groups, bound for one argument type.
class Aggregate {
 public:
  Aggregate(std::string_view name, const types::TypePtr& argument) {
    function_ = FunctionRegistry::Builtin()->FindAggregate(name);
    EXPECT_NE(function_, nullptr) << name;
    const auto bound = function_->bind({argument});
    EXPECT_TRUE(bound.has_value());
    signature_ = *bound;
    state_ = *function_->make_state(signature_);
    EXPECT_TRUE(state_->Resize(4).ok());
  }

  Status Update(std::string_view json, const std::vector<int32_t>& groups,
                const std::vector<int8_t>& weights = {}) {
    return state_->Update({ArrayOf(signature_.argument_types[0], json)}, groups.data(),
                          weights.empty() ? nullptr : weights.data(),
                          static_cast<int64_t>(groups.size()));
  }

  std::vector<std::string> Running(std::string_view json, const std::vector<int32_t>& groups,
                                   const std::vector<int8_t>& weights = {}) {
    auto values = state_->UpdateRunning({ArrayOf(signature_.argument_types[0], json)},
                                        groups.data(), weights.empty() ? nullptr : weights.data(),
                                        static_cast<int64_t>(groups.size()));
    EXPECT_TRUE(values.ok()) << values.status().ToString();
    return Print(**values, signature_.result_type);
  }

  std::vector<std::string> Values(const std::vector<int32_t>& groups) {
    auto values = state_->Values(groups.data(), static_cast<int64_t>(groups.size()));
    EXPECT_TRUE(values.ok()) << values.status().ToString();
    return Print(**values, signature_.result_type);
  }

  /// Saves the groups and merges them into the same groups of `other`.
  void MoveTo(Aggregate* other, const std::vector<int32_t>& groups) {
    const auto count = static_cast<int64_t>(groups.size());
    auto saved = state_->Save(groups.data(), count);
    ASSERT_TRUE(saved.ok()) << saved.status().ToString();
    const std::vector<types::TypePtr> types = function_->saved_types(signature_);
    ASSERT_EQ(saved->size(), types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      EXPECT_TRUE((*saved)[i]->type()->Equals(types::ToArrow(*types[i])))
          << (*saved)[i]->type()->ToString() << " " << types[i]->ToString();
    }
    ASSERT_STATUS_OK(other->state_->Merge(*saved, groups.data(), count));
  }

  std::string ResultType() const { return signature_.result_type->ToString(); }

 private:
  const AggregateFunction* function_;
  BoundSignature signature_;
  std::unique_ptr<AggregateState> state_;
};

TEST(Count, CountsRowsThatAreNotNull) {
  Aggregate count("COUNT", types::String());
  ASSERT_STATUS_OK(count.Update(R"(["a", null, "b", "c"])", {0, 0, 1, 0}));
  EXPECT_THAT(count.Values({0, 1, 2}), ElementsAre("2", "1", "0"));
  ASSERT_STATUS_OK(count.Update(R"(["a", "b"])", {0, 1}, {-1, -1}));
  EXPECT_THAT(count.Values({0, 1}), ElementsAre("1", "0"));
  EXPECT_THAT(count.Running(R"(["a", null, "b"])", {2, 2, 2}), ElementsAre("1", "1", "2"));
}

TEST(Count, OfStarTakesNoArgument) {
  const AggregateFunction* function = FunctionRegistry::Builtin()->FindAggregate("COUNT");
  ASSERT_ASSIGN(const auto state, function->make_state(*function->bind({})));
  ASSERT_STATUS_OK(state->Resize(2));
  const int32_t groups[] = {0, 1, 0};
  ASSERT_STATUS_OK(state->Update({}, groups, nullptr, 3));
  ASSERT_ASSIGN(const auto values, state->Values(groups, 2));
  EXPECT_THAT(Print(*values, types::BigInt(false)), ElementsAre("2", "1"));
}

TEST(Sum, IsNullWithoutValues) {
  Aggregate sum("SUM", types::Int());
  EXPECT_EQ(sum.ResultType(), "INT");
  ASSERT_STATUS_OK(sum.Update("[1, null, 3, null]", {0, 0, 0, 1}));
  EXPECT_THAT(sum.Values({0, 1, 2}), ElementsAre("4", "<NULL>", "<NULL>"));
  ASSERT_STATUS_OK(sum.Update("[1, 3]", {0, 0}, {-1, -1}));
  EXPECT_THAT(sum.Values({0}), ElementsAre("<NULL>"));
}

TEST(Sum, WrapsAroundAndWidensDecimals) {
  Aggregate ints("SUM", types::Int());
  ASSERT_STATUS_OK(ints.Update("[2147483647, 1]", {0, 0}));
  EXPECT_THAT(ints.Values({0}), ElementsAre("-2147483648"));
  Aggregate decimals("SUM", types::Decimal(5, 2));
  EXPECT_EQ(decimals.ResultType(), "DECIMAL(38, 2)");
  EXPECT_THAT(decimals.Running(R"(["1.10", "2.25"])", {0, 0}), ElementsAre("1.10", "3.35"));
  Aggregate wide("SUM", types::Decimal(38, 0));
  ASSERT_STATUS_OK(wide.Update(R"(["99999999999999999999999999999999999999", "1"])", {0, 0}));
  EXPECT_THAT(wide.Values({0}), ElementsAre("<NULL>"));
}

TEST(Sum, EmitsWhatRowAtATimeExecutionEmits) {
  Aggregate sum("SUM", types::BigInt());
  EXPECT_THAT(sum.Running("[1, 10, null, 2, 1]", {0, 1, 0, 0, 0}, {1, 1, 1, 1, -1}),
              ElementsAre("1", "10", "1", "3", "2"));
}

TEST(Aggregates, SurviveSaveAndMerge) {
  for (const char* name : {"COUNT", "SUM", "AVG", "MIN", "MAX"}) {
    for (const types::TypePtr& type :
         {types::Int(), types::TinyInt(), types::Double(), types::Float(), types::BigInt()}) {
      Aggregate first(name, type);
      Aggregate second(name, type);
      ASSERT_STATUS_OK(first.Update("[1, null, 5, 7]", {0, 2, 0, 1}));
      ASSERT_STATUS_OK(second.Update("[3, null]", {0, 2}));
      first.MoveTo(&second, {0, 1, 2});
      Aggregate whole(name, type);
      ASSERT_STATUS_OK(whole.Update("[3, 1, null, null, 5, 7]", {0, 0, 2, 2, 0, 1}));
      EXPECT_EQ(second.Values({0, 1, 2, 3}), whole.Values({0, 1, 2, 3})) << name;
    }
  }
}

// What Flink 1.20's client printed.
TEST(Average, FollowsFlink) {
  Aggregate ints("AVG", types::Int());
  EXPECT_THAT(ints.Running("[2, 1]", {0, 0}), ElementsAre("2", "1"));
  Aggregate decimals("AVG", types::Decimal(5, 2));
  EXPECT_EQ(decimals.ResultType(), "DECIMAL(38, 6)");
  EXPECT_THAT(decimals.Running(R"(["2.25", "1.10"])", {0, 0}), ElementsAre("2.250000", "1.675000"));
  Aggregate doubles("AVG", types::Double());
  EXPECT_THAT(doubles.Running("[2, 1, null]", {0, 0, 0}), ElementsAre("2.0", "1.5", "1.5"));
  EXPECT_THAT(doubles.Running("[2, 1]", {0, 0}, {-1, -1}), ElementsAre("1.0", "<NULL>"));
}

TEST(MinMax, KeepsTheExtremeOfEachGroup) {
  Aggregate min("MIN", types::String());
  EXPECT_THAT(min.Running(R"(["b", null, "a", "c", "x"])", {0, 1, 0, 0, 1}),
              ElementsAre("b", "<NULL>", "a", "a", "x"));
  Aggregate max("MAX", types::Timestamp(3));
  ASSERT_STATUS_OK(max.Update("[1000, 2000000, null]", {0, 0, 1}));
  EXPECT_THAT(max.Values({0, 1}), ElementsAre("1970-01-01 00:00:02.000", "<NULL>"));
  Aggregate decimals("MAX", types::Decimal(5, 2));
  EXPECT_THAT(decimals.Running(R"(["-1.00", "-2.00", "3.00"])", {0, 0, 0}),
              ElementsAre("-1.00", "-1.00", "3.00"));
  Aggregate dates("MIN", types::Date());
  EXPECT_THAT(dates.Running("[5, 3, 4]", {0, 0, 0}),
              ElementsAre("1970-01-06", "1970-01-04", "1970-01-04"));
}

}  // namespace
}  // namespace lakeward::expr
