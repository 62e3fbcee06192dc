#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<TableReferencePtr> Parser::ParseFrom() {
  LW_ASSIGN(TableReferencePtr left, ParseTablePrimary());
  LW_ASSIGN(left, ParseJoins(std::move(left)));
  // A comma binds more loosely than JOIN.
  while (cursor_.Accept(TokenKind::kComma)) {
    auto join = MakeNode<JoinTable>(left->position);
    join->join = JoinKind::kComma;
    LW_ASSIGN(TableReferencePtr right, ParseTablePrimary());
    LW_ASSIGN(join->right, ParseJoins(std::move(right)));
    join->left = std::move(left);
    left = std::move(join);
  }
  return left;
}

bool Parser::AcceptJoin(JoinKind* kind, bool* natural, Status* error) {
  TokenCursor::MinorScope minor(&cursor_);
  *natural = cursor_.Accept(Keyword::kNatural);
  *kind = JoinKind::kInner;
  bool prefix = *natural;
  bool outer_allowed = false;
  if (cursor_.Accept(Keyword::kInner)) {
    prefix = true;
  } else if (cursor_.Accept(Keyword::kCross)) {
    *kind = JoinKind::kCross;
    prefix = true;
  } else if (cursor_.Accept(Keyword::kLeft)) {
    *kind = JoinKind::kLeft;
    outer_allowed = true;
  } else if (cursor_.Accept(Keyword::kRight)) {
    *kind = JoinKind::kRight;
    outer_allowed = true;
  } else if (cursor_.Accept(Keyword::kFull)) {
    *kind = JoinKind::kFull;
    outer_allowed = true;
  }
  if (outer_allowed) {
    prefix = true;
    cursor_.Accept(Keyword::kOuter);
  }
  if (cursor_.Accept(Keyword::kJoin)) {
    return true;
  }
  if (prefix) {
    *error = cursor_.Unexpected();
  }
  return false;
}

Result<TableReferencePtr> Parser::ParseJoins(TableReferencePtr left) {
  while (true) {
    JoinKind kind;
    bool natural = false;
    Status error;
    if (!AcceptJoin(&kind, &natural, &error)) {
      return error.ok() ? Result<TableReferencePtr>(std::move(left)) : error;
    }
    auto join = MakeNode<JoinTable>(left->position);
    join->join = kind;
    join->natural = natural;
    join->left = std::move(left);
    LW_ASSIGN(join->right, ParseTablePrimary());
    if (cursor_.Accept(Keyword::kOn)) {
      LW_ASSIGN(join->on, ParseExpression());
    } else if (cursor_.Accept(Keyword::kUsing)) {
      LW_ASSIGN(join->using_columns, ParseIdentifierList("the name of a column"));
    }
    left = std::move(join);
  }
}

Result<TableReferencePtr> Parser::ParseTablePrimary() {
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  std::shared_ptr<TableReference> table;
  const bool lateral = cursor_.Accept(Keyword::kLateral);
  const Keyword keyword = cursor_.current().keyword;
  if (keyword == Keyword::kTable && cursor_.IsAhead(1, TokenKind::kLeftParen)) {
    LW_ASSIGN(table, ParseFunctionTable(lateral));
  } else if (keyword == Keyword::kUnnest) {
    LW_ASSIGN(table, ParseUnnest(lateral));
  } else if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(ParenthesizedTable content, ParseParenthesizedTable());
    if (content.query == nullptr) {
      return std::move(content.table);
    }
    auto subquery = MakeNode<SubqueryTable>(content.position);
    subquery->query = std::move(content.query);
    subquery->lateral = lateral;
    table = std::move(subquery);
  } else {
    if (keyword == Keyword::kTable) {
      cursor_.Advance();  // FROM TABLE t
    }
    LW_ASSIGN(table, ParseNamedTable());
    if (lateral && table->kind == TableReferenceKind::kFunction) {
      static_cast<FunctionTable&>(*table).lateral = true;
    }
  }
  return ParseTableTail(std::move(table));
}

Result<Parser::ParenthesizedTable> Parser::ParseParenthesizedTable() {
  ParenthesizedTable content;
  content.position = cursor_.position();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (AtQueryStart()) {
    LW_ASSIGN(content.query, ParseQuery());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return content;
  }
  if (!AtParenthesizedQuery()) {
    LW_ASSIGN(content.table, ParseFrom());
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return content;
  }
  // `((SELECT …) UNION …)` is a query, `((SELECT …) AS a JOIN b)` is not: the inner one comes
  // first.
  Nesting nesting(&nesting_, &frames_);
  LW_TRY(CheckNesting());
  LW_ASSIGN(ParenthesizedTable inner, ParseParenthesizedTable());
  if (inner.query != nullptr && AtQueryContinuation()) {
    LW_ASSIGN(content.query, ParseQueryAfter(std::move(inner.query)));
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
    return content;
  }
  if (inner.query != nullptr && cursor_.Accept(TokenKind::kRightParen)) {
    content.query = std::move(inner.query);
    return content;
  }
  TableReferencePtr left = std::move(inner.table);
  if (inner.query != nullptr) {
    auto subquery = MakeNode<SubqueryTable>(inner.position);
    subquery->query = std::move(inner.query);
    LW_ASSIGN(left, ParseTableTail(std::move(subquery)));
  }
  LW_ASSIGN(left, ParseJoins(std::move(left)));
  content.table = std::move(left);
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return content;
}

Result<std::shared_ptr<TableReference>> Parser::ParseNamedTable() {
  const SqlPosition at = cursor_.position();
  LW_ASSIGN(QualifiedName name, ParseQualifiedName("a table"));
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    auto function = MakeNode<FunctionTable>(at);
    function->table_keyword = false;
    LW_ASSIGN(function->call, ParseCall(std::move(name)));
    return function;
  }
  auto table = MakeNode<NamedTable>(at);
  table->name = std::move(name);
  LW_ASSIGN(table->hints, ParseHints());
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kFor, Keyword::kSystemTime})) {
    LW_TRY(cursor_.Expect({Keyword::kAs, Keyword::kOf}));
    LW_ASSIGN(table->system_time, ParseExpression());
  }
  return table;
}

Result<std::shared_ptr<TableReference>> Parser::ParseFunctionTable(bool lateral) {
  auto function = MakeNode<FunctionTable>(cursor_.position());
  function->lateral = lateral;
  cursor_.Advance();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  LW_ASSIGN(QualifiedName name, ParseQualifiedName("a table function"));
  if (!cursor_.At(TokenKind::kLeftParen)) {
    return cursor_.Unexpected();
  }
  LW_ASSIGN(function->call, ParseCall(std::move(name)));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return function;
}

Result<std::shared_ptr<TableReference>> Parser::ParseUnnest(bool lateral) {
  auto unnest = MakeNode<UnnestTable>(cursor_.position());
  unnest->lateral = lateral;
  cursor_.Advance();
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  LW_ASSIGN(unnest->operands, ParseExpressionList());
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  TokenCursor::MinorScope minor(&cursor_);
  unnest->with_ordinality = cursor_.Accept({Keyword::kWith, Keyword::kOrdinality});
  return unnest;
}

Result<TableReferencePtr> Parser::ParseTableTail(std::shared_ptr<TableReference> table) {
  {
    TokenCursor::MinorScope minor(&cursor_);
    if (cursor_.Accept(Keyword::kMatchRecognize)) {
      LW_ASSIGN(table, ParseMatchRecognize(std::move(table)));
    }
  }
  LW_TRY(ParseTableAlias(table.get()));
  if (table->kind == TableReferenceKind::kNamed) {
    LW_ASSIGN(static_cast<NamedTable&>(*table).sample, ParseTableSample());
  } else if (table->kind == TableReferenceKind::kSubquery) {
    LW_ASSIGN(static_cast<SubqueryTable&>(*table).sample, ParseTableSample());
  }
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kMatchRecognize)) {
    LW_ASSIGN(table, ParseMatchRecognize(std::move(table)));
    LW_TRY(ParseTableAlias(table.get()));
  }
  const Keyword keyword = cursor_.current().keyword;
  if (keyword == Keyword::kPivot || keyword == Keyword::kUnpivot) {
    return Unsupported(cursor_.position(), SpellingOf(keyword));
  }
  return table;
}

Status Parser::ParseTableAlias(TableReference* table) {
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kAs)) {
    LW_ASSIGN(table->alias, cursor_.ExpectIdentifier("a name"));
  } else {
    // What else could stand here, in case that the alias turns out to be a misspelt keyword.
    for (const Keyword keyword :
         {Keyword::kWhere, Keyword::kJoin, Keyword::kGroup, Keyword::kOrder, Keyword::kLimit,
          Keyword::kInner, Keyword::kLeft, Keyword::kHaving, Keyword::kUnion}) {
      if (cursor_.At(keyword)) {
        return Status::OK();
      }
    }
    if (!cursor_.AtIdentifier("a name", TokenCursor::Weight::kMinor)) {
      return Status::OK();
    }
    table->alias = cursor_.TakeImplicitAlias();
  }
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    LW_ASSIGN(table->column_aliases, ParseIdentifierList("the name of a column"));
  }
  return Status::OK();
}

Result<std::optional<TableSample>> Parser::ParseTableSample() {
  std::optional<TableSample> sample;
  TokenCursor::MinorScope minor(&cursor_);
  if (!cursor_.Accept(Keyword::kTablesample)) {
    return sample;
  }
  sample.emplace();
  sample->bernoulli = cursor_.Accept(Keyword::kBernoulli);
  if (!sample->bernoulli) {
    LW_TRY(cursor_.Expect(Keyword::kSystem));
  }
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.current().kind != TokenKind::kInteger &&
      cursor_.current().kind != TokenKind::kDecimal) {
    cursor_.Note("a number");
    return cursor_.Unexpected();
  }
  sample->percentage = std::string(cursor_.current().text);
  cursor_.Advance();
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  if (cursor_.Accept(Keyword::kRepeatable)) {
    LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
    LW_ASSIGN(const int seed, ParseSmallInteger("a seed"));
    sample->seed = std::to_string(seed);
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  }
  return sample;
}

}  // namespace lakeward::sql
