#include "lakeward/plan/sort_binding.h"

#include <utility>

#include "lakeward/config/option.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/sort.h"
#include "lakeward/plan/query_binder.h"

namespace lakeward::plan {

Result<int> SortBinding::FindColumn(const sql::OrderItem& item, ExpressionBinder* binder) {
  const sql::Expression& expression = *item.expression;
  const auto* literal = expression.AsIf<sql::LiteralExpression>();
  if (literal != nullptr && literal->literal == sql::LiteralKind::kExactNumber) {
    const Result<int64_t> position = config::ParseInt64(literal->text);
    if (!position.ok() || *position < 1 || *position > static_cast<int64_t>(output_count_)) {
      return MakeError(ErrorKind::kValidation,
                       "ORDER BY " + literal->text +
                           " is not the position of a column: there are " +
                           std::to_string(output_count_) + ".",
                       "", expression.position);
    }
    return static_cast<int>(*position - 1);
  }
  const auto* name = expression.AsIf<sql::NameExpression>();
  if (name != nullptr && name->name.size() == 1) {
    for (size_t i = 0; i < output_count_; ++i) {
      if (names_[i] == name->name.parts[0].text) {
        return static_cast<int>(i);
      }
    }
  }
  LW_ASSIGN(expr::ExpressionPtr bound, binder->Bind(expression));
  for (size_t i = 0; i < expressions_.size(); ++i) {
    if (expressions_[i]->Equals(*bound)) {
      return static_cast<int>(i);
    }
  }
  names_.push_back(bound->kind() == expr::ExpressionKind::kColumn
                       ? bound->column_name()
                       : "$s" + std::to_string(expressions_.size()));
  expressions_.push_back(std::move(bound));
  return static_cast<int>(expressions_.size() - 1);
}

Status SortBinding::Add(const sql::OrderItem& item, ExpressionBinder* binder) {
  SortKey key;
  LW_ASSIGN(key.column, FindColumn(item, binder));
  key.ascending = !item.descending;
  // Nulls are the smallest values unless the statement says otherwise.
  key.nulls_first = item.nulls == sql::NullsOrder::kDefault ? key.ascending
                                                            : item.nulls == sql::NullsOrder::kFirst;
  keys_.push_back(key);
  return Status::OK();
}

LogicalNodePtr SortBinding::Sort(LogicalNodePtr outputs) const {
  auto sort = std::make_shared<LogicalSort>();
  sort->keys = keys_;
  sort->schema = outputs->schema;
  sort->inputs.push_back(std::move(outputs));
  return sort;
}

LogicalNodePtr SortBinding::Build(LogicalNodePtr input, bool distinct) const {
  LogicalNodePtr sorted = MakeProject(std::move(input), expressions_, names_);
  if (distinct) {
    sorted = MakeDistinct(std::move(sorted));
  }
  if (!keys_.empty()) {
    sorted = Sort(std::move(sorted));
  }
  if (!has_hidden_columns()) {
    return sorted;
  }
  std::vector<expr::ExpressionPtr> visible = ColumnsOf(sorted->schema);
  visible.resize(output_count_);
  std::vector<std::string> names(names_.begin(),
                                 names_.begin() + static_cast<std::ptrdiff_t>(output_count_));
  return MakeProject(std::move(sorted), std::move(visible), names);
}

}  // namespace lakeward::plan
