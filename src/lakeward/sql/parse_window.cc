#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<std::shared_ptr<const WindowSpecification>> Parser::ParseOver() {
  auto window = std::make_shared<WindowSpecification>();
  if (cursor_.AtIdentifier("the name of a window")) {
    window->position = cursor_.position();
    window->base = cursor_.TakeIdentifier();
    window->is_reference = true;
    return window;
  }
  LW_ASSIGN(*window, ParseWindowSpecification());
  return window;
}

Result<WindowSpecification> Parser::ParseWindowSpecification() {
  WindowSpecification window;
  window.position = cursor_.position();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.current().kind != TokenKind::kRightParen &&
      cursor_.AtIdentifier("the name of a window", TokenCursor::Weight::kMinor)) {
    window.base = cursor_.TakeIdentifier();
  }
  if (cursor_.Accept({Keyword::kPartition, Keyword::kBy})) {
    LW_ASSIGN(window.partition_by, ParseExpressionList());
  }
  if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
    LW_ASSIGN(window.order_by, ParseOrderItems());
  }
  if (cursor_.At(Keyword::kRows) || cursor_.At(Keyword::kRange)) {
    LW_ASSIGN(window.frame, ParseWindowFrame());
  }
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kAllow, Keyword::kPartial})) {
    window.allow_partial = true;
  } else if (cursor_.Accept({Keyword::kDisallow, Keyword::kPartial})) {
    window.allow_partial = false;
  }
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return window;
}

Result<WindowFrame> Parser::ParseWindowFrame() {
  WindowFrame frame;
  frame.rows = cursor_.current().keyword == Keyword::kRows;
  cursor_.Advance();
  if (cursor_.Accept(Keyword::kBetween)) {
    LW_ASSIGN(frame.start, ParseFrameBound());
    LW_TRY(cursor_.Expect(Keyword::kAnd));
    LW_ASSIGN(frame.end, ParseFrameBound());
  } else {
    LW_ASSIGN(frame.start, ParseFrameBound());
  }
  return frame;
}

Result<FrameBound> Parser::ParseFrameBound() {
  FrameBound bound;
  if (cursor_.Accept({Keyword::kCurrent, Keyword::kRow})) {
    bound.kind = FrameBoundKind::kCurrentRow;
    return bound;
  }
  if (cursor_.Accept(Keyword::kUnbounded)) {
    if (cursor_.Accept(Keyword::kPreceding)) {
      bound.kind = FrameBoundKind::kUnboundedPreceding;
      return bound;
    }
    LW_TRY(cursor_.Expect(Keyword::kFollowing));
    bound.kind = FrameBoundKind::kUnboundedFollowing;
    return bound;
  }
  // The AND of BETWEEN … AND … is no operator here.
  LW_ASSIGN(bound.offset, ParseOperators(kPredicatePrecedence + 1));
  if (cursor_.Accept(Keyword::kPreceding)) {
    bound.kind = FrameBoundKind::kPreceding;
    return bound;
  }
  LW_TRY(cursor_.Expect(Keyword::kFollowing));
  bound.kind = FrameBoundKind::kFollowing;
  return bound;
}

}  // namespace lakeward::sql
