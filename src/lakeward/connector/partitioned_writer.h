#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "arrow/record_batch.h"
#include "arrow/scalar.h"
#include "lakeward/base/status.h"
#include "lakeward/state/key_index.h"
#include "lakeward/stream/batch.h"
#include "lakeward/stream/sink.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::connector {

/// A file of one partition while it is being written. One thread.
class DataFile {
 public:
  virtual ~DataFile() = default;
  /// Rows without the partition columns.
  virtual Status Write(const arrow::RecordBatch& rows) = 0;
  virtual int64_t EstimatedSizeBytes() const = 0;
  /// As in format::FileWriter.
  virtual int64_t BufferedBytes() const = 0;
  virtual void FlushBeforeNextWrite() = 0;
  /// Closes the file and gives what the checkpoint must remember of it.
  virtual Result<stream::Committable> Finish() = 0;
  /// Gives the file up; nothing visible is left.
  virtual void Abort() = 0;
};

/// Opens a file for the rows with these values of the partition columns (none when unpartitioned).
using OpenDataFile = std::function<Result<std::unique_ptr<DataFile>>(
    const std::vector<std::shared_ptr<arrow::Scalar>>& partition_values)>;

struct PartitionedWriterSettings {
  types::RowSchema schema;             ///< of the rows that come
  std::vector<int> partition_columns;  ///< in the order of the table's declaration
  int64_t target_file_bytes = 128 << 20;
  /// Rows of several partitions wait together until they weigh this much; then all go to encoders.
  int64_t buffered_bytes_max = 24 << 20;
  /// What encoders may hold together. Beyond it a file whose share is the average or more sends its
  /// rows so far to storage before it gets more, and at twice as much the largest is finished.
  int64_t encoder_bytes_max = 64 << 20;
  /// An open Parquet encoder of 8 columns costs up to 1 MiB: beyond this many the one that rested
  /// longest is finished.
  int open_files_max = 64;
};

/// The columns that stand in the files: all but those of these numbers.
types::RowSchema WithoutColumns(const types::RowSchema& schema, const std::vector<int>& columns);

/// Spreads rows over one file per partition. A batch is sorted by partition with one take; slices
/// wait in memory, so that encoders see long runs. One thread.
class PartitionedWriter {
 public:
  static Result<std::unique_ptr<PartitionedWriter>> Make(PartitionedWriterSettings settings,
                                                         OpenDataFile open);

  Status Write(const stream::Batch& batch);

  /// Finishes every open file; the writer goes on with new ones.
  Result<std::vector<stream::Committable>> FinishAll();

  /// Gives everything up that FinishAll has not returned.
  void Abort();

 private:
  struct Partition {
    std::vector<std::shared_ptr<arrow::Scalar>> values;
    std::vector<std::shared_ptr<arrow::RecordBatch>> pending;
    std::unique_ptr<DataFile> file;
    int64_t encoder_bytes = 0;  ///< of `file`, when it was last written
    int64_t last_use = 0;
  };

  PartitionedWriter(PartitionedWriterSettings settings, OpenDataFile open);
  Status ResetIndex();
  Status Distribute(const stream::Batch& batch);
  Status AddNewPartitions(const arrow::RecordBatch& records, const std::vector<int32_t>& ids);
  Status FlushPending();
  Status WriteToFile(Partition* partition, const arrow::RecordBatch& rows);
  Status FinishFile(Partition* partition);
  Status MakeRoomForFile();
  Status BoundEncoders();
  std::shared_ptr<arrow::RecordBatch> WithoutPartitionColumns(
      const std::shared_ptr<arrow::RecordBatch>& records) const;

  PartitionedWriterSettings settings_;
  OpenDataFile open_;
  std::vector<int> data_columns_;
  std::shared_ptr<arrow::Schema> data_schema_;
  std::unique_ptr<state::KeyIndex> index_;
  std::vector<Partition> partitions_;
  std::vector<stream::Committable> finished_;
  std::vector<uint64_t> hashes_;
  int64_t pending_bytes_ = 0;
  int64_t encoder_bytes_ = 0;
  int64_t open_files_ = 0;
  int64_t use_counter_ = 0;
};

}  // namespace lakeward::connector
