#pragma once

#include <vector>

#include "lakeward/expr/expression.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// Rows written in the statement: expressions without columns, of the schema's types.
struct LogicalValues final : LogicalNodeOf<LogicalKind::kValues> {
  std::vector<std::vector<expr::ExpressionPtr>> rows;
};

/// The one row that a SELECT without FROM reads.
LogicalNodePtr MakeSingleRow();

}  // namespace lakeward::plan
