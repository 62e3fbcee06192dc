#pragma once

#include <cstdint>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/sql/keyword.h"

namespace lakeward::sql {

enum class TokenKind : uint8_t {
  kEnd,
  kError,  ///< see Token::error
  kWord,
  kQuotedIdentifier,  ///< `a``b`
  kString,            ///< 'it''s'
  kUnicodeString,     ///< U&'\0041'
  kBinaryString,      ///< X'0aff'
  kCharsetString,     ///< N'…', _UTF16'…'
  kInteger,
  kDecimal,
  kApproximate,
  kHintBegin,  ///< /*+
  kHintEnd,    ///< */
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kDot,
  kSemicolon,
  kColon,
  kQuestion,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kConcat,  ///< ||
  kPipe,
  kCaret,
  kDollar,
  kEqual,
  kNotEqual,  ///< <> or !=
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kArrow,  ///< =>
};

enum class LexicalError : uint8_t {
  kNone,
  kUnterminatedString,
  kUnterminatedIdentifier,
  kUnterminatedComment,
  kUnterminatedHint,
  kEmptyIdentifier,
  kDoubleQuote,
  kTypographicQuote,
  kDoubleEqual,
  kInvalidUtf8,
  kUnknownCharacter,
};

/// A piece of the text; `text` is a view into it, with quotes.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  LexicalError error = LexicalError::kNone;
  Keyword keyword = Keyword::kNotKeyword;  ///< of kWord
  std::string_view text;
  SqlPosition position;
};

}  // namespace lakeward::sql
