#include "fmt/format.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {

Result<StatementPtr> Parser::ParseAlter() {
  const SqlPosition at = cursor_.position();
  LW_TRY(cursor_.Expect(Keyword::kAlter));
  if (cursor_.Accept(Keyword::kTable)) {
    return ParseAlterTable(at);
  }
  if (cursor_.Accept(Keyword::kView)) {
    return ParseAlterView(at);
  }
  if (cursor_.Accept(Keyword::kDatabase)) {
    return ParseAlterDatabase(at);
  }
  if (cursor_.Accept(Keyword::kCatalog)) {
    return ParseAlterCatalog(at);
  }
  if (cursor_.Accept(Keyword::kFunction)) {
    return ParseAlterFunction(at, false, false);
  }
  if (cursor_.Accept({Keyword::kTemporary, Keyword::kSystem, Keyword::kFunction})) {
    return ParseAlterFunction(at, true, true);
  }
  if (cursor_.Accept({Keyword::kTemporary, Keyword::kFunction})) {
    return ParseAlterFunction(at, true, false);
  }
  if (cursor_.Accept({Keyword::kMaterialized, Keyword::kTable})) {
    return ParseAlterMaterializedTable(at);
  }
  if (cursor_.current().keyword == Keyword::kModel ||
      cursor_.current().keyword == Keyword::kConnection) {
    return Unsupported(at, fmt::format("ALTER {}", SpellingOf(cursor_.current().keyword)));
  }
  return cursor_.Unexpected();
}

Result<StatementPtr> Parser::ParseAlterCatalog(SqlPosition at) {
  auto alter = MakeNode<AlterCatalogStatement>(at);
  LW_ASSIGN(alter->name, cursor_.ExpectIdentifier("the name of a catalog"));
  if (cursor_.Accept(Keyword::kSet)) {
    alter->action = AlterOptionsAction::kSet;
    LW_ASSIGN(alter->options, ParseTableOptions());
  } else if (cursor_.Accept(Keyword::kReset)) {
    alter->action = AlterOptionsAction::kReset;
    LW_ASSIGN(alter->reset_keys, ParseOptionKeys());
  } else {
    LW_TRY(cursor_.Expect(Keyword::kComment));
    alter->action = AlterOptionsAction::kComment;
    LW_ASSIGN(alter->comment, ParseString());
  }
  return alter;
}

Result<StatementPtr> Parser::ParseAlterDatabase(SqlPosition at) {
  auto alter = MakeNode<AlterDatabaseStatement>(at);
  LW_ASSIGN(alter->name, ParseQualifiedName("the name of a database"));
  LW_TRY(cursor_.Expect(Keyword::kSet));
  LW_ASSIGN(alter->options, ParseTableOptions());
  return alter;
}

Result<StatementPtr> Parser::ParseAlterTable(SqlPosition at) {
  auto alter = MakeNode<AlterTableStatement>(at);
  {
    TokenCursor::MinorScope minor(&cursor_);
    alter->if_exists = AcceptIfExists();
  }
  LW_ASSIGN(alter->name, ParseQualifiedName("the name of a table"));
  if (cursor_.Accept(Keyword::kRename)) {
    LW_TRY(ParseAlterTableRename(alter.get()));
  } else if (cursor_.Accept(Keyword::kAdd)) {
    LW_TRY(ParseAlterTableAdd(alter.get()));
  } else if (cursor_.Accept(Keyword::kModify)) {
    LW_TRY(ParseAlterTableModify(alter.get()));
  } else if (cursor_.Accept(Keyword::kDrop)) {
    LW_TRY(ParseAlterTableDrop(alter.get()));
  } else if (cursor_.Accept(Keyword::kSet)) {
    alter->action = AlterTableAction::kSetOptions;
    LW_ASSIGN(alter->options, ParseTableOptions());
  } else {
    LW_TRY(cursor_.Expect(Keyword::kReset));
    alter->action = AlterTableAction::kResetOptions;
    LW_ASSIGN(alter->reset_keys, ParseOptionKeys());
  }
  return alter;
}

Status Parser::ParseAlterTableRename(AlterTableStatement* alter) {
  if (cursor_.Accept(Keyword::kTo)) {
    alter->action = AlterTableAction::kRename;
    LW_ASSIGN(alter->new_name, ParseQualifiedName("a name for the table"));
    return Status::OK();
  }
  alter->action = AlterTableAction::kRenameColumn;
  LW_ASSIGN(alter->old_column, ParseQualifiedName("the name of a column"));
  LW_TRY(cursor_.Expect(Keyword::kTo));
  LW_ASSIGN(alter->new_column, ParseQualifiedName("a name for the column"));
  return Status::OK();
}

Status Parser::ParseAlterTableAdd(AlterTableStatement* alter) {
  if (cursor_.Accept(Keyword::kDistribution)) {
    alter->action = AlterTableAction::kAddDistribution;
    LW_ASSIGN(alter->distribution, ParseDistribution());
    return Status::OK();
  }
  if (cursor_.AreAhead(0, {Keyword::kIf, Keyword::kNot, Keyword::kExists}) ||
      cursor_.At(Keyword::kPartition)) {
    alter->action = AlterTableAction::kAddPartitions;
    alter->partition_if_exists = AcceptIfNotExists();
    LW_TRY(cursor_.Expect(Keyword::kPartition));
    do {
      AddedPartition partition;
      LW_ASSIGN(partition.partition, ParsePartitionSpecification(true));
      LW_ASSIGN(partition.options, ParseOptionalWithOptions());
      alter->partitions.push_back(std::move(partition));
    } while (cursor_.Accept(Keyword::kPartition));
    return Status::OK();
  }
  alter->action = AlterTableAction::kAddSchema;
  return ParseAlteredSchema(alter);
}

Status Parser::ParseAlteredSchema(AlterTableStatement* alter) {
  alter->schema_in_parentheses = cursor_.Accept(TokenKind::kLeftParen);
  do {
    LW_TRY(ParseTableElement(&alter->schema, true));
  } while (alter->schema_in_parentheses && cursor_.Accept(TokenKind::kComma));
  return alter->schema_in_parentheses ? cursor_.Expect(TokenKind::kRightParen) : Status::OK();
}

Status Parser::ParseAlterTableModify(AlterTableStatement* alter) {
  if (cursor_.Accept(Keyword::kDistribution)) {
    alter->action = AlterTableAction::kModifyDistribution;
    LW_ASSIGN(alter->distribution, ParseDistribution());
    return Status::OK();
  }
  alter->action = AlterTableAction::kModifySchema;
  return ParseAlteredSchema(alter);
}

Status Parser::ParseAlterTableDrop(AlterTableStatement* alter) {
  if (cursor_.AreAhead(0, {Keyword::kIf, Keyword::kExists}) || cursor_.At(Keyword::kPartition)) {
    alter->action = AlterTableAction::kDropPartitions;
    alter->partition_if_exists = AcceptIfExists();
    do {
      LW_TRY(cursor_.Expect(Keyword::kPartition));
      AddedPartition partition;
      LW_ASSIGN(partition.partition, ParsePartitionSpecification(true));
      alter->partitions.push_back(std::move(partition));
    } while (cursor_.Accept(TokenKind::kComma));
    return Status::OK();
  }
  if (cursor_.Accept({Keyword::kPrimary, Keyword::kKey})) {
    alter->action = AlterTableAction::kDropPrimaryKey;
    return Status::OK();
  }
  if (cursor_.Accept(Keyword::kConstraint)) {
    alter->action = AlterTableAction::kDropConstraint;
    LW_ASSIGN(alter->constraint, cursor_.ExpectIdentifier("the name of a constraint"));
    return Status::OK();
  }
  if (cursor_.Accept(Keyword::kWatermark)) {
    alter->action = AlterTableAction::kDropWatermark;
    return Status::OK();
  }
  if (cursor_.Accept(Keyword::kDistribution)) {
    alter->action = AlterTableAction::kDropDistribution;
    return Status::OK();
  }
  alter->action = AlterTableAction::kDropColumns;
  const bool parentheses = cursor_.Accept(TokenKind::kLeftParen);
  do {
    LW_ASSIGN(QualifiedName column, ParseQualifiedName("the name of a column"));
    alter->drop_columns.push_back(std::move(column));
  } while (parentheses && cursor_.Accept(TokenKind::kComma));
  return parentheses ? cursor_.Expect(TokenKind::kRightParen) : Status::OK();
}

Result<StatementPtr> Parser::ParseAlterView(SqlPosition at) {
  auto alter = MakeNode<AlterViewStatement>(at);
  LW_ASSIGN(alter->name, ParseQualifiedName("the name of a view"));
  if (cursor_.Accept(Keyword::kRename)) {
    alter->action = AlterViewAction::kRename;
    LW_TRY(cursor_.Expect(Keyword::kTo));
    LW_ASSIGN(alter->new_name, ParseQualifiedName("a name for the view"));
  } else if (cursor_.Accept(Keyword::kSet)) {
    alter->action = AlterViewAction::kSetOptions;
    LW_ASSIGN(alter->options, ParseTableOptions());
  } else if (cursor_.Accept(Keyword::kReset)) {
    alter->action = AlterViewAction::kResetOptions;
    LW_ASSIGN(alter->reset_keys, ParseOptionKeys());
  } else {
    LW_TRY(cursor_.Expect(Keyword::kAs));
    alter->action = AlterViewAction::kAs;
    const size_t first = cursor_.index();
    LW_ASSIGN(alter->query, ParseQuery());
    alter->query_text = std::string(cursor_.TextSince(first));
  }
  return alter;
}

Result<StatementPtr> Parser::ParseAlterFunction(SqlPosition at, bool temporary, bool system) {
  auto alter = MakeNode<AlterFunctionStatement>(at);
  alter->temporary = temporary;
  alter->system = system;
  {
    TokenCursor::MinorScope minor(&cursor_);
    alter->if_exists = AcceptIfExists();
  }
  LW_ASSIGN(alter->name, ParseQualifiedName("the name of a function"));
  LW_TRY(cursor_.Expect(Keyword::kAs));
  LW_ASSIGN(alter->class_name, ParseString());
  LW_ASSIGN(alter->language, ParseOptionalLanguage());
  return alter;
}

Result<RefreshMode> Parser::ParseRefreshMode() {
  if (cursor_.Accept(Keyword::kFull)) {
    return RefreshMode::kFull;
  }
  LW_TRY(cursor_.Expect(Keyword::kContinuous));
  return RefreshMode::kContinuous;
}

Result<ExpressionPtr> Parser::ParseFreshness() {
  if (!cursor_.At(Keyword::kInterval)) {
    return cursor_.Unexpected();
  }
  return ParseInterval();
}

Result<StatementPtr> Parser::ParseAlterMaterializedTable(SqlPosition at) {
  auto alter = MakeNode<AlterMaterializedTableStatement>(at);
  LW_ASSIGN(alter->name, ParseQualifiedName("the name of a materialized table"));
  using Action = AlterMaterializedTableAction;
  if (cursor_.Accept(Keyword::kSuspend)) {
    alter->action = Action::kSuspend;
  } else if (cursor_.Accept(Keyword::kResume)) {
    alter->action = Action::kResume;
    LW_ASSIGN(alter->options, ParseOptionalWithOptions());
  } else if (cursor_.Accept(Keyword::kRefresh)) {
    alter->action = Action::kRefresh;
    if (cursor_.Accept(Keyword::kPartition)) {
      LW_ASSIGN(alter->partition, ParsePartitionSpecification(true));
    }
  } else if (cursor_.Accept({Keyword::kSet, Keyword::kFreshness})) {
    alter->action = Action::kSetFreshness;
    LW_TRY(cursor_.Expect(TokenKind::kEqual));
    LW_ASSIGN(alter->freshness, ParseFreshness());
  } else if (cursor_.Accept({Keyword::kSet, Keyword::kRefreshMode})) {
    alter->action = Action::kSetRefreshMode;
    LW_TRY(cursor_.Expect(TokenKind::kEqual));
    LW_ASSIGN(alter->refresh_mode, ParseRefreshMode());
  } else if (cursor_.Accept(Keyword::kSet)) {
    alter->action = Action::kSetOptions;
    LW_ASSIGN(alter->options, ParseTableOptions());
  } else if (cursor_.Accept(Keyword::kReset)) {
    alter->action = Action::kResetOptions;
    LW_ASSIGN(alter->reset_keys, ParseOptionKeys());
  } else {
    LW_TRY(cursor_.Expect(Keyword::kAs));
    alter->action = Action::kAs;
    LW_ASSIGN(alter->query, ParseQuery());
  }
  return alter;
}

}  // namespace lakeward::sql
