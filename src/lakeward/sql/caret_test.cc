#include "lakeward/sql/caret.h"

#include <string>

#include "gtest/gtest.h"

namespace lakeward::sql {
namespace {

TEST(CaretTest, StandsUnderTheCharacter) {
  EXPECT_EQ(RenderCaret("SELECT a FORM t", {1, 10}), "SELECT a FORM t\n         ^");
  EXPECT_EQ(RenderCaret("SELECT a\nFORM t\nWHERE", {2, 1}), "FORM t\n^");
  EXPECT_EQ(RenderCaret("SELECT a\r\nFORM t", {1, 8}), "SELECT a\n       ^");
}

TEST(CaretTest, StandsBehindTheLastCharacterAtTheEnd) {
  EXPECT_EQ(RenderCaret("SELECT", {1, 7}), "SELECT\n      ^");
  EXPECT_EQ(RenderCaret("", {1, 1}), "\n^");
}

TEST(CaretTest, KeepsTabs) { EXPECT_EQ(RenderCaret("\ta\tb c", {1, 4}), "\ta\tb c\n\t \t^"); }

TEST(CaretTest, CountsWideCharactersTwiceAndCombiningMarksNot) {
  EXPECT_EQ(RenderCaret("金额 x", {1, 4}), "金额 x\n     ^");
  // e and a combining acute accent are two characters in one column.
  EXPECT_EQ(RenderCaret("e\xCC\x81 x", {1, 4}), "e\xCC\x81 x\n  ^");
  EXPECT_EQ(RenderCaret("größe x", {1, 7}), "größe x\n      ^");
}

TEST(CaretTest, ShowsAPartOfALongLine) {
  const std::string text = std::string(500, 'a') + " b " + std::string(500, 'c');
  const std::string caret = RenderCaret(text, {1, 502});
  const size_t line_end = caret.find('\n');
  EXPECT_EQ(caret.substr(0, 3), "…");
  EXPECT_EQ(caret.substr(line_end - 3, 3), "…");
  // The … takes three bytes, the space in the caret's line one.
  EXPECT_EQ(caret[caret.size() - line_end], 'b');
  EXPECT_LT(line_end, 140u);
}

TEST(CaretTest, IsEmptyOutsideOfTheText) {
  EXPECT_EQ(RenderCaret("SELECT", {2, 1}), "");
  EXPECT_EQ(RenderCaret("SELECT", {1, 8}), "");
  EXPECT_EQ(RenderCaret("SELECT", {0, 0}), "");
}

TEST(CaretTest, AddsTheCaretToErrorsWithAPosition) {
  const Status error =
      MakeError(ErrorKind::kValidation, "unknown column 'b'", "Did you mean a?", SqlPosition{1, 8});
  const Status shown = WithCaret(error, "SELECT b FROM t");
  EXPECT_EQ(shown.message(), "unknown column 'b'\nSELECT b FROM t\n       ^");
  EXPECT_EQ(HintOf(shown), "Did you mean a?");
  const Status bare = MakeError(ErrorKind::kValidation, "no place");
  EXPECT_EQ(WithCaret(bare, "SELECT b").message(), "no place");
}

}  // namespace
}  // namespace lakeward::sql
