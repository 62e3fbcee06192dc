#include "lakeward/expr/utf8_text.h"

#include <string>

#include "gtest/gtest.h"

namespace lakeward::expr {
namespace {

std::string Decoded(std::string_view bytes) {
  std::string text;
  AppendDecodedUtf8(bytes, &text);
  return text;
}

TEST(Utf8TextTest, ValidTextStaysAsItIs) {
  for (const char* text : {"", "a", "é中😀", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"}) {
    EXPECT_EQ(Decoded(text), text);
  }
}

// The Unicode Standard, section 3.9, table 3-8 ("U+FFFD Substitution of Maximal Subparts").
TEST(Utf8TextTest, EachMaximalSubpartBecomesOneReplacement) {
  EXPECT_EQ(Decoded("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(Decoded("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(Decoded("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"),
            "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB");
  EXPECT_EQ(Decoded("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "\uFFFD\uFFFD\uFFFD\uFFFDA");
  EXPECT_EQ(Decoded("a\xE4\xB8"), "a\uFFFD");
}

}  // namespace
}  // namespace lakeward::expr
