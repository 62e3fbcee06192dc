#include <limits>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_nested.h"
#include "arrow/array/builder_primitive.h"
#include "gtest/gtest.h"
#include "lakeward/state/key_index.h"
#include "lakeward/state/operator_state.h"
#include "support/status_matchers.h"

namespace lakeward::state {
namespace {

template <typename Builder, typename... Values>
std::shared_ptr<arrow::Array> Column(Values... values) {
  Builder builder;
  EXPECT_TRUE((builder.Append(values).ok() && ...));
  return *builder.Finish();
}

std::vector<uint64_t> Hashes(const std::vector<std::shared_ptr<arrow::Array>>& columns) {
  std::vector<uint64_t> hashes;
  const Status status = HashRows(columns, columns[0]->length(), &hashes);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return hashes;
}

TEST(HashRowsTest, EqualKeysHashAlike) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto doubles = Hashes({Column<arrow::DoubleBuilder>(0.0, -0.0, nan, -nan, 1.0)});
  EXPECT_NE(doubles[0], doubles[1]);
  EXPECT_EQ(doubles[2], doubles[3]);
  EXPECT_NE(doubles[0], doubles[4]);
}

TEST(HashRowsTest, NullsHashAlikeInEveryColumn) {
  arrow::Int64Builder numbers;
  ASSERT_STATUS_OK(numbers.AppendNull());
  ASSERT_STATUS_OK(numbers.AppendNull());
  ASSERT_STATUS_OK(numbers.Append(0));
  const auto hashes = Hashes({*numbers.Finish()});
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0], hashes[2]);
}

TEST(HashRowsTest, ColumnsAreNotInterchangeable) {
  const auto a = Column<arrow::Int64Builder>(1, 2);
  const auto b = Column<arrow::Int64Builder>(2, 1);
  const auto hashes = Hashes({a, b});
  EXPECT_NE(hashes[0], hashes[1]);
}

TEST(HashRowsTest, SlicesHashAsTheirRows) {
  const auto texts = Column<arrow::StringBuilder>("a", "b", "a", "c");
  const auto bits = Column<arrow::BooleanBuilder>(true, false, true, false);
  const auto whole = Hashes({texts, bits});
  const auto slice = Hashes({texts->Slice(2), bits->Slice(2)});
  EXPECT_EQ(slice[0], whole[2]);
  EXPECT_EQ(slice[1], whole[3]);
  EXPECT_EQ(whole[0], whole[2]);
}

TEST(HashRowsTest, ListsOfEqualItemsHashAlike) {
  auto items = std::make_shared<arrow::Int32Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), items);
  for (const std::vector<int32_t>& list : {std::vector<int32_t>{1, 2}, {1, 2}, {2, 1}, {}}) {
    ASSERT_STATUS_OK(lists.Append());
    ASSERT_STATUS_OK(items->AppendValues(list));
  }
  const auto hashes = Hashes({*lists.Finish()});
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0], hashes[2]);
  EXPECT_NE(hashes[0], hashes[3]);
}

// Checkpoints are divided by these numbers: they must never change.
TEST(HashRowsTest, NumbersAreForEver) {
  const auto hashes = Hashes({Column<arrow::Int64Builder>(0, 1)});
  // The first outputs of splitmix64 from the states 0 and 1.
  EXPECT_EQ(hashes[0], 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(hashes[1], 0x910A2DEC89025CC1ULL);
}

TEST(KeyGroupTest, SubtasksShareAllGroups) {
  for (const int parallelism : {1, 2, 3, 5, 127, 128}) {
    int next = 0;
    for (int subtask = 0; subtask < parallelism; ++subtask) {
      const KeyGroupRange range = KeyGroupsOf(subtask, parallelism);
      EXPECT_EQ(range.begin, next);
      for (int group = range.begin; group < range.end; ++group) {
        EXPECT_EQ(SubtaskOf(group, parallelism), subtask);
      }
      next = range.end;
    }
    EXPECT_EQ(next, kKeyGroupCount);
  }
}

}  // namespace
}  // namespace lakeward::state
