#include "lakeward/session/tableau.h"

#include "arrow/array/array_primitive.h"
#include "arrow/json/from_string.h"
#include "gtest/gtest.h"
#include "lakeward/session/display_width.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::session {
namespace {

std::shared_ptr<arrow::RecordBatch> Rows(const types::RowSchema& schema,
                                         const std::vector<std::string>& columns) {
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (size_t i = 0; i < columns.size(); ++i) {
    arrays.push_back(
        arrow::json::ArrayFromJSONString(types::ToArrow(*schema.columns[i].type), columns[i])
            .ValueOrDie());
  }
  const int64_t row_count = arrays[0]->length();
  return arrow::RecordBatch::Make(types::ToArrowSchema(schema), row_count, std::move(arrays));
}

// Widths and forms as recorded from Flink's client.
TEST(TableauTest, ChangelogWidthsComeFromTheTypes) {
  const types::RowSchema schema{{{"id", types::Int()}, {"name", types::String()}}};
  const Tableau tableau = Tableau::ForChangelog(schema, types::TimeZone(), 30);
  stream::Batch batch;
  batch.records = Rows(schema, {"[1, null, 2]", R"(["a", "bb", null])"});
  batch.row_kinds = std::static_pointer_cast<arrow::Int8Array>(
      arrow::json::ArrayFromJSONString(arrow::int8(), "[0, 1, 2]").ValueOrDie());
  EXPECT_EQ(tableau.Header() + tableau.Rows(batch) + tableau.Rule(),
            "+----+-------------+--------------------------------+\n"
            "| op |          id |                           name |\n"
            "+----+-------------+--------------------------------+\n"
            "| +I |           1 |                              a |\n"
            "| -U |      <NULL> |                             bb |\n"
            "| +U |           2 |                         <NULL> |\n"
            "+----+-------------+--------------------------------+\n");
}

TEST(TableauTest, LongValuesEndInThreeDotsInAChangelog) {
  const types::RowSchema schema{{{"s", types::String()}}};
  const Tableau tableau = Tableau::ForChangelog(schema, types::TimeZone(), 10);
  stream::Batch batch;
  batch.records = Rows(schema, {R"(["0123456789", "0123456789x", "中文中文中文"])"});
  EXPECT_EQ(tableau.Rows(batch),
            "| +I | 0123456789 |\n"
            "| +I | 0123456... |\n"
            "| +I |  中文中... |\n");
}

TEST(TableauTest, WidthsOfWholeResultsComeFromTheContent) {
  const types::RowSchema schema{{{"wide", types::String()}, {"n", types::BigInt()}}};
  const std::vector<std::shared_ptr<arrow::RecordBatch>> rows{
      Rows(schema, {R"(["中文", "ab", "é"])", "[1, null, -100]"})};
  const Tableau tableau = Tableau::ForRows(schema, types::TimeZone(), rows, false);
  stream::Batch batch;
  batch.records = rows[0];
  EXPECT_EQ(tableau.Header() + tableau.Rows(batch) + tableau.Rule(),
            "+------+--------+\n"
            "| wide |      n |\n"
            "+------+--------+\n"
            "| 中文 |      1 |\n"
            "|   ab | <NULL> |\n"
            "|    é |   -100 |\n"
            "+------+--------+\n");
  const Tableau blank = Tableau::ForRows(schema, types::TimeZone(), rows, true);
  EXPECT_EQ(blank.Header(),
            "+------+------+\n"
            "| wide |    n |\n"
            "+------+------+\n");
}

// East Asian wide characters take two cells of a terminal (UAX #11).
TEST(DisplayWidthTest, CountsCells) {
  EXPECT_EQ(DisplayWidth(""), 0);
  EXPECT_EQ(DisplayWidth("abc"), 3);
  EXPECT_EQ(DisplayWidth("é"), 1);
  EXPECT_EQ(DisplayWidth("中文"), 4);
  EXPECT_EQ(DisplayWidth("ｆｕｌｌ"), 8);
  EXPECT_EQ(DisplayWidth("한글"), 4);
  EXPECT_EQ(DisplayWidth("😀"), 2);
  EXPECT_EQ(DisplayWidth("\xFF\xC3"), 2);  // no UTF-8: a cell a byte
}

TEST(DisplayWidthTest, NeverCutsThroughACharacter) {
  EXPECT_EQ(TruncateToWidth("abcdef", 3), "abc");
  EXPECT_EQ(TruncateToWidth("中文", 3), " 中");
  EXPECT_EQ(TruncateToWidth("中文", 4), "中文");
}

}  // namespace
}  // namespace lakeward::session
