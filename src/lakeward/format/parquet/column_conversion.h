#pragma once

#include <memory>
#include <string>

#include "arrow/array/array_base.h"
#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::format {

/// Brings an array as a Parquet file holds it to the Arrow type of `type`, at every depth: fields
/// of rows are matched by name and missing ones are null, physical types are widened where no value
/// can be lost. kCorruptData naming `path` (the column) and both types where that is impossible.
Result<std::shared_ptr<arrow::Array>> ConvertColumn(const std::shared_ptr<arrow::Array>& array,
                                                    const types::LogicalType& type,
                                                    const std::string& path);

}  // namespace lakeward::format
