#pragma once

#include <memory>

#include "arrow/record_batch.h"
#include "lakeward/stream/source.h"

namespace lakeward::stream {

/// The rows of a VALUES clause as a source with one split.
std::unique_ptr<Source> MakeValuesSource(std::shared_ptr<arrow::RecordBatch> rows);

}  // namespace lakeward::stream
