#include "lakeward/sql/lexer.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lakeward::sql {
namespace {

using ::testing::ElementsAre;

std::vector<Token> Lex(std::string_view text) {
  std::vector<Token> tokens;
  Lexer lexer(text);
  while (true) {
    tokens.push_back(lexer.Next());
    if (tokens.back().kind == TokenKind::kEnd || tokens.size() > 1'000) {
      return tokens;
    }
  }
}

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Lex(text)) {
    if (token.kind != TokenKind::kEnd) {
      texts.emplace_back(token.text);
    }
  }
  return texts;
}

TokenKind FirstKind(std::string_view text) { return Lex(text).front().kind; }

TEST(LexerTest, CutsWordsNumbersAndPunctuation) {
  EXPECT_THAT(Texts("SELECT a_1,$b FROM t WHERE x<>1.5e-3"),
              ElementsAre("SELECT", "a_1", ",", "$b", "FROM", "t", "WHERE", "x", "<>", "1.5e-3"));
  EXPECT_THAT(Texts("a>=b<=c!=d||e=>f"),
              ElementsAre("a", ">=", "b", "<=", "c", "!=", "d", "||", "e", "=>", "f"));
  EXPECT_THAT(Texts("ARRAY<ARRAY<INT>>"), ElementsAre("ARRAY", "<", "ARRAY", "<", "INT", ">", ">"));
}

TEST(LexerTest, TellsNumbersApart) {
  EXPECT_EQ(FirstKind("12"), TokenKind::kInteger);
  EXPECT_EQ(FirstKind("1.5"), TokenKind::kDecimal);
  EXPECT_EQ(FirstKind(".5"), TokenKind::kDecimal);
  EXPECT_EQ(FirstKind("5."), TokenKind::kDecimal);
  EXPECT_EQ(FirstKind("1e3"), TokenKind::kApproximate);
  EXPECT_EQ(FirstKind("1.5E+03"), TokenKind::kApproximate);
  EXPECT_THAT(Texts("1else"), ElementsAre("1", "else"));
  EXPECT_THAT(Texts("1e"), ElementsAre("1", "e"));
}

TEST(LexerTest, ReadsQuotedTexts) {
  EXPECT_EQ(FirstKind("'it''s'"), TokenKind::kString);
  EXPECT_EQ(FirstKind("`a``b`"), TokenKind::kQuotedIdentifier);
  EXPECT_EQ(FirstKind("U&'\\0041'"), TokenKind::kUnicodeString);
  EXPECT_EQ(FirstKind("x'0aFF'"), TokenKind::kBinaryString);
  EXPECT_EQ(FirstKind("N'abc'"), TokenKind::kCharsetString);
  EXPECT_EQ(FirstKind("_UTF16'abc'"), TokenKind::kCharsetString);
  EXPECT_THAT(Texts("'a;b' -- ';\n`c;d`"), ElementsAre("'a;b'", "`c;d`"));
  EXPECT_EQ(Unquote("'it''s'", '\''), "it's");
  EXPECT_EQ(Unquote("''", '\''), "");
  EXPECT_EQ(Unquote("`a``b`", '`'), "a`b");
}

TEST(LexerTest, SkipsCommentsButNotHints) {
  EXPECT_THAT(Texts("a -- b\n c // d\n /* e * / \n */ f /**/ g"), ElementsAre("a", "c", "f", "g"));
  EXPECT_THAT(Texts("t /*+ OPTIONS('k'='*/') */ x"),
              ElementsAre("t", "/*+", "OPTIONS", "(", "'k'", "=", "'*/'", ")", "*/", "x"));
  EXPECT_THAT(Texts("COUNT(*)/2"), ElementsAre("COUNT", "(", "*", ")", "/", "2"));
}

TEST(LexerTest, KnowsKeywordsWithoutRegardToCase) {
  EXPECT_EQ(Lex("sElEcT").front().keyword, Keyword::kSelect);
  EXPECT_EQ(Lex("timestamp_ltz").front().keyword, Keyword::kTimestampLtz);
  EXPECT_EQ(Lex("selects").front().keyword, Keyword::kNotKeyword);
  EXPECT_EQ(Lex("`select`").front().keyword, Keyword::kNotKeyword);
  EXPECT_TRUE(IsReserved(Keyword::kValue));
  EXPECT_FALSE(IsReserved(Keyword::kView));
}

TEST(LexerTest, CountsLinesAndCharacters) {
  const std::vector<Token> tokens = Lex("a\n\tπέ 'ü' \r\n  b");
  EXPECT_EQ(tokens[1].text, "πέ");
  EXPECT_EQ(tokens[1].position, (SqlPosition{2, 2}));
  EXPECT_EQ(tokens[2].position, (SqlPosition{2, 5}));
  EXPECT_EQ(tokens[3].position, (SqlPosition{3, 3}));
}

TEST(LexerTest, ReadsWordsOfAllScripts) {
  EXPECT_THAT(Texts("größe + 金额 + naïve1"), ElementsAre("größe", "+", "金额", "+", "naïve1"));
  // No-break space, ideographic space and byte order mark are spaces.
  EXPECT_THAT(Texts("\xEF\xBB\xBF"
                    "a\xC2\xA0"
                    "b\xE3\x80\x80"
                    "c"),
              ElementsAre("a", "b", "c"));
}

TEST(LexerTest, NamesWhatIsWrong) {
  const auto error_of = [](std::string_view text) {
    for (const Token& token : Lex(text)) {
      if (token.kind == TokenKind::kError) {
        return token.error;
      }
    }
    return LexicalError::kNone;
  };
  EXPECT_EQ(error_of("'abc"), LexicalError::kUnterminatedString);
  EXPECT_EQ(error_of("'abc''"), LexicalError::kUnterminatedString);
  EXPECT_EQ(error_of("`abc"), LexicalError::kUnterminatedIdentifier);
  EXPECT_EQ(error_of("/* abc"), LexicalError::kUnterminatedComment);
  EXPECT_EQ(error_of("/*/"), LexicalError::kUnterminatedComment);
  EXPECT_EQ(error_of("t /*+ OPTIONS("), LexicalError::kUnterminatedHint);
  EXPECT_EQ(error_of("``"), LexicalError::kEmptyIdentifier);
  EXPECT_EQ(error_of("\"a\""), LexicalError::kDoubleQuote);
  EXPECT_EQ(error_of("‘a’"), LexicalError::kTypographicQuote);
  EXPECT_EQ(error_of("a == b"), LexicalError::kDoubleEqual);
  EXPECT_EQ(error_of("a \xFF b"), LexicalError::kInvalidUtf8);
  EXPECT_EQ(error_of("a # b"), LexicalError::kUnknownCharacter);
}

}  // namespace
}  // namespace lakeward::sql
