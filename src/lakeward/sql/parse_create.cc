#include "fmt/format.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<StatementPtr> Parser::ParseCreate() {
  const SqlPosition at = cursor_.position();
  if (cursor_.Accept(Keyword::kReplace)) {
    LW_TRY(cursor_.Expect(Keyword::kTable));
    return ParseCreateTable(at, false, true, false);
  }
  LW_TRY(cursor_.Expect(Keyword::kCreate));
  const bool replace = cursor_.Accept({Keyword::kOr, Keyword::kReplace});
  const bool temporary = cursor_.Accept(Keyword::kTemporary);
  if (cursor_.Accept(Keyword::kTable)) {
    return ParseCreateTable(at, true, replace, temporary);
  }
  if (replace) {
    return Unsupported(at, fmt::format("CREATE OR REPLACE {}", cursor_.current().text));
  }
  if (cursor_.Accept(Keyword::kView)) {
    return ParseCreateView(at, temporary);
  }
  if (temporary && cursor_.Accept({Keyword::kSystem, Keyword::kFunction})) {
    return ParseCreateFunction(at, true, true);
  }
  if (cursor_.Accept(Keyword::kFunction)) {
    return ParseCreateFunction(at, temporary, false);
  }
  if (cursor_.current().keyword == Keyword::kModel ||
      cursor_.current().keyword == Keyword::kConnection) {
    return Unsupported(at, fmt::format("CREATE {}", SpellingOf(cursor_.current().keyword)));
  }
  if (temporary) {
    return cursor_.Unexpected();
  }
  if (cursor_.Accept(Keyword::kCatalog)) {
    return ParseCreateCatalog(at);
  }
  if (cursor_.Accept(Keyword::kDatabase)) {
    return ParseCreateDatabase(at);
  }
  if (cursor_.Accept({Keyword::kMaterialized, Keyword::kTable})) {
    return ParseCreateMaterializedTable(at);
  }
  return cursor_.Unexpected();
}

Result<StatementPtr> Parser::ParseCreateCatalog(SqlPosition at) {
  auto create = MakeNode<CreateCatalogStatement>(at);
  create->if_not_exists = AcceptIfNotExists();
  LW_ASSIGN(create->name, cursor_.ExpectIdentifier("a name for the catalog"));
  LW_ASSIGN(create->comment, ParseOptionalComment());
  LW_ASSIGN(create->options, ParseOptionalWithOptions());
  return create;
}

Result<StatementPtr> Parser::ParseCreateDatabase(SqlPosition at) {
  auto create = MakeNode<CreateDatabaseStatement>(at);
  create->if_not_exists = AcceptIfNotExists();
  LW_ASSIGN(create->name, ParseQualifiedName("a name for the database"));
  LW_ASSIGN(create->comment, ParseOptionalComment());
  LW_ASSIGN(create->options, ParseOptionalWithOptions());
  return create;
}

Result<StatementPtr> Parser::ParseCreateTable(SqlPosition at, bool create, bool replace,
                                              bool temporary) {
  auto table = MakeNode<CreateTableStatement>(at);
  table->create = create;
  table->replace = replace;
  table->temporary = temporary;
  {
    TokenCursor::MinorScope minor(&cursor_);
    table->if_not_exists = AcceptIfNotExists();
  }
  LW_ASSIGN(table->name, ParseQualifiedName("a name for the table"));
  if (cursor_.At(TokenKind::kLeftParen)) {
    table->has_schema = true;
    LW_ASSIGN(table->schema, ParseTableSchema());
  }
  LW_ASSIGN(table->comment, ParseOptionalComment());
  if (cursor_.Accept(Keyword::kDistributed)) {
    LW_ASSIGN(table->distribution, ParseDistribution());
  }
  if (cursor_.Accept({Keyword::kPartitioned, Keyword::kBy})) {
    LW_ASSIGN(table->partitioned_by, ParseIdentifierList("the name of a column"));
  }
  LW_ASSIGN(table->options, ParseOptionalWithOptions());
  if (!replace && cursor_.Accept(Keyword::kLike)) {
    LW_ASSIGN(table->like, ParseTableLike());
  } else if (cursor_.Accept(Keyword::kAs)) {
    LW_ASSIGN(table->as_query, ParseQuery());
  } else if (replace) {
    return cursor_.Unexpected();
  }
  for (const ColumnDefinition& column : table->schema.columns) {
    if (column.kind == ColumnKind::kNameOnly && table->as_query == nullptr) {
      return cursor_.Error(column.position,
                           fmt::format("the column '{}' has no data type", column.name.ToString()),
                           "Write its type behind the name, or give the table a query with AS.");
    }
  }
  return table;
}

Result<StatementPtr> Parser::ParseCreateView(SqlPosition at, bool temporary) {
  auto view = MakeNode<CreateViewStatement>(at);
  view->temporary = temporary;
  {
    TokenCursor::MinorScope minor(&cursor_);
    view->if_not_exists = AcceptIfNotExists();
  }
  LW_ASSIGN(view->name, ParseQualifiedName("a name for the view"));
  if (cursor_.At(TokenKind::kLeftParen)) {
    LW_ASSIGN(view->columns, ParseIdentifierList("the name of a column"));
  }
  LW_ASSIGN(view->comment, ParseOptionalComment());
  LW_TRY(cursor_.Expect(Keyword::kAs));
  const size_t first = cursor_.index();
  LW_ASSIGN(view->query, ParseQuery());
  view->query_text = std::string(cursor_.TextSince(first));
  return view;
}

Result<FunctionLanguage> Parser::ParseOptionalLanguage() {
  TokenCursor::MinorScope minor(&cursor_);
  if (!cursor_.Accept(Keyword::kLanguage)) {
    return FunctionLanguage::kUnspecified;
  }
  if (cursor_.Accept(Keyword::kJava)) {
    return FunctionLanguage::kJava;
  }
  if (cursor_.Accept(Keyword::kScala)) {
    return FunctionLanguage::kScala;
  }
  if (cursor_.Accept(Keyword::kPython)) {
    return FunctionLanguage::kPython;
  }
  LW_TRY(cursor_.Expect(Keyword::kSql));
  return FunctionLanguage::kSql;
}

Result<StatementPtr> Parser::ParseCreateFunction(SqlPosition at, bool temporary, bool system) {
  auto function = MakeNode<CreateFunctionStatement>(at);
  function->temporary = temporary;
  function->system = system;
  {
    TokenCursor::MinorScope minor(&cursor_);
    function->if_not_exists = AcceptIfNotExists();
  }
  LW_ASSIGN(function->name, ParseQualifiedName("a name for the function"));
  LW_TRY(cursor_.Expect(Keyword::kAs));
  LW_ASSIGN(function->class_name, ParseString());
  LW_ASSIGN(function->language, ParseOptionalLanguage());
  TokenCursor::MinorScope minor(&cursor_);
  if (cursor_.Accept(Keyword::kUsing)) {
    do {
      FunctionResource resource;
      const Keyword type = cursor_.current().keyword;
      if (!cursor_.Accept(Keyword::kJar) && !cursor_.Accept(Keyword::kFile) &&
          !cursor_.Accept(Keyword::kArchive)) {
        return cursor_.Unexpected();
      }
      resource.type = std::string(SpellingOf(type));
      LW_ASSIGN(resource.path, ParseString());
      function->resources.push_back(std::move(resource));
    } while (cursor_.Accept(TokenKind::kComma));
  }
  LW_ASSIGN(function->options, ParseOptionalWithOptions());
  return function;
}

Result<StatementPtr> Parser::ParseCreateMaterializedTable(SqlPosition at) {
  auto table = MakeNode<CreateMaterializedTableStatement>(at);
  LW_ASSIGN(table->name, ParseQualifiedName("a name for the table"));
  if (cursor_.Accept(TokenKind::kLeftParen)) {
    do {
      LW_ASSIGN(TableConstraint constraint, ParseTableConstraint());
      table->constraints.push_back(std::move(constraint));
    } while (cursor_.Accept(TokenKind::kComma));
    LW_TRY(cursor_.Expect(TokenKind::kRightParen));
  }
  LW_ASSIGN(table->comment, ParseOptionalComment());
  if (cursor_.Accept(Keyword::kDistributed)) {
    LW_ASSIGN(table->distribution, ParseDistribution());
  }
  if (cursor_.Accept({Keyword::kPartitioned, Keyword::kBy})) {
    LW_ASSIGN(table->partitioned_by, ParseIdentifierList("the name of a column"));
  }
  LW_ASSIGN(table->options, ParseOptionalWithOptions());
  if (cursor_.Accept(Keyword::kFreshness)) {
    LW_TRY(cursor_.Expect(TokenKind::kEqual));
    LW_ASSIGN(table->freshness, ParseFreshness());
  }
  if (cursor_.Accept(Keyword::kRefreshMode)) {
    LW_TRY(cursor_.Expect(TokenKind::kEqual));
    LW_ASSIGN(table->refresh_mode, ParseRefreshMode());
  }
  LW_TRY(cursor_.Expect(Keyword::kAs));
  LW_ASSIGN(table->query, ParseQuery());
  return table;
}

Result<StatementPtr> Parser::ParseDrop() {
  auto drop = MakeNode<DropStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kDrop));
  drop->temporary = cursor_.Accept(Keyword::kTemporary);
  if (cursor_.Accept(Keyword::kTable)) {
    drop->object = ObjectKind::kTable;
  } else if (cursor_.Accept(Keyword::kView)) {
    drop->object = ObjectKind::kView;
  } else if (cursor_.Accept(Keyword::kFunction)) {
    drop->object = ObjectKind::kFunction;
  } else if (drop->temporary && cursor_.Accept({Keyword::kSystem, Keyword::kFunction})) {
    drop->object = ObjectKind::kFunction;
    drop->system = true;
  } else if (cursor_.current().keyword == Keyword::kModel ||
             cursor_.current().keyword == Keyword::kConnection) {
    return Unsupported(drop->position,
                       fmt::format("DROP {}", SpellingOf(cursor_.current().keyword)));
  } else if (drop->temporary) {
    return cursor_.Unexpected();
  } else if (cursor_.Accept(Keyword::kCatalog)) {
    drop->object = ObjectKind::kCatalog;
  } else if (cursor_.Accept(Keyword::kDatabase)) {
    drop->object = ObjectKind::kDatabase;
  } else if (cursor_.Accept({Keyword::kMaterialized, Keyword::kTable})) {
    drop->object = ObjectKind::kMaterializedTable;
  } else {
    return cursor_.Unexpected();
  }
  TokenCursor::MinorScope minor(&cursor_);
  drop->if_exists = AcceptIfExists();
  LW_ASSIGN(drop->name, ParseQualifiedName("a name"));
  if (drop->object == ObjectKind::kDatabase) {
    drop->cascade = cursor_.Accept(Keyword::kCascade);
    if (!drop->cascade) {
      cursor_.Accept(Keyword::kRestrict);
    }
  }
  return drop;
}

}  // namespace lakeward::sql
