#include <string>

#include "fmt/format.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<StatementPtr> Parser::ParseWholeStatement() {
  if (cursor_.current().kind == TokenKind::kEnd ||
      cursor_.current().kind == TokenKind::kSemicolon) {
    return cursor_.Error(cursor_.position(), "there is no statement",
                         "Write a statement before the end of the text.");
  }
  LW_ASSIGN(StatementPtr statement, ParseStatement());
  LW_TRY(ExpectEnd());
  return statement;
}

Status Parser::Unsupported(SqlPosition at, std::string_view name) const {
  return MakeError(ErrorKind::kUnsupported, fmt::format("not supported yet: {}", name), "", at);
}

Result<StatementPtr> Parser::ParseQueryStatement() {
  auto statement = MakeNode<QueryStatement>(cursor_.position());
  LW_ASSIGN(statement->query, ParseQuery());
  return statement;
}

Result<StatementPtr> Parser::ParseStatement() {
  if (cursor_.current().kind == TokenKind::kLeftParen) {
    return ParseQueryStatement();
  }
  switch (cursor_.current().keyword) {
    case Keyword::kSelect:
    case Keyword::kWith:
    case Keyword::kValues:
    case Keyword::kTable:
      return ParseQueryStatement();
    case Keyword::kInsert: {
      LW_ASSIGN(std::shared_ptr<InsertStatement> insert, ParseInsert());
      return insert;
    }
    case Keyword::kUpdate:
      return ParseUpdate();
    case Keyword::kDelete:
      return ParseDelete();
    case Keyword::kCreate:
    case Keyword::kReplace:
      return ParseCreate();
    case Keyword::kDrop:
      return ParseDrop();
    case Keyword::kAlter:
      return ParseAlter();
    case Keyword::kExecute:
      return ParseExecute();
    case Keyword::kExplain:
      return ParseExplain();
    case Keyword::kCompile:
      return ParseCompilePlan();
    case Keyword::kCall:
      return ParseCall();
    case Keyword::kShow:
      return ParseShow();
    case Keyword::kDescribe:
    case Keyword::kDesc:
      return ParseDescribe();
    case Keyword::kUse:
      return ParseUse();
    case Keyword::kSet:
      return ParseSet();
    case Keyword::kReset:
      return ParseReset();
    default:
      return ParseOtherStatement();
  }
}

Result<StatementPtr> Parser::ParseOtherStatement() {
  const SqlPosition at = cursor_.position();
  switch (cursor_.current().keyword) {
    case Keyword::kBegin: {
      LW_TRY(cursor_.Expect({Keyword::kBegin, Keyword::kStatement, Keyword::kSet}));
      return MakeNode<BeginStatementSetStatement>(at);
    }
    case Keyword::kEnd:
      cursor_.Advance();
      return MakeNode<EndStatementSetStatement>(at);
    case Keyword::kLoad:
      return ParseLoadModule();
    case Keyword::kUnload:
      return ParseUnloadModule();
    case Keyword::kAnalyze:
      return ParseAnalyze();
    case Keyword::kTruncate:
      return ParseTruncate();
    case Keyword::kAdd:
      return ParseJar(true);
    case Keyword::kRemove:
      return ParseJar(false);
    case Keyword::kStop:
      return ParseStopJob();
    case Keyword::kHelp:
    case Keyword::kClear:
    case Keyword::kQuit:
    case Keyword::kExit:
    case Keyword::kSource:
      return ParseClientCommand();
    case Keyword::kStatement:
      return cursor_.Error(at, "unexpected 'STATEMENT'",
                           "A statement set is run with EXECUTE STATEMENT SET BEGIN … END.");
    case Keyword::kMerge:
      return Unsupported(at, "MERGE INTO");
    case Keyword::kUpsert:
      return Unsupported(at, "UPSERT INTO");
    default:
      break;
  }
  // Not shown one by one, but a misspelt one is recognised.
  {
    TokenCursor::MinorScope minor(&cursor_);
    for (const Keyword keyword :
         {Keyword::kSelect, Keyword::kInsert,   Keyword::kCreate,   Keyword::kDrop,
          Keyword::kAlter,  Keyword::kShow,     Keyword::kDescribe, Keyword::kExplain,
          Keyword::kUse,    Keyword::kSet,      Keyword::kReset,    Keyword::kExecute,
          Keyword::kWith,   Keyword::kValues,   Keyword::kUpdate,   Keyword::kDelete,
          Keyword::kBegin,  Keyword::kTruncate, Keyword::kAnalyze,  Keyword::kCall,
          Keyword::kQuit,   Keyword::kHelp,     Keyword::kStop,     Keyword::kLoad}) {
      cursor_.At(keyword);
    }
  }
  cursor_.Note("a statement such as SELECT, INSERT INTO or CREATE TABLE");
  return cursor_.Unexpected();
}

}  // namespace lakeward::sql
