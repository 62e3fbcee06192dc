#pragma once

#include <string>
#include <vector>

#include "lakeward/expr/expression.h"
#include "lakeward/plan/expression_binder.h"
#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"
#include "lakeward/sql/expression.h"

namespace lakeward::plan {

/// The entries of ORDER BY over a SELECT's output: each is a column of it by position, by name or
/// by equal expression, or a further expression that is computed beside the output for sorting
/// alone.
class SortBinding {
 public:
  /// `outputs` are the select items over the rows below the projection.
  SortBinding(std::vector<expr::ExpressionPtr> outputs, std::vector<std::string> names)
      : output_count_(outputs.size()), expressions_(std::move(outputs)), names_(std::move(names)) {}

  /// `binder` binds what is neither a position nor an output's name.
  Status Add(const sql::OrderItem& item, ExpressionBinder* binder);

  /// Whether an entry is not among the outputs.
  bool has_hidden_columns() const { return expressions_.size() > output_count_; }

  /// The projection of `input`, its distinct rows where asked for, sorted when there were entries,
  /// hidden columns removed again.
  LogicalNodePtr Build(LogicalNodePtr input, bool distinct) const;

 private:
  LogicalNodePtr Sort(LogicalNodePtr outputs) const;
  Result<int> FindColumn(const sql::OrderItem& item, ExpressionBinder* binder);

  size_t output_count_;
  std::vector<expr::ExpressionPtr> expressions_;
  std::vector<std::string> names_;
  std::vector<SortKey> keys_;
};

}  // namespace lakeward::plan
