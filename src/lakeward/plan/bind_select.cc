#include <set>
#include <utility>

#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/grouping.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/values.h"
#include "lakeward/plan/query_binder.h"
#include "lakeward/plan/sort_binding.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;

// One column of the result: an expression as written, or a column that * stands for.
struct Output {
  sql::ExpressionPtr expression;
  std::string name;
};

sql::ExpressionPtr NameOfColumn(const Scope::Relation& relation, const std::string& column,
                                SqlPosition at) {
  auto name = sql::MakeNode<sql::NameExpression>(at);
  if (!relation.alias.empty()) {
    name->name.parts.push_back({relation.alias, true, at});
  } else {
    for (const std::string& part : relation.path) {
      name->name.parts.push_back({part, true, at});
    }
  }
  name->name.parts.push_back({column, true, at});
  return name;
}

Status ExpandStar(const sql::StarExpression& star, const Scope& scope,
                  std::vector<Output>* outputs) {
  std::vector<Scope::Relation> relations = scope.relations();
  if (!star.qualifier.empty()) {
    LW_ASSIGN(Scope::Relation relation, scope.ResolveRelation(star.qualifier));
    relations = {std::move(relation)};
  }
  if (relations.empty()) {
    return MakeError(ErrorKind::kValidation, "SELECT * needs a table behind FROM.", "",
                     star.position);
  }
  for (const Scope::Relation& relation : relations) {
    for (int i = relation.first_column; i < relation.first_column + relation.column_count; ++i) {
      const std::string& name = scope.columns().columns[i].name;
      outputs->push_back({NameOfColumn(relation, name, star.position), name});
    }
  }
  return Status::OK();
}

Result<std::vector<Output>> ExpandItems(const sql::SelectQuery& query, const Scope& scope) {
  std::vector<Output> outputs;
  for (const sql::SelectItem& item : query.items) {
    if (const auto* star = item.expression->AsIf<sql::StarExpression>()) {
      LW_TRY(ExpandStar(*star, scope, &outputs));
      continue;
    }
    std::string name = "EXPR$" + std::to_string(outputs.size());
    if (item.alias.has_value()) {
      name = item.alias->text;
    } else if (const auto* column = item.expression->AsIf<sql::NameExpression>()) {
      name = column->name.back().text;
    }
    outputs.push_back({item.expression, std::move(name)});
  }
  std::set<std::string> taken;
  for (Output& output : outputs) {
    const std::string wanted = output.name;
    for (int attempt = 0; !taken.insert(output.name).second; ++attempt) {
      output.name = wanted + std::to_string(attempt);
    }
  }
  return outputs;
}

Status CheckClauses(const sql::SelectQuery& query) {
  if (!query.windows.empty()) {
    return NotSupportedYet("WINDOW", query.windows.front().name.position);
  }
  if (query.qualify != nullptr) {
    return NotSupportedYet("QUALIFY", query.qualify->position);
  }
  if (query.group_quantifier == sql::SetQuantifier::kDistinct) {
    return NotSupportedYet("GROUP BY DISTINCT", query.position);
  }
  return Status::OK();
}

Status AddGroupingElement(const sql::GroupingElement& element, Grouping* grouping) {
  switch (element.kind) {
    case sql::GroupingKind::kExpression:
      return grouping->AddKey(*element.expression);
    case sql::GroupingKind::kSet:
      for (const sql::GroupingElement& member : element.members) {
        LW_TRY(AddGroupingElement(member, grouping));
      }
      return Status::OK();
    case sql::GroupingKind::kRollup:
      return NotSupportedYet("ROLLUP", element.position);
    case sql::GroupingKind::kCube:
      return NotSupportedYet("CUBE", element.position);
    case sql::GroupingKind::kGroupingSets:
      return NotSupportedYet("GROUPING SETS", element.position);
  }
  return Status::OK();
}

bool IsAggregated(const sql::SelectQuery& query, const std::vector<Output>& outputs,
                  const expr::FunctionRegistry& functions) {
  if (query.grouped || query.having != nullptr) {
    return true;
  }
  for (const Output& output : outputs) {
    if (HasAggregateCall(*output.expression, functions)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Result<LogicalNodePtr> QueryBinder::BindSelect(const sql::SelectQuery& query) {
  LW_TRY(CheckClauses(query));
  LW_TRY(CheckOrderAllowed(context_, query));
  Scope scope;
  LogicalNodePtr node = MakeSingleRow();
  if (query.from != nullptr) {
    LW_ASSIGN(node, BindTableReference(*query.from, &scope));
  }
  if (query.where != nullptr) {
    ExpressionBinder binder(context_, scope, "WHERE");
    LW_ASSIGN(ExpressionPtr condition, binder.BindCondition(*query.where));
    node = MakeFilter(std::move(node), std::move(condition));
  }
  LW_ASSIGN(const std::vector<Output> outputs, ExpandItems(query, scope));

  Grouping grouping(context_, scope);
  const bool aggregated = IsAggregated(query, outputs, context_.functions());
  for (const sql::GroupingElement& element : query.group_by) {
    LW_TRY(AddGroupingElement(element, &grouping));
  }
  ExpressionReplacer* const replacer = aggregated ? &grouping : nullptr;

  ExpressionBinder binder(context_, scope, "SELECT", replacer);
  std::vector<ExpressionPtr> expressions;
  std::vector<std::string> names;
  for (const Output& output : outputs) {
    grouping.SuggestName(output.name);
    LW_ASSIGN(ExpressionPtr expression, binder.Bind(*output.expression));
    if (expression->type()->root() == types::TypeRoot::kNull) {
      return MakeError(ErrorKind::kValidation, "Illegal use of 'NULL': nothing tells its type.",
                       "Write CAST(NULL AS type), for example CAST(NULL AS STRING).",
                       output.expression->position);
    }
    expressions.push_back(std::move(expression));
    names.push_back(output.name);
  }
  grouping.SuggestName("");
  ExpressionPtr having;
  if (query.having != nullptr) {
    ExpressionBinder having_binder(context_, scope, "HAVING", replacer);
    LW_ASSIGN(having, having_binder.BindCondition(*query.having));
  }
  SortBinding sort(std::move(expressions), std::move(names));
  ExpressionBinder order_binder(context_, scope, "ORDER BY", replacer);
  for (const sql::OrderItem& item : query.order_by) {
    LW_TRY(sort.Add(item, &order_binder));
  }

  if (aggregated) {
    node = grouping.Build(std::move(node));
  }
  if (having != nullptr) {
    node = MakeFilter(std::move(node), std::move(having));
  }
  const bool distinct = query.quantifier == sql::SetQuantifier::kDistinct;
  if (distinct && sort.has_hidden_columns()) {
    return MakeError(ErrorKind::kValidation,
                     "With SELECT DISTINCT, ORDER BY can only name columns of the result.",
                     "Add the expression to the select list.",
                     query.order_by.front().expression->position);
  }
  return ApplyLimit(query, sort.Build(std::move(node), distinct));
}

}  // namespace lakeward::plan
