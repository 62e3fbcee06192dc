#include <algorithm>
#include <set>
#include <utility>

#include "lakeward/base/similar_names.h"
#include "lakeward/catalog/show_create.h"
#include "lakeward/plan/options.h"
#include "lakeward/session/catalogs.h"
#include "lakeward/session/session_state.h"
#include "lakeward/sql/print.h"

namespace lakeward::session {
namespace {

Result<config::OptionMap> ToOptionMap(const sql::TableOptions& options) {
  config::OptionMap map;
  for (const sql::TableOption& option : options) {
    if (!map.emplace(option.key, option.value).second) {
      return MakeError(ErrorKind::kValidation, "Option '" + option.key + "' is given twice",
                       "Keep one of them.", option.position);
    }
  }
  return map;
}

Status NotYet(const std::string& what, SqlPosition position, std::string hint = "") {
  return MakeError(ErrorKind::kUnsupported, "not supported yet: " + what, std::move(hint),
                   position);
}

/// `[catalog.]database`.
Result<std::pair<std::string, std::string>> QualifyDatabase(const SessionState& state,
                                                            const sql::QualifiedName& name) {
  if (name.size() > 2) {
    return MakeError(ErrorKind::kValidation,
                     "'" + name.ToString() + "' has too many parts for a database",
                     "Write [catalog.]database.", name.position());
  }
  if (name.size() == 2) {
    return std::pair(name.parts[0].text, name.parts[1].text);
  }
  return std::pair(state.catalogs.current_catalog(), name.parts[0].text);
}

Result<catalog::TableColumn> ToColumn(const sql::ColumnDefinition& definition) {
  catalog::TableColumn column;
  column.name = definition.name.back().text;
  column.comment = definition.comment.value_or("");
  if (definition.unique) {
    return NotYet("UNIQUE constraints", definition.position, "Flink has no UNIQUE constraint.");
  }
  switch (definition.kind) {
    case sql::ColumnKind::kPhysical: {
      LW_ASSIGN(column.type, plan::BindType(*definition.type));
      return column;
    }
    case sql::ColumnKind::kComputed:
      return NotYet("computed columns", definition.position,
                    "Compute the column in the query or in a view.");
    case sql::ColumnKind::kMetadata:
      return NotYet("METADATA columns", definition.position);
    case sql::ColumnKind::kNameOnly:
      return MakeError(ErrorKind::kValidation, "Column '" + column.name + "' has no type",
                       "Write its type behind the name.", definition.position);
  }
  return column;
}

/// Takes PRIMARY KEY (…) NOT ENFORCED over into the definition: its columns become NOT NULL.
Status AddPrimaryKey(const std::vector<sql::Identifier>& columns, const std::string& name,
                     bool not_enforced, SqlPosition position, catalog::CatalogTable* table) {
  if (!not_enforced) {
    return MakeError(ErrorKind::kValidation,
                     "A PRIMARY KEY cannot be enforced: the table's data lies outside",
                     "Write PRIMARY KEY (…) NOT ENFORCED.", position);
  }
  if (!table->primary_key.empty()) {
    return MakeError(ErrorKind::kValidation, "The table has two primary keys", "Keep one.",
                     position);
  }
  for (const sql::Identifier& identifier : columns) {
    const auto column =
        std::find_if(table->columns.begin(), table->columns.end(),
                     [&](const auto& candidate) { return candidate.name == identifier.text; });
    if (column == table->columns.end()) {
      return MakeError(
          ErrorKind::kValidation,
          "The primary key names column '" + identifier.text + "', which the table does not have",
          "", identifier.position);
    }
    column->type = types::WithNullability(column->type, false);
    table->primary_key.push_back(identifier.text);
  }
  table->primary_key_name =
      name.empty() ? catalog::DefaultPrimaryKeyName(table->primary_key) : name;
  return Status::OK();
}

Status AddColumns(const sql::CreateTableStatement& statement, catalog::CatalogTable* table) {
  std::set<std::string> names;
  for (const sql::ColumnDefinition& definition : statement.schema.columns) {
    LW_ASSIGN(catalog::TableColumn column, ToColumn(definition));
    if (!names.insert(column.name).second) {
      return MakeError(ErrorKind::kValidation, "Column '" + column.name + "' is declared twice",
                       "Column names must be unique.", definition.position);
    }
    table->columns.push_back(std::move(column));
  }
  for (const sql::ColumnDefinition& definition : statement.schema.columns) {
    if (definition.primary_key) {
      LW_TRY(AddPrimaryKey({definition.name.back()}, "", !definition.enforced.value_or(true),
                           definition.position, table));
    }
  }
  for (const sql::TableConstraint& constraint : statement.schema.constraints) {
    if (!constraint.primary_key) {
      return NotYet("UNIQUE constraints", constraint.position, "Flink has no UNIQUE constraint.");
    }
    LW_TRY(AddPrimaryKey(constraint.columns, constraint.name ? constraint.name->text : "",
                         !constraint.enforced.value_or(true), constraint.position, table));
  }
  return Status::OK();
}

Status AddPartitionKeys(const sql::CreateTableStatement& statement, catalog::CatalogTable* table) {
  std::vector<std::string> names;
  for (const catalog::TableColumn& column : table->columns) {
    names.push_back(column.name);
  }
  for (const sql::Identifier& key : statement.partitioned_by) {
    if (std::find(names.begin(), names.end(), key.text) == names.end()) {
      return MakeError(
          ErrorKind::kValidation,
          "PARTITIONED BY names column '" + key.text + "', which the table does not have",
          DidYouMean(key.text, names), key.position);
    }
    if (std::find(table->partition_keys.begin(), table->partition_keys.end(), key.text) !=
        table->partition_keys.end()) {
      return MakeError(ErrorKind::kValidation,
                       "PARTITIONED BY names column '" + key.text + "' twice", "Keep one.",
                       key.position);
    }
    table->partition_keys.push_back(key.text);
  }
  return Status::OK();
}

Result<catalog::CatalogTable> ToCatalogTable(const sql::CreateTableStatement& statement) {
  if (statement.as_query != nullptr) {
    return NotYet("CREATE TABLE … AS", statement.position,
                  "Create the table, then INSERT INTO it.");
  }
  if (statement.replace) {
    return NotYet("REPLACE TABLE", statement.position, "DROP the table and create it again.");
  }
  if (statement.like.has_value()) {
    return NotYet("CREATE TABLE … LIKE", statement.position, "Write the columns and options out.");
  }
  if (statement.distribution.has_value()) {
    return NotYet("DISTRIBUTED BY", statement.distribution->position);
  }
  if (!statement.schema.watermarks.empty()) {
    return NotYet("WATERMARK", statement.schema.watermarks[0].position);
  }
  catalog::CatalogTable table;
  LW_TRY(AddColumns(statement, &table));
  LW_TRY(AddPartitionKeys(statement, &table));
  LW_ASSIGN(table.options, ToOptionMap(statement.options));
  table.comment = statement.comment.value_or("");
  return table;
}

Result<StatementResult> IfExists(const Status& status, bool if_exists) {
  if (status.ok() || (if_exists && KindOf(status) == ErrorKind::kNotFound)) {
    return Succeeded();
  }
  return status;
}

/// A table made by the session's settings, for preparing its storage.
Status CreateTemporaryTable(SessionState* state, const catalog::ObjectPath& path,
                            catalog::CatalogTable table, bool if_not_exists) {
  LW_ASSIGN(const auto owner, state->catalogs.Get(path.catalog));
  catalog::TableContext context =
      catalog::TableContext::Make(path, std::make_shared<catalog::CatalogTable>(table),
                                  owner->options(), state->settings, &state->engine->context);
  LW_ASSIGN(context.zone, plan::LocalTimeZone(state->settings));
  LW_ASSIGN(const auto factory, state->engine->factories.ForTable(path, table.options));
  LW_TRY(factory->CreateStorage(context));
  return state->catalogs.AddTemporary(path, std::move(table), if_not_exists);
}

}  // namespace

Result<StatementResult> UnlessExists(const Status& status, bool if_not_exists) {
  if (status.ok() || (if_not_exists && KindOf(status) == ErrorKind::kAlreadyExists)) {
    return Succeeded();
  }
  return status;
}

Result<StatementResult> ExecuteCreateCatalog(SessionState* state,
                                             const sql::CreateCatalogStatement& statement) {
  const std::string& name = statement.name.text;
  const std::vector<std::string> names = state->catalogs.List();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    if (statement.if_not_exists) {
      return Succeeded();
    }
    return MakeError(ErrorKind::kAlreadyExists, "Catalog '" + name + "' already exists",
                     "Write IF NOT EXISTS, or DROP CATALOG first.", statement.name.position);
  }
  LW_ASSIGN(const config::OptionMap options, ToOptionMap(statement.options));
  LW_ASSIGN(std::shared_ptr<catalog::Catalog> made,
            MakeCatalog(name, options, *state->engine, &state->settings));
  LW_TRY(state->catalogs.Add(std::move(made)));
  return Succeeded();
}

Result<StatementResult> ExecuteCreateDatabase(SessionState* state,
                                              const sql::CreateDatabaseStatement& statement) {
  LW_ASSIGN(const auto name, QualifyDatabase(*state, statement.name));
  LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(name.first));
  catalog::CatalogDatabase database;
  database.comment = statement.comment.value_or("");
  LW_ASSIGN(database.options, ToOptionMap(statement.options));
  return UnlessExists(in->CreateDatabase(name.second, std::move(database)),
                      statement.if_not_exists);
}

Result<StatementResult> ExecuteCreateTable(SessionState* state,
                                           const sql::CreateTableStatement& statement) {
  LW_ASSIGN(const catalog::ObjectPath path, state->catalogs.Qualify(statement.name.Texts()));
  LW_ASSIGN(catalog::CatalogTable table, ToCatalogTable(statement));
  if (statement.temporary) {
    return UnlessExists(
        CreateTemporaryTable(state, path, std::move(table), statement.if_not_exists),
        statement.if_not_exists);
  }
  LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(path.catalog));
  return UnlessExists(in->CreateTable(path.database, path.object, std::move(table)),
                      statement.if_not_exists);
}

Result<StatementResult> ExecuteDrop(SessionState* state, const sql::DropStatement& statement) {
  switch (statement.object) {
    case sql::ObjectKind::kCatalog:
      return IfExists(state->catalogs.Remove(statement.name.back().text), statement.if_exists);
    case sql::ObjectKind::kDatabase: {
      LW_ASSIGN(const auto name, QualifyDatabase(*state, statement.name));
      LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(name.first));
      return IfExists(in->DropDatabase(name.second, statement.cascade), statement.if_exists);
    }
    case sql::ObjectKind::kTable:
    case sql::ObjectKind::kView:
      break;
    default:
      return NotYet("DROP " + std::string(sql::NameOf(statement.object)), statement.position);
  }
  LW_ASSIGN(const catalog::ObjectPath path, state->catalogs.Qualify(statement.name.Texts()));
  const auto found = state->catalogs.GetTable(path);
  if (!found.ok()) {
    return IfExists(found.status(), statement.if_exists);
  }
  const bool is_view = (*found)->kind == catalog::TableKind::kView;
  if (is_view != (statement.object == sql::ObjectKind::kView)) {
    return MakeError(ErrorKind::kValidation,
                     "'" + path.ToString() + "' is a " + (is_view ? "view" : "table"),
                     is_view ? "Write DROP VIEW." : "Write DROP TABLE.", statement.name.position());
  }
  if (statement.temporary || state->catalogs.HasTemporary(path)) {
    if (!statement.temporary) {
      return MakeError(ErrorKind::kValidation,
                       "A temporary object '" + path.ToString() + "' hides the permanent one",
                       "Write DROP TEMPORARY " + std::string(sql::NameOf(statement.object)) + ".",
                       statement.name.position());
    }
    return IfExists(state->catalogs.RemoveTemporary(path), statement.if_exists);
  }
  LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(path.catalog));
  return IfExists(in->DropTable(path.database, path.object), statement.if_exists);
}

Result<StatementResult> ExecuteUse(SessionState* state, const sql::UseStatement& statement) {
  if (statement.object == sql::ObjectKind::kCatalog) {
    LW_TRY(state->catalogs.UseCatalog(statement.name.back().text));
    return Succeeded();
  }
  LW_ASSIGN(const auto name, QualifyDatabase(*state, statement.name));
  LW_TRY(state->catalogs.UseDatabase(name.first, name.second));
  return Succeeded();
}

}  // namespace lakeward::session
