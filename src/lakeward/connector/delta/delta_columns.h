#pragma once

#include <memory>

#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::connector {

/// Declared columns in the types that the table's log gives them, matched by name. A declared
/// TIMESTAMP may be stored as Delta's `timestamp`, which holds instants: the wall clock is then
/// stored as if it were UTC. kValidation names the first column that does not fit.
Result<types::RowSchema> StoredSchema(const types::RowSchema& declared,
                                      const types::RowSchema& table_schema);

/// The same rows under another schema that differs only in the zone of timestamps, nullability and
/// nested field names: no value is touched.
Result<std::shared_ptr<arrow::RecordBatch>> Reinterpret(
    const arrow::RecordBatch& records, const std::shared_ptr<arrow::Schema>& schema);

}  // namespace lakeward::connector
