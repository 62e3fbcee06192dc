#include "lakeward/connector/partitioned_writer.h"

#include <algorithm>
#include <utility>

#include "arrow/array/concatenate.h"
#include "arrow/compute/api_vector.h"
#include "arrow/util/byte_size.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::connector {
namespace {

/// Row numbers ordered by partition id, and where each id's rows begin (one entry more than ids).
struct SortedRows {
  std::shared_ptr<arrow::Int32Array> rows;
  std::vector<int32_t> begins;
};

Result<SortedRows> SortByPartition(const std::vector<int32_t>& ids, int64_t id_bound) {
  SortedRows sorted;
  sorted.begins.assign(static_cast<size_t>(id_bound) + 1, 0);
  for (const int32_t id : ids) {
    ++sorted.begins[static_cast<size_t>(id) + 1];
  }
  for (size_t i = 1; i < sorted.begins.size(); ++i) {
    sorted.begins[i] += sorted.begins[i - 1];
  }
  const auto row_count = static_cast<int64_t>(ids.size());
  LW_ASSIGN(std::unique_ptr<arrow::Buffer> buffer,
            arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(int32_t))));
  auto* target = reinterpret_cast<int32_t*>(buffer->mutable_data());
  std::vector<int32_t> next(sorted.begins.begin(), sorted.begins.end() - 1);
  for (int64_t row = 0; row < row_count; ++row) {
    target[next[static_cast<size_t>(ids[static_cast<size_t>(row)])]++] = static_cast<int32_t>(row);
  }
  sorted.rows = std::make_shared<arrow::Int32Array>(
      row_count, std::shared_ptr<arrow::Buffer>(std::move(buffer)));
  return sorted;
}

}  // namespace

types::RowSchema WithoutColumns(const types::RowSchema& schema, const std::vector<int>& columns) {
  types::RowSchema rest;
  for (int column = 0; column < schema.size(); ++column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      rest.columns.push_back(schema.columns[static_cast<size_t>(column)]);
    }
  }
  return rest;
}

PartitionedWriter::PartitionedWriter(PartitionedWriterSettings settings, OpenDataFile open)
    : settings_(std::move(settings)), open_(std::move(open)) {}

Result<std::unique_ptr<PartitionedWriter>> PartitionedWriter::Make(
    PartitionedWriterSettings settings, OpenDataFile open) {
  std::unique_ptr<PartitionedWriter> writer(
      new PartitionedWriter(std::move(settings), std::move(open)));
  const std::vector<int>& keys = writer->settings_.partition_columns;
  for (int column = 0; column < writer->settings_.schema.size(); ++column) {
    if (std::find(keys.begin(), keys.end(), column) == keys.end()) {
      writer->data_columns_.push_back(column);
    }
  }
  writer->data_schema_ = types::ToArrowSchema(WithoutColumns(writer->settings_.schema, keys));
  LW_TRY(writer->ResetIndex());
  return writer;
}

Status PartitionedWriter::ResetIndex() {
  partitions_.clear();
  if (settings_.partition_columns.empty()) {
    partitions_.resize(1);
    return Status::OK();
  }
  std::vector<std::shared_ptr<arrow::DataType>> key_types;
  for (const int column : settings_.partition_columns) {
    key_types.push_back(
        types::ToArrow(*settings_.schema.columns[static_cast<size_t>(column)].type));
  }
  LW_ASSIGN(index_, state::KeyIndex::Make(std::move(key_types), arrow::default_memory_pool()));
  return Status::OK();
}

std::shared_ptr<arrow::RecordBatch> PartitionedWriter::WithoutPartitionColumns(
    const std::shared_ptr<arrow::RecordBatch>& records) const {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  columns.reserve(data_columns_.size());
  for (const int column : data_columns_) {
    columns.push_back(records->column(column));
  }
  return arrow::RecordBatch::Make(data_schema_, records->num_rows(), std::move(columns));
}

Status PartitionedWriter::Write(const stream::Batch& batch) {
  LW_ASSIGN(const stream::Batch rows, stream::Materialize(batch, arrow::default_memory_pool()));
  if (rows.records->num_rows() == 0) {
    return Status::OK();
  }
  if (settings_.partition_columns.empty()) {
    return WriteToFile(&partitions_[0], *WithoutPartitionColumns(rows.records));
  }
  LW_TRY(Distribute(rows));
  if (pending_bytes_ >= settings_.buffered_bytes_max) {
    return FlushPending();
  }
  return Status::OK();
}

Status PartitionedWriter::Distribute(const stream::Batch& batch) {
  const int64_t row_count = batch.records->num_rows();
  std::vector<std::shared_ptr<arrow::Array>> keys;
  for (const int column : settings_.partition_columns) {
    keys.push_back(batch.records->column(column));
  }
  LW_TRY(state::HashRows(keys, row_count, &hashes_));
  std::vector<int32_t> ids(static_cast<size_t>(row_count));
  LW_TRY(index_->FindOrInsert(keys, hashes_, ids.data()));
  LW_TRY(AddNewPartitions(*batch.records, ids));

  LW_ASSIGN(const SortedRows sorted, SortByPartition(ids, index_->id_bound()));
  const std::shared_ptr<arrow::RecordBatch> data = WithoutPartitionColumns(batch.records);
  LW_ASSIGN(const arrow::Datum taken,
            arrow::compute::Take(data, sorted.rows, arrow::compute::TakeOptions::NoBoundsCheck()));
  const std::shared_ptr<arrow::RecordBatch>& records = taken.record_batch();
  pending_bytes_ += arrow::util::TotalBufferSize(*records);
  for (size_t id = 0; id + 1 < sorted.begins.size(); ++id) {
    const int32_t begin = sorted.begins[id];
    const int32_t end = sorted.begins[id + 1];
    if (begin != end) {
      partitions_[id].pending.push_back(records->Slice(begin, end - begin));
    }
  }
  return Status::OK();
}

Status PartitionedWriter::AddNewPartitions(const arrow::RecordBatch& records,
                                           const std::vector<int32_t>& ids) {
  const auto known = static_cast<int64_t>(partitions_.size());
  if (index_->id_bound() == known) {
    return Status::OK();
  }
  partitions_.resize(static_cast<size_t>(index_->id_bound()));
  for (size_t row = 0; row < ids.size(); ++row) {
    Partition& partition = partitions_[static_cast<size_t>(ids[row])];
    if (ids[row] < known || !partition.values.empty()) {
      continue;
    }
    for (const int column : settings_.partition_columns) {
      LW_ASSIGN(std::shared_ptr<arrow::Scalar> value,
                records.column(column)->GetScalar(static_cast<int64_t>(row)));
      partition.values.push_back(std::move(value));
    }
  }
  return Status::OK();
}

Status PartitionedWriter::FlushPending() {
  for (Partition& partition : partitions_) {
    if (partition.pending.empty()) {
      continue;
    }
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> rows,
              arrow::ConcatenateRecordBatches(partition.pending));
    partition.pending.clear();
    LW_TRY(WriteToFile(&partition, *rows));
  }
  pending_bytes_ = 0;
  return Status::OK();
}

Status PartitionedWriter::WriteToFile(Partition* partition, const arrow::RecordBatch& rows) {
  if (partition->file == nullptr) {
    LW_TRY(MakeRoomForFile());
    LW_ASSIGN(partition->file, open_(partition->values));
    ++open_files_;
  }
  partition->last_use = ++use_counter_;
  if (encoder_bytes_ > settings_.encoder_bytes_max &&
      partition->encoder_bytes >= encoder_bytes_ / open_files_) {
    partition->file->FlushBeforeNextWrite();
  }
  LW_TRY(partition->file->Write(rows));
  encoder_bytes_ += partition->file->BufferedBytes() - partition->encoder_bytes;
  partition->encoder_bytes = partition->file->BufferedBytes();
  if (partition->file->EstimatedSizeBytes() >= settings_.target_file_bytes) {
    LW_TRY(FinishFile(partition));
  }
  return BoundEncoders();
}

Status PartitionedWriter::BoundEncoders() {
  while (open_files_ > 1 && encoder_bytes_ > 2 * settings_.encoder_bytes_max) {
    LW_TRY(FinishFile(&*std::max_element(partitions_.begin(), partitions_.end(),
                                         [](const Partition& left, const Partition& right) {
                                           return left.encoder_bytes < right.encoder_bytes;
                                         })));
  }
  return Status::OK();
}

Status PartitionedWriter::MakeRoomForFile() {
  if (open_files_ < settings_.open_files_max) {
    return Status::OK();
  }
  Partition* oldest = nullptr;
  for (Partition& partition : partitions_) {
    if (partition.file != nullptr && (oldest == nullptr || partition.last_use < oldest->last_use)) {
      oldest = &partition;
    }
  }
  return oldest == nullptr ? Status::OK() : FinishFile(oldest);
}

Status PartitionedWriter::FinishFile(Partition* partition) {
  LW_ASSIGN(stream::Committable committable, partition->file->Finish());
  finished_.push_back(std::move(committable));
  partition->file.reset();
  encoder_bytes_ -= std::exchange(partition->encoder_bytes, 0);
  --open_files_;
  return Status::OK();
}

Result<std::vector<stream::Committable>> PartitionedWriter::FinishAll() {
  LW_TRY(FlushPending());
  for (Partition& partition : partitions_) {
    if (partition.file != nullptr) {
      LW_TRY(FinishFile(&partition));
    }
  }
  LW_TRY(ResetIndex());
  return std::exchange(finished_, {});
}

void PartitionedWriter::Abort() {
  for (Partition& partition : partitions_) {
    if (partition.file != nullptr) {
      partition.file->Abort();
      partition.file.reset();
    }
    partition.pending.clear();
  }
  open_files_ = 0;
  encoder_bytes_ = 0;
  pending_bytes_ = 0;
}

}  // namespace lakeward::connector
