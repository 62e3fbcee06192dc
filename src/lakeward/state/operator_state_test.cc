#include "lakeward/state/operator_state.h"

#include "arrow/array/builder_primitive.h"
#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward::state {
namespace {

std::shared_ptr<arrow::RecordBatch> Rows(const std::vector<int32_t>& groups) {
  arrow::Int32Builder group_builder;
  arrow::Int64Builder value_builder;
  for (const int32_t group : groups) {
    EXPECT_TRUE(group_builder.Append(group).ok());
    EXPECT_TRUE(value_builder.Append(group * 10).ok());
  }
  return arrow::RecordBatch::Make(arrow::schema({arrow::field("key_group", arrow::int32()),
                                                 arrow::field("value", arrow::int64())}),
                                  static_cast<int64_t>(groups.size()),
                                  {*group_builder.Finish(), *value_builder.Finish()});
}

OperatorState Example() {
  OperatorState state;
  state.keyed.push_back({"groups", {Rows({0, 1, 64}), Rows({127, 0})}});
  state.keyed.push_back({"empty", {}});
  state.items = {"one", std::string("t\0wo", 4), ""};
  return state;
}

TEST(OperatorStateTest, ComesBackAsItWas) {
  ASSERT_ASSIGN(const std::string bytes, SerializeState(Example()));
  ASSERT_ASSIGN(const OperatorState state, ParseState(bytes));
  ASSERT_EQ(state.keyed.size(), 2U);
  EXPECT_EQ(state.keyed[0].name, "groups");
  ASSERT_EQ(state.keyed[0].batches.size(), 2U);
  EXPECT_TRUE(state.keyed[0].batches[0]->Equals(*Rows({0, 1, 64})));
  EXPECT_TRUE(state.keyed[0].batches[1]->Equals(*Rows({127, 0})));
  EXPECT_TRUE(state.keyed[1].batches.empty());
  EXPECT_EQ(state.items, Example().items);
}

TEST(OperatorStateTest, EveryChangedOrMissingByteIsNoticed) {
  ASSERT_ASSIGN(const std::string bytes, SerializeState(Example()));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    const auto state = ParseState(damaged);
    ASSERT_FALSE(state.ok()) << "byte " << i;
    ASSERT_EQ(KindOf(state.status()), ErrorKind::kCorruptData);
    ASSERT_FALSE(ParseState(bytes.substr(0, i)).ok());
  }
}

TEST(OperatorStateTest, RowsGoToTheOwnersOfTheirGroupsAndItemsInTurn) {
  const std::vector<OperatorState> saved{Example(), Example()};
  int64_t rows = 0;
  std::vector<std::string> items;
  for (int subtask = 0; subtask < 3; ++subtask) {
    ASSERT_ASSIGN(const OperatorState share, Redistribute(saved, subtask, 3));
    for (const auto& batch : share.keyed[0].batches) {
      const auto& groups = static_cast<const arrow::Int32Array&>(*batch->column(0));
      for (int64_t i = 0; i < batch->num_rows(); ++i) {
        EXPECT_EQ(SubtaskOf(groups.Value(i), 3), subtask);
      }
      rows += batch->num_rows();
    }
    EXPECT_EQ(share.items.size(), 2U);
    items.insert(items.end(), share.items.begin(), share.items.end());
  }
  EXPECT_EQ(rows, 10);
  EXPECT_EQ(items.size(), 6U);
}

}  // namespace
}  // namespace lakeward::state
