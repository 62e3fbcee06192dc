#include "fmt/format.h"
#include "lakeward/sql/operator_precedence.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {
namespace {

bool IsNiladic(Keyword keyword) {
  switch (keyword) {
    case Keyword::kCurrentCatalog:
    case Keyword::kCurrentDate:
    case Keyword::kCurrentDefaultTransformGroup:
    case Keyword::kCurrentPath:
    case Keyword::kCurrentRole:
    case Keyword::kCurrentSchema:
    case Keyword::kCurrentTime:
    case Keyword::kCurrentTimestamp:
    case Keyword::kCurrentUser:
    case Keyword::kLocaltime:
    case Keyword::kLocaltimestamp:
    case Keyword::kSessionUser:
    case Keyword::kSystemUser:
    case Keyword::kUser:
      return true;
    default:
      return false;
  }
}

std::optional<CallSyntax> SyntaxOf(Keyword keyword) {
  switch (keyword) {
    case Keyword::kExtract:
      return CallSyntax::kExtract;
    case Keyword::kTrim:
      return CallSyntax::kTrim;
    case Keyword::kPosition:
      return CallSyntax::kPosition;
    case Keyword::kSubstring:
      return CallSyntax::kSubstring;
    case Keyword::kOverlay:
      return CallSyntax::kOverlay;
    case Keyword::kCeil:
    case Keyword::kCeiling:
    case Keyword::kFloor:
      return CallSyntax::kRoundToUnit;
    case Keyword::kTimestampadd:
    case Keyword::kTimestampdiff:
      return CallSyntax::kTimeUnitFirst;
    case Keyword::kConvert:
    case Keyword::kTranslate:
      return CallSyntax::kUsing;
    default:
      return std::nullopt;
  }
}

bool IsJsonFunction(Keyword keyword) {
  switch (keyword) {
    case Keyword::kJsonArray:
    case Keyword::kJsonArrayagg:
    case Keyword::kJsonExists:
    case Keyword::kJsonObject:
    case Keyword::kJsonObjectagg:
    case Keyword::kJsonQuery:
    case Keyword::kJsonValue:
      return true;
    default:
      return false;
  }
}

}  // namespace

Status Parser::AppendArgument(FunctionCallExpression* call) {
  FunctionArgument argument;
  LW_ASSIGN(argument.value, ParseExpression());
  call->arguments.push_back(std::move(argument));
  return Status::OK();
}

Result<ExpressionPtr> Parser::ParseSpecialCall(Keyword keyword) {
  const bool called = cursor_.IsAhead(1, TokenKind::kLeftParen);
  if (IsNiladic(keyword) && !called) {
    return ParseNiladicCall();
  }
  if (keyword == Keyword::kRunning ||
      (keyword == Keyword::kFinal && cursor_.IsAhead(2, TokenKind::kLeftParen) &&
       cursor_.IsAhead(1, TokenKind::kWord))) {
    return ParsePatternPrefixCall();
  }
  const std::optional<CallSyntax> syntax = SyntaxOf(keyword);
  const bool json = IsJsonFunction(keyword);
  if (!called || (!syntax.has_value() && !json)) {
    return ParseNameOrCall();
  }
  auto call = MakeNode<FunctionCallExpression>(cursor_.position());
  call->name.parts.push_back(cursor_.TakeIdentifier());
  cursor_.Advance();
  if (json) {
    LW_TRY(ParseJsonArguments(keyword, call.get()));
  } else {
    switch (*syntax) {
      case CallSyntax::kExtract:
        LW_TRY(ParseExtractArguments(call.get()));
        break;
      case CallSyntax::kTrim:
        LW_TRY(ParseTrimArguments(call.get()));
        break;
      case CallSyntax::kPosition:
        LW_TRY(ParsePositionArguments(call.get()));
        break;
      case CallSyntax::kSubstring:
        LW_TRY(ParseSubstringArguments(call.get()));
        break;
      case CallSyntax::kOverlay:
        LW_TRY(ParseOverlayArguments(call.get()));
        break;
      case CallSyntax::kRoundToUnit:
        LW_TRY(ParseRoundArguments(call.get()));
        break;
      case CallSyntax::kTimeUnitFirst:
        LW_TRY(ParseTimeUnitFirstArguments(call.get()));
        break;
      default:
        LW_TRY(ParseUsingArguments(call.get()));
        break;
    }
  }
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return FinishCall(std::move(call));
}

Result<ExpressionPtr> Parser::ParseNiladicCall() {
  auto call = MakeNode<FunctionCallExpression>(cursor_.position());
  call->syntax = CallSyntax::kNoParentheses;
  call->name.parts.push_back(cursor_.TakeIdentifier());
  return call;
}

Result<ExpressionPtr> Parser::ParsePatternPrefixCall() {
  auto call = MakeNode<FunctionCallExpression>(cursor_.position());
  call->syntax = CallSyntax::kPrefix;
  call->name.parts.push_back(cursor_.TakeIdentifier());
  FunctionArgument argument;
  LW_ASSIGN(argument.value, ParseNameOrCall());
  call->arguments.push_back(std::move(argument));
  return Finish(std::move(call));
}

Status Parser::ParseExtractArguments(FunctionCallExpression* call) {
  call->syntax = CallSyntax::kExtract;
  call->time_unit = AcceptTimeUnit();
  if (!call->time_unit.has_value()) {
    return cursor_.Unexpected();
  }
  LW_TRY(cursor_.Expect(Keyword::kFrom));
  return AppendArgument(call);
}

Status Parser::ParseTrimArguments(FunctionCallExpression* call) {
  call->syntax = CallSyntax::kTrim;
  bool side = true;
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kLeading)) {
      call->trim_side = TrimSide::kLeading;
    } else if (cursor_.Accept(Keyword::kTrailing)) {
      call->trim_side = TrimSide::kTrailing;
    } else {
      side = cursor_.Accept(Keyword::kBoth);
    }
  }
  if (side && cursor_.Accept(Keyword::kFrom)) {
    return AppendArgument(call);
  }
  LW_TRY(AppendArgument(call));
  if (side) {
    LW_TRY(cursor_.Expect(Keyword::kFrom));
  } else if (!cursor_.Accept(Keyword::kFrom)) {
    return Status::OK();
  }
  LW_TRY(AppendArgument(call));
  std::swap(call->arguments[0], call->arguments[1]);
  return Status::OK();
}

Status Parser::ParsePositionArguments(FunctionCallExpression* call) {
  call->syntax = CallSyntax::kPosition;
  // The IN between them is no operator here.
  FunctionArgument needle;
  LW_ASSIGN(needle.value, ParseOperators(kPredicatePrecedence + 1));
  call->arguments.push_back(std::move(needle));
  LW_TRY(cursor_.Expect(Keyword::kIn));
  LW_TRY(AppendArgument(call));
  TokenCursor::MinorScope minor(&cursor_);
  return cursor_.Accept(Keyword::kFrom) ? AppendArgument(call) : Status::OK();
}

Status Parser::ParseSubstringArguments(FunctionCallExpression* call) {
  LW_TRY(AppendArgument(call));
  if (cursor_.Accept(Keyword::kFrom)) {
    call->syntax = CallSyntax::kSubstring;
    LW_TRY(AppendArgument(call));
    return cursor_.Accept(Keyword::kFor) ? AppendArgument(call) : Status::OK();
  }
  while (cursor_.Accept(TokenKind::kComma)) {
    LW_TRY(AppendArgument(call));
  }
  return Status::OK();
}

Status Parser::ParseOverlayArguments(FunctionCallExpression* call) {
  LW_TRY(AppendArgument(call));
  if (cursor_.Accept(Keyword::kPlacing)) {
    call->syntax = CallSyntax::kOverlay;
    LW_TRY(AppendArgument(call));
    LW_TRY(cursor_.Expect(Keyword::kFrom));
    LW_TRY(AppendArgument(call));
    return cursor_.Accept(Keyword::kFor) ? AppendArgument(call) : Status::OK();
  }
  while (cursor_.Accept(TokenKind::kComma)) {
    LW_TRY(AppendArgument(call));
  }
  return Status::OK();
}

Status Parser::ParseRoundArguments(FunctionCallExpression* call) {
  LW_TRY(AppendArgument(call));
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kTo)) {
    call->syntax = CallSyntax::kRoundToUnit;
    call->time_unit = AcceptTimeUnit();
    return call->time_unit.has_value() ? Status::OK() : cursor_.Unexpected();
  }
  while (cursor_.Accept(TokenKind::kComma)) {
    LW_TRY(AppendArgument(call));
  }
  return Status::OK();
}

Status Parser::ParseTimeUnitFirstArguments(FunctionCallExpression* call) {
  call->syntax = CallSyntax::kTimeUnitFirst;
  call->time_unit = AcceptTimeUnit();
  if (!call->time_unit.has_value()) {
    return cursor_.Unexpected();
  }
  for (int i = 0; i < 2; ++i) {
    LW_TRY(cursor_.Expect(TokenKind::kComma));
    LW_TRY(AppendArgument(call));
  }
  return Status::OK();
}

Status Parser::ParseUsingArguments(FunctionCallExpression* call) {
  LW_TRY(AppendArgument(call));
  if (cursor_.Accept(Keyword::kUsing)) {
    call->syntax = CallSyntax::kUsing;
    LW_ASSIGN(call->using_name, cursor_.ExpectIdentifier("the name of a character set"));
    return Status::OK();
  }
  while (cursor_.Accept(TokenKind::kComma)) {
    LW_TRY(AppendArgument(call));
  }
  return Status::OK();
}

Result<ExpressionPtr> Parser::ParseCall(QualifiedName name) {
  auto call = MakeNode<FunctionCallExpression>(name.position());
  if (cursor_.previous().keyword == Keyword::kDescriptor && name.size() == 1) {
    return ParseDescriptor();
  }
  call->name = std::move(name);
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kDistinct)) {
      call->quantifier = SetQuantifier::kDistinct;
    } else if (cursor_.Accept(Keyword::kAll)) {
      call->quantifier = SetQuantifier::kAll;
    }
  }
  if (cursor_.current().kind == TokenKind::kStar) {
    cursor_.Advance();
    call->star = true;
  } else if (!cursor_.At(TokenKind::kRightParen)) {
    do {
      LW_ASSIGN(FunctionArgument argument, ParseArgument());
      call->arguments.push_back(std::move(argument));
    } while (cursor_.Accept(TokenKind::kComma));
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
      LW_ASSIGN(call->argument_order, ParseOrderItems());
    }
    if (cursor_.Accept(Keyword::kSeparator)) {
      LW_ASSIGN(call->separator, ParseExpression());
    }
  }
  ParseNullTreatment(call.get());
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return FinishCall(std::move(call));
}

void Parser::ParseNullTreatment(FunctionCallExpression* call) {
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kIgnore, Keyword::kNulls})) {
    call->null_treatment = NullTreatment::kIgnoreNulls;
  } else if (cursor_.Accept({Keyword::kRespect, Keyword::kNulls})) {
    call->null_treatment = NullTreatment::kRespectNulls;
  }
}

Result<FunctionArgument> Parser::ParseArgument() {
  FunctionArgument argument;
  if (cursor_.IsAhead(1, TokenKind::kArrow)) {
    LW_ASSIGN(argument.name, cursor_.ExpectIdentifier("the name of an argument"));
    LW_TRY(cursor_.Expect(TokenKind::kArrow));
  }
  if (cursor_.current().keyword == Keyword::kTable) {
    LW_ASSIGN(argument.value, ParseTableArgument());
    return argument;
  }
  if (AtQueryStart()) {
    auto subquery = MakeNode<ScalarSubqueryExpression>(cursor_.position());
    LW_ASSIGN(subquery->query, ParseQuery());
    LW_ASSIGN(argument.value, Finish(std::move(subquery)));
    return argument;
  }
  LW_ASSIGN(argument.value, ParseExpression());
  const auto* subquery = argument.value->AsIf<ScalarSubqueryExpression>();
  if (subquery != nullptr && (cursor_.AreAhead(0, {Keyword::kPartition, Keyword::kBy}) ||
                              cursor_.AreAhead(0, {Keyword::kOrder, Keyword::kBy}))) {
    auto table = MakeNode<TableArgumentExpression>(subquery->position);
    table->query = subquery->query;
    if (cursor_.Accept({Keyword::kPartition, Keyword::kBy})) {
      LW_ASSIGN(table->partition_by, ParsePartitionKeys());
    }
    if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
      LW_ASSIGN(table->order_by, ParseOrderKeys());
    }
    LW_ASSIGN(argument.value, Finish(std::move(table)));
  }
  return argument;
}

Result<std::vector<ExpressionPtr>> Parser::ParsePartitionKeys() {
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(ParenthesizedContent content, ParseParenthesized());
    if (content.query != nullptr) {
      LW_ASSIGN(ExpressionPtr key, ToExpression(std::move(content)));
      return std::vector<ExpressionPtr>{std::move(key)};
    }
    return std::move(content.items);
  }
  LW_ASSIGN(ExpressionPtr key, ParseExpression());
  return std::vector<ExpressionPtr>{std::move(key)};
}

Result<std::vector<OrderItem>> Parser::ParseOrderKeys() {
  if (cursor_.Accept(TokenKind::kLeftParen)) {
    LW_ASSIGN(std::vector<OrderItem> items, ParseOrderItems());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return items;
  }
  std::vector<OrderItem> items;
  LW_ASSIGN(OrderItem item, ParseOrderItem());
  items.push_back(std::move(item));
  return items;
}

Result<ExpressionPtr> Parser::ParseTableArgument() {
  auto table = MakeNode<TableArgumentExpression>(cursor_.position());
  cursor_.Advance();
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(table->query, ParseParenthesizedQuery());
  } else {
    LW_ASSIGN(table->table, ParseQualifiedName("the name of a table"));
  }
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kPartition, Keyword::kBy})) {
    LW_ASSIGN(table->partition_by, ParsePartitionKeys());
  }
  if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
    LW_ASSIGN(table->order_by, ParseOrderKeys());
  }
  return Finish(std::move(table));
}

Result<ExpressionPtr> Parser::ParseDescriptor() {
  auto descriptor = MakeNode<DescriptorExpression>(cursor_.previous().position);
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  do {
    LW_ASSIGN(QualifiedName column, ParseQualifiedName("the name of a column"));
    descriptor->columns.push_back(std::move(column));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return descriptor;
}

Result<ExpressionPtr> Parser::FinishCall(std::shared_ptr<FunctionCallExpression> call) {
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kWithin, Keyword::kGroup})) {
    LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
    LW_TRY(cursor_.Expect({Keyword::kOrder, Keyword::kBy}));
    LW_ASSIGN(call->within_group, ParseOrderItems());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  }
  if (cursor_.current().keyword == Keyword::kFilter && cursor_.IsAhead(1, TokenKind::kLeftParen)) {
    cursor_.Advance();
    cursor_.Advance();
    LW_TRY(cursor_.Expect(Keyword::kWhere));
    LW_ASSIGN(call->filter, ParseExpression());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  }
  ParseNullTreatment(call.get());
  if (cursor_.Accept(Keyword::kOver)) {
    LW_ASSIGN(call->over, ParseOver());
  }
  return Finish(std::move(call));
}

}  // namespace lakeward::sql
