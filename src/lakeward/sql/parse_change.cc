#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<std::shared_ptr<InsertStatement>> Parser::ParseInsert() {
  auto insert = MakeNode<InsertStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kInsert));
  if (cursor_.Accept(Keyword::kOverwrite)) {
    insert->overwrite = true;
    cursor_.Accept(Keyword::kInto);
  } else {
    LW_TRY(cursor_.Expect(Keyword::kInto));
  }
  LW_ASSIGN(insert->table, ParseQualifiedName("the name of a table"));
  LW_ASSIGN(insert->hints, ParseHints());
  if (cursor_.Accept(Keyword::kPartition)) {
    LW_ASSIGN(insert->partition, ParsePartitionSpecification(false));
  }
  if (cursor_.At(TokenKind::kLeftParen) && !AtParenthesizedQuery()) {
    cursor_.Advance();
    do {
      LW_ASSIGN(QualifiedName column, ParseQualifiedName("the name of a column"));
      insert->columns.push_back(std::move(column));
    } while (cursor_.Accept(TokenKind::kComma));
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  }
  LW_ASSIGN(insert->query, ParseQuery());
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept({Keyword::kOn, Keyword::kConflict})) {
    LW_TRY(cursor_.Expect(Keyword::kDo));
    if (cursor_.Accept(Keyword::kError)) {
      insert->on_conflict = InsertConflict::kError;
    } else if (cursor_.Accept(Keyword::kNothing)) {
      insert->on_conflict = InsertConflict::kNothing;
    } else {
      LW_TRY(cursor_.Expect(Keyword::kDeduplicate));
      insert->on_conflict = InsertConflict::kDeduplicate;
    }
  }
  return insert;
}

Result<StatementPtr> Parser::ParseUpdate() {
  auto update = MakeNode<UpdateStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kUpdate));
  LW_ASSIGN(update->table, ParseQualifiedName("the name of a table"));
  LW_ASSIGN(update->hints, ParseHints());

  if (cursor_.Accept(Keyword::kAs) || cursor_.AtIdentifier("a name", TokenCursor::Weight::kMinor)) {
    LW_ASSIGN(update->alias, cursor_.ExpectIdentifier("a name"));
  }
  LW_TRY(cursor_.Expect(Keyword::kSet));
  do {
    Assignment assignment;
    LW_ASSIGN(assignment.column, ParseQualifiedName("the name of a column"));
    LW_TRY(cursor_.Expect(TokenKind::kEqual));
    LW_ASSIGN(assignment.value, ParseExpression());
    update->assignments.push_back(std::move(assignment));
  } while (cursor_.Accept(TokenKind::kComma));
  if (cursor_.Accept(Keyword::kWhere)) {
    LW_ASSIGN(update->where, ParseExpression());
  }
  return update;
}

Result<StatementPtr> Parser::ParseDelete() {
  auto remove = MakeNode<DeleteStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kDelete));
  LW_TRY(cursor_.Expect(Keyword::kFrom));
  LW_ASSIGN(remove->table, ParseQualifiedName("the name of a table"));
  LW_ASSIGN(remove->hints, ParseHints());
  if (cursor_.Accept(Keyword::kAs) || cursor_.AtIdentifier("a name", TokenCursor::Weight::kMinor)) {
    LW_ASSIGN(remove->alias, cursor_.ExpectIdentifier("a name"));
  }
  if (cursor_.Accept(Keyword::kWhere)) {
    LW_ASSIGN(remove->where, ParseExpression());
  }
  return remove;
}

Result<StatementPtr> Parser::ParseStatementSet(SqlPosition at) {
  auto set = MakeNode<StatementSetStatement>(at);
  LW_TRY(cursor_.Expect({Keyword::kStatement, Keyword::kSet, Keyword::kBegin}));
  do {
    LW_ASSIGN(std::shared_ptr<InsertStatement> insert, ParseInsert());
    set->inserts.push_back(std::move(insert));
    LW_TRY(cursor_.Expect(TokenKind::kSemicolon));
  } while (!cursor_.Accept(Keyword::kEnd));
  return set;
}

Result<StatementPtr> Parser::ParseExecute() {
  const SqlPosition at = cursor_.position();
  LW_TRY(cursor_.Expect(Keyword::kExecute));
  if (cursor_.Accept(Keyword::kPlan)) {
    auto plan = MakeNode<ExecutePlanStatement>(at);
    LW_ASSIGN(plan->path, ParseString());
    return plan;
  }
  if (cursor_.At(Keyword::kStatement)) {
    return ParseStatementSet(at);
  }
  if (cursor_.At(Keyword::kInsert)) {
    LW_ASSIGN(std::shared_ptr<InsertStatement> insert, ParseInsert());
    insert->execute = true;
    insert->position = at;
    return insert;
  }
  auto query = MakeNode<QueryStatement>(at);
  query->execute = true;
  LW_ASSIGN(query->query, ParseQuery());
  return query;
}

Result<StatementPtr> Parser::ParseExplain() {
  auto explain = MakeNode<ExplainStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kExplain));
  if (cursor_.Accept({Keyword::kPlan, Keyword::kFor})) {
    explain->plan_for = true;
  } else {
    TokenCursor::MinorScope minor(&cursor_);
    do {
      ExplainDetail detail;
      if (cursor_.Accept(Keyword::kEstimatedCost)) {
        detail = ExplainDetail::kEstimatedCost;
      } else if (cursor_.Accept(Keyword::kChangelogMode)) {
        detail = ExplainDetail::kChangelogMode;
      } else if (cursor_.Accept(Keyword::kJsonExecutionPlan)) {
        detail = ExplainDetail::kJsonExecutionPlan;
      } else if (cursor_.Accept(Keyword::kPlanAdvice)) {
        detail = ExplainDetail::kPlanAdvice;
      } else if (explain->details.empty()) {
        break;
      } else {
        return cursor_.Unexpected();
      }
      for (const ExplainDetail before : explain->details) {
        if (before == detail) {
          return cursor_.Error(cursor_.previous().position,
                               "the same EXPLAIN detail is given twice");
        }
      }
      explain->details.push_back(detail);
    } while (cursor_.Accept(TokenKind::kComma));
  }
  switch (cursor_.current().keyword) {
    case Keyword::kStatement: {
      LW_ASSIGN(explain->statement, ParseStatementSet(cursor_.position()));
      break;
    }
    case Keyword::kInsert:
    case Keyword::kExecute:
    case Keyword::kUpdate:
    case Keyword::kDelete:
    case Keyword::kCreate:
    case Keyword::kReplace: {
      LW_ASSIGN(explain->statement, ParseStatement());
      break;
    }
    default: {
      cursor_.At(Keyword::kInsert);
      cursor_.Accept({Keyword::kStatement, Keyword::kSet});
      LW_ASSIGN(explain->statement, ParseQueryStatement());
    }
  }
  return explain;
}

Result<StatementPtr> Parser::ParseCompilePlan() {
  auto compile = MakeNode<CompilePlanStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kCompile));
  compile->execute = cursor_.Accept({Keyword::kAnd, Keyword::kExecute});
  LW_TRY(cursor_.Expect(Keyword::kPlan));
  LW_ASSIGN(compile->path, ParseString());
  compile->if_not_exists = !compile->execute && AcceptIfNotExists();
  LW_TRY(cursor_.Expect(Keyword::kFor));
  if (cursor_.At(Keyword::kStatement)) {
    LW_ASSIGN(compile->statement, ParseStatementSet(cursor_.position()));
  } else {
    LW_ASSIGN(compile->statement, ParseInsert());
  }
  return compile;
}

Result<StatementPtr> Parser::ParseCall() {
  auto call = MakeNode<CallStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kCall));
  LW_ASSIGN(call->procedure, ParseQualifiedName("the name of a procedure"));
  LW_TRY(cursor_.Expect(TokenKind::kLeftParen));
  if (cursor_.Accept(TokenKind::kRightParen)) {
    return call;
  }
  do {
    LW_ASSIGN(FunctionArgument argument, ParseArgument());
    call->arguments.push_back(std::move(argument));
  } while (cursor_.Accept(TokenKind::kComma));
  LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  return call;
}

}  // namespace lakeward::sql
