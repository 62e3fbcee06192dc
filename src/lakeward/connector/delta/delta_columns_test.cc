#include "lakeward/connector/delta/delta_columns.h"

#include "gtest/gtest.h"
#include "lakeward/connector/connector_fixture.h"

namespace lakeward::connector {
namespace {

class DeltaColumnsTest : public ConnectorFixture {
 protected:
  static std::string StoredOr(const types::RowSchema& declared, const types::RowSchema& table) {
    const auto stored = StoredSchema(declared, table);
    return stored.ok() ? stored->ToString() : Describe(stored.status());
  }
};

TEST_F(DeltaColumnsTest, DeclaredColumnsTakeTheTypesOfTheLog) {
  const types::RowSchema table{{{"a", types::Int()},
                                {"t", types::TimestampLtz(6)},
                                {"s", types::String()},
                                {"extra", types::Int()}}};
  EXPECT_EQ(StoredOr({{{"s", types::VarChar(3)}, {"t", types::Timestamp(3)}}}, table),
            "[s: STRING, t: TIMESTAMP_LTZ(6)]");
  EXPECT_EQ(StoredOr({{{"b", types::Int()}}}, table),
            "Column 'b' is not in the Delta table, whose columns are [a: INT, t: "
            "TIMESTAMP_LTZ(6), s: STRING, extra: INT]\n"
            "Declare the table with the columns that it has.");
  EXPECT_EQ(StoredOr({{{"a", types::BigInt()}}}, table),
            "Column 'a' is declared BIGINT, but the Delta table has it as INT\n"
            "Declare the column with the table's type and CAST in the query.");
}

// delta-write-10: a child's null under a null parent is no null of the child.
TEST_F(DeltaColumnsTest, RetypingTouchesNoValue) {
  const types::TypePtr loose =
      types::Row({{"k", types::String(), ""}, {"t", types::Timestamp(6), ""}});
  const types::TypePtr strict =
      types::Row({{"k", types::String(false), ""}, {"t", types::TimestampLtz(6), ""}});
  const catalog::TableContext table = Table(
      {{"r", loose}, {"l", types::Array(loose)}, {"m", types::Map(types::String(), loose)}}, {});
  const stream::Batch batch = Rows(table, {R"([null, ["a", 1]])", R"([[null, ["b", 2]], null])",
                                           R"([[["x", null]], [["y", ["c", 3]]]])"});
  const auto schema = types::ToArrowSchema(types::RowSchema{
      {{"r", strict}, {"l", types::Array(strict)}, {"m", types::Map(types::String(), strict)}}});
  ASSERT_ASSIGN(const auto retyped, Reinterpret(*batch.records, schema));
  EXPECT_TRUE(retyped->schema()->Equals(*schema));
  for (int i = 0; i < retyped->num_columns(); ++i) {
    EXPECT_TRUE(retyped->column(i)->type()->Equals(*schema->field(i)->type()));
    EXPECT_EQ(retyped->column(i)->null_count(), batch.records->column(i)->null_count());
  }
  EXPECT_TRUE(retyped->column(0)->IsNull(0));
  EXPECT_TRUE(retyped->column(0)->IsValid(1));
}

TEST_F(DeltaColumnsTest, RefusesAnotherLayout) {
  const catalog::TableContext table = Table({{"n", types::Int()}}, {});
  const stream::Batch batch = Rows(table, {"[1]"});
  EXPECT_EQ(ErrorOf(Reinterpret(*batch.records,
                                types::ToArrowSchema(types::RowSchema{{{"n", types::BigInt()}}}))),
            "Column 'n' came as int32 instead of int64");
}

}  // namespace
}  // namespace lakeward::connector
