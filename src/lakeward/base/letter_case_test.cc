#include "lakeward/base/letter_case.h"

#include "gtest/gtest.h"

namespace lakeward {
namespace {

TEST(LetterCaseTest, OnlyTheLettersOfAsciiChange) {
  EXPECT_EQ(ToUpper("json_Value1"), "JSON_VALUE1");
  EXPECT_EQ(ToUpper("größe"), "GRößE");
  EXPECT_EQ(ToUpper(""), "");
}

}  // namespace
}  // namespace lakeward
