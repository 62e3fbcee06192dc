#pragma once

#include <vector>

#include "lakeward/catalog/catalog.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::catalog {

/// The columns of a Delta table: names, order, types and nullability from the log's `schema`, and
/// from the declaration what the log does not keep: comments, computed and metadata columns (behind
/// the physical ones) and the kind and precision of points in time, since the log's `timestamp`
/// stands for TIMESTAMP as well as for TIMESTAMP_LTZ of any precision.
std::vector<TableColumn> MergeColumns(const types::RowSchema& schema,
                                      const std::vector<TableColumn>& declared);

}  // namespace lakeward::catalog
