#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<Parser::ParenthesizedContent> Parser::ParseParenthesized() {
  ParenthesizedContent content;
  content.position = cursor_.position();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (AtQueryStart()) {
    LW_ASSIGN(content.query, ParseQuery());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return content;
  }
  if (AtParenthesizedQuery()) {
    // `((SELECT 1) UNION …)` is a query, `((SELECT 1) + 1)` is not: the inner one comes first.
    Nesting nesting(&nesting_, &frames_);
    LW_TRY(CheckNesting());
    LW_ASSIGN(ParenthesizedContent inner, ParseParenthesized());
    if (inner.query != nullptr && AtQueryContinuation()) {
      LW_ASSIGN(content.query, ParseQueryAfter(std::move(inner.query)));
      LW_TRY(cursor_.Expect(TokenKind::kRightParen));
      return content;
    }
    if (inner.query != nullptr && cursor_.Accept(TokenKind::kRightParen)) {
      content.query = std::move(inner.query);
      return content;
    }
    LW_ASSIGN(ExpressionPtr first, ToExpression(std::move(inner)));
    LW_ASSIGN(first, ParsePostfix(std::move(first)));
    LW_ASSIGN(first, ParseOperatorsAfter(std::move(first), 0));
    content.items.push_back(std::move(first));
    if (!cursor_.Accept(TokenKind::kComma)) {
      LW_TRY(cursor_.Expect(TokenKind::kRightParen));
      return content;
    }
  }
  LW_ASSIGN(std::vector<ExpressionPtr> items, ParseExpressionList());
  content.items.insert(content.items.end(), items.begin(), items.end());
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return content;
}

Result<ExpressionPtr> Parser::ToExpression(ParenthesizedContent content) {
  if (content.query != nullptr) {
    auto subquery = MakeNode<ScalarSubqueryExpression>(content.position);
    subquery->query = std::move(content.query);
    return Finish(std::move(subquery));
  }
  if (content.items.size() == 1) {
    return std::move(content.items.front());
  }
  auto row = MakeNode<RowExpression>(content.position);
  row->keyword = false;
  row->items = std::move(content.items);
  return Finish(std::move(row));
}

Result<ExpressionPtr> Parser::ParsePrimary() {
  switch (cursor_.current().kind) {
    case TokenKind::kString:
    case TokenKind::kUnicodeString:
    case TokenKind::kCharsetString:
      return ParseStringLiteral();
    case TokenKind::kBinaryString:
      return ParseBinaryLiteral();
    case TokenKind::kInteger:
    case TokenKind::kDecimal:
    case TokenKind::kApproximate:
      return ParseNumber();
    case TokenKind::kLeftParen: {
      LW_ASSIGN(ParenthesizedContent content, ParseParenthesized());
      return ToExpression(std::move(content));
    }
    case TokenKind::kQuotedIdentifier:
      return ParseNameOrCall();
    case TokenKind::kWord:
      return ParsePrimaryKeyword();
    default:
      cursor_.Note("an expression");
      return cursor_.Unexpected();
  }
}

Result<ExpressionPtr> Parser::ParsePrimaryKeyword() {
  const SqlPosition at = cursor_.position();
  const Keyword keyword = cursor_.current().keyword;
  switch (keyword) {
    case Keyword::kNull:
    case Keyword::kTrue:
    case Keyword::kFalse:
    case Keyword::kUnknown: {
      auto literal = MakeNode<LiteralExpression>(at);
      literal->literal = keyword == Keyword::kNull      ? LiteralKind::kNull
                         : keyword == Keyword::kUnknown ? LiteralKind::kUnknown
                                                        : LiteralKind::kBoolean;
      literal->boolean = keyword == Keyword::kTrue;
      cursor_.Advance();
      return literal;
    }
    case Keyword::kDate:
    case Keyword::kTime:
    case Keyword::kTimestamp:
      if (!IsStringLiteral(cursor_.Ahead(1).kind)) {
        return ParseNameOrCall();
      }
      return ParseDateTimeLiteral(keyword == Keyword::kDate   ? LiteralKind::kDate
                                  : keyword == Keyword::kTime ? LiteralKind::kTime
                                                              : LiteralKind::kTimestamp);
    case Keyword::kInterval:
      return ParseInterval();
    case Keyword::kCase:
      return ParseCase();
    case Keyword::kCast:
    case Keyword::kTryCast:
      return ParseCast();
    case Keyword::kExists:
      return ParseExists();
    case Keyword::kRow:
      return ParseRowConstructor();
    case Keyword::kArray:
      return ParseCollectionConstructor<ArrayExpression>();
    case Keyword::kMultiset:
      return ParseCollectionConstructor<MultisetExpression>();
    case Keyword::kMap:
      if (cursor_.IsAhead(1, TokenKind::kLeftBracket) ||
          cursor_.IsAhead(1, TokenKind::kLeftParen)) {
        return ParseCollectionConstructor<MapExpression>();
      }
      return ParseNameOrCall();
    case Keyword::kDefault: {
      auto node = MakeNode<DefaultExpression>(at);
      cursor_.Advance();
      return node;
    }
    default:
      return ParseSpecialCall(keyword);
  }
}

Result<ExpressionPtr> Parser::ParseNameOrCall() {
  const SqlPosition at = cursor_.position();
  QualifiedName name;
  while (true) {
    const bool first_callable =
        name.empty() && KeywordKindOf(cursor_.current().keyword) == KeywordKind::kCallable &&
        cursor_.IsAhead(1, TokenKind::kLeftParen);
    if (first_callable) {
      name.parts.push_back(cursor_.TakeIdentifier());
    } else {
      if (!cursor_.AtIdentifier(name.empty() ? "an expression" : "a name")) {
        return cursor_.Unexpected();
      }
      name.parts.push_back(cursor_.TakeIdentifier());
    }
    if (cursor_.current().kind != TokenKind::kDot) {
      break;
    }
    cursor_.Advance();
    if (cursor_.Accept(TokenKind::kStar)) {
      auto star = MakeNode<StarExpression>(at);
      star->qualifier = std::move(name);
      return star;
    }
  }
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    return ParseCall(std::move(name));
  }
  auto node = MakeNode<NameExpression>(at);
  node->name = std::move(name);
  return node;
}

Result<ExpressionPtr> Parser::ParseCase() {
  auto node = MakeNode<CaseExpression>(cursor_.position());
  cursor_.Advance();
  if (!cursor_.At(Keyword::kWhen)) {
    LW_ASSIGN(node->operand, ParseExpression());
  }
  while (cursor_.Accept(Keyword::kWhen)) {
    CaseBranch branch;
    LW_ASSIGN(branch.condition, ParseExpression());
    // `CASE a WHEN 1, 2 THEN` compares with each of them.
    std::vector<ExpressionPtr> conditions{branch.condition};
    while (node->operand != nullptr && cursor_.Accept(TokenKind::kComma)) {
      LW_ASSIGN(ExpressionPtr condition, ParseExpression());
      conditions.push_back(std::move(condition));
    }
    LW_TRY(cursor_.Expect(Keyword::kThen));
    LW_ASSIGN(branch.result, ParseExpression());
    for (ExpressionPtr& condition : conditions) {
      node->branches.push_back({std::move(condition), branch.result});
    }
  }
  if (node->branches.empty()) {
    return cursor_.Unexpected();
  }
  if (cursor_.Accept(Keyword::kElse)) {
    LW_ASSIGN(node->otherwise, ParseExpression());
  }
  LW_TRY(cursor_.Expect(Keyword::kEnd));
  return Finish(std::move(node));
}

Result<ExpressionPtr> Parser::ParseCast() {
  auto cast = MakeNode<CastExpression>(cursor_.position());
  cast->null_on_error = cursor_.current().keyword == Keyword::kTryCast;
  cursor_.Advance();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  LW_ASSIGN(cast->operand, ParseExpression());
  LW_TRY(cursor_.Expect(Keyword::kAs));
  LW_ASSIGN(cast->type, ParseTypeName(Nullability::kForbidden));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return Finish(std::move(cast));
}

Result<ExpressionPtr> Parser::ParseExists() {
  auto exists = MakeNode<ExistsExpression>(cursor_.position());
  cursor_.Advance();
  LW_ASSIGN(exists->query, ParseParenthesizedQuery());
  return Finish(std::move(exists));
}

Result<ExpressionPtr> Parser::ParseRowConstructor() {
  auto row = MakeNode<RowExpression>(cursor_.position());
  cursor_.Advance();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.Accept(TokenKind::kRightParen)) {
    return row;
  }
  LW_ASSIGN(row->items, ParseExpressionList());
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return Finish(std::move(row));
}

template <typename T>
Result<ExpressionPtr> Parser::ParseCollectionConstructor() {
  auto node = MakeNode<T>(cursor_.position());
  cursor_.Advance();
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(node->query, ParseParenthesizedQuery());
    return Finish(std::move(node));
  }
  const SqlPosition bracket = cursor_.position();
  LW_TRY(cursor_.Expect(TokenKind::kLeftBracket));
  if (cursor_.Accept(TokenKind::kRightBracket)) {
    return node;
  }
  LW_ASSIGN(node->items, ParseExpressionList());
  LW_TRY(cursor_.Expect(TokenKind::kRightBracket));
  if (T::kKind == ExpressionKind::kMap && node->items.size() % 2 != 0) {
    return cursor_.Error(bracket, "MAP needs an even number of elements",
                         "Write key and value in turn: MAP['a', 1, 'b', 2].");
  }
  return Finish(std::move(node));
}

}  // namespace lakeward::sql
