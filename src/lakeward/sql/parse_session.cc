#include <algorithm>

#include "fmt/format.h"
#include "lakeward/sql/parser.h"

namespace lakeward::sql {
namespace {

struct ShowWord {
  Keyword keyword;
  ShowSubject subject;
};

constexpr ShowWord kShowWords[] = {
    {Keyword::kTables, ShowSubject::kTables},
    {Keyword::kCatalogs, ShowSubject::kCatalogs},
    {Keyword::kDatabases, ShowSubject::kDatabases},
    {Keyword::kViews, ShowSubject::kViews},
    {Keyword::kFunctions, ShowSubject::kFunctions},
    {Keyword::kColumns, ShowSubject::kColumns},
    {Keyword::kConfiguration, ShowSubject::kConfiguration},
    {Keyword::kJobs, ShowSubject::kJobs},
    {Keyword::kJars, ShowSubject::kJars},
    {Keyword::kModules, ShowSubject::kModules},
    {Keyword::kPartitions, ShowSubject::kPartitions},
    {Keyword::kProcedures, ShowSubject::kProcedures},
};

bool MayHaveSource(ShowSubject subject) {
  switch (subject) {
    case ShowSubject::kDatabases:
    case ShowSubject::kTables:
    case ShowSubject::kMaterializedTables:
    case ShowSubject::kFunctions:
    case ShowSubject::kUserFunctions:
    case ShowSubject::kProcedures:
    case ShowSubject::kColumns:
      return true;
    default:
      return false;
  }
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && IsSpace(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

/// `text` without the `;` that may end it.
std::string_view WithoutEnd(std::string_view text) {
  text = Trimmed(text);
  if (!text.empty() && text.back() == ';') {
    text.remove_suffix(1);
  }
  return Trimmed(text);
}

/// What may be a key without quotes: neither spaces nor quotes.
bool IsBareWord(std::string_view text) {
  return !text.empty() && text.find('\'') == std::string_view::npos &&
         std::none_of(text.begin(), text.end(), IsSpace);
}

/// The older form `key = value`, the key without quotes and the value with or without, which Flink
/// tries before its grammar (SetOperationParseStrategy).
std::optional<TableOption> BareOption(std::string_view text, SqlPosition position) {
  text = WithoutEnd(text);
  for (size_t equal = text.rfind('='); equal != std::string_view::npos && equal > 0;
       equal = text.rfind('=', equal - 1)) {
    const std::string_view key = Trimmed(text.substr(0, equal));
    std::string_view value = Trimmed(text.substr(equal + 1));
    const bool quoted = value.size() >= 2 && value.front() == '\'' && value.back() == '\'';
    if (quoted) {
      value = value.substr(1, value.size() - 2);
    }
    if (!IsBareWord(key) ||
        !(quoted ? value.find('\'') == std::string_view::npos
                 : IsBareWord(value) && value.find(';') == std::string_view::npos)) {
      continue;
    }
    TableOption option;
    option.key = std::string(key);
    option.value = std::string(value);
    option.position = position;
    option.value_position = position;
    return option;
  }
  return std::nullopt;
}

bool MayBeFiltered(ShowSubject subject) {
  return MayHaveSource(subject) || subject == ShowSubject::kCatalogs ||
         subject == ShowSubject::kConfiguration;
}

}  // namespace

Result<StatementPtr> Parser::ParseShow() {
  auto show = MakeNode<ShowStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kShow));
  if (cursor_.Accept(Keyword::kCreate)) {
    return ParseShowCreate(std::move(show));
  }
  const ShowWord* found = nullptr;
  for (const ShowWord& word : kShowWords) {
    if (cursor_.Accept(word.keyword)) {
      found = &word;
      break;
    }
  }
  if (found != nullptr) {
    show->subject = found->subject;
  } else if (cursor_.Accept(Keyword::kCurrent)) {
    show->subject = ShowSubject::kCurrentCatalog;
    if (!cursor_.Accept(Keyword::kCatalog)) {
      LW_TRY(cursor_.Expect(Keyword::kDatabase));
      show->subject = ShowSubject::kCurrentDatabase;
    }
  } else if (cursor_.Accept({Keyword::kUser, Keyword::kFunctions})) {
    show->subject = ShowSubject::kUserFunctions;
  } else if (cursor_.Accept({Keyword::kFull, Keyword::kModules})) {
    show->subject = ShowSubject::kFullModules;
  } else if (cursor_.Accept({Keyword::kMaterialized, Keyword::kTables})) {
    show->subject = ShowSubject::kMaterializedTables;
  } else if (cursor_.current().keyword == Keyword::kModels ||
             cursor_.current().keyword == Keyword::kConnections) {
    return Unsupported(show->position,
                       fmt::format("SHOW {}", SpellingOf(cursor_.current().keyword)));
  } else {
    return cursor_.Unexpected();
  }
  LW_TRY(ParseShowSource(show.get()));
  return show;
}

Result<StatementPtr> Parser::ParseShowCreate(std::shared_ptr<ShowStatement> show) {
  if (cursor_.Accept(Keyword::kTable)) {
    show->subject = ShowSubject::kCreateTable;
  } else if (cursor_.Accept(Keyword::kView)) {
    show->subject = ShowSubject::kCreateView;
  } else if (cursor_.Accept(Keyword::kCatalog)) {
    show->subject = ShowSubject::kCreateCatalog;
  } else if (cursor_.Accept({Keyword::kMaterialized, Keyword::kTable})) {
    show->subject = ShowSubject::kCreateMaterializedTable;
  } else if (cursor_.current().keyword == Keyword::kModel ||
             cursor_.current().keyword == Keyword::kConnection) {
    return Unsupported(show->position,
                       fmt::format("SHOW CREATE {}", SpellingOf(cursor_.current().keyword)));
  } else {
    return cursor_.Unexpected();
  }
  LW_ASSIGN(show->object, ParseQualifiedName("a name"));
  return show;
}

Status Parser::ParseShowSource(ShowStatement* show) {
  if (show->subject == ShowSubject::kPartitions) {
    LW_ASSIGN(show->object, ParseQualifiedName("the name of a table"));
    if (cursor_.Accept(Keyword::kPartition)) {
      LW_ASSIGN(show->partition, ParsePartitionSpecification(true));
    }
    return Status::OK();
  }
  if (MayHaveSource(show->subject)) {
    const bool from = cursor_.Accept(Keyword::kFrom);
    show->in_keyword = !from && cursor_.Accept(Keyword::kIn);
    if (from || show->in_keyword) {
      LW_ASSIGN(show->object, ParseQualifiedName("a name"));
    } else if (show->subject == ShowSubject::kColumns) {
      return cursor_.Unexpected();
    }
  }
  return MayBeFiltered(show->subject) ? ParseNameFilter(show) : Status::OK();
}

Status Parser::ParseNameFilter(ShowStatement* show) {
  NameFilter filter;
  filter.negated = cursor_.Accept(Keyword::kNot);
  if (cursor_.Accept(Keyword::kIlike)) {
    filter.kind = NameFilterKind::kIlike;
  } else if (!cursor_.Accept(Keyword::kLike)) {
    return filter.negated ? cursor_.Unexpected() : Status::OK();
  }
  LW_ASSIGN(filter.pattern, ParseString());
  show->filter = std::move(filter);
  return Status::OK();
}

Result<StatementPtr> Parser::ParseDescribe() {
  auto describe = MakeNode<DescribeStatement>(cursor_.position());
  cursor_.Advance();
  // CATALOG, DATABASE and JOB are free words: a table may have such a name.
  const bool name_follows =
      cursor_.IsAhead(1, TokenKind::kWord) || cursor_.IsAhead(1, TokenKind::kQuotedIdentifier);
  const Keyword keyword = cursor_.current().keyword;
  if (keyword == Keyword::kJob && cursor_.IsAhead(1, TokenKind::kString)) {
    cursor_.Advance();
    describe->subject = DescribeSubject::kJob;
    LW_ASSIGN(describe->job_id, ParseString());
    return describe;
  }
  if (name_follows && (keyword == Keyword::kModel || keyword == Keyword::kConnection)) {
    return Unsupported(describe->position, fmt::format("DESCRIBE {}", SpellingOf(keyword)));
  }
  if (name_follows && keyword == Keyword::kCatalog) {
    describe->subject = DescribeSubject::kCatalog;
  } else if (name_follows && keyword == Keyword::kDatabase) {
    describe->subject = DescribeSubject::kDatabase;
  } else if (keyword == Keyword::kFunction) {
    describe->subject = DescribeSubject::kFunction;
  }
  if (describe->subject != DescribeSubject::kTable) {
    cursor_.Advance();
  }
  {
    TokenCursor::MinorScope minor(&cursor_);
    describe->extended = cursor_.Accept(Keyword::kExtended);
  }
  LW_ASSIGN(describe->object, ParseQualifiedName("a name"));
  return describe;
}

Result<StatementPtr> Parser::ParseUse() {
  const SqlPosition at = cursor_.position();
  LW_TRY(cursor_.Expect(Keyword::kUse));
  if (cursor_.Accept(Keyword::kModules)) {
    auto modules = MakeNode<UseModulesStatement>(at);
    do {
      LW_ASSIGN(Identifier module, cursor_.ExpectIdentifier("the name of a module"));
      modules->modules.push_back(std::move(module));
    } while (cursor_.Accept(TokenKind::kComma));
    return modules;
  }
  auto use = MakeNode<UseStatement>(at);
  const bool name_follows =
      cursor_.IsAhead(1, TokenKind::kWord) || cursor_.IsAhead(1, TokenKind::kQuotedIdentifier);
  if (cursor_.current().keyword == Keyword::kCatalog && name_follows) {
    cursor_.Advance();
    use->object = ObjectKind::kCatalog;
    LW_ASSIGN(Identifier name, cursor_.ExpectIdentifier("the name of a catalog"));
    use->name.parts.push_back(std::move(name));
    return use;
  }
  LW_ASSIGN(use->name, ParseQualifiedName("the name of a database"));
  return use;
}

Result<StatementPtr> Parser::ParseLoadModule() {
  auto load = MakeNode<LoadModuleStatement>(cursor_.position());
  LW_TRY(cursor_.Expect({Keyword::kLoad, Keyword::kModule}));
  LW_ASSIGN(load->name, cursor_.ExpectIdentifier("the name of a module"));
  LW_ASSIGN(load->options, ParseOptionalWithOptions());
  return load;
}

Result<StatementPtr> Parser::ParseUnloadModule() {
  auto unload = MakeNode<UnloadModuleStatement>(cursor_.position());
  LW_TRY(cursor_.Expect({Keyword::kUnload, Keyword::kModule}));
  LW_ASSIGN(unload->name, cursor_.ExpectIdentifier("the name of a module"));
  return unload;
}

Result<StatementPtr> Parser::ParseAnalyze() {
  auto analyze = MakeNode<AnalyzeTableStatement>(cursor_.position());
  LW_TRY(cursor_.Expect({Keyword::kAnalyze, Keyword::kTable}));
  LW_ASSIGN(analyze->name, ParseQualifiedName("the name of a table"));
  if (cursor_.Accept(Keyword::kPartition)) {
    LW_ASSIGN(analyze->partition, ParsePartitionSpecification(false));
  }
  LW_TRY(cursor_.Expect({Keyword::kCompute, Keyword::kStatistics}));
  if (!cursor_.Accept(Keyword::kFor)) {
    return analyze;
  }
  if (cursor_.Accept({Keyword::kAll, Keyword::kColumns})) {
    analyze->all_columns = true;
    return analyze;
  }
  LW_TRY(cursor_.Expect(Keyword::kColumns));
  do {
    LW_ASSIGN(Identifier column, cursor_.ExpectIdentifier("the name of a column"));
    analyze->columns.push_back(std::move(column));
  } while (cursor_.Accept(TokenKind::kComma));
  return analyze;
}

Result<StatementPtr> Parser::ParseTruncate() {
  auto truncate = MakeNode<TruncateTableStatement>(cursor_.position());
  LW_TRY(cursor_.Expect({Keyword::kTruncate, Keyword::kTable}));
  LW_ASSIGN(truncate->name, ParseQualifiedName("the name of a table"));
  return truncate;
}

Result<StatementPtr> Parser::ParseSet() {
  auto set = MakeNode<SetStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kSet));
  const TokenKind kind = cursor_.current().kind;
  if (kind == TokenKind::kEnd || kind == TokenKind::kSemicolon) {
    return set;
  }
  if (!AtStringLiteral()) {
    set->option = BareOption(cursor_.RestOfText(), cursor_.position());
    if (set->option.has_value()) {
      cursor_.SkipToEnd();
      return set;
    }
  }
  LW_ASSIGN(set->option, ParseTableOption());
  return set;
}

Result<StatementPtr> Parser::ParseReset() {
  auto reset = MakeNode<ResetStatement>(cursor_.position());
  LW_TRY(cursor_.Expect(Keyword::kReset));
  const TokenKind kind = cursor_.current().kind;
  if (kind == TokenKind::kEnd || kind == TokenKind::kSemicolon) {
    return reset;
  }
  const std::string_view rest = WithoutEnd(cursor_.RestOfText());
  if (!AtStringLiteral() && IsBareWord(rest)) {
    reset->key = std::string(rest);
    cursor_.SkipToEnd();
    return reset;
  }
  LW_ASSIGN(reset->key, ParseString());
  return reset;
}

Result<StatementPtr> Parser::ParseJar(bool add) {
  auto jar = MakeNode<JarStatement>(cursor_.position());
  cursor_.Advance();
  jar->add = add;
  LW_TRY(cursor_.Expect(Keyword::kJar));
  LW_ASSIGN(jar->path, ParseString());
  return jar;
}

Result<StatementPtr> Parser::ParseStopJob() {
  auto stop = MakeNode<StopJobStatement>(cursor_.position());
  LW_TRY(cursor_.Expect({Keyword::kStop, Keyword::kJob}));
  LW_ASSIGN(stop->job_id, ParseString());
  stop->with_savepoint = cursor_.Accept({Keyword::kWith, Keyword::kSavepoint});
  stop->with_drain = cursor_.Accept({Keyword::kWith, Keyword::kDrain});
  return stop;
}

Result<StatementPtr> Parser::ParseClientCommand() {
  auto command = MakeNode<ClientCommandStatement>(cursor_.position());
  switch (cursor_.current().keyword) {
    case Keyword::kHelp:
      command->command = ClientCommand::kHelp;
      break;
    case Keyword::kClear:
      command->command = ClientCommand::kClear;
      break;
    case Keyword::kSource:
      command->command = ClientCommand::kSource;
      break;
    default:
      command->command = ClientCommand::kQuit;
      break;
  }
  cursor_.Advance();
  if (command->command == ClientCommand::kSource) {
    LW_ASSIGN(command->path, ParseString());
  }
  return command;
}

}  // namespace lakeward::sql
