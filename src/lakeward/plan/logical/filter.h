#pragma once

#include "lakeward/expr/expression.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// The input's rows for which the condition is true.
struct LogicalFilter final : LogicalNodeOf<LogicalKind::kFilter> {
  expr::ExpressionPtr condition;
};

LogicalNodePtr MakeFilter(LogicalNodePtr input, expr::ExpressionPtr condition);

}  // namespace lakeward::plan
