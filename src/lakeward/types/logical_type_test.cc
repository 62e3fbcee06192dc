#include "lakeward/types/logical_type.h"

#include "gtest/gtest.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::types {
namespace {

// Spellings as Flink 1.20's SQL client printed them.
TEST(LogicalType, IsSpelledAsFlinkSpellsIt) {
  EXPECT_EQ(Int(false)->ToString(), "INT NOT NULL");
  EXPECT_EQ(Decimal(2, 1, false)->ToString(), "DECIMAL(2, 1) NOT NULL");
  EXPECT_EQ(Char(1, false)->ToString(), "CHAR(1) NOT NULL");
  EXPECT_EQ(Array(Int(false), false)->ToString(), "ARRAY<INT NOT NULL> NOT NULL");
  EXPECT_EQ(Null()->ToString(), "NULL");
  EXPECT_EQ(TimestampLtz(3, false)->ToString(), "TIMESTAMP_LTZ(3) NOT NULL");
  EXPECT_EQ(IntervalDayTime(2, 3, false)->ToString(), "INTERVAL SECOND(3) NOT NULL");
  EXPECT_EQ(String()->ToString(), "STRING");
  EXPECT_EQ(Bytes()->ToString(), "BYTES");
  EXPECT_EQ(Time()->ToString(), "TIME(0)");
  EXPECT_EQ(Row({{"EXPR$0", Int(false), ""}, {"b`c", Char(1), "it's"}})->ToString(),
            "ROW<`EXPR$0` INT NOT NULL, `b``c` CHAR(1) 'it''s'>");
}

TEST(LogicalType, HasALongerSpellingForShowCreateTable) {
  EXPECT_EQ(String(false)->ToString(TypeSpelling::kSerializable), "VARCHAR(2147483647) NOT NULL");
  EXPECT_EQ(TimestampLtz(3)->ToString(TypeSpelling::kSerializable),
            "TIMESTAMP(3) WITH LOCAL TIME ZONE");
  EXPECT_EQ(Array(Bytes())->ToString(TypeSpelling::kSerializable), "ARRAY<VARBINARY(2147483647)>");
}

TEST(LogicalType, ComparesWithAndWithoutNullability) {
  const TypePtr nullable = Map(Int(), Array(Decimal(10, 2)));
  const TypePtr strict = Map(Int(false), Array(Decimal(10, 2, false)), false);
  EXPECT_FALSE(nullable->Equals(*strict));
  EXPECT_TRUE(nullable->EqualsIgnoringNullability(*strict));
  EXPECT_FALSE(Decimal(10, 2)->EqualsIgnoringNullability(*Decimal(10, 3)));
  EXPECT_FALSE(Row({{"a", Int(), ""}})->Equals(*Row({{"b", Int(), ""}})));
}

TEST(LogicalType, ChangesNullabilityOfTheOutermostLevelOnly) {
  const TypePtr type = WithNullability(Array(Int()), false);
  EXPECT_EQ(type->ToString(), "ARRAY<INT> NOT NULL");
  EXPECT_TRUE(WithNullability(Null(), false)->nullable());
}

TEST(RowSchema, FindsColumnsByExactName) {
  const RowSchema schema{{{"a", Int()}, {"A", String(false)}, {"a", BigInt()}}};
  EXPECT_EQ(schema.FindColumn("A"), 1);
  EXPECT_EQ(schema.FindColumn("a"), 0);
  EXPECT_EQ(schema.FindColumn("b"), std::nullopt);
  EXPECT_EQ(schema.ToString(), "[a: INT, A: STRING NOT NULL, a: BIGINT]");
}

}  // namespace
}  // namespace lakeward::types
