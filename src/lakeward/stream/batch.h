#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/array/array_primitive.h"
#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/types/row_kind.h"

namespace arrow {
class MemoryPool;
}

namespace lakeward::stream {

/// A batch aims at this many rows or bytes; kBatchRowsMax is never passed.
inline constexpr int64_t kBatchRowsAim = 16'384;
inline constexpr int64_t kBatchBytesAim = 2 << 20;
inline constexpr int64_t kBatchRowsMax = 65'536;

/// From row `row_offset` on (counted in the unselected rows), event time has passed `watermark_ms`.
struct WatermarkEntry {
  int64_t row_offset;
  int64_t watermark_ms;
};

/// Some rows on their way through a job: immutable once sent, cheap to copy.
struct Batch {
  std::shared_ptr<arrow::RecordBatch> records;
  /// One types::RowKind per row of `records`; null: all are +I.
  std::shared_ptr<arrow::Int8Array> row_kinds;
  /// Numbers of the rows that count, ascending; null: all.
  std::shared_ptr<arrow::Int32Array> selection;
  /// Ascending in both members.
  std::vector<WatermarkEntry> watermarks;

  /// How many rows count.
  int64_t row_count() const {
    return selection != nullptr ? selection->length() : records->num_rows();
  }
};

/// The same rows without a selection. Watermark offsets are moved along.
Result<Batch> Materialize(const Batch& batch, arrow::MemoryPool* pool);

/// Materializes only when under a quarter of the rows is left.
Result<Batch> MaterializeIfSparse(const Batch& batch, arrow::MemoryPool* pool);

/// The rows with these numbers (of unselected `records`), in that order; kinds along, watermarks
/// not.
Result<Batch> TakeRows(const Batch& batch, const std::shared_ptr<arrow::Int32Array>& rows,
                       arrow::MemoryPool* pool);

/// Concatenates materialised batches of one schema.
Result<Batch> Concatenate(const std::vector<Batch>& batches, arrow::MemoryPool* pool);

}  // namespace lakeward::stream
