#include "lakeward/types/arrow_mapping.h"

#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward::types {
namespace {

TEST(ArrowMapping, GivesEachTypeItsPhysicalForm) {
  EXPECT_TRUE(ToArrow(*Timestamp(3))->Equals(arrow::timestamp(arrow::TimeUnit::MICRO)));
  EXPECT_TRUE(ToArrow(*Timestamp(9))->Equals(arrow::timestamp(arrow::TimeUnit::NANO)));
  EXPECT_TRUE(ToArrow(*TimestampLtz(6))->Equals(arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")));
  EXPECT_TRUE(ToArrow(*Char(3))->Equals(arrow::utf8()));
  EXPECT_TRUE(ToArrow(*Decimal(5, 2))->Equals(arrow::decimal128(5, 2)));
  EXPECT_TRUE(ToArrow(*IntervalYearMonth())->Equals(arrow::int32()));
  const auto list = ToArrow(*Array(Int(false)));
  EXPECT_EQ(list->field(0)->name(), "element");
  EXPECT_FALSE(list->field(0)->nullable());
}

TEST(ArrowMapping, ReadsBackWhatItMakes) {
  const TypePtr types[] = {Boolean(),
                           TinyInt(false),
                           SmallInt(),
                           Int(),
                           BigInt(),
                           Float(),
                           Double(),
                           Decimal(38, 10),
                           String(),
                           Bytes(),
                           Date(),
                           Timestamp(6),
                           TimestampLtz(9),
                           Array(String(false)),
                           Map(Int(false), Double()),
                           Row({{"a", Int(false), ""}, {"b", Array(Date()), ""}})};
  for (const TypePtr& type : types) {
    ASSERT_ASSIGN(const TypePtr back, FromArrow(*ToArrow(*type), type->nullable()));
    EXPECT_TRUE(back->Equals(*type)) << type->ToString() << " became " << back->ToString();
  }
}

TEST(ArrowMapping, WidensUnsignedIntegers) {
  ASSERT_ASSIGN(const TypePtr type, FromArrow(*arrow::uint64(), true));
  EXPECT_EQ(type->ToString(), "DECIMAL(20, 0)");
}

TEST(ArrowMapping, RefusesTypesWithoutCounterpart) {
  const auto result = FromArrow(*arrow::month_day_nano_interval(), true);
  EXPECT_EQ(KindOf(result.status()), ErrorKind::kUnsupported);
  EXPECT_NE(result.status().message().find("month_day_nano_interval"), std::string::npos);
}

TEST(ArrowMapping, KeepsNamesAndNullabilityOfAColumn) {
  const auto schema = ToArrowSchema({{{"a b", Int(false)}, {"é", String()}}});
  EXPECT_EQ(schema->ToString(), "a b: int32 not null\né: string");
}

}  // namespace
}  // namespace lakeward::types
