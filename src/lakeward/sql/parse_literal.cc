#include "fmt/format.h"
#include "lakeward/base/percent_text.h"
#include "lakeward/sql/lexer.h"
#include "lakeward/sql/parser.h"
#include "lakeward/sql/utf8.h"

namespace lakeward::sql {
namespace {

/// The code point of `digits` hexadecimal digits at the start of `text`; nothing when they are not.
std::optional<char32_t> DecodeHex(std::string_view text, size_t digits) {
  if (text.size() < digits) {
    return std::nullopt;
  }
  char32_t value = 0;
  for (size_t i = 0; i < digits; ++i) {
    const int digit = HexDigitValue(text[i]);
    if (digit < 0) {
      return std::nullopt;
    }
    value = value * 16 + static_cast<char32_t>(digit);
  }
  return value;
}

bool IsHighSurrogate(char32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
bool IsLowSurrogate(char32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }

/// U&'…' with `escape` before four digits, or with `+` before six; `ok` tells whether it is well
/// formed.
std::string Unescape(std::string_view text, char escape, bool* ok) {
  std::string result;
  char32_t high = 0;
  *ok = true;
  while (!text.empty() && *ok) {
    if (text[0] != escape) {
      *ok = high == 0;
      result.push_back(text[0]);
      text.remove_prefix(1);
      continue;
    }
    if (text.size() > 1 && text[1] == escape) {
      *ok = high == 0;
      result.push_back(escape);
      text.remove_prefix(2);
      continue;
    }
    const bool six = text.size() > 1 && text[1] == '+';
    const size_t digits = six ? 6 : 4;
    const size_t skip = six ? 2 : 1;
    const std::optional<char32_t> value = DecodeHex(text.substr(skip), digits);
    if (!value.has_value() || *value > 0x10FFFF || IsLowSurrogate(*value) != (high != 0)) {
      *ok = false;
      break;
    }
    if (IsHighSurrogate(*value)) {
      high = *value;
    } else if (high != 0) {
      AppendUtf8(0x10000 + ((high - 0xD800) << 10) + (*value - 0xDC00), &result);
      high = 0;
    } else {
      AppendUtf8(*value, &result);
    }
    text.remove_prefix(skip + digits);
  }
  *ok = *ok && high == 0;
  return result;
}

}  // namespace

Result<std::string> Parser::DecodeUnicodeString(const Token& token) {
  const std::string text = Unquote(token.text.substr(2), '\'');
  char escape = '\\';
  if (cursor_.Accept(Keyword::kUescape)) {
    const Token& given = cursor_.current();
    const std::string character =
        given.kind == TokenKind::kString ? Unquote(given.text, '\'') : std::string();
    if (character.size() != 1 || HexDigitValue(character[0]) >= 0 || character[0] == '+' ||
        character[0] == '\'' || character[0] == '"' || character[0] == ' ') {
      return cursor_.Error(given.position, "UESCAPE needs one character in single quotes",
                           "Choose one that is no hexadecimal digit, plus sign, quote or space.");
    }
    escape = character[0];
    cursor_.Advance();
  }
  bool ok = false;
  std::string decoded = Unescape(text, escape, &ok);
  if (!ok) {
    return cursor_.Error(
        token.position, "malformed escape in a U&'…' string",
        fmt::format("Write {0}XXXX or {0}+XXXXXX with hexadecimal digits.", escape));
  }
  return decoded;
}

Result<ExpressionPtr> Parser::ParseStringLiteral() {
  auto literal = MakeNode<LiteralExpression>(cursor_.position());
  literal->literal = LiteralKind::kString;
  const Token token = cursor_.current();
  cursor_.Advance();
  if (token.kind == TokenKind::kUnicodeString) {
    LW_ASSIGN(literal->text, DecodeUnicodeString(token));
  } else {
    literal->text = Unquote(token.text.substr(token.text.find('\'')), '\'');
  }
  // 'abc' on one line and 'def' on the next are one string.
  while (cursor_.current().kind == TokenKind::kString) {
    if (cursor_.current().position.line == cursor_.previous().position.line) {
      return cursor_.Error(
          cursor_.position(), fmt::format("unexpected {}", cursor_.current().text),
          "A quote inside of a string is written twice: 'it''s'. Strings are joined "
          "with ||.");
    }
    literal->text += Unquote(cursor_.current().text, '\'');
    cursor_.Advance();
  }
  return literal;
}

Result<ExpressionPtr> Parser::ParseBinaryLiteral() {
  const Token& token = cursor_.current();
  auto literal = MakeNode<LiteralExpression>(token.position);
  literal->literal = LiteralKind::kBinary;
  const std::string_view digits = token.text.substr(2, token.text.size() - 3);
  if (digits.size() % 2 != 0) {
    return cursor_.Error(token.position, "a binary string needs an even number of digits",
                         "Write two hexadecimal digits a byte: X'0aff'.");
  }
  for (size_t i = 0; i < digits.size(); i += 2) {
    const std::optional<char32_t> byte = DecodeHex(digits.substr(i), 2);
    if (!byte.has_value()) {
      return cursor_.Error(token.position, "a binary string holds hexadecimal digits only",
                           "Write two hexadecimal digits a byte: X'0aff'.");
    }
    literal->text.push_back(static_cast<char>(*byte));
  }
  cursor_.Advance();
  return literal;
}

Result<ExpressionPtr> Parser::ParseNumber() {
  auto literal = MakeNode<LiteralExpression>(cursor_.position());
  literal->literal = cursor_.current().kind == TokenKind::kApproximate
                         ? LiteralKind::kApproximateNumber
                         : LiteralKind::kExactNumber;
  literal->text = std::string(cursor_.current().text);
  cursor_.Advance();
  return literal;
}

Result<ExpressionPtr> Parser::ParseDateTimeLiteral(LiteralKind kind) {
  auto literal = MakeNode<LiteralExpression>(cursor_.position());
  cursor_.Advance();
  literal->literal = kind;
  LW_ASSIGN(literal->text, ParseString());
  return literal;
}

Result<ExpressionPtr> Parser::ParseInterval() {
  auto interval = MakeNode<IntervalExpression>(cursor_.position());
  cursor_.Advance();
  if (cursor_.Accept(TokenKind::kMinus)) {
    interval->negative = true;
  } else {
    cursor_.Accept(TokenKind::kPlus);
  }
  if (AtStringLiteral()) {
    LW_ASSIGN(interval->value, ParseStringLiteral());
  } else if (cursor_.current().kind == TokenKind::kInteger ||
             cursor_.current().kind == TokenKind::kDecimal) {
    LW_ASSIGN(interval->value, ParseNumber());
  } else if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(ParenthesizedContent content, ParseParenthesized());
    LW_ASSIGN(interval->value, ToExpression(std::move(content)));
  } else if (cursor_.AtIdentifier("a string in single quotes")) {
    auto name = MakeNode<NameExpression>(cursor_.position());
    LW_ASSIGN(name->name, ParseQualifiedName("a name"));
    interval->value = std::move(name);
  } else {
    return cursor_.Unexpected();
  }
  LW_ASSIGN(interval->qualifier, ParseIntervalQualifier());
  return Finish(std::move(interval));
}

}  // namespace lakeward::sql
