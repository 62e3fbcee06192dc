#include "lakeward/stream/batch.h"

#include "gtest/gtest.h"
#include "lakeward/stream/row_batches_testing.h"
#include "support/status_matchers.h"

namespace lakeward::stream {
namespace {

using types::RowKind;
using Lines = std::vector<std::string>;

std::shared_ptr<arrow::Int32Array> Numbers(const std::vector<int32_t>& values) {
  arrow::Int32Builder builder;
  EXPECT_TRUE(builder.AppendValues(values).ok());
  return std::static_pointer_cast<arrow::Int32Array>(*builder.Finish());
}

Batch FourRows() {
  return MakeBatch({{RowKind::kInsert, 0, "a"},
                    {RowKind::kDelete, 1, "b"},
                    {RowKind::kUpdateAfter, 2, std::nullopt},
                    {RowKind::kInsert, 3, "d"}});
}

TEST(BatchTest, MaterializingKeepsKindsAndMovesWatermarks) {
  Batch batch = FourRows();
  batch.selection = Numbers({1, 3});
  batch.watermarks = {{0, 10}, {2, 20}, {4, 30}};
  ASSERT_ASSIGN(const Batch dense, Materialize(batch, arrow::default_memory_pool()));
  EXPECT_EQ(ToLines(dense), (Lines{"-D 1 b", "+I 3 d"}));
  EXPECT_EQ(dense.selection, nullptr);
  ASSERT_EQ(dense.watermarks.size(), 3U);
  EXPECT_EQ(dense.watermarks[0].row_offset, 0);
  EXPECT_EQ(dense.watermarks[1].row_offset, 1);
  EXPECT_EQ(dense.watermarks[2].row_offset, 2);
}

TEST(BatchTest, OnlySparseSelectionsAreMaterialized) {
  Batch batch = FourRows();
  batch.selection = Numbers({2});
  ASSERT_ASSIGN(const Batch quarter, MaterializeIfSparse(batch, arrow::default_memory_pool()));
  EXPECT_NE(quarter.selection, nullptr);
  batch.selection = Numbers({});
  ASSERT_ASSIGN(const Batch none, MaterializeIfSparse(batch, arrow::default_memory_pool()));
  EXPECT_EQ(none.selection, nullptr);
  EXPECT_EQ(none.records->num_rows(), 0);
}

TEST(BatchTest, ConcatenatingFillsMissingKinds) {
  Batch plain = FourRows();
  plain.row_kinds = nullptr;
  plain.watermarks = {{4, 5}};
  Batch second = FourRows();
  second.watermarks = {{1, 9}};
  ASSERT_ASSIGN(const Batch whole, Concatenate({plain, second}, arrow::default_memory_pool()));
  EXPECT_EQ(ToLines(whole), (Lines{"+I 0 a", "+I 1 b", "+I 2 null", "+I 3 d", "+I 0 a", "-D 1 b",
                                   "+U 2 null", "+I 3 d"}));
  ASSERT_EQ(whole.watermarks.size(), 2U);
  EXPECT_EQ(whole.watermarks[1].row_offset, 5);
}

}  // namespace
}  // namespace lakeward::stream
