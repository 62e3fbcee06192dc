#include "lakeward/sql/lexer.h"

#include <algorithm>
#include <utility>

#include "lakeward/sql/utf8.h"

namespace lakeward::sql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsAsciiWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

bool IsAsciiWordPart(char c) { return IsAsciiWordStart(c) || IsDigit(c); }

bool IsAscii(char c) { return static_cast<uint8_t>(c) < 0x80; }

/// Bytes of the word part at the start of `text`, 0 when it is none.
size_t WordPartBytes(std::string_view text) {
  if (text.empty()) {
    return 0;
  }
  if (IsAscii(text[0])) {
    return IsAsciiWordPart(text[0]) ? 1 : 0;
  }
  const DecodedCharacter character = DecodeUtf8(text);
  return IsIdentifierCharacter(character.code_point) ? character.bytes : 0;
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {}

void Lexer::Advance(size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    const char c = text_[offset_ + i];
    if (c == '\n') {
      ++position_.line;
      position_.column = 1;
    } else if ((static_cast<uint8_t>(c) & 0xC0) != 0x80) {
      ++position_.column;
    }
  }
  offset_ += bytes;
}

Token Lexer::Finish(TokenKind kind, size_t bytes) {
  Token token;
  token.kind = kind;
  token.text = text_.substr(offset_, bytes);
  token.position = position_;
  Advance(bytes);
  return token;
}

Token Lexer::FinishError(LexicalError error, size_t bytes) {
  Token token = Finish(TokenKind::kError, bytes);
  token.error = error;
  return token;
}

bool Lexer::SkipSpacesAndComments(Token* error) {
  while (offset_ < text_.size()) {
    const char c = Peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      Advance(1);
    } else if ((c == '-' && Peek(1) == '-') || (c == '/' && Peek(1) == '/')) {
      const size_t end = text_.find('\n', offset_);
      Advance((end == std::string_view::npos ? text_.size() : end) - offset_);
    } else if (c == '/' && Peek(1) == '*' && Peek(2) != '+') {
      const size_t end = text_.find("*/", offset_ + 2);
      if (end == std::string_view::npos) {
        *error = FinishError(LexicalError::kUnterminatedComment, text_.size() - offset_);
        return false;
      }
      Advance(end + 2 - offset_);
    } else if (!IsAscii(c)) {
      const DecodedCharacter character = DecodeUtf8(text_.substr(offset_));
      if (character.bytes == 0 || !IsWideSpace(character.code_point)) {
        return true;
      }
      Advance(character.bytes);
    } else {
      return true;
    }
  }
  return true;
}

Token Lexer::Next() {
  Token error;
  if (!SkipSpacesAndComments(&error)) {
    return error;
  }
  if (offset_ >= text_.size()) {
    if (in_hint_) {
      in_hint_ = false;
      error = FinishError(LexicalError::kUnterminatedHint, 0);
      error.position = hint_position_;
      return error;
    }
    return Finish(TokenKind::kEnd, 0);
  }
  const char c = Peek();
  if (c == '\'') {
    return LexQuoted(TokenKind::kString, '\'', 0);
  }
  if (c == '`') {
    return LexQuoted(TokenKind::kQuotedIdentifier, '`', 0);
  }
  if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
    return LexNumber();
  }
  if (WordPartBytes(text_.substr(offset_, 4)) > 0) {
    return LexWord();
  }
  return IsAscii(c) ? LexPunctuation() : LexOther();
}

Token Lexer::LexWord() {
  const char c = Peek();
  if ((c == 'U' || c == 'u') && Peek(1) == '&' && Peek(2) == '\'') {
    return LexQuoted(TokenKind::kUnicodeString, '\'', 2);
  }
  if ((c == 'X' || c == 'x') && Peek(1) == '\'') {
    return LexQuoted(TokenKind::kBinaryString, '\'', 1);
  }
  if ((c == 'N' || c == 'n') && Peek(1) == '\'') {
    return LexQuoted(TokenKind::kCharsetString, '\'', 1);
  }
  size_t bytes = 0;
  while (const size_t part = WordPartBytes(text_.substr(offset_ + bytes, 4))) {
    bytes += part;
  }
  if (c == '_' && bytes > 1 && Peek(bytes) == '\'') {
    return LexQuoted(TokenKind::kCharsetString, '\'', bytes);
  }
  Token token = Finish(TokenKind::kWord, bytes);
  token.keyword = KeywordOf(token.text);
  return token;
}

Token Lexer::LexNumber() {
  size_t bytes = 0;
  TokenKind kind = TokenKind::kInteger;
  while (IsDigit(Peek(bytes))) {
    ++bytes;
  }
  if (Peek(bytes) == '.') {
    kind = TokenKind::kDecimal;
    ++bytes;
    while (IsDigit(Peek(bytes))) {
      ++bytes;
    }
  }
  if (Peek(bytes) == 'e' || Peek(bytes) == 'E') {
    const size_t sign = Peek(bytes + 1) == '+' || Peek(bytes + 1) == '-' ? 1 : 0;
    size_t digits = 0;
    while (IsDigit(Peek(bytes + 1 + sign + digits))) {
      ++digits;
    }
    if (digits > 0) {
      kind = TokenKind::kApproximate;
      bytes += 1 + sign + digits;
    }
  }
  return Finish(kind, bytes);
}

Token Lexer::LexQuoted(TokenKind kind, char quote, size_t prefix_bytes) {
  size_t end = offset_ + prefix_bytes + 1;
  while (true) {
    end = text_.find(quote, end);
    if (end == std::string_view::npos) {
      return FinishError(
          quote == '`' ? LexicalError::kUnterminatedIdentifier : LexicalError::kUnterminatedString,
          text_.size() - offset_);
    }
    if (end + 1 < text_.size() && text_[end + 1] == quote) {
      end += 2;
      continue;
    }
    break;
  }
  const size_t bytes = end + 1 - offset_;
  if (quote == '`' && bytes == 2) {
    return FinishError(LexicalError::kEmptyIdentifier, bytes);
  }
  return Finish(kind, bytes);
}

Token Lexer::LexPunctuation() {
  const char next = Peek(1);
  switch (Peek()) {
    case '(':
      return Finish(TokenKind::kLeftParen, 1);
    case ')':
      return Finish(TokenKind::kRightParen, 1);
    case '[':
      return Finish(TokenKind::kLeftBracket, 1);
    case ']':
      return Finish(TokenKind::kRightBracket, 1);
    case '{':
      return Finish(TokenKind::kLeftBrace, 1);
    case '}':
      return Finish(TokenKind::kRightBrace, 1);
    case ',':
      return Finish(TokenKind::kComma, 1);
    case '.':
      return Finish(TokenKind::kDot, 1);
    case ';':
      return Finish(TokenKind::kSemicolon, 1);
    case ':':
      return Finish(TokenKind::kColon, 1);
    case '?':
      return Finish(TokenKind::kQuestion, 1);
    case '+':
      return Finish(TokenKind::kPlus, 1);
    case '-':
      return Finish(TokenKind::kMinus, 1);
    case '*':
      if (in_hint_ && next == '/') {
        in_hint_ = false;
        return Finish(TokenKind::kHintEnd, 2);
      }
      return Finish(TokenKind::kStar, 1);
    case '/':
      if (next == '*') {
        in_hint_ = true;
        hint_position_ = position_;
        return Finish(TokenKind::kHintBegin, 3);
      }
      return Finish(TokenKind::kSlash, 1);
    case '%':
      return Finish(TokenKind::kPercent, 1);
    case '|':
      return next == '|' ? Finish(TokenKind::kConcat, 2) : Finish(TokenKind::kPipe, 1);
    case '^':
      return Finish(TokenKind::kCaret, 1);
    case '=':
      if (next == '=') {
        return FinishError(LexicalError::kDoubleEqual, 2);
      }
      return next == '>' ? Finish(TokenKind::kArrow, 2) : Finish(TokenKind::kEqual, 1);
    case '!':
      return next == '=' ? Finish(TokenKind::kNotEqual, 2) : LexOther();
    case '<':
      if (next == '>') {
        return Finish(TokenKind::kNotEqual, 2);
      }
      return next == '=' ? Finish(TokenKind::kLessOrEqual, 2) : Finish(TokenKind::kLess, 1);
    case '>':
      return next == '=' ? Finish(TokenKind::kGreaterOrEqual, 2) : Finish(TokenKind::kGreater, 1);
    case '"':
      return FinishError(LexicalError::kDoubleQuote, 1);
    default:
      return LexOther();
  }
}

Token Lexer::LexOther() {
  const DecodedCharacter character = DecodeUtf8(text_.substr(offset_));
  if (character.bytes == 0) {
    return FinishError(LexicalError::kInvalidUtf8, 1);
  }
  return FinishError(IsTypographicQuote(character.code_point) ? LexicalError::kTypographicQuote
                                                              : LexicalError::kUnknownCharacter,
                     character.bytes);
}

bool IsUnterminated(LexicalError error) {
  switch (error) {
    case LexicalError::kUnterminatedString:
    case LexicalError::kUnterminatedIdentifier:
    case LexicalError::kUnterminatedComment:
    case LexicalError::kUnterminatedHint:
      return true;
    default:
      return false;
  }
}

std::string Unquote(std::string_view quoted, char quote) {
  LW_CHECK(quoted.size() >= 2 && quoted.front() == quote && quoted.back() == quote);
  const std::string_view inner = quoted.substr(1, quoted.size() - 2);
  std::string text;
  text.reserve(inner.size());
  for (size_t i = 0; i < inner.size(); ++i) {
    text.push_back(inner[i]);
    if (inner[i] == quote) {
      ++i;
    }
  }
  return text;
}

Status DescribeLexicalError(const Token& token) {
  std::string message;
  std::string hint;
  switch (token.error) {
    case LexicalError::kUnterminatedString:
      message = "the string that begins here has no closing quote";
      hint = "Close it with '; a quote inside of a string is written twice: 'it''s'.";
      break;
    case LexicalError::kUnterminatedIdentifier:
      message = "the name that begins here has no closing backtick";
      hint = "Close it with `; a backtick inside of a name is written twice.";
      break;
    case LexicalError::kUnterminatedComment:
      message = "the comment that begins here has no end";
      hint = "Close it with */.";
      break;
    case LexicalError::kUnterminatedHint:
      message = "the hint that begins here has no end";
      hint = "Close it with */.";
      break;
    case LexicalError::kEmptyIdentifier:
      message = "a name cannot be empty";
      hint = "Write at least one character between the backticks.";
      break;
    case LexicalError::kDoubleQuote:
      message = "unexpected '\"'";
      hint = "Strings are written in single quotes ('text'), names in backticks (`name`).";
      break;
    case LexicalError::kTypographicQuote:
      message = "unexpected typographic quotation mark '" + std::string(token.text) + "'";
      hint = "Write the plain ' for strings and ` for names.";
      break;
    case LexicalError::kDoubleEqual:
      message = "unexpected '=='";
      hint = "Equality is written with a single =.";
      break;
    case LexicalError::kInvalidUtf8:
      message = "the text is not valid UTF-8 here";
      hint = "Save the script in UTF-8.";
      break;
    default:
      message = "unexpected character '" + std::string(token.text) + "'";
      break;
  }
  return MakeError(ErrorKind::kSyntax, std::move(message), std::move(hint), token.position);
}

}  // namespace lakeward::sql
