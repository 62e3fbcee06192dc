#include "lakeward/stream/batch.h"

#include <algorithm>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/array/concatenate.h"
#include "arrow/buffer.h"
#include "arrow/compute/api_vector.h"
#include "arrow/compute/exec.h"
#include "arrow/memory_pool.h"

namespace lakeward::stream {
namespace {

/// A selection that keeps at least 1 / kSparseFactor of the rows is carried along.
constexpr int64_t kSparseFactor = 4;

Result<std::shared_ptr<arrow::Int8Array>> TakeKinds(const arrow::Int8Array& kinds,
                                                    const arrow::Int32Array& rows,
                                                    arrow::MemoryPool* pool) {
  LW_ASSIGN(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(rows.length(), pool));
  auto* out = reinterpret_cast<int8_t*>(buffer->mutable_data());
  const int8_t* in = kinds.raw_values();
  const int32_t* numbers = rows.raw_values();
  for (int64_t i = 0; i < rows.length(); ++i) {
    out[i] = in[numbers[i]];
  }
  return std::make_shared<arrow::Int8Array>(rows.length(), std::move(buffer));
}

Result<std::shared_ptr<arrow::Int8Array>> ConcatenateKinds(const std::vector<Batch>& batches,
                                                           int64_t row_count,
                                                           arrow::MemoryPool* pool) {
  LW_ASSIGN(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(row_count, pool));
  auto* out = reinterpret_cast<int8_t*>(buffer->mutable_data());
  for (const Batch& batch : batches) {
    const int64_t count = batch.records->num_rows();
    if (batch.row_kinds == nullptr) {
      std::fill_n(out, count, static_cast<int8_t>(types::RowKind::kInsert));
    } else {
      std::copy_n(batch.row_kinds->raw_values(), count, out);
    }
    out += count;
  }
  return std::make_shared<arrow::Int8Array>(row_count, std::move(buffer));
}

}  // namespace

Result<Batch> TakeRows(const Batch& batch, const std::shared_ptr<arrow::Int32Array>& rows,
                       arrow::MemoryPool* pool) {
  Batch taken;
  if (batch.records->num_columns() == 0) {
    taken.records = arrow::RecordBatch::Make(batch.records->schema(), rows->length(),
                                             std::vector<std::shared_ptr<arrow::Array>>{});
  } else {
    arrow::compute::ExecContext context(pool);
    context.set_use_threads(false);
    LW_ASSIGN(const arrow::Datum datum,
              arrow::compute::Take(arrow::Datum(batch.records), arrow::Datum(rows),
                                   arrow::compute::TakeOptions::NoBoundsCheck(), &context));
    taken.records = datum.record_batch();
  }
  if (batch.row_kinds != nullptr) {
    LW_ASSIGN(taken.row_kinds, TakeKinds(*batch.row_kinds, *rows, pool));
  }
  return taken;
}

Result<Batch> Materialize(const Batch& batch, arrow::MemoryPool* pool) {
  if (batch.selection == nullptr) {
    return batch;
  }
  LW_ASSIGN(Batch taken, TakeRows(batch, batch.selection, pool));
  const int32_t* begin = batch.selection->raw_values();
  const int32_t* end = begin + batch.selection->length();
  for (const WatermarkEntry& entry : batch.watermarks) {
    const int64_t offset = std::lower_bound(begin, end, entry.row_offset) - begin;
    taken.watermarks.push_back({offset, entry.watermark_ms});
  }
  return taken;
}

Result<Batch> MaterializeIfSparse(const Batch& batch, arrow::MemoryPool* pool) {
  if (batch.selection == nullptr ||
      batch.selection->length() * kSparseFactor >= batch.records->num_rows()) {
    return batch;
  }
  return Materialize(batch, pool);
}

Result<Batch> Concatenate(const std::vector<Batch>& batches, arrow::MemoryPool* pool) {
  LW_CHECK(!batches.empty());
  if (batches.size() == 1) {
    return batches[0];
  }
  arrow::RecordBatchVector records;
  records.reserve(batches.size());
  Batch whole;
  bool has_kinds = false;
  int64_t row_count = 0;
  for (const Batch& batch : batches) {
    LW_CHECK(batch.selection == nullptr);
    for (const WatermarkEntry& entry : batch.watermarks) {
      whole.watermarks.push_back({entry.row_offset + row_count, entry.watermark_ms});
    }
    has_kinds = has_kinds || batch.row_kinds != nullptr;
    row_count += batch.records->num_rows();
    records.push_back(batch.records);
  }
  LW_ASSIGN(whole.records, arrow::ConcatenateRecordBatches(records, pool));
  if (has_kinds) {
    LW_ASSIGN(whole.row_kinds, ConcatenateKinds(batches, row_count, pool));
  }
  return whole;
}

}  // namespace lakeward::stream
