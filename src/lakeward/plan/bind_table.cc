#include <utility>

#include "lakeward/base/letter_case.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/query_binder.h"
#include "lakeward/sql/parse.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;

constexpr int kViewDepthMax = 50;

// Gives the columns the names written behind the alias.
Status RenameColumns(const sql::TableReference& reference, types::RowSchema* schema) {
  if (reference.column_aliases.empty()) {
    return Status::OK();
  }
  if (reference.column_aliases.size() != schema->columns.size()) {
    return MakeError(ErrorKind::kValidation,
                     "List of column aliases must have same degree as table; table has " +
                         std::to_string(schema->size()) + " columns, whereas alias list has " +
                         std::to_string(reference.column_aliases.size()) + " columns",
                     "", reference.column_aliases.front().position);
  }
  for (size_t i = 0; i < reference.column_aliases.size(); ++i) {
    schema->columns[i].name = reference.column_aliases[i].text;
  }
  return Status::OK();
}

// The full schema from the physical columns: computed ones are calculated.
Result<LogicalNodePtr> AddComputedColumns(const BindContext& context,
                                          const catalog::CatalogTable& table, LogicalNodePtr scan) {
  Scope scope;
  scope.Add("", {}, scan->schema);
  std::vector<ExpressionPtr> expressions;
  std::vector<std::string> names;
  bool computed = false;
  for (const catalog::TableColumn& column : table.columns) {
    names.push_back(column.name);
    if (column.kind == catalog::ColumnKind::kComputed) {
      computed = true;
      LW_ASSIGN(const sql::ExpressionPtr parsed, sql::ParseExpression(column.expression));
      ExpressionBinder binder(context, scope, "computed column '" + column.name + "'");
      LW_ASSIGN(ExpressionPtr bound, binder.Bind(*parsed));
      expressions.push_back(std::move(bound));
      continue;
    }
    const std::optional<int> number = scan->schema.FindColumn(column.name);
    if (!number.has_value()) {
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: the metadata column '" + column.name + "'",
                       "Select from a table declared without it.");
    }
    expressions.push_back(
        expr::MakeColumn(*number, column.name, scan->schema.columns[*number].type));
  }
  return computed ? MakeProject(std::move(scan), std::move(expressions), names) : scan;
}

}  // namespace

Result<catalog::TableContext> MakeTableContext(const BindContext& context,
                                               const catalog::ObjectPath& path,
                                               const catalog::CatalogTable& table,
                                               const std::vector<sql::Hint>& hints) {
  auto overlaid = std::make_shared<catalog::CatalogTable>(table);
  for (const sql::Hint& hint : hints) {
    const std::string name = ToUpper(hint.name.text);
    if (name != "OPTIONS") {
      return NotSupportedYet("the hint " + name, hint.name.position);
    }
    for (const sql::HintOption& option : hint.options) {
      overlaid->options[option.key.value_or("")] = option.value;
    }
  }
  // A temporary table may stand in a catalog that is gone.
  const auto owner = context.planner->catalogs->Get(path.catalog);
  catalog::TableContext result = catalog::TableContext::Make(
      path, std::move(overlaid), owner.ok() ? (*owner)->options() : config::OptionMap(),
      *context.planner->settings, context.planner->engine);
  result.zone = context.zone();
  result.batch_mode = context.batch_mode();
  return result;
}

Result<LogicalNodePtr> MakeScan(const BindContext& context, const catalog::ObjectPath& path,
                                const catalog::CatalogTable& table,
                                const std::vector<sql::Hint>& hints, SqlPosition at) {
  auto scan = std::make_shared<LogicalScan>();
  LW_ASSIGN(scan->context, MakeTableContext(context, path, table, hints));
  const auto prepare = [&]() -> Status {
    LW_ASSIGN(scan->factory,
              context.planner->factories->ForTable(path, scan->context.table->options));
    if (!scan->factory->can_scan()) {
      return MakeError(ErrorKind::kValidation,
                       "Table '" + path.ToString() + "' cannot be read: the connector '" +
                           std::string(scan->factory->identifier()) + "' only writes.",
                       "Use it behind INSERT INTO.");
    }
    LW_ASSIGN(scan->negotiation, scan->factory->NegotiateScan(scan->context));
    return Status::OK();
  };
  if (const Status status = prepare(); !status.ok()) {
    return WithPosition(status, at);
  }
  scan->schema = scan->negotiation->schema();
  Result<LogicalNodePtr> whole = AddComputedColumns(context, *scan->context.table, scan);
  return whole.ok()
             ? whole
             : WithPosition(WithContext(whole.status(), "Table '" + path.ToString() + "'"), at);
}

Result<LogicalNodePtr> QueryBinder::BindView(const catalog::ObjectPath& path,
                                             const catalog::CatalogTable& view, SqlPosition at) {
  if (view_depth_ >= kViewDepthMax) {
    return MakeError(ErrorKind::kValidation,
                     "View '" + path.ToString() + "' refers to itself through other views.",
                     "Drop and create one of them anew.", at);
  }
  const auto bind = [&]() -> Result<LogicalNodePtr> {
    LW_ASSIGN(const sql::QueryPtr query, sql::ParseQuery(view.view_query));
    QueryBinder binder(context_);
    binder.view_depth_ = view_depth_ + 1;
    return binder.Bind(*query);
  };
  Result<LogicalNodePtr> node = bind();
  if (!node.ok()) {
    // Positions of the view's own text mean nothing in this statement.
    return MakeError(KindOf(node.status()),
                     "View '" + path.ToString() + "': " + node.status().message(),
                     HintOf(node.status()), at);
  }
  types::RowSchema schema = (*node)->schema;
  for (size_t i = 0; i < view.columns.size() && i < schema.columns.size(); ++i) {
    schema.columns[i].name = view.columns[i].name;
  }
  return MakeProject(*node, ColumnsOf(schema), schema.Names());
}

Result<LogicalNodePtr> QueryBinder::BindNamedQuery(size_t number) {
  const NamedQuery named = named_queries_[number];
  std::vector<NamedQuery> all = std::exchange(named_queries_, {});
  named_queries_.assign(all.begin(),
                        all.begin() + static_cast<std::ptrdiff_t>(named.visible_count));
  Result<LogicalNodePtr> node = BindBody(*named.definition->query, /*target=*/nullptr);
  named_queries_ = std::move(all);
  if (!node.ok() || named.definition->columns.empty()) {
    return node;
  }
  sql::NamedTable renamed(named.definition->name.position);
  renamed.column_aliases = named.definition->columns;
  types::RowSchema schema = (*node)->schema;
  LW_TRY(RenameColumns(renamed, &schema));
  return MakeProject(*node, ColumnsOf(schema), schema.Names());
}

Result<LogicalNodePtr> QueryBinder::BindNamedTable(const sql::NamedTable& table,
                                                   std::vector<std::string>* path) {
  if (table.system_time != nullptr) {
    return NotSupportedYet("FOR SYSTEM_TIME AS OF", table.system_time->position);
  }
  if (table.sample.has_value()) {
    return NotSupportedYet("TABLESAMPLE", table.position);
  }
  if (table.name.size() == 1) {
    for (size_t i = named_queries_.size(); i > 0; --i) {
      if (named_queries_[i - 1].definition->name.text == table.name.parts[0].text) {
        *path = {table.name.parts[0].text};
        return BindNamedQuery(i - 1);
      }
    }
  }
  const catalog::Catalogs& catalogs = *context_.planner->catalogs;
  const auto find = [&]() -> Result<std::pair<catalog::ObjectPath, catalog::CatalogTablePtr>> {
    LW_ASSIGN(catalog::ObjectPath full, catalogs.Qualify(table.name.Texts()));
    LW_ASSIGN(catalog::CatalogTablePtr found, catalogs.GetTable(full));
    return std::pair(std::move(full), std::move(found));
  };
  const auto found = find();
  if (!found.ok()) {
    return WithPosition(found.status(), table.name.position());
  }
  const auto& [full, definition] = *found;
  *path = {full.catalog, full.database, full.object};
  return definition->kind == catalog::TableKind::kView
             ? BindView(full, *definition, table.name.position())
             : MakeScan(context_, full, *definition, table.hints, table.name.position());
}

Result<LogicalNodePtr> QueryBinder::BindTableReference(const sql::TableReference& reference,
                                                       Scope* scope) {
  LogicalNodePtr node;
  std::vector<std::string> path;
  switch (reference.kind) {
    case sql::TableReferenceKind::kNamed: {
      const auto& table = reference.As<sql::NamedTable>();
      LW_ASSIGN(node, BindNamedTable(table, &path));
      if (context_.full_names != nullptr) {
        context_.full_names->emplace(&table.name, path);
      }
      break;
    }
    case sql::TableReferenceKind::kSubquery: {
      const auto& subquery = reference.As<sql::SubqueryTable>();
      if (subquery.sample.has_value()) {
        return NotSupportedYet("TABLESAMPLE", reference.position);
      }
      LW_ASSIGN(node, BindBody(*subquery.query, /*target=*/nullptr));
      break;
    }
    case sql::TableReferenceKind::kFunction:
      return NotSupportedYet("table functions", reference.position);
    case sql::TableReferenceKind::kUnnest:
      return NotSupportedYet("UNNEST", reference.position);
    case sql::TableReferenceKind::kJoin:
      return NotSupportedYet("JOIN and several tables behind FROM", reference.position);
    case sql::TableReferenceKind::kMatchRecognize:
      return NotSupportedYet("MATCH_RECOGNIZE", reference.position);
  }
  types::RowSchema schema = node->schema;
  LW_TRY(RenameColumns(reference, &schema));
  std::string alias;
  if (reference.alias.has_value()) {
    alias = reference.alias->text;
    path.clear();
  } else if (!path.empty()) {
    alias = path.back();
  }
  scope->Add(std::move(alias), std::move(path), schema);
  return node;
}

}  // namespace lakeward::plan
