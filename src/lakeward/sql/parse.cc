#include "lakeward/sql/parse.h"

#include <charconv>

#include "fmt/format.h"
#include "lakeward/sql/caret.h"
#include "lakeward/sql/lexer.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {
namespace {

/// "SQL syntax error at line 2, column 8: …", the source line and the caret.
Status Worded(const Status& error, std::string_view text) {
  const std::optional<SqlPosition> position = PositionOf(error);
  if (KindOf(error) != ErrorKind::kSyntax || !position.has_value()) {
    return error;
  }
  return WithCaret(WithContext(error, PlaceOf(*position)), text);
}

/// Parses quickly, and once more with care for the message when that fails.
template <typename T, typename F>
Result<T> ParseWith(std::string_view text, const ParseOptions& options, F parse) {
  size_t explain_from = TokenCursor::kNeverExplain;
  while (true) {
    Result<TokenCursor> cursor = TokenCursor::Make(text, explain_from);
    if (!cursor.ok()) {
      return Worded(cursor.status(), text);
    }
    Parser parser(std::move(cursor).ValueUnsafe(), options);
    Result<T> result = parse(&parser);
    if (result.ok()) {
      return result;
    }
    if (explain_from != TokenCursor::kNeverExplain) {
      return Worded(result.status(), text);
    }
    // The token before may turn out to be a misspelt keyword.
    explain_from = parser.token_index() == 0 ? 0 : parser.token_index() - 1;
  }
}

}  // namespace

Result<StatementPtr> ParseStatement(std::string_view text, const ParseOptions& options) {
  return ParseWith<StatementPtr>(text, options,
                                 [](Parser* parser) { return parser->ParseWholeStatement(); });
}

Result<QueryPtr> ParseQuery(std::string_view text, const ParseOptions& options) {
  return ParseWith<QueryPtr>(text, options,
                             [](Parser* parser) { return parser->ParseWholeQuery(); });
}

Result<ExpressionPtr> ParseExpression(std::string_view text, const ParseOptions& options) {
  return ParseWith<ExpressionPtr>(text, options,
                                  [](Parser* parser) { return parser->ParseWholeExpression(); });
}

Result<TypeNamePtr> ParseTypeName(std::string_view text, const ParseOptions& options) {
  return ParseWith<TypeNamePtr>(text, options,
                                [](Parser* parser) { return parser->ParseWholeTypeName(); });
}

Result<QueryPtr> Parser::ParseWholeQuery() {
  LW_ASSIGN(QueryPtr query, ParseQuery());
  LW_TRY(ExpectEnd());
  return query;
}

Result<ExpressionPtr> Parser::ParseWholeExpression() {
  LW_ASSIGN(ExpressionPtr expression, ParseExpression());
  LW_TRY(ExpectEnd());
  return expression;
}

Result<TypeNamePtr> Parser::ParseWholeTypeName() {
  LW_ASSIGN(TypeNamePtr type, ParseTypeName());
  LW_TRY(ExpectEnd());
  return type;
}

Status Parser::NestingError(SqlPosition at) const {
  return cursor_.Error(
      at,
      fmt::format("the statement is nested more than {} levels deep", options_.nesting_depth_max),
      "Split it: name inner queries with WITH or CREATE VIEW, and compute inner expressions in "
      "them.");
}

Status Parser::CheckNesting() const {
  // An operand may lie in several operators at each level of nesting.
  constexpr int kFramesPerLevel = 4;
  if (nesting_ > options_.nesting_depth_max ||
      frames_ > kFramesPerLevel * options_.nesting_depth_max) {
    return NestingError(cursor_.position());
  }
  return Status::OK();
}

Status Parser::ExpectEnd() {
  if (cursor_.current().kind == TokenKind::kSemicolon) {
    cursor_.Advance();
    if (cursor_.current().kind != TokenKind::kEnd) {
      return cursor_.Error(cursor_.position(), "there is more than one statement",
                           "Run them one by one, or as a script.");
    }
  }
  return cursor_.Expect(TokenKind::kEnd);
}

bool Parser::AtQueryStart() const {
  switch (cursor_.current().keyword) {
    case Keyword::kSelect:
    case Keyword::kWith:
    case Keyword::kValues:
      return true;
    case Keyword::kTable:
      return !cursor_.IsAhead(1, TokenKind::kLeftParen);
    default:
      return false;
  }
}

bool Parser::AtParenthesizedQuery() const {
  // Deeper ones are refused anyway; without the bound, many of them would take quadratic time.
  const auto ahead_max = static_cast<size_t>(options_.nesting_depth_max) + 1;
  size_t ahead = 0;
  while (ahead < ahead_max && cursor_.IsAhead(ahead, TokenKind::kLeftParen)) {
    ++ahead;
  }
  if (ahead == 0 || ahead == ahead_max) {
    return ahead > 0;
  }
  switch (cursor_.Ahead(ahead).keyword) {
    case Keyword::kSelect:
    case Keyword::kWith:
    case Keyword::kValues:
      return true;
    case Keyword::kTable:
      return !cursor_.IsAhead(ahead + 1, TokenKind::kLeftParen);
    default:
      return false;
  }
}

Result<QualifiedName> Parser::ParseQualifiedName(std::string_view description) {
  QualifiedName name;
  while (true) {
    LW_ASSIGN(Identifier part, cursor_.ExpectIdentifier(description));
    name.parts.push_back(std::move(part));
    if (cursor_.current().kind != TokenKind::kDot) {
      return name;
    }
    cursor_.Advance();
  }
}

Result<std::vector<Identifier>> Parser::ParseIdentifierList(std::string_view description) {
  std::vector<Identifier> names;
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  do {
    LW_ASSIGN(Identifier name, cursor_.ExpectIdentifier(description));
    names.push_back(std::move(name));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return names;
}

Result<std::string> Parser::ParseString() {
  if (!AtStringLiteral()) {
    cursor_.Note("a string in single quotes");
    return cursor_.Unexpected();
  }
  LW_ASSIGN(ExpressionPtr literal, ParseStringLiteral());
  return literal->As<LiteralExpression>().text;
}

Result<int> Parser::ParseSmallInteger(std::string_view description) {
  const Token& token = cursor_.current();
  int value = 0;
  const std::from_chars_result parsed =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (token.kind != TokenKind::kInteger) {
    cursor_.Note(description);
    return cursor_.Unexpected();
  }
  if (parsed.ec != std::errc() || parsed.ptr != token.text.data() + token.text.size()) {
    return cursor_.Error(token.position,
                         fmt::format("{} is too large for {}", token.text, description));
  }
  cursor_.Advance();
  return value;
}

Result<std::optional<std::string>> Parser::ParseOptionalComment() {
  std::optional<std::string> comment;
  if (cursor_.Accept(Keyword::kComment)) {
    LW_ASSIGN(comment, ParseString());
  }
  return comment;
}

Result<TableOption> Parser::ParseTableOption() {
  TableOption option;
  option.position = cursor_.position();
  if (cursor_.current().kind == TokenKind::kWord ||
      cursor_.current().kind == TokenKind::kQuotedIdentifier) {
    return cursor_.Error(
        option.position,
        fmt::format("unexpected '{}'; expected a string in single quotes", cursor_.current().text),
        "Option keys and values are written in single quotes: 'key' = 'value'.");
  }
  LW_ASSIGN(option.key, ParseString());
  LW_TRY(cursor_.Expect(TokenKind::kEqual));
  option.value_position = cursor_.position();
  const Token& value = cursor_.current();
  if (value.kind == TokenKind::kWord || value.kind == TokenKind::kInteger ||
      value.kind == TokenKind::kDecimal) {
    return cursor_.Error(
        value.position,
        fmt::format("unexpected '{}'; expected a string in single quotes", value.text),
        fmt::format("Option values are written in single quotes: '{}' = '{}'.", option.key,
                    value.text));
  }
  LW_ASSIGN(option.value, ParseString());
  return option;
}

Result<TableOptions> Parser::ParseTableOptions() {
  TableOptions options;
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.Accept(TokenKind::kRightParen)) {
    return options;
  }
  do {
    LW_ASSIGN(TableOption option, ParseTableOption());
    options.push_back(std::move(option));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return options;
}

Result<TableOptions> Parser::ParseOptionalWithOptions() {
  if (!cursor_.Accept(Keyword::kWith)) {
    return TableOptions{};
  }
  return ParseTableOptions();
}

Result<std::vector<std::string>> Parser::ParseOptionKeys() {
  std::vector<std::string> keys;
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.Accept(TokenKind::kRightParen)) {
    return keys;
  }
  do {
    LW_ASSIGN(std::string key, ParseString());
    keys.push_back(std::move(key));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return keys;
}

Result<PartitionSpecification> Parser::ParsePartitionSpecification(bool values_required) {
  PartitionSpecification partition;
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  do {
    PartitionValue value;
    LW_ASSIGN(value.column, cursor_.ExpectIdentifier("a partition column"));
    if (values_required || cursor_.At(TokenKind::kEqual)) {
      LW_TRY(cursor_.Expect(TokenKind::kEqual));
      LW_ASSIGN(value.value, ParseExpression());
    }
    partition.push_back(std::move(value));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return partition;
}

Result<HintOption> Parser::ParseHintOption() {
  HintOption option;
  if (cursor_.AtIdentifier("a name")) {
    LW_ASSIGN(const QualifiedName name, ParseQualifiedName("a name"));
    option.value = name.ToString();
    option.value_is_string = false;
  } else if (cursor_.current().kind == TokenKind::kInteger) {
    option.value = std::string(cursor_.current().text);
    option.value_is_string = false;
    cursor_.Advance();
  } else {
    LW_ASSIGN(option.value, ParseString());
  }
  if (cursor_.Accept(TokenKind::kEqual)) {
    option.key = std::move(option.value);
    option.value_is_string = true;
    LW_ASSIGN(option.value, ParseString());
  }
  return option;
}

Result<std::vector<Hint>> Parser::ParseHints() {
  std::vector<Hint> hints;
  if (cursor_.current().kind != TokenKind::kHintBegin) {
    return hints;
  }
  cursor_.Advance();
  while (cursor_.current().kind != TokenKind::kHintEnd) {
    Hint hint;
    LW_ASSIGN(hint.name, cursor_.ExpectIdentifier("the name of a hint"));
    if (cursor_.Accept(TokenKind::kLeftParen) && !cursor_.Accept(TokenKind::kRightParen)) {
      do {
        LW_ASSIGN(HintOption option, ParseHintOption());
        hint.options.push_back(std::move(option));
      } while (cursor_.Accept(TokenKind::kComma));
      LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    }
    hints.push_back(std::move(hint));
    if (!cursor_.Accept(TokenKind::kComma) && !cursor_.At(TokenKind::kHintEnd) &&
        !cursor_.AtIdentifier("a hint")) {
      return cursor_.Unexpected();
    }
  }
  cursor_.Advance();
  return hints;
}

}  // namespace lakeward::sql
