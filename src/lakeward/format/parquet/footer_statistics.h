#pragma once

#include <vector>

#include "lakeward/format/format.h"
#include "parquet/metadata.h"

namespace lakeward::format {

/// What a footer says of one row group, leaf column by leaf column. May throw what Parquet throws.
std::vector<ColumnStatistics> RowGroupStatistics(const ::parquet::FileMetaData& metadata,
                                                 int row_group);

/// Merged over all row groups; a bound is kept only when every row group with values has it.
FileStatistics StatisticsOfFooter(const ::parquet::FileMetaData& metadata, int64_t size_bytes);

}  // namespace lakeward::format
