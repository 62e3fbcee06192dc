#include <algorithm>
#include <map>
#include <utility>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/array/builder_time.h"
#include "fmt/format.h"
#include "lakeward/base/environment.h"
#include "lakeward/catalog/show_create.h"
#include "lakeward/session/session_state.h"
#include "lakeward/session/settings_report.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::session {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// SQL's LIKE: `%` any text, `_` any character. Iterative, linear in practice.
bool MatchesLike(std::string_view text, std::string_view pattern, bool ignore_case) {
  size_t t = 0;
  size_t p = 0;
  size_t star = std::string_view::npos;
  size_t resume = 0;
  const auto same = [&](char a, char b) { return ignore_case ? Lower(a) == Lower(b) : a == b; };
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '_' || same(pattern[p], text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') {
    ++p;
  }
  return p == pattern.size();
}

std::vector<std::string> Filtered(std::vector<std::string> names,
                                  const std::optional<sql::NameFilter>& filter) {
  if (filter.has_value()) {
    std::erase_if(names, [&](const std::string& name) {
      return MatchesLike(name, filter->pattern, filter->kind == sql::NameFilterKind::kIlike) ==
             filter->negated;
    });
  }
  return names;
}

StatementResult WithRows(types::RowSchema schema,
                         std::vector<std::shared_ptr<arrow::Array>> columns) {
  StatementResult result;
  result.kind = ResultKind::kSuccessWithContent;
  const int64_t row_count = columns.empty() ? 0 : columns[0]->length();
  result.rows =
      arrow::RecordBatch::Make(types::ToArrowSchema(schema), row_count, std::move(columns));
  result.schema = std::move(schema);
  return result;
}

Result<std::shared_ptr<arrow::Array>> Texts(const std::vector<std::optional<std::string>>& values) {
  arrow::StringBuilder builder;
  for (const auto& value : values) {
    LW_TRY(value.has_value() ? builder.Append(*value) : builder.AppendNull());
  }
  return builder.Finish();
}

/// The catalog and database that FROM or IN names, or the current ones.
Result<std::pair<std::string, std::string>> DatabaseOf(const SessionState& state,
                                                       const sql::QualifiedName& name) {
  if (name.empty()) {
    return std::pair(state.catalogs.current_catalog(), state.catalogs.current_database());
  }
  if (name.size() == 1) {
    return std::pair(state.catalogs.current_catalog(), name.parts[0].text);
  }
  return std::pair(name.parts[0].text, name.parts[1].text);
}

Result<StatementResult> ShowTables(const SessionState& state, const sql::ShowStatement& statement,
                                   bool views_only) {
  LW_ASSIGN(const auto database, DatabaseOf(state, statement.object));
  LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state.catalogs.Get(database.first));
  LW_ASSIGN(std::vector<std::string> names, in->ListTables(database.second));
  if (views_only) {
    std::vector<std::string> views;
    for (std::string& name : names) {
      LW_ASSIGN(const catalog::CatalogTablePtr table, in->GetTable(database.second, name));
      if (table->kind == catalog::TableKind::kView) {
        views.push_back(std::move(name));
      }
    }
    names = std::move(views);
  }
  for (std::string& name : state.catalogs.ListTemporary(database.first, database.second)) {
    LW_ASSIGN(const catalog::CatalogTablePtr table,
              state.catalogs.GetTable({database.first, database.second, name}));
    if (!views_only || table->kind == catalog::TableKind::kView) {
      names.push_back(std::move(name));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return OneColumn(views_only ? "view name" : "table name",
                   Filtered(std::move(names), statement.filter));
}

Result<StatementResult> ShowConfiguration(const SessionState& state,
                                          const sql::ShowStatement& statement) {
  std::vector<std::vector<std::string>> columns(5);
  for (const config::ReportedSetting& setting :
       ReportSettings(state.settings, GetEnvironment, "")) {
    if (!Filtered({setting.key}, statement.filter).empty()) {
      columns[0].push_back(setting.key);
      columns[1].push_back(setting.value);
      columns[2].push_back(setting.origin);
      columns[3].push_back(fmt::format("{}", fmt::join(setting.shadowed, "; ")));
      columns[4].push_back(setting.doc);
    }
  }
  return TextColumns({"key", "value", "origin", "shadows", "description"}, columns);
}

Result<StatementResult> ShowJobs(const SessionState& state) {
  arrow::StringBuilder ids;
  arrow::StringBuilder names;
  arrow::StringBuilder states;
  const types::TypePtr time_type = types::TimestampLtz(3);
  arrow::TimestampBuilder times(types::ToArrow(*time_type), arrow::default_memory_pool());
  for (const auto& job : state.jobs) {
    const runtime::JobStatus status = job->status();
    LW_TRY(ids.Append(status.id));
    LW_TRY(names.Append(status.name));
    LW_TRY(states.Append(runtime::ToString(status.state)));
    LW_TRY(times.Append(status.start_time_ms * 1'000));
  }
  std::vector<std::shared_ptr<arrow::Array>> columns(4);
  LW_ASSIGN(columns[0], ids.Finish());
  LW_ASSIGN(columns[1], names.Finish());
  LW_ASSIGN(columns[2], states.Finish());
  LW_ASSIGN(columns[3], times.Finish());
  return WithRows({{{"job id", types::String()},
                    {"job name", types::String()},
                    {"status", types::String()},
                    {"start time", time_type}}},
                  std::move(columns));
}

Result<StatementResult> ShowCreate(const SessionState& state, const sql::ShowStatement& statement) {
  if (statement.subject == sql::ShowSubject::kCreateCatalog) {
    LW_ASSIGN(const std::shared_ptr<catalog::Catalog> shown,
              state.catalogs.Get(statement.object.back().text));
    return OneColumn("result", {catalog::ShowCreateCatalog(shown->name(), shown->options())});
  }
  LW_ASSIGN(const catalog::ObjectPath path, state.catalogs.Qualify(statement.object.Texts()));
  LW_ASSIGN(const catalog::CatalogTablePtr table, state.catalogs.GetTable(path));
  const bool is_view = table->kind == catalog::TableKind::kView;
  if (is_view != (statement.subject == sql::ShowSubject::kCreateView)) {
    return MakeError(ErrorKind::kValidation,
                     "'" + path.ToString() + "' is a " + (is_view ? "view" : "table"),
                     is_view ? "Write SHOW CREATE VIEW." : "Write SHOW CREATE TABLE.",
                     statement.object.position());
  }
  const bool temporary = state.catalogs.HasTemporary(path);
  return OneColumn("result", {is_view ? catalog::ShowCreateView(path, *table, temporary)
                                      : catalog::ShowCreateTable(path, *table, temporary)});
}

/// name, type, null, key, extras, watermark and, when any column has one, comment.
Result<StatementResult> DescribeTable(const catalog::CatalogTable& table,
                                      const std::vector<std::string>& only) {
  std::vector<std::optional<std::string>> names, types_text, keys, extras, watermarks, comments;
  arrow::BooleanBuilder nulls;
  std::string key_text;
  for (const std::string& column : table.primary_key) {
    key_text += (key_text.empty() ? "PRI(" : ", ") + column;
  }
  bool any_comment = false;
  for (const catalog::TableColumn& column : table.columns) {
    if (!only.empty() && std::find(only.begin(), only.end(), column.name) == only.end()) {
      continue;
    }
    names.emplace_back(column.name);
    types_text.emplace_back(types::WithNullability(column.type, true)->ToString());
    LW_TRY(nulls.Append(column.type->nullable()));
    const bool in_key = std::find(table.primary_key.begin(), table.primary_key.end(),
                                  column.name) != table.primary_key.end();
    keys.push_back(in_key ? std::optional(key_text + ")") : std::nullopt);
    extras.emplace_back(std::nullopt);
    watermarks.emplace_back(std::nullopt);
    comments.push_back(column.comment.empty() ? std::nullopt : std::optional(column.comment));
    any_comment = any_comment || !column.comment.empty();
  }
  types::RowSchema schema{{{"name", types::String()},
                           {"type", types::String()},
                           {"null", types::Boolean()},
                           {"key", types::String()},
                           {"extras", types::String()},
                           {"watermark", types::String()}}};
  std::vector<std::shared_ptr<arrow::Array>> columns(6);
  LW_ASSIGN(columns[0], Texts(names));
  LW_ASSIGN(columns[1], Texts(types_text));
  LW_ASSIGN(columns[2], nulls.Finish());
  LW_ASSIGN(columns[3], Texts(keys));
  LW_ASSIGN(columns[4], Texts(extras));
  LW_ASSIGN(columns[5], Texts(watermarks));
  if (any_comment) {
    schema.columns.push_back({"comment", types::String()});
    LW_ASSIGN(std::shared_ptr<arrow::Array> comment_column, Texts(comments));
    columns.push_back(std::move(comment_column));
  }
  StatementResult result = WithRows(std::move(schema), std::move(columns));
  result.null_as_empty = true;
  return result;
}

Result<catalog::CatalogTablePtr> TableNamed(const SessionState& state,
                                            const sql::QualifiedName& name) {
  LW_ASSIGN(const catalog::ObjectPath path, state.catalogs.Qualify(name.Texts()));
  auto table = state.catalogs.GetTable(path);
  LW_TRY(WithPosition(table.status(), name.position()));
  return table;
}

Result<StatementResult> ShowColumns(const SessionState& state,
                                    const sql::ShowStatement& statement) {
  LW_ASSIGN(const catalog::CatalogTablePtr table, TableNamed(state, statement.object));
  std::vector<std::string> names;
  for (const catalog::TableColumn& column : table->columns) {
    names.push_back(column.name);
  }
  names = Filtered(std::move(names), statement.filter);
  if (names.empty()) {
    return OneColumn("name", {});
  }
  return DescribeTable(*table, names);
}

std::vector<std::string> FunctionNames(const expr::FunctionRegistry& functions) {
  std::vector<std::string> names;
  for (const expr::ScalarFunction* function : functions.Scalars()) {
    if (!function->internal) {
      names.push_back(function->name);
    }
  }
  for (const expr::AggregateFunction* function : functions.Aggregates()) {
    names.push_back(function->name);
  }
  // SHOW FUNCTIONS prints lower case, as Flink's core module names its functions.
  for (std::string& name : names) {
    std::transform(name.begin(), name.end(), name.begin(), Lower);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Result<StatementResult> ExecuteShow(SessionState* state, const sql::ShowStatement& statement) {
  switch (statement.subject) {
    case sql::ShowSubject::kCatalogs:
      return OneColumn("catalog name", Filtered(state->catalogs.List(), statement.filter));
    case sql::ShowSubject::kDatabases: {
      const std::string name = statement.object.empty() ? state->catalogs.current_catalog()
                                                        : statement.object.back().text;
      LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(name));
      LW_ASSIGN(std::vector<std::string> databases, in->ListDatabases());
      return OneColumn("database name", Filtered(std::move(databases), statement.filter));
    }
    case sql::ShowSubject::kTables:
      return ShowTables(*state, statement, false);
    case sql::ShowSubject::kViews:
      return ShowTables(*state, statement, true);
    case sql::ShowSubject::kColumns:
      return ShowColumns(*state, statement);
    case sql::ShowSubject::kFunctions:
      return OneColumn("function name",
                       Filtered(FunctionNames(*state->functions), statement.filter));
    case sql::ShowSubject::kJobs:
      return ShowJobs(*state);
    case sql::ShowSubject::kConfiguration:
      return ShowConfiguration(*state, statement);
    case sql::ShowSubject::kCurrentCatalog:
      return OneColumn("current catalog name", {state->catalogs.current_catalog()});
    case sql::ShowSubject::kCurrentDatabase:
      return OneColumn("current database name", {state->catalogs.current_database()});
    case sql::ShowSubject::kCreateTable:
    case sql::ShowSubject::kCreateView:
    case sql::ShowSubject::kCreateCatalog:
      return ShowCreate(*state, statement);
    default:
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: SHOW " + std::string(sql::NameOf(statement.subject)), "",
                       statement.position);
  }
}

Result<StatementResult> ExecuteDescribe(SessionState* state,
                                        const sql::DescribeStatement& statement) {
  if (statement.subject != sql::DescribeSubject::kTable || statement.extended) {
    return MakeError(ErrorKind::kUnsupported, "not supported yet: DESCRIBE of anything but a table",
                     "", statement.position);
  }
  LW_ASSIGN(const catalog::CatalogTablePtr table, TableNamed(*state, statement.object));
  return DescribeTable(*table, {});
}

StatementResult Succeeded() { return StatementResult{}; }

Result<StatementResult> OneColumn(const std::string& name, const std::vector<std::string>& values) {
  return TextColumns({name}, {values});
}

Result<StatementResult> TextColumns(const std::vector<std::string>& names,
                                    const std::vector<std::vector<std::string>>& columns) {
  types::RowSchema schema;
  std::vector<std::shared_ptr<arrow::Array>> arrays(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    schema.columns.push_back({names[i], types::String()});
    arrow::StringBuilder builder;
    LW_TRY(builder.AppendValues(columns[i]));
    LW_ASSIGN(arrays[i], builder.Finish());
  }
  return WithRows(std::move(schema), std::move(arrays));
}

}  // namespace lakeward::session
