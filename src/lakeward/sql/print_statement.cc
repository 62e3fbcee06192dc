#include "lakeward/sql/print.h"
#include "lakeward/sql/sql_printer.h"

namespace lakeward::sql {

void SqlPrinter::Print(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kQuery:
      Write(statement.As<QueryStatement>().execute ? "EXECUTE " : "");
      return Print(*statement.As<QueryStatement>().query);
    case StatementKind::kInsert:
      return PrintInsert(statement.As<InsertStatement>());
    case StatementKind::kUpdate:
    case StatementKind::kDelete:
      return PrintChange(statement);
    case StatementKind::kStatementSet:
      Write("EXECUTE ");
      return PrintStatementSet(statement.As<StatementSetStatement>());
    case StatementKind::kExplain:
      return PrintExplain(statement.As<ExplainStatement>());
    case StatementKind::kCompilePlan: {
      const auto& compile = statement.As<CompilePlanStatement>();
      Write(compile.execute ? "COMPILE AND EXECUTE PLAN " : "COMPILE PLAN ");
      WriteString(compile.path);
      Write(compile.if_not_exists ? " IF NOT EXISTS FOR " : " FOR ");
      if (const auto* set = compile.statement->AsIf<StatementSetStatement>()) {
        return PrintStatementSet(*set);
      }
      return Print(*compile.statement);
    }
    case StatementKind::kCreateTable:
      return PrintCreateTable(statement.As<CreateTableStatement>());
    case StatementKind::kAlterTable:
      return PrintAlterTable(statement.As<AlterTableStatement>());
    case StatementKind::kCreateCatalog:
    case StatementKind::kAlterCatalog:
    case StatementKind::kCreateDatabase:
    case StatementKind::kAlterDatabase:
    case StatementKind::kDrop:
    case StatementKind::kUse:
      return PrintCatalogStatement(statement);
    case StatementKind::kCreateView:
    case StatementKind::kAlterView:
      return PrintViewStatement(statement);
    case StatementKind::kCreateFunction:
    case StatementKind::kAlterFunction:
      return PrintFunctionStatement(statement);
    case StatementKind::kCreateMaterializedTable:
    case StatementKind::kAlterMaterializedTable:
      return PrintMaterializedTableStatement(statement);
    case StatementKind::kShow:
      return PrintShow(statement.As<ShowStatement>());
    default:
      return PrintSessionStatement(statement);
  }
}

void SqlPrinter::PrintInsert(const InsertStatement& insert) {
  Write(insert.execute ? "EXECUTE " : "");
  Write(insert.overwrite ? "INSERT OVERWRITE " : "INSERT INTO ");
  Print(insert.table);
  PrintHints(insert.hints);
  if (!insert.partition.empty()) {
    Write(" PARTITION ");
    PrintPartition(insert.partition);
  }
  if (!insert.columns.empty()) {
    Write(" ");
    PrintNames(insert.columns);
  }
  Write(" ");
  Print(*insert.query);
  static constexpr std::string_view kConflicts[] = {
      "", " ON CONFLICT DO ERROR", " ON CONFLICT DO NOTHING", " ON CONFLICT DO DEDUPLICATE"};
  Write(kConflicts[static_cast<size_t>(insert.on_conflict)]);
}

void SqlPrinter::PrintChange(const Statement& statement) {
  if (const auto* update = statement.AsIf<UpdateStatement>()) {
    Write("UPDATE ");
    Print(update->table);
    PrintHints(update->hints);
    if (update->alias.has_value()) {
      Write(" AS ");
      Print(*update->alias);
    }
    Write(" SET ");
    WriteList(update->assignments, [this](const Assignment& assignment) {
      Print(assignment.column);
      Write(" = ");
      Print(*assignment.value);
    });
    if (update->where != nullptr) {
      Write(" WHERE ");
      Print(*update->where);
    }
    return;
  }
  const auto& remove = statement.As<DeleteStatement>();
  Write("DELETE FROM ");
  Print(remove.table);
  PrintHints(remove.hints);
  if (remove.alias.has_value()) {
    Write(" AS ");
    Print(*remove.alias);
  }
  if (remove.where != nullptr) {
    Write(" WHERE ");
    Print(*remove.where);
  }
}

void SqlPrinter::PrintStatementSet(const StatementSetStatement& set) {
  Write("STATEMENT SET BEGIN ");
  for (const auto& insert : set.inserts) {
    PrintInsert(*insert);
    Write("; ");
  }
  Write("END");
}

void SqlPrinter::PrintExplain(const ExplainStatement& explain) {
  static constexpr std::string_view kDetails[] = {"ESTIMATED_COST", "CHANGELOG_MODE",
                                                  "JSON_EXECUTION_PLAN", "PLAN_ADVICE"};
  Write(explain.plan_for ? "EXPLAIN PLAN FOR " : "EXPLAIN ");
  if (!explain.details.empty()) {
    WriteList(explain.details,
              [this](ExplainDetail detail) { Write(kDetails[static_cast<size_t>(detail)]); });
    Write(" ");
  }
  if (const auto* set = explain.statement->AsIf<StatementSetStatement>()) {
    return PrintStatementSet(*set);
  }
  Print(*explain.statement);
}

void SqlPrinter::PrintCatalogStatement(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kCreateCatalog: {
      const auto& create = statement.As<CreateCatalogStatement>();
      Write(create.if_not_exists ? "CREATE CATALOG IF NOT EXISTS " : "CREATE CATALOG ");
      Print(create.name);
      PrintOptionalComment(create.comment);
      return PrintWithOptions(create.options);
    }
    case StatementKind::kAlterCatalog: {
      const auto& alter = statement.As<AlterCatalogStatement>();
      Write("ALTER CATALOG ");
      Print(alter.name);
      if (alter.action == AlterOptionsAction::kSet) {
        Write(" SET ");
        return PrintOptions(alter.options);
      }
      if (alter.action == AlterOptionsAction::kReset) {
        Write(" RESET ");
        return PrintKeys(alter.reset_keys);
      }
      return PrintOptionalComment(alter.comment);
    }
    case StatementKind::kCreateDatabase: {
      const auto& create = statement.As<CreateDatabaseStatement>();
      Write(create.if_not_exists ? "CREATE DATABASE IF NOT EXISTS " : "CREATE DATABASE ");
      Print(create.name);
      PrintOptionalComment(create.comment);
      return PrintWithOptions(create.options);
    }
    case StatementKind::kAlterDatabase:
      Write("ALTER DATABASE ");
      Print(statement.As<AlterDatabaseStatement>().name);
      Write(" SET ");
      return PrintOptions(statement.As<AlterDatabaseStatement>().options);
    case StatementKind::kUse: {
      const auto& use = statement.As<UseStatement>();
      Write(use.object == ObjectKind::kCatalog ? "USE CATALOG " : "USE ");
      return Print(use.name);
    }
    default: {
      const auto& drop = statement.As<DropStatement>();
      Write("DROP ");
      Write(drop.temporary ? "TEMPORARY " : "");
      Write(drop.system ? "SYSTEM " : "");
      Write(NameOf(drop.object));
      Write(drop.if_exists ? " IF EXISTS " : " ");
      Print(drop.name);
      Write(drop.cascade ? " CASCADE" : "");
    }
  }
}

void SqlPrinter::PrintViewStatement(const Statement& statement) {
  if (const auto* view = statement.AsIf<CreateViewStatement>()) {
    Write(view->temporary ? "CREATE TEMPORARY VIEW " : "CREATE VIEW ");
    Write(view->if_not_exists ? "IF NOT EXISTS " : "");
    Print(view->name);
    if (!view->columns.empty()) {
      Write(" ");
      PrintNames(view->columns);
    }
    PrintOptionalComment(view->comment);
    Write(" AS ");
    return Print(*view->query);
  }
  const auto& alter = statement.As<AlterViewStatement>();
  Write("ALTER VIEW ");
  Print(alter.name);
  switch (alter.action) {
    case AlterViewAction::kRename:
      Write(" RENAME TO ");
      return Print(alter.new_name);
    case AlterViewAction::kAs:
      Write(" AS ");
      return Print(*alter.query);
    case AlterViewAction::kSetOptions:
      Write(" SET ");
      return PrintOptions(alter.options);
    case AlterViewAction::kResetOptions:
      Write(" RESET ");
      return PrintKeys(alter.reset_keys);
  }
}

void SqlPrinter::PrintLanguage(FunctionLanguage language) {
  static constexpr std::string_view kLanguages[] = {"", " LANGUAGE JAVA", " LANGUAGE SCALA",
                                                    " LANGUAGE PYTHON", " LANGUAGE SQL"};
  Write(kLanguages[static_cast<size_t>(language)]);
}

void SqlPrinter::PrintFunctionStatement(const Statement& statement) {
  if (const auto* create = statement.AsIf<CreateFunctionStatement>()) {
    Write(create->temporary ? "CREATE TEMPORARY " : "CREATE ");
    Write(create->system ? "SYSTEM FUNCTION " : "FUNCTION ");
    Write(create->if_not_exists ? "IF NOT EXISTS " : "");
    Print(create->name);
    Write(" AS ");
    WriteString(create->class_name);
    PrintLanguage(create->language);
    Write(create->resources.empty() ? "" : " USING ");
    WriteList(create->resources, [this](const FunctionResource& resource) {
      Write(resource.type);
      Write(" ");
      WriteString(resource.path);
    });
    return PrintWithOptions(create->options);
  }
  const auto& alter = statement.As<AlterFunctionStatement>();
  Write(alter.temporary ? "ALTER TEMPORARY " : "ALTER ");
  Write(alter.system ? "SYSTEM FUNCTION " : "FUNCTION ");
  Write(alter.if_exists ? "IF EXISTS " : "");
  Print(alter.name);
  Write(" AS ");
  WriteString(alter.class_name);
  PrintLanguage(alter.language);
}

void SqlPrinter::PrintMaterializedTableStatement(const Statement& statement) {
  static constexpr std::string_view kModes[] = {"", "REFRESH_MODE = CONTINUOUS",
                                                "REFRESH_MODE = FULL"};
  if (const auto* table = statement.AsIf<CreateMaterializedTableStatement>()) {
    Write("CREATE MATERIALIZED TABLE ");
    Print(table->name);
    if (!table->constraints.empty()) {
      Write(" (");
      WriteList(table->constraints,
                [this](const TableConstraint& constraint) { PrintConstraint(constraint); });
      Write(")");
    }
    PrintOptionalComment(table->comment);
    if (table->distribution.has_value()) {
      Write(" DISTRIBUTED ");
      PrintDistribution(*table->distribution);
    }
    if (!table->partitioned_by.empty()) {
      Write(" PARTITIONED BY ");
      PrintNames(table->partitioned_by);
    }
    PrintWithOptions(table->options);
    if (table->freshness != nullptr) {
      Write(" FRESHNESS = ");
      Print(*table->freshness);
    }
    Write(table->refresh_mode == RefreshMode::kUnspecified ? "" : " ");
    Write(kModes[static_cast<size_t>(table->refresh_mode)]);
    Write(" AS ");
    return Print(*table->query);
  }
  const auto& alter = statement.As<AlterMaterializedTableStatement>();
  Write("ALTER MATERIALIZED TABLE ");
  Print(alter.name);
  switch (alter.action) {
    case AlterMaterializedTableAction::kSuspend:
      return Write(" SUSPEND");
    case AlterMaterializedTableAction::kResume:
      Write(" RESUME");
      return PrintWithOptions(alter.options);
    case AlterMaterializedTableAction::kRefresh:
      Write(" REFRESH");
      if (!alter.partition.empty()) {
        Write(" PARTITION ");
        PrintPartition(alter.partition);
      }
      return;
    case AlterMaterializedTableAction::kSetFreshness:
      Write(" SET FRESHNESS = ");
      return Print(*alter.freshness);
    case AlterMaterializedTableAction::kSetRefreshMode:
      Write(" SET ");
      return Write(kModes[static_cast<size_t>(alter.refresh_mode)]);
    case AlterMaterializedTableAction::kSetOptions:
      Write(" SET ");
      return PrintOptions(alter.options);
    case AlterMaterializedTableAction::kResetOptions:
      Write(" RESET ");
      return PrintKeys(alter.reset_keys);
    case AlterMaterializedTableAction::kAs:
      Write(" AS ");
      return Print(*alter.query);
  }
}

void SqlPrinter::PrintShow(const ShowStatement& show) {
  Write("SHOW ");
  Write(NameOf(show.subject));
  if (!show.object.empty()) {
    switch (show.subject) {
      case ShowSubject::kCreateTable:
      case ShowSubject::kCreateView:
      case ShowSubject::kCreateCatalog:
      case ShowSubject::kCreateMaterializedTable:
      case ShowSubject::kPartitions:
        Write(" ");
        break;
      default:
        Write(show.in_keyword ? " IN " : " FROM ");
    }
    Print(show.object);
  }
  if (!show.partition.empty()) {
    Write(" PARTITION ");
    PrintPartition(show.partition);
  }
  if (show.filter.has_value()) {
    Write(show.filter->negated ? " NOT" : "");
    Write(show.filter->kind == NameFilterKind::kLike ? " LIKE " : " ILIKE ");
    WriteString(show.filter->pattern);
  }
}

}  // namespace lakeward::sql
