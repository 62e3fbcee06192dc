#include <utility>

#include "lakeward/session/session_state.h"

namespace lakeward::session {
namespace {

/// The definition of a view over `query`, which stood as `original` in the statement.
Result<catalog::CatalogTable> MakeView(const SessionState& state, const sql::Query& query,
                                       const std::string& original) {
  LW_ASSIGN(plan::ViewQuery bound, plan::BindViewQuery(query, state.Planner()));
  catalog::CatalogTable view;
  view.kind = catalog::TableKind::kView;
  for (types::Column& column : bound.schema.columns) {
    catalog::TableColumn declared;
    declared.name = std::move(column.name);
    declared.type = std::move(column.type);
    view.columns.push_back(std::move(declared));
  }
  view.view_query = std::move(bound.text);
  view.view_original_query = original;
  return view;
}

Status NameColumns(const sql::CreateViewStatement& statement, const catalog::ObjectPath& path,
                   catalog::CatalogTable* view) {
  if (statement.columns.empty()) {
    return Status::OK();
  }
  if (statement.columns.size() != view->columns.size()) {
    return MakeError(ErrorKind::kValidation,
                     "View '" + path.ToString() + "' lists " +
                         std::to_string(statement.columns.size()) + " columns, its query has " +
                         std::to_string(view->columns.size()),
                     "Name every column of the query.", statement.columns[0].position);
  }
  for (size_t i = 0; i < view->columns.size(); ++i) {
    view->columns[i].name = statement.columns[i].text;
  }
  return Status::OK();
}

}  // namespace

Result<StatementResult> ExecuteCreateView(SessionState* state,
                                          const sql::CreateViewStatement& statement) {
  LW_ASSIGN(const catalog::ObjectPath path, state->catalogs.Qualify(statement.name.Texts()));
  LW_ASSIGN(catalog::CatalogTable view, MakeView(*state, *statement.query, statement.query_text));
  LW_TRY(NameColumns(statement, path, &view));
  view.comment = statement.comment.value_or("");
  if (statement.temporary) {
    return UnlessExists(
        state->catalogs.AddTemporary(path, std::move(view), statement.if_not_exists),
        statement.if_not_exists);
  }
  LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(path.catalog));
  return UnlessExists(in->CreateTable(path.database, path.object, std::move(view)),
                      statement.if_not_exists);
}

Result<StatementResult> ExecuteAlterView(SessionState* state,
                                         const sql::AlterViewStatement& statement) {
  const SqlPosition at = statement.name.position();
  LW_ASSIGN(const catalog::ObjectPath path, state->catalogs.Qualify(statement.name.Texts()));
  const Result<catalog::CatalogTablePtr> view = state->catalogs.GetTable(path);
  LW_TRY(WithPosition(view.status(), at));
  if ((*view)->kind != catalog::TableKind::kView) {
    return MakeError(ErrorKind::kValidation, "'" + path.ToString() + "' is a table",
                     "ALTER VIEW takes views only.", at);
  }
  if (state->catalogs.HasTemporary(path)) {
    return MakeError(ErrorKind::kValidation, "'" + path.ToString() + "' is a temporary view",
                     "DROP TEMPORARY VIEW, then create it again.", at);
  }
  LW_ASSIGN(const std::shared_ptr<catalog::Catalog> in, state->catalogs.Get(path.catalog));
  switch (statement.action) {
    case sql::AlterViewAction::kRename: {
      LW_ASSIGN(const catalog::ObjectPath renamed,
                state->catalogs.Qualify(statement.new_name.Texts()));
      if (renamed.catalog != path.catalog || renamed.database != path.database) {
        return MakeError(ErrorKind::kValidation,
                         "A view cannot be renamed into another database: '" + path.ToString() +
                             "' to '" + renamed.ToString() + "'",
                         "Create it there and drop it here.", statement.new_name.position());
      }
      LW_TRY(in->RenameTable(path.database, path.object, renamed.object));
      return Succeeded();
    }
    case sql::AlterViewAction::kAs: {
      LW_ASSIGN(catalog::CatalogTable changed,
                MakeView(*state, *statement.query, statement.query_text));
      changed.comment = (*view)->comment;
      LW_TRY(in->ReplaceView(path.database, path.object, std::move(changed)));
      return Succeeded();
    }
    default:
      return MakeError(ErrorKind::kUnsupported, "not supported yet: options of views", "",
                       statement.position);
  }
}

}  // namespace lakeward::session
