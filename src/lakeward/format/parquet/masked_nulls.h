#pragma once

#include <memory>

#include "arrow/record_batch.h"
#include "lakeward/base/status.h"

namespace lakeward::format {

/// The batch under `schema`, with the nulls of NOT NULL fields taken away where a null parent hides
/// them: NOT NULL of a struct's field holds only where the struct itself is not null, and Parquet's
/// encoder asks for fields without nulls. kValidation names the field of a null that nothing hides.
/// Costs nothing but a look when no NOT NULL field has nulls.
Result<std::shared_ptr<arrow::RecordBatch>> DropMaskedNulls(
    const arrow::RecordBatch& batch, const std::shared_ptr<arrow::Schema>& schema);

}  // namespace lakeward::format
