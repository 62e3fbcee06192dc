#pragma once

#include <string>
#include <vector>

#include "arrow/array/array_base.h"
#include "arrow/record_batch.h"

namespace lakeward::format {

/// Paths, as Parquet spells them ("a.list.element"), of the leaf columns whose values repeat so
/// much in a sample that a dictionary pays: distinct values under a tenth of those not null.
std::vector<std::string> FindRepetitiveLeaves(
    const std::vector<std::shared_ptr<arrow::RecordBatch>>& sample);

}  // namespace lakeward::format
