#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Status Parser::ParseJsonArguments(Keyword keyword, FunctionCallExpression* call) {
  call->json.emplace();
  switch (keyword) {
    case Keyword::kJsonObject:
    case Keyword::kJsonObjectagg:
      return ParseJsonObjectArguments(call);
    case Keyword::kJsonArray:
    case Keyword::kJsonArrayagg:
      return ParseJsonArrayArguments(call);
    default:
      return ParseJsonPathArguments(keyword, call);
  }
}

Status Parser::ParseJsonObjectArguments(FunctionCallExpression* call) {
  call->syntax = CallSyntax::kJsonObject;
  if (!cursor_.At(TokenKind::kRightParen) && !cursor_.AreAhead(1, {Keyword::kOn, Keyword::kNull})) {
    do {
      // KEY may also begin the name of a column.
      const bool key_word =
          cursor_.current().keyword == Keyword::kKey && !cursor_.IsAhead(1, TokenKind::kDot) &&
          !cursor_.IsAhead(1, TokenKind::kColon) && !cursor_.IsAhead(1, Keyword::kValue);
      if (key_word) {
        cursor_.Advance();
      }
      LW_TRY(AppendArgument(call));
      if (!cursor_.Accept(Keyword::kValue) && !cursor_.Accept(TokenKind::kColon) &&
          !cursor_.Accept(TokenKind::kComma)) {
        return cursor_.Unexpected();
      }
      LW_TRY(AppendArgument(call));
      LW_TRY(RefuseFormatJson());
    } while (cursor_.Accept(TokenKind::kComma));
  }
  return ParseJsonNulls(&*call->json);
}

Status Parser::ParseJsonArrayArguments(FunctionCallExpression* call) {
  if (!cursor_.At(TokenKind::kRightParen) && !cursor_.AreAhead(1, {Keyword::kOn, Keyword::kNull})) {
    do {
      LW_TRY(AppendArgument(call));
      LW_TRY(RefuseFormatJson());
    } while (cursor_.Accept(TokenKind::kComma));
  }
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kOrder, Keyword::kBy})) {
    LW_ASSIGN(call->argument_order, ParseOrderItems());
  }
  return ParseJsonNulls(&*call->json);
}

Status Parser::RefuseFormatJson() const {
  if (cursor_.AreAhead(0, {Keyword::kFormat, Keyword::kJson})) {
    return Unsupported(cursor_.position(), "FORMAT JSON");
  }
  return Status::OK();
}

Status Parser::ParseJsonNulls(JsonClauses* clauses) {
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kNull, Keyword::kOn, Keyword::kNull})) {
    clauses->nulls = JsonNulls::kNullOnNull;
  } else if (cursor_.Accept({Keyword::kAbsent, Keyword::kOn, Keyword::kNull})) {
    clauses->nulls = JsonNulls::kAbsentOnNull;
  }
  return Status::OK();
}

Status Parser::ParseJsonPathArguments(Keyword keyword, FunctionCallExpression* call) {
  LW_TRY(AppendArgument(call));
  LW_TRY(RefuseFormatJson());
  LW_TRY(cursor_.Expect(TokenKind::kComma));
  LW_TRY(AppendArgument(call));
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kReturning)) {
    LW_ASSIGN(call->json->returning, ParseTypeName(Nullability::kForbidden));
  }
  if (keyword == Keyword::kJsonQuery) {
    LW_TRY(ParseJsonWrapper(&*call->json));
  }
  while (true) {
    const SqlPosition at = cursor_.position();
    LW_ASSIGN(std::optional<JsonBehavior> behavior, ParseJsonBehavior());
    if (!behavior.has_value()) {
      return Status::OK();
    }
    LW_TRY(cursor_.Expect(Keyword::kOn));
    const bool on_error = cursor_.Accept(Keyword::kError);
    if (!on_error) {
      LW_TRY(cursor_.Expect(Keyword::kEmpty));
    }
    std::optional<JsonBehavior>& slot = on_error ? call->json->on_error : call->json->on_empty;
    if (slot.has_value()) {
      return cursor_.Error(at, on_error ? "ON ERROR is given twice" : "ON EMPTY is given twice");
    }
    slot = std::move(behavior);
  }
}

Status Parser::ParseJsonWrapper(JsonClauses* clauses) {
  if (cursor_.Accept(Keyword::kWithout)) {
    cursor_.Accept(Keyword::kArray);
    clauses->wrapper = JsonWrapper::kWithout;
    return cursor_.Expect(Keyword::kWrapper);
  }
  if (!cursor_.Accept(Keyword::kWith)) {
    return Status::OK();
  }
  clauses->wrapper = JsonWrapper::kUnconditional;
  if (cursor_.Accept(Keyword::kConditional)) {
    clauses->wrapper = JsonWrapper::kConditional;
  } else {
    cursor_.Accept(Keyword::kUnconditional);
  }
  cursor_.Accept(Keyword::kArray);
  return cursor_.Expect(Keyword::kWrapper);
}

Result<std::optional<JsonBehavior>> Parser::ParseJsonBehavior() {
  std::optional<JsonBehavior> behavior;
  if (cursor_.Accept(Keyword::kNull)) {
    behavior = JsonBehavior{JsonBehaviorKind::kNull, nullptr};
  } else if (cursor_.Accept(Keyword::kError)) {
    behavior = JsonBehavior{JsonBehaviorKind::kError, nullptr};
  } else if (cursor_.Accept(Keyword::kTrue)) {
    behavior = JsonBehavior{JsonBehaviorKind::kTrue, nullptr};
  } else if (cursor_.Accept(Keyword::kFalse)) {
    behavior = JsonBehavior{JsonBehaviorKind::kFalse, nullptr};
  } else if (cursor_.Accept(Keyword::kUnknown)) {
    behavior = JsonBehavior{JsonBehaviorKind::kUnknown, nullptr};
  } else if (cursor_.Accept({Keyword::kEmpty, Keyword::kObject})) {
    behavior = JsonBehavior{JsonBehaviorKind::kEmptyObject, nullptr};
  } else if (cursor_.Accept(Keyword::kEmpty)) {
    cursor_.Accept(Keyword::kArray);
    behavior = JsonBehavior{JsonBehaviorKind::kEmptyArray, nullptr};
  } else if (cursor_.Accept(Keyword::kDefault)) {
    behavior = JsonBehavior{JsonBehaviorKind::kDefault, nullptr};
    LW_ASSIGN(behavior->value, ParseExpression());
  }
  return behavior;
}

}  // namespace lakeward::sql
