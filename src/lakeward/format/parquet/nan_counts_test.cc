#include "lakeward/format/parquet/nan_counts.h"

#include <cmath>
#include <limits>

#include "arrow/array/array_nested.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/array/util.h"
#include "arrow/json/from_string.h"
#include "arrow/type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lakeward::format {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;

std::shared_ptr<arrow::Array> Doubles(const std::vector<double>& values,
                                      const std::vector<bool>& valid) {
  arrow::DoubleBuilder builder;
  EXPECT_TRUE(builder.AppendValues(values, valid).ok());
  return builder.Finish().ValueOrDie();
}

TEST(NanCountsTest, CountsByLeafAndNotBehindNulls) {
  const double nan = std::nan("");
  const auto doubles = Doubles({1.5, nan, nan}, {true, true, false});
  const auto clean =
      Doubles({1.5, -0.0, std::numeric_limits<double>::infinity()}, {true, true, true});
  const auto list =
      arrow::json::ArrayFromJSONString(arrow::list(arrow::float64()), "[[1.5], null, []]")
          .ValueOrDie();
  const auto number = arrow::json::ArrayFromJSONString(arrow::int32(), "[1, 2, 3]").ValueOrDie();
  const auto row =
      arrow::StructArray::Make({number, doubles}, std::vector<std::string>{"i", "d"}).ValueOrDie();
  const auto schema = arrow::schema(arrow::FieldVector{arrow::field("row", row->type()),
                                                       arrow::field("list", list->type()),
                                                       arrow::field("clean", clean->type())});
  const auto batch = arrow::RecordBatch::Make(schema, 3, {row, list, clean});
  NanCounts counts;
  counts.Add(*batch);
  counts.Add(*batch->Slice(1, 1));
  std::vector<ColumnStatistics> leaves(4);
  counts.SetIn(&leaves);
  const std::vector<std::optional<int64_t>> found{leaves[0].nan_count, leaves[1].nan_count,
                                                  leaves[2].nan_count, leaves[3].nan_count};
  EXPECT_THAT(found, ElementsAre(Eq(std::nullopt), Eq(2), Eq(std::nullopt), Eq(0)));
}

}  // namespace
}  // namespace lakeward::format
