#pragma once

#include <memory>
#include <vector>

#include "arrow/type.h"
#include "lakeward/expr/expression.h"
#include "lakeward/stream/operator.h"

namespace lakeward::stream {

/// Filter, then projection; `condition` may be null (every row passes), `projections` empty (all
/// columns as they are; `schema` is then ignored). A projection of mere columns copies nothing.
std::unique_ptr<Operator> MakeCalcOperator(expr::ExpressionPtr condition,
                                           std::vector<expr::ExpressionPtr> projections,
                                           std::shared_ptr<arrow::Schema> schema);

}  // namespace lakeward::stream
