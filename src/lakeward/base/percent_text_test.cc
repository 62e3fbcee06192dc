#include "lakeward/base/percent_text.h"

#include "gtest/gtest.h"

namespace lakeward {
namespace {

TEST(PercentTextTest, DecodesEscapesAndKeepsTheRest) {
  EXPECT_EQ(DecodePercent("a%20b%2Fc%c3%BC"), "a b/c\xC3\xBC");
  EXPECT_EQ(DecodePercent("100%"), "100%");
  EXPECT_EQ(DecodePercent("%4"), "%4");
  EXPECT_EQ(DecodePercent("%zz+%25"), "%zz+%");
}

TEST(PercentTextTest, EncodesOneByte) {
  std::string text = "a";
  AppendPercent('\xFF', &text);
  AppendPercent('/', &text);
  EXPECT_EQ(text, "a%FF%2F");
}

TEST(PercentTextTest, KnowsHexadecimalDigits) {
  EXPECT_EQ(HexDigitValue('0'), 0);
  EXPECT_EQ(HexDigitValue('f'), 15);
  EXPECT_EQ(HexDigitValue('A'), 10);
  EXPECT_EQ(HexDigitValue('g'), -1);
  EXPECT_EQ(HexDigitValue('@'), -1);
}

}  // namespace
}  // namespace lakeward
