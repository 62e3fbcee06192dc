#include "lakeward/types/type_serialization.h"

#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward::types {
namespace {

TEST(TypeSerialization, ReadsWhatItWrites) {
  const RowSchema schema{{
      {"a", Int(false)},
      {"odd `name`, <b>", String()},
      {"d", Decimal(10, 2)},
      {"ts", TimestampLtz(9, false)},
      {"t", Time(3)},
      {"i", IntervalDayTime()},
      {"ym", IntervalYearMonth()},
      {"c", Char(3)},
      {"vb", VarBinary(7)},
      {"m", Map(String(false), Array(Row({{"x", Bytes(), "it's"}, {"y", Double(), ""}})), false)},
      {"ms", Multiset(BigInt())},
      {"n", Null()},
      {"empty", Row({})},
  }};
  ASSERT_ASSIGN(const RowSchema back, DeserializeSchema(SerializeSchema(schema)));
  EXPECT_TRUE(back.Equals(schema)) << back.ToString();
}

TEST(TypeSerialization, RefusesForeignText) {
  for (const char* text : {"", "INTEGERS", "DECIMAL(39, 1)", "DECIMAL(3", "ROW<`a` INT", "INT x",
                           "ARRAY<>", "ROW<a INT>", "VARCHAR"}) {
    EXPECT_EQ(KindOf(DeserializeType(text).status()), ErrorKind::kCorruptData) << text;
  }
  EXPECT_FALSE(DeserializeSchema("INT").ok());
}

}  // namespace
}  // namespace lakeward::types
