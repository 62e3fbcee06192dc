#include "lakeward/types/type_coercion.h"

#include "gtest/gtest.h"

namespace lakeward::types {
namespace {

TEST(FindCast, FollowsFlinksTable) {
  EXPECT_EQ(FindCast(*Int(), *BigInt()), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*BigInt(), *Int()), CastKind::kExplicit);
  EXPECT_EQ(FindCast(*BigInt(), *Float()), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*Char(3), *String()), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*String(), *Char(3)), CastKind::kExplicit);
  EXPECT_EQ(FindCast(*Int(), *String()), CastKind::kExplicit);
  EXPECT_EQ(FindCast(*Int(), *Boolean()), CastKind::kExplicit);
  EXPECT_EQ(FindCast(*Double(), *Boolean()), CastKind::kNone);
  EXPECT_EQ(FindCast(*Date(), *Int()), CastKind::kNone);
  EXPECT_EQ(FindCast(*Timestamp(), *Date()), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*TimestampLtz(), *Date()), CastKind::kExplicit);
  EXPECT_EQ(FindCast(*Time(), *Date()), CastKind::kNone);
  EXPECT_EQ(FindCast(*BigInt(), *Timestamp()), CastKind::kNone);
  EXPECT_EQ(FindCast(*TimestampLtz(), *BigInt()), CastKind::kNone);
  EXPECT_EQ(FindCast(*Null(), *Array(Int())), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*String(), *Bytes()), CastKind::kExplicit);
}

TEST(FindCast, LooksIntoConstructedTypes) {
  EXPECT_EQ(FindCast(*Array(Int()), *Array(BigInt())), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*Array(Int()), *Array(String())), CastKind::kExplicit);
  EXPECT_EQ(FindCast(*Array(Int()), *Map(Int(), Int())), CastKind::kNone);
  EXPECT_EQ(FindCast(*Row({{"a", Int(), ""}}), *Row({{"b", BigInt(), ""}})), CastKind::kImplicit);
  EXPECT_EQ(FindCast(*Row({{"a", Int(), ""}}), *String()), CastKind::kExplicit);
}

std::string Common(const std::vector<TypePtr>& types) {
  const auto common = FindCommonType(types);
  return common ? (*common)->ToString() : "none";
}

TEST(FindCommonType, WidensNumbers) {
  // The example of LogicalTypeMerging's documentation.
  EXPECT_EQ(Common({Int(), BigInt(), Decimal(2, 2)}), "DECIMAL(21, 2)");
  EXPECT_EQ(Common({Int(false), BigInt(false)}), "BIGINT NOT NULL");
  EXPECT_EQ(Common({Int(false), Decimal(2, 1, false)}), "DECIMAL(11, 1) NOT NULL");
  EXPECT_EQ(Common({Float(), Int()}), "FLOAT");
  EXPECT_EQ(Common({Float(), Decimal(5, 2)}), "DOUBLE");
  EXPECT_EQ(Common({Float(), Double()}), "DOUBLE");
}

TEST(FindCommonType, WidensStringsAndTimes) {
  EXPECT_EQ(Common({Char(1, false), Char(3, false)}), "VARCHAR(3) NOT NULL");
  EXPECT_EQ(Common({Char(3), Char(3)}), "CHAR(3)");
  EXPECT_EQ(Common({Char(3), String()}), "STRING");
  EXPECT_EQ(Common({Timestamp(3), Timestamp(6)}), "TIMESTAMP(6)");
  EXPECT_EQ(Common({Timestamp(3), TimestampLtz(0)}), "TIMESTAMP_LTZ(3)");
  // A TIMESTAMP goes to a DATE by itself, a DATE to a TIMESTAMP only on request.
  EXPECT_EQ(Common({Date(), Timestamp(3)}), "DATE");
  EXPECT_EQ(Common({Boolean(false), Null()}), "BOOLEAN");
  EXPECT_EQ(Common({Array(Int()), Array(BigInt())}), "ARRAY<BIGINT>");
}

TEST(FindCommonType, IsNothingForForeignTypes) {
  EXPECT_EQ(Common({Int(), String()}), "none");
  EXPECT_EQ(Common({Boolean(), Int()}), "none");
  EXPECT_EQ(Common({Array(Int()), Int()}), "none");
  EXPECT_EQ(Common({Null(), Null()}), "none");
}

// Types that Flink 1.20 reported with TYPEOF.
TEST(DecimalTypes, FollowFlinksRules) {
  EXPECT_EQ(DecimalMultiplicationType(2, 1, 3, 2)->ToString(), "DECIMAL(6, 3) NOT NULL");
  EXPECT_EQ(DecimalDivisionType(10, 2, 10, 2)->ToString(), "DECIMAL(23, 13) NOT NULL");
  EXPECT_EQ(DecimalAdditionType(38, 10, 38, 20)->ToString(), "DECIMAL(38, 9) NOT NULL");
  EXPECT_EQ(DecimalModuloType(2, 1, 10, 0)->ToString(), "DECIMAL(2, 1) NOT NULL");
  EXPECT_EQ(DecimalDivisionType(38, 2, 20, 0)->ToString(), "DECIMAL(38, 6) NOT NULL");
  EXPECT_EQ(AsDecimal(*BigInt())->ToString(), "DECIMAL(19, 0)");
}

}  // namespace
}  // namespace lakeward::types
