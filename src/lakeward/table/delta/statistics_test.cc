#include "lakeward/table/delta/statistics.h"

#include <cmath>
#include <limits>

#include "arrow/scalar.h"
#include "gtest/gtest.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::delta {
namespace {

using format::ColumnStatistics;
using format::FileStatistics;

ColumnStatistics Column(std::vector<std::string> path, std::shared_ptr<arrow::Scalar> minimum,
                        std::shared_ptr<arrow::Scalar> maximum, int64_t null_count = 0) {
  ColumnStatistics column;
  column.path = std::move(path);
  column.null_count = null_count;
  column.minimum = std::move(minimum);
  column.maximum = std::move(maximum);
  return column;
}

std::shared_ptr<arrow::Scalar> Text(const std::string& text) {
  return std::make_shared<arrow::StringScalar>(text);
}
std::shared_ptr<arrow::Scalar> Int(int32_t value) {
  return std::make_shared<arrow::Int32Scalar>(value);
}
std::shared_ptr<arrow::Scalar> Micros(int64_t value, const char* zone) {
  return std::make_shared<arrow::TimestampScalar>(value,
                                                  arrow::timestamp(arrow::TimeUnit::MICRO, zone));
}

TEST(StatisticsJsonTest, MirrorsTheSchema) {
  FileStatistics file;
  file.row_count = 3;
  file.columns = {Column({"id"}, Int(1), Int(9), 1), Column({"a", "b", "c"}, Int(-5), Int(5)),
                  Column({"flag"}, std::make_shared<arrow::BooleanScalar>(false),
                         std::make_shared<arrow::BooleanScalar>(true)),
                  Column({"list", "list", "element"}, Int(1), Int(2))};
  const types::RowSchema schema{
      {{"id", types::Int()},
       {"a", types::Row({{"b", types::Row({{"c", types::Int(), ""}}), ""}})},
       {"flag", types::Boolean()},
       {"list", types::Array(types::Int())}}};
  EXPECT_EQ(StatisticsToJson(file, schema, {}),
            R"({"numRecords":3,"minValues":{"id":1,"a":{"b":{"c":-5}}},)"
            R"("maxValues":{"id":9,"a":{"b":{"c":5}}},)"
            R"("nullCount":{"id":1,"a":{"b":{"c":0}},"flag":0}})");
}

TEST(StatisticsJsonTest, DecimalsAreNumbersAndTimesAreTexts) {
  FileStatistics file;
  file.row_count = 1;
  const auto decimal = std::make_shared<arrow::Decimal128Scalar>(
      *arrow::Decimal128::FromString("123456789012345678901234.50"), arrow::decimal128(38, 2));
  file.columns = {Column({"d"}, decimal, decimal),
                  Column({"day"}, std::make_shared<arrow::Date32Scalar>(19'782),
                         std::make_shared<arrow::Date32Scalar>(19'782)),
                  Column({"at"}, Micros(1'001, "UTC"), Micros(1'001, "UTC")),
                  Column({"wall"}, Micros(-1, ""), Micros(5'000, ""))};
  const types::RowSchema schema{{{"d", types::Decimal(38, 2)},
                                 {"day", types::Date()},
                                 {"at", types::TimestampLtz(6)},
                                 {"wall", types::Timestamp(6)}}};
  EXPECT_EQ(StatisticsToJson(file, schema, {}),
            R"({"numRecords":1,"minValues":{"d":123456789012345678901234.50,"day":"2024-02-29",)"
            R"("at":"1970-01-01T00:00:00.001Z","wall":"1969-12-31T23:59:59.999"},)"
            R"("maxValues":{"d":123456789012345678901234.50,"day":"2024-02-29",)"
            R"("at":"1970-01-01T00:00:00.002Z","wall":"1970-01-01T00:00:00.005"},)"
            R"("nullCount":{"d":0,"day":0,"at":0,"wall":0}})");
}

TEST(StatisticsJsonTest, FloatsWithoutKnownNanCountHaveNoMaximum) {
  const auto number = [](double value) { return std::make_shared<arrow::DoubleScalar>(value); };
  FileStatistics file;
  file.row_count = 1;
  file.columns = {Column({"x"}, number(0.5), number(1.5)), Column({"y"}, number(0.5), number(1.5)),
                  Column({"z"}, number(-std::numeric_limits<double>::infinity()),
                         number(std::numeric_limits<double>::infinity()))};
  file.columns[1].nan_count = 0;
  file.columns[2].nan_count = 0;
  const types::RowSchema schema{
      {{"x", types::Double()}, {"y", types::Double()}, {"z", types::Double()}}};
  EXPECT_EQ(StatisticsToJson(file, schema, {}),
            R"({"numRecords":1,"minValues":{"x":0.5,"y":0.5},"maxValues":{"y":1.5},)"
            R"("nullCount":{"x":0,"y":0,"z":0}})");
}

TEST(StatisticsJsonTest, LongTextsAreCutAndStillBounds) {
  const std::string ascii(40, 'a');
  EXPECT_EQ(CutMinimum(ascii), std::string(32, 'a'));
  EXPECT_EQ(CutMaximum(ascii), std::string(32, 'a') + '\x7F');
  EXPECT_EQ(CutMaximum(std::string(32, 'a')), std::string(32, 'a'));
  // Characters, not bytes.
  std::string umlauts;
  for (int i = 0; i < 33; ++i) {
    umlauts += "ü";
  }
  EXPECT_EQ(CutMinimum(umlauts).size(), 64u);
  ASSERT_TRUE(CutMaximum(umlauts).has_value());
  EXPECT_GT(*CutMaximum(umlauts), umlauts);
  const std::string greatest = "\xF4\x8F\xBF\xBF";
  std::string all_greatest;
  for (int i = 0; i < 33; ++i) {
    all_greatest += greatest;
  }
  EXPECT_EQ(CutMaximum(all_greatest), std::nullopt);
  EXPECT_GT(*CutMaximum(std::string(32, 'a') + "\x7F" + "b"), std::string(32, 'a') + "\x7F" + "b");
}

TEST(StatisticsJsonTest, TextsAreCutInTheJson) {
  FileStatistics file;
  file.row_count = 1;
  file.columns = {Column({"s"}, Text(std::string(33, 'a')), Text("quote\" ü"))};
  EXPECT_EQ(StatisticsToJson(file, {{{"s", types::String()}}}, {}),
            R"({"numRecords":1,"minValues":{"s":")" + std::string(32, 'a') +
                R"("},"maxValues":{"s":"quote\" ü"},"nullCount":{"s":0}})");
}

// delta-write-09: delta.dataSkippingStatsColumns and NumIndexedCols are honoured.
TEST(StatisticsJsonTest, DeltaWrite09OnlyTheWantedColumnsHaveStatistics) {
  FileStatistics file;
  file.row_count = 2;
  file.columns = {Column({"p"}, Int(1), Int(1)), Column({"a"}, Int(1), Int(2)),
                  Column({"s", "x"}, Int(3), Int(4)), Column({"s", "y"}, Int(5), Int(6)),
                  Column({"b.c"}, Int(7), Int(8))};
  const types::RowSchema schema{
      {{"p", types::Int()},
       {"a", types::Int()},
       {"s", types::Row({{"x", types::Int(), ""}, {"y", types::Int(), ""}})},
       {"b.c", types::Int()}}};
  Metadata metadata;
  metadata.partition_columns = {"p"};
  metadata.configuration = {{"delta.dataSkippingNumIndexedCols", "2"}};
  EXPECT_EQ(StatisticsToJson(file, schema, metadata),
            R"({"numRecords":2,"minValues":{"a":1,"s":{"x":3}},"maxValues":{"a":2,"s":{"x":4}},)"
            R"("nullCount":{"a":0,"s":{"x":0}}})");
  metadata.configuration = {{"delta.dataSkippingNumIndexedCols", "0"}};
  EXPECT_EQ(StatisticsToJson(file, schema, metadata),
            R"({"numRecords":2,"minValues":{},"maxValues":{},"nullCount":{}})");
  metadata.configuration = {{"delta.dataSkippingNumIndexedCols", "0"},
                            {"delta.dataSkippingStatsColumns", "s.y, `b.c`"}};
  EXPECT_EQ(StatisticsToJson(file, schema, metadata),
            R"({"numRecords":2,"minValues":{"s":{"y":5},"b.c":7},)"
            R"("maxValues":{"s":{"y":6},"b.c":8},"nullCount":{"s":{"y":0},"b.c":0}})");
  metadata.configuration = {{"delta.dataSkippingStatsColumns", "s"}};
  EXPECT_EQ(StatisticsToJson(file, schema, metadata),
            R"({"numRecords":2,"minValues":{"s":{"x":3,"y":5}},"maxValues":{"s":{"x":4,"y":6}},)"
            R"("nullCount":{"s":{"x":0,"y":0}}})");
}

TEST(FileBoundsTest, UnusableStatisticsAreUnknown) {
  for (const char* text :
       {"", "null", "[]", "{", R"({"minValues":[1],"maxValues":"x"})",
        R"({"minValues":{"a":"text"},"maxValues":{"a":{}},"nullCount":{"a":""}})",
        R"({"minValues":{"a":1.5},"maxValues":{"a":18446744073709551615}})"}) {
    const FileBounds bounds = FileBounds::Parse(text, false);
    const ColumnBounds column = bounds.Column("a", *types::BigInt());
    EXPECT_FALSE(column.minimum.has_value()) << text;
    EXPECT_FALSE(column.maximum.has_value()) << text;
    EXPECT_FALSE(column.null_count.has_value()) << text;
  }
}

// delta-read-01: a maximum that was cut to milliseconds stands for up to 999 µs more.
TEST(FileBoundsTest, DeltaRead01TimestampMaximaAreWidened) {
  const FileBounds bounds = FileBounds::Parse(
      R"({"minValues":{"t":"1970-01-01T00:00:00.001Z"},"maxValues":{"t":"1970-01-01T00:00:00.002Z"}})",
      false);
  for (const types::TypePtr& type : {types::TimestampLtz(6), types::Timestamp(6)}) {
    const ColumnBounds column = bounds.Column("t", *type);
    EXPECT_EQ(column.minimum->whole, 1'000);
    EXPECT_EQ(column.maximum->whole, 2'999);
  }
}

}  // namespace
}  // namespace lakeward::delta
