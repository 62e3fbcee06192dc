#include <algorithm>

#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {
namespace {

std::optional<BinaryOperator> SymbolOperator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual:
      return BinaryOperator::kEqual;
    case TokenKind::kNotEqual:
      return BinaryOperator::kNotEqual;
    case TokenKind::kLess:
      return BinaryOperator::kLess;
    case TokenKind::kLessOrEqual:
      return BinaryOperator::kLessOrEqual;
    case TokenKind::kGreater:
      return BinaryOperator::kGreater;
    case TokenKind::kGreaterOrEqual:
      return BinaryOperator::kGreaterOrEqual;
    case TokenKind::kPlus:
      return BinaryOperator::kPlus;
    case TokenKind::kMinus:
      return BinaryOperator::kMinus;
    case TokenKind::kStar:
      return BinaryOperator::kMultiply;
    case TokenKind::kSlash:
      return BinaryOperator::kDivide;
    case TokenKind::kPercent:
      return BinaryOperator::kModulo;
    case TokenKind::kConcat:
      return BinaryOperator::kConcat;
    default:
      return std::nullopt;
  }
}

/// The operator that the words at the cursor spell, and how many words it has.
struct WordOperator {
  BinaryOperator op;
  int words;
};

std::optional<WordOperator> MultisetOperator(const TokenCursor& cursor) {
  const bool distinct = cursor.IsAhead(2, Keyword::kDistinct);
  const int words = distinct || cursor.IsAhead(2, Keyword::kAll) ? 3 : 2;
  if (cursor.IsAhead(1, Keyword::kUnion)) {
    return WordOperator{
        distinct ? BinaryOperator::kMultisetUnionDistinct : BinaryOperator::kMultisetUnion, words};
  }
  if (cursor.IsAhead(1, Keyword::kIntersect)) {
    return WordOperator{
        distinct ? BinaryOperator::kMultisetIntersectDistinct : BinaryOperator::kMultisetIntersect,
        words};
  }
  if (cursor.IsAhead(1, Keyword::kExcept)) {
    return WordOperator{
        distinct ? BinaryOperator::kMultisetExceptDistinct : BinaryOperator::kMultisetExcept,
        words};
  }
  return std::nullopt;
}

std::optional<WordOperator> FindWordOperator(const TokenCursor& cursor) {
  switch (cursor.current().keyword) {
    case Keyword::kOr:
      return WordOperator{BinaryOperator::kOr, 1};
    case Keyword::kAnd:
      return WordOperator{BinaryOperator::kAnd, 1};
    case Keyword::kMultiset:
      return MultisetOperator(cursor);
    case Keyword::kMember:
      return WordOperator{BinaryOperator::kMemberOf, cursor.IsAhead(1, Keyword::kOf) ? 2 : 1};
    case Keyword::kSubmultiset:
      return WordOperator{BinaryOperator::kSubmultisetOf, cursor.IsAhead(1, Keyword::kOf) ? 2 : 1};
    case Keyword::kOverlaps:
      return WordOperator{BinaryOperator::kOverlaps, 1};
    case Keyword::kContains:
      return WordOperator{BinaryOperator::kContains, 1};
    case Keyword::kEquals:
      return WordOperator{BinaryOperator::kPeriodEquals, 1};
    case Keyword::kPrecedes:
      return WordOperator{BinaryOperator::kPrecedes, 1};
    case Keyword::kSucceeds:
      return WordOperator{BinaryOperator::kSucceeds, 1};
    case Keyword::kImmediately:
      if (cursor.IsAhead(1, Keyword::kPrecedes)) {
        return WordOperator{BinaryOperator::kImmediatelyPrecedes, 2};
      }
      if (cursor.IsAhead(1, Keyword::kSucceeds)) {
        return WordOperator{BinaryOperator::kImmediatelySucceeds, 2};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool IsComparison(BinaryOperator op) {
  return op >= BinaryOperator::kEqual && op <= BinaryOperator::kGreaterOrEqual;
}

bool IsPredicateWord(Keyword keyword) {
  switch (keyword) {
    case Keyword::kBetween:
    case Keyword::kIn:
    case Keyword::kLike:
    case Keyword::kIlike:
    case Keyword::kRlike:
    case Keyword::kSimilar:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<ExpressionPtr> Parser::Finish(std::shared_ptr<Expression> node) {
  int depth = 0;
  if (const auto* binary = node->AsIf<BinaryExpression>()) {
    depth = std::max(binary->left->nesting_depth,
                     binary->right == nullptr ? 0 : binary->right->nesting_depth + 1);
  } else {
    ForEachOperand(*node, [&depth](const ExpressionPtr& operand) {
      depth = std::max(depth, operand->nesting_depth + 1);
    });
  }
  const auto enter_query = [&depth](const QueryPtr& query) {
    if (query != nullptr) {
      depth = std::max(depth, query->nesting_depth + 1);
    }
  };
  ForEachSubquery(*node, enter_query);
  node->nesting_depth = std::max(depth, 1);
  deepest_ = std::max(deepest_, node->nesting_depth);
  constexpr int kNodesPerLevel = 4;
  if (node->nesting_depth > kNodesPerLevel * options_.nesting_depth_max) {
    return NestingError(node->position);
  }
  return ExpressionPtr(std::move(node));
}

Result<ExpressionPtr> Parser::ParseExpression() {
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  return ParseOperators(0);
}

Result<ExpressionPtr> Parser::ParseOperators(int precedence_min) {
  LW_ASSIGN(ExpressionPtr left, ParsePrefix());
  return ParseOperatorsAfter(std::move(left), precedence_min);
}

Result<ExpressionPtr> Parser::ParsePrefix() {
  const SqlPosition at = cursor_.position();
  UnaryOperator op;
  int operand_precedence = kSignPrecedence;
  if (cursor_.current().keyword == Keyword::kNot) {
    op = UnaryOperator::kNot;
    operand_precedence = kNotPrecedence;
  } else if (cursor_.current().kind == TokenKind::kMinus) {
    op = UnaryOperator::kMinus;
  } else if (cursor_.current().kind == TokenKind::kPlus) {
    op = UnaryOperator::kPlus;
  } else {
    LW_ASSIGN(ExpressionPtr primary, ParsePrimary());
    return ParsePostfix(std::move(primary));
  }
  cursor_.Advance();
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  auto unary = MakeNode<UnaryExpression>(at);
  unary->op = op;
  LW_ASSIGN(unary->operand, ParseOperators(operand_precedence));
  return Finish(std::move(unary));
}

Result<ExpressionPtr> Parser::ParseOperatorsAfter(ExpressionPtr left, int precedence_min) {
  while (true) {
    const Token& token = cursor_.current();
    if (const auto symbol = SymbolOperator(token.kind)) {
      if (PrecedenceOf(*symbol) < precedence_min) {
        return left;
      }
      LW_ASSIGN(left, ParseBinaryTail(std::move(left), *symbol));
      continue;
    }
    const Keyword keyword = token.keyword;
    if (keyword == Keyword::kIs) {
      // IS DISTINCT FROM binds like +, the other tests more loosely than comparisons.
      const size_t distinct = cursor_.IsAhead(1, Keyword::kNot) ? 2 : 1;
      const bool is_distinct = cursor_.IsAhead(distinct, Keyword::kDistinct);
      if ((is_distinct ? kAdditivePrecedence : kIsPrecedence) < precedence_min) {
        return left;
      }
      LW_ASSIGN(left, ParseIsTail(std::move(left)));
      continue;
    }
    if (IsPredicateWord(keyword) ||
        (keyword == Keyword::kNot && IsPredicateWord(cursor_.Ahead(1).keyword))) {
      if (kPredicatePrecedence < precedence_min) {
        return left;
      }
      LW_ASSIGN(left, ParsePredicateTail(std::move(left)));
      continue;
    }
    const auto word = FindWordOperator(cursor_);
    if (!word.has_value() || PrecedenceOf(word->op) < precedence_min) {
      cursor_.Note("an operator", TokenCursor::Weight::kMinor);
      return left;
    }
    for (int i = 1; i < word->words; ++i) {
      cursor_.Advance();
    }
    LW_ASSIGN(left, ParseBinaryTail(std::move(left), word->op));
  }
}

Result<ExpressionPtr> Parser::ParseRightOperand(int precedence_min) {
  ++frames_;
  const Status nesting = CheckNesting();
  Result<ExpressionPtr> right =
      nesting.ok() ? ParseOperators(precedence_min) : Result<ExpressionPtr>(nesting);
  --frames_;
  return right;
}

Result<ExpressionPtr> Parser::ParseBinaryTail(ExpressionPtr left, BinaryOperator op) {
  const SqlPosition op_position = cursor_.position();
  cursor_.Advance();
  const Keyword quantifier = cursor_.current().keyword;
  if (IsComparison(op) && cursor_.IsAhead(1, TokenKind::kLeftParen) &&
      (quantifier == Keyword::kSome || quantifier == Keyword::kAny ||
       quantifier == Keyword::kAll)) {
    auto quantified = MakeNode<QuantifiedExpression>(left->position);
    quantified->operand = std::move(left);
    quantified->op = op;
    quantified->quantifier = quantifier == Keyword::kAll ? Quantifier::kAll : Quantifier::kSome;
    cursor_.Advance();
    LW_ASSIGN(ParenthesizedContent content, ParseParenthesized());
    quantified->query = std::move(content.query);
    quantified->items = std::move(content.items);
    return Finish(std::move(quantified));
  }
  Result<ExpressionPtr> right = ParseRightOperand(PrecedenceOf(op) + 1);
  auto binary = MakeNode<BinaryExpression>(left->position);
  binary->op = op;
  binary->op_position = op_position;
  binary->left = std::move(left);
  LW_ASSIGN(binary->right, std::move(right));
  return Finish(std::move(binary));
}

Result<ExpressionPtr> Parser::ParseIsTail(ExpressionPtr operand) {
  cursor_.Advance();
  const bool negated = cursor_.Accept(Keyword::kNot);
  const SqlPosition at = operand->position;
  if (cursor_.Accept(Keyword::kDistinct)) {
    LW_TRY(cursor_.Expect(Keyword::kFrom));
    auto distinct = MakeNode<IsDistinctFromExpression>(at);
    distinct->negated = negated;
    distinct->left = std::move(operand);
    LW_ASSIGN(distinct->right, ParseRightOperand(kAdditivePrecedence));
    return Finish(std::move(distinct));
  }
  if (cursor_.Accept(Keyword::kJson)) {
    auto json = MakeNode<IsJsonExpression>(at);
    json->negated = negated;
    json->operand = std::move(operand);
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kObject)) {
      json->test = JsonTest::kObject;
    } else if (cursor_.Accept(Keyword::kArray)) {
      json->test = JsonTest::kArray;
    } else if (cursor_.Accept(Keyword::kScalar)) {
      json->test = JsonTest::kScalar;
    } else {
      cursor_.Accept(Keyword::kValue);
    }
    return Finish(std::move(json));
  }
  auto is = MakeNode<IsExpression>(at);
  is->negated = negated;
  is->operand = std::move(operand);
  if (cursor_.Accept(Keyword::kNull)) {
    is->test = IsTest::kNull;
  } else if (cursor_.Accept(Keyword::kTrue)) {
    is->test = IsTest::kTrue;
  } else if (cursor_.Accept(Keyword::kFalse)) {
    is->test = IsTest::kFalse;
  } else if (cursor_.Accept(Keyword::kUnknown)) {
    is->test = IsTest::kUnknown;
  } else if (cursor_.Accept(Keyword::kEmpty)) {
    is->test = IsTest::kEmpty;
  } else if (cursor_.Accept({Keyword::kA, Keyword::kSet})) {
    is->test = IsTest::kASet;
  } else {
    return cursor_.Unexpected();
  }
  return Finish(std::move(is));
}

Result<ExpressionPtr> Parser::ParsePredicateTail(ExpressionPtr operand) {
  const bool negated = cursor_.Accept(Keyword::kNot);
  const SqlPosition at = operand->position;
  if (cursor_.Accept(Keyword::kBetween)) {
    return ParseBetweenTail(std::move(operand), negated, at);
  }
  if (cursor_.Accept(Keyword::kIn)) {
    return ParseInTail(std::move(operand), negated, at);
  }
  return ParseLikeTail(std::move(operand), negated, at);
}

Result<ExpressionPtr> Parser::ParseBetweenTail(ExpressionPtr operand, bool negated,
                                               SqlPosition at) {
  auto between = MakeNode<BetweenExpression>(at);
  between->operand = std::move(operand);
  between->negated = negated;
  {
    TokenCursor::MinorScope minor(&cursor_);
    between->symmetric = cursor_.Accept(Keyword::kSymmetric);
    if (!between->symmetric) {
      cursor_.Accept(Keyword::kAsymmetric);
    }
  }
  LW_ASSIGN(between->lower, ParseOperators(kPredicatePrecedence + 1));
  LW_TRY(cursor_.Expect(Keyword::kAnd));
  LW_ASSIGN(between->upper, ParseOperators(kPredicatePrecedence + 1));
  return Finish(std::move(between));
}

Result<ExpressionPtr> Parser::ParseInTail(ExpressionPtr operand, bool negated, SqlPosition at) {
  LW_ASSIGN(ParenthesizedContent content, ParseParenthesized());
  if (content.query != nullptr) {
    auto in = MakeNode<InSubqueryExpression>(at);
    in->operand = std::move(operand);
    in->negated = negated;
    in->query = std::move(content.query);
    return Finish(std::move(in));
  }
  auto in = MakeNode<InListExpression>(at);
  in->operand = std::move(operand);
  in->negated = negated;
  in->items = std::move(content.items);
  return Finish(std::move(in));
}

Result<ExpressionPtr> Parser::ParseLikeTail(ExpressionPtr operand, bool negated, SqlPosition at) {
  auto like = MakeNode<LikeExpression>(at);
  like->operand = std::move(operand);
  like->negated = negated;
  if (cursor_.Accept(Keyword::kLike)) {
    like->op = LikeOperator::kLike;
  } else if (cursor_.Accept(Keyword::kIlike)) {
    like->op = LikeOperator::kIlike;
  } else if (cursor_.Accept(Keyword::kRlike)) {
    like->op = LikeOperator::kRlike;
  } else {
    LW_TRY(cursor_.Expect({Keyword::kSimilar, Keyword::kTo}));
    like->op = LikeOperator::kSimilarTo;
  }
  LW_ASSIGN(like->pattern, ParseOperators(kPredicatePrecedence + 1));
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kEscape)) {
    LW_ASSIGN(like->escape, ParseOperators(kPredicatePrecedence + 1));
  }
  return Finish(std::move(like));
}

Result<ExpressionPtr> Parser::ParsePostfix(ExpressionPtr operand) {
  while (true) {
    if (cursor_.current().kind == TokenKind::kLeftBracket) {
      cursor_.Advance();
      auto access = MakeNode<ElementAccessExpression>(operand->position);
      access->operand = std::move(operand);
      LW_ASSIGN(access->index, ParseExpression());
      LW_TRY(cursor_.Expect(TokenKind::kRightBracket));
      LW_ASSIGN(operand, Finish(std::move(access)));
    } else if (cursor_.current().kind == TokenKind::kDot) {
      cursor_.Advance();
      auto access = MakeNode<FieldAccessExpression>(operand->position);
      access->operand = std::move(operand);
      access->star = cursor_.Accept(TokenKind::kStar);
      if (!access->star) {
        LW_ASSIGN(access->field, cursor_.ExpectIdentifier("the name of a field"));
      }
      LW_ASSIGN(operand, Finish(std::move(access)));
    } else {
      return operand;
    }
  }
}

Result<std::vector<ExpressionPtr>> Parser::ParseExpressionList() {
  std::vector<ExpressionPtr> items;
  do {
    LW_ASSIGN(ExpressionPtr item, ParseExpression());
    items.push_back(std::move(item));
  } while (cursor_.Accept(TokenKind::kComma));
  return items;
}

Result<OrderItem> Parser::ParseOrderItem() {
  OrderItem item;
  LW_ASSIGN(item.expression, ParseExpression());
  TokenCursor::MinorScope minor(&cursor_);
  item.descending = cursor_.Accept(Keyword::kDesc);
  if (!item.descending) {
    cursor_.Accept(Keyword::kAsc);
  }
  if (cursor_.Accept({Keyword::kNulls, Keyword::kFirst})) {
    item.nulls = NullsOrder::kFirst;
  } else if (cursor_.Accept({Keyword::kNulls, Keyword::kLast})) {
    item.nulls = NullsOrder::kLast;
  }
  return item;
}

Result<std::vector<OrderItem>> Parser::ParseOrderItems() {
  std::vector<OrderItem> items;
  do {
    LW_ASSIGN(OrderItem item, ParseOrderItem());
    items.push_back(std::move(item));
  } while (cursor_.Accept(TokenKind::kComma));
  return items;
}

}  // namespace lakeward::sql
