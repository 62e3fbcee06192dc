#include "lakeward/sql/token_cursor.h"

#include <utility>

#include "lakeward/sql/lexer.h"
#include "lakeward/sql/utf8.h"

namespace lakeward::sql {
namespace {

constexpr size_t kTextBytesMax = size_t{1} << 30;

/// An error at the first byte of `text` that is not UTF-8.
Status CheckUtf8(std::string_view text) {
  Token token;
  token.kind = TokenKind::kError;
  token.error = LexicalError::kInvalidUtf8;
  token.position = {1, 1};
  while (!text.empty()) {
    const size_t bytes = static_cast<uint8_t>(text[0]) < 0x80 ? 1 : DecodeUtf8(text).bytes;
    if (bytes == 0) {
      return DescribeLexicalError(token);
    }
    if (text[0] == '\n') {
      ++token.position.line;
      token.position.column = 1;
    } else {
      ++token.position.column;
    }
    text.remove_prefix(bytes);
  }
  return Status::OK();
}

}  // namespace

Result<TokenCursor> TokenCursor::Make(std::string_view text, size_t explain_from) {
  if (text.size() > kTextBytesMax) {
    return MakeError(ErrorKind::kSyntax, "the statement is larger than 1 GiB",
                     "Put the data into a file and read it through a table.", SqlPosition{1, 1});
  }
  LW_TRY(CheckUtf8(text));
  TokenCursor cursor(text, explain_from);
  cursor.tokens_.reserve(text.size() / 6 + 2);
  Lexer lexer(text);
  while (true) {
    const Token token = lexer.Next();
    // What comes before would be blamed for the quote that is missing: say it first.
    if (token.kind == TokenKind::kError && IsUnterminated(token.error)) {
      return DescribeLexicalError(token);
    }
    cursor.tokens_.push_back(token);
    if (token.kind == TokenKind::kEnd) {
      break;
    }
  }
  return cursor;
}

const Token& TokenCursor::Ahead(size_t count) const {
  const size_t at = index_ + count;
  return at < tokens_.size() ? tokens_[at] : tokens_.back();
}

void TokenCursor::Advance() {
  if (index_ + 1 < tokens_.size()) {
    ++index_;
  }
}

std::string_view TokenCursor::TextSince(size_t first_index) const {
  if (index_ == 0 || index_ <= first_index) {
    return {};
  }
  const char* begin = tokens_[first_index].text.data();
  const std::string_view last = tokens_[index_ - 1].text;
  return {begin, static_cast<size_t>(last.data() + last.size() - begin)};
}

void TokenCursor::Remember(ExpectationKind kind, std::string_view text, Weight weight,
                           bool is_name) const {
  if (index_ != expected_at_) {
    expected_.clear();
    expected_at_ = index_;
  }
  for (Expectation& known : expected_) {
    if (known.text == text) {
      if (weight == Weight::kMajor) {
        known.weight = weight;
      }
      return;
    }
  }
  expected_.push_back({kind, weight, std::string(text), is_name});
}

bool TokenCursor::At(Keyword keyword) const {
  if (current().keyword == keyword) {
    return true;
  }
  if (explains()) {
    Remember(ExpectationKind::kKeyword, SpellingOf(keyword), weight_, false);
  }
  return false;
}

bool TokenCursor::At(TokenKind kind) const {
  if (current().kind == kind) {
    return true;
  }
  if (explains()) {
    Remember(ExpectationKind::kToken, DescriptionOf(kind), weight_, false);
  }
  return false;
}

bool TokenCursor::Accept(Keyword keyword) {
  if (!At(keyword)) {
    return false;
  }
  Advance();
  return true;
}

bool TokenCursor::Accept(TokenKind kind) {
  if (!At(kind)) {
    return false;
  }
  Advance();
  return true;
}

bool TokenCursor::AreAhead(size_t count, std::initializer_list<Keyword> keywords) const {
  for (const Keyword keyword : keywords) {
    if (Ahead(count++).keyword != keyword) {
      return false;
    }
  }
  return true;
}

bool TokenCursor::Accept(std::initializer_list<Keyword> keywords) {
  if (AreAhead(0, keywords)) {
    for (size_t i = 0; i < keywords.size(); ++i) {
      Advance();
    }
    return true;
  }
  if (explains()) {
    std::string phrase;
    for (const Keyword keyword : keywords) {
      phrase += phrase.empty() ? "" : " ";
      phrase += SpellingOf(keyword);
    }
    Remember(ExpectationKind::kKeyword, phrase, weight_, false);
  }
  return false;
}

Status TokenCursor::Expect(Keyword keyword) {
  return Accept(keyword) ? Status::OK() : Unexpected();
}

Status TokenCursor::Expect(TokenKind kind) { return Accept(kind) ? Status::OK() : Unexpected(); }

Status TokenCursor::Expect(std::initializer_list<Keyword> keywords) {
  for (const Keyword keyword : keywords) {
    LW_TRY(Expect(keyword));
  }
  return Status::OK();
}

void TokenCursor::Note(std::string_view description, Weight weight) const {
  if (explains()) {
    Remember(ExpectationKind::kDescription, description, weight, false);
  }
}

bool TokenCursor::AtIdentifier(std::string_view description, Weight weight) const {
  const Token& token = current();
  if (token.kind == TokenKind::kQuotedIdentifier ||
      (token.kind == TokenKind::kWord && !IsReserved(token.keyword))) {
    return true;
  }
  if (explains()) {
    Remember(ExpectationKind::kDescription, description,
             weight_ == Weight::kMinor ? Weight::kMinor : weight, true);
  }
  return false;
}

Result<Identifier> TokenCursor::ExpectIdentifier(std::string_view description) {
  if (!AtIdentifier(description)) {
    return Unexpected();
  }
  return TakeIdentifier();
}

Identifier TokenCursor::TakeIdentifier() {
  const Token& token = current();
  Identifier identifier;
  identifier.position = token.position;
  identifier.quoted = token.kind == TokenKind::kQuotedIdentifier;
  identifier.text = identifier.quoted ? Unquote(token.text, '`') : std::string(token.text);
  Advance();
  return identifier;
}

Identifier TokenCursor::TakeImplicitAlias() {
  if (explains()) {
    has_alias_ = current().kind == TokenKind::kWord;
    alias_at_ = index_;
    alias_expected_ = expected_at_ == index_ ? expected_ : std::vector<Expectation>{};
  }
  return TakeIdentifier();
}

std::string_view DescriptionOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEnd:
      return "end of statement";
    case TokenKind::kWord:
    case TokenKind::kQuotedIdentifier:
      return "a name";
    case TokenKind::kString:
    case TokenKind::kUnicodeString:
    case TokenKind::kCharsetString:
      return "a string";
    case TokenKind::kBinaryString:
      return "a binary string";
    case TokenKind::kInteger:
      return "a whole number";
    case TokenKind::kDecimal:
    case TokenKind::kApproximate:
      return "a number";
    case TokenKind::kHintBegin:
      return "/*+";
    case TokenKind::kHintEnd:
      return "*/";
    case TokenKind::kLeftParen:
      return "'('";
    case TokenKind::kRightParen:
      return "')'";
    case TokenKind::kLeftBracket:
      return "'['";
    case TokenKind::kRightBracket:
      return "']'";
    case TokenKind::kLeftBrace:
      return "'{'";
    case TokenKind::kRightBrace:
      return "'}'";
    case TokenKind::kComma:
      return "','";
    case TokenKind::kDot:
      return "'.'";
    case TokenKind::kSemicolon:
      return "';'";
    case TokenKind::kColon:
      return "':'";
    case TokenKind::kStar:
      return "'*'";
    case TokenKind::kSlash:
      return "'/'";
    case TokenKind::kPlus:
      return "'+'";
    case TokenKind::kMinus:
      return "'-'";
    case TokenKind::kEqual:
      return "'='";
    case TokenKind::kLess:
      return "'<'";
    case TokenKind::kGreater:
      return "'>'";
    case TokenKind::kArrow:
      return "'=>'";
    default:
      return "an operator";
  }
}

}  // namespace lakeward::sql
