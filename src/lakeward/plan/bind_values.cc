#include <algorithm>
#include <utility>

#include "lakeward/expr/evaluator.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/function_call.h"
#include "lakeward/plan/logical/values.h"
#include "lakeward/plan/query_binder.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;

std::vector<sql::ExpressionPtr> ItemsOf(const sql::ExpressionPtr& row) {
  const auto* several = row->AsIf<sql::RowExpression>();
  return several != nullptr ? several->items : std::vector<sql::ExpressionPtr>{row};
}

Status IllegalNull(SqlPosition at) {
  return MakeError(ErrorKind::kValidation, "Illegal use of 'NULL': nothing tells its type.",
                   "Write CAST(NULL AS type), for example CAST(NULL AS STRING).", at);
}

// Gives all rows of a column the type that they have in common.
Status UnifyColumn(std::vector<std::vector<ExpressionPtr>>* rows, int column,
                   const sql::ValuesQuery& query, const expr::EvaluationContext& evaluation,
                   types::RowSchema* schema) {
  std::vector<types::TypePtr> types;
  for (const std::vector<ExpressionPtr>& row : *rows) {
    types.push_back(row[column]->type());
  }
  const std::optional<types::TypePtr> common = types::FindCommonType(types);
  if (!common.has_value()) {
    const auto differs = std::find_if(types.begin(), types.end(), [&](const auto& type) {
      return !types::FindCommonType({types.front(), type}).has_value();
    });
    const auto row = static_cast<size_t>(std::min(differs, types.end() - 1) - types.begin());
    return MakeError(ErrorKind::kValidation,
                     "Values passed to VALUES operator must have compatible types: column " +
                         std::to_string(column + 1) + " is " + types.front()->ToString() +
                         " in row 1 and " + types[row]->ToString() + " in row " +
                         std::to_string(row + 1) + ".",
                     "Convert them to one type with CAST(… AS type).",
                     ItemsOf(query.rows[row])[column]->position);
  }
  for (std::vector<ExpressionPtr>& row : *rows) {
    const bool constant = row[column]->kind() == expr::ExpressionKind::kLiteral;
    row[column] = CoerceTo(row[column], *common);
    if (constant) {
      row[column] = expr::FoldConstants(row[column], evaluation);
    }
  }
  schema->columns.push_back({"EXPR$" + std::to_string(column), *common});
  return Status::OK();
}

}  // namespace

Result<LogicalNodePtr> QueryBinder::BindValues(const sql::ValuesQuery& query,
                                               const types::RowSchema* target) {
  const Scope no_columns;
  ExpressionBinder binder(context_, no_columns, "VALUES");
  auto values = std::make_shared<LogicalValues>();
  for (const sql::ExpressionPtr& row : query.rows) {
    std::vector<ExpressionPtr> bound;
    for (const sql::ExpressionPtr& item : ItemsOf(row)) {
      LW_ASSIGN(ExpressionPtr value, binder.Bind(*item));
      if (value->type()->root() == types::TypeRoot::kNull) {
        const auto column = static_cast<int>(bound.size());
        if (target == nullptr || column >= target->size()) {
          return IllegalNull(item->position);
        }
        value = expr::MakeNullLiteral(
            types::WithNullability(target->columns[column].type, /*nullable=*/true));
      }
      bound.push_back(std::move(value));
    }
    if (!values->rows.empty() && bound.size() != values->rows.front().size()) {
      return MakeError(
          ErrorKind::kValidation,
          "Rows of VALUES have different lengths: " + std::to_string(values->rows.front().size()) +
              " values in row 1, " + std::to_string(bound.size()) + " in row " +
              std::to_string(values->rows.size() + 1) + ".",
          "", row->position);
    }
    values->rows.push_back(std::move(bound));
  }
  const auto column_count = static_cast<int>(values->rows.front().size());
  for (int i = 0; i < column_count; ++i) {
    LW_TRY(UnifyColumn(&values->rows, i, query, context_.evaluation, &values->schema));
  }
  return values;
}

}  // namespace lakeward::plan
