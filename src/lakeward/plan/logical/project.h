#pragma once

#include <string>
#include <vector>

#include "lakeward/expr/expression.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// One expression over the input for each column.
struct LogicalProject final : LogicalNodeOf<LogicalKind::kProject> {
  std::vector<expr::ExpressionPtr> expressions;
};

LogicalNodePtr MakeProject(LogicalNodePtr input, std::vector<expr::ExpressionPtr> expressions,
                           const std::vector<std::string>& names);

/// Column expressions for all columns of a relation.
std::vector<expr::ExpressionPtr> ColumnsOf(const types::RowSchema& schema);
/// Whether the expressions are the `column_count` columns of the input, in order.
bool IsIdentity(const std::vector<expr::ExpressionPtr>& expressions, int column_count);

}  // namespace lakeward::plan
