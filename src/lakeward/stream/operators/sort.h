#pragma once

#include <memory>
#include <vector>

#include "arrow/type.h"
#include "lakeward/stream/operator.h"

namespace lakeward::stream {

struct SortColumn {
  int column = 0;
  bool ascending = true;
  bool nulls_first = true;
};

/// Keeps all rows (which must be insertions) and emits them in order once the input has ended. NaN
/// is greater than every number, as in Java. Rows with equal keys keep their order. On one task.
std::unique_ptr<Operator> MakeSortOperator(std::vector<SortColumn> columns,
                                           std::shared_ptr<arrow::Schema> schema);

}  // namespace lakeward::stream
