#include <algorithm>
#include <utility>

#include "arrow/array/util.h"
#include "arrow/io/interfaces.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "lakeward/format/parquet/column_conversion.h"
#include "lakeward/format/parquet/footer_statistics.h"
#include "lakeward/format/parquet/parquet_error.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/types/arrow_mapping.h"
#include "parquet/arrow/reader.h"
#include "parquet/arrow/schema.h"
#include "parquet/file_reader.h"
#include "parquet/properties.h"

namespace lakeward::format {

namespace {

/// Row groups larger than this are read piece by piece instead of column by column.
constexpr int64_t kBufferedColumnBytes = 32 << 20;
constexpr int64_t kReadAheadBytes = 1 << 20;

using ::parquet::arrow::SchemaField;

/// Leaf columns of the file below `field` that `type` wants.
void AddLeaves(const SchemaField& field, const types::LogicalType& type, std::vector<int>* leaves) {
  if (field.is_leaf()) {
    leaves->push_back(field.column_index);
    return;
  }
  if (type.root() == types::TypeRoot::kRow && field.field->type()->id() == arrow::Type::STRUCT) {
    const size_t before = leaves->size();
    for (const types::RowField& wanted : type.fields()) {
      for (const SchemaField& child : field.children) {
        if (child.field->name() == wanted.name) {
          AddLeaves(child, *wanted.type, leaves);
          break;
        }
      }
    }
    if (leaves->size() > before) {
      return;
    }
    // None of the wanted fields is there: one leaf tells which rows are null.
    AddLeaves(field.children.front(), *types::Null(), leaves);
    return;
  }
  if (type.root() == types::TypeRoot::kArray && field.children.size() == 1) {
    AddLeaves(field.children.front(), *type.children()[0], leaves);
    return;
  }
  if (type.root() == types::TypeRoot::kNull) {
    AddLeaves(field.children.front(), type, leaves);
    return;
  }
  for (const SchemaField& child : field.children) {
    AddLeaves(child, *types::String(), leaves);
  }
}

class ParquetReader final : public FileReader {
 public:
  ParquetReader(const FileRange& range, const ParquetReadSettings& settings)
      : name_(range.file.uri), settings_(settings), schema_(types::ToArrowSchema(settings.schema)) {
    settings_.batch_rows_max = std::max<int64_t>(settings_.batch_rows_max, 1);
  }

  Status Open(std::shared_ptr<arrow::io::RandomAccessFile> file, const FileRange& range);
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override;
  int64_t position() const override { return position_; }

 private:
  struct RowGroup {
    int index;
    int64_t rows;
  };

  void FindColumns();
  void FindRowGroups(const FileRange& range);
  Result<bool> OpenRowGroup();
  Result<std::shared_ptr<arrow::RecordBatch>> ReadBatch();
  Result<std::shared_ptr<arrow::RecordBatch>> Convert(const arrow::RecordBatch& batch);

  std::string name_;
  ParquetReadSettings settings_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<::parquet::arrow::FileReader> reader_;
  std::vector<int> leaves_;
  std::vector<RowGroup> row_groups_;  ///< of the range

  size_t next_row_group_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;  ///< of the open row group, if it has columns
  int64_t rows_left_ = 0;                              ///< in the open row group
  int64_t rows_to_skip_ = 0;                           ///< until the resume position
  int64_t position_ = 0;
};

Status ParquetReader::Open(std::shared_ptr<arrow::io::RandomAccessFile> file,
                           const FileRange& range) {
  rows_to_skip_ = settings_.resume_position.value_or(0);
  return CatchParquet(ErrorKind::kCorruptData, name_, [&]() -> Status {
    ::parquet::ReaderProperties properties = ::parquet::default_reader_properties();
    properties.set_page_checksum_verification(true);
    std::unique_ptr<::parquet::ParquetFileReader> parquet =
        ::parquet::ParquetFileReader::Open(file, properties);
    int64_t largest_column = 0;
    for (int group = 0; group < parquet->metadata()->num_row_groups(); ++group) {
      const auto row_group = parquet->metadata()->RowGroup(group);
      for (int column = 0; column < row_group->num_columns(); ++column) {
        largest_column =
            std::max(largest_column, row_group->ColumnChunk(column)->total_compressed_size());
      }
    }
    if (largest_column > kBufferedColumnBytes) {
      const std::shared_ptr<::parquet::FileMetaData> metadata = parquet->metadata();
      properties.enable_buffered_stream();
      properties.set_buffer_size(kReadAheadBytes);
      parquet = ::parquet::ParquetFileReader::Open(file, properties, metadata);
    }
    ::parquet::ArrowReaderProperties arrow_properties;
    arrow_properties.set_batch_size(settings_.batch_rows_max);
    arrow_properties.set_use_threads(false);
    arrow_properties.set_pre_buffer(false);
    arrow_properties.set_coerce_int96_timestamp_unit(arrow::TimeUnit::MICRO);
    LW_ASSIGN(reader_, ::parquet::arrow::FileReader::Make(arrow::default_memory_pool(),
                                                          std::move(parquet), arrow_properties));
    FindColumns();
    FindRowGroups(range);
    return Status::OK();
  });
}

void ParquetReader::FindColumns() {
  for (const types::Column& wanted : settings_.schema.columns) {
    for (const SchemaField& field : reader_->manifest().schema_fields) {
      if (field.field->name() == wanted.name) {
        AddLeaves(field, *wanted.type, &leaves_);
        break;
      }
    }
  }
  std::sort(leaves_.begin(), leaves_.end());
  leaves_.erase(std::unique(leaves_.begin(), leaves_.end()), leaves_.end());
}

void ParquetReader::FindRowGroups(const FileRange& range) {
  const ::parquet::FileMetaData& metadata = *reader_->parquet_reader()->metadata();
  const int64_t end = range.length < 0 ? -1 : range.offset + range.length;
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const std::unique_ptr<::parquet::RowGroupMetaData> group = metadata.RowGroup(i);
    if (group->num_rows() == 0) {
      continue;
    }
    if (range.offset != 0 || end >= 0) {
      int64_t start = 0;
      int64_t size = 0;
      for (int column = 0; column < group->num_columns(); ++column) {
        const std::unique_ptr<::parquet::ColumnChunkMetaData> chunk = group->ColumnChunk(column);
        if (column == 0) {
          start = chunk->data_page_offset();
          if (chunk->has_dictionary_page() && chunk->dictionary_page_offset() > 0) {
            start = std::min(start, chunk->dictionary_page_offset());
          }
        }
        size += chunk->total_compressed_size();
      }
      const int64_t middle = start + size / 2;
      if (middle < range.offset || (end >= 0 && middle >= end)) {
        continue;
      }
    }
    row_groups_.push_back({i, group->num_rows()});
  }
}

/// Opens the next row group that matters; false when there is none.
Result<bool> ParquetReader::OpenRowGroup() {
  for (; next_row_group_ < row_groups_.size(); ++next_row_group_) {
    const RowGroup& group = row_groups_[next_row_group_];
    const bool done_before = rows_to_skip_ >= group.rows;
    if (done_before ||
        (settings_.row_group_filter && !settings_.row_group_filter(RowGroupStatistics(
                                           *reader_->parquet_reader()->metadata(), group.index)))) {
      rows_to_skip_ = std::max<int64_t>(rows_to_skip_ - group.rows, 0);
      position_ += group.rows;
      continue;
    }
    ++next_row_group_;
    rows_left_ = group.rows;
    if (!leaves_.empty()) {
      LW_ASSIGN(batches_, reader_->GetRecordBatchReader({group.index}, leaves_));
    }
    return true;
  }
  return false;
}

Result<std::shared_ptr<arrow::RecordBatch>> ParquetReader::ReadBatch() {
  for (;;) {
    if (rows_left_ == 0) {
      batches_ = nullptr;
      LW_ASSIGN(const bool more, OpenRowGroup());
      if (!more) {
        return nullptr;
      }
    }
    std::shared_ptr<arrow::RecordBatch> batch;
    if (leaves_.empty()) {
      // Only the number of rows is wanted, or columns that the file lacks.
      batch = arrow::RecordBatch::Make(
          arrow::schema({}), std::min(rows_left_, settings_.batch_rows_max), arrow::ArrayVector());
    } else {
      LW_TRY(batches_->ReadNext(&batch));
      if (batch == nullptr || batch->num_rows() > rows_left_) {
        return Status::Invalid("a row group holds another number of rows than its header says");
      }
    }
    rows_left_ -= batch->num_rows();
    position_ += batch->num_rows();
    if (rows_to_skip_ >= batch->num_rows()) {
      rows_to_skip_ -= batch->num_rows();
      continue;
    }
    if (rows_to_skip_ > 0) {
      batch = batch->Slice(rows_to_skip_);
      rows_to_skip_ = 0;
    }
    return Convert(*batch);
  }
}

Result<std::shared_ptr<arrow::RecordBatch>> ParquetReader::Convert(
    const arrow::RecordBatch& batch) {
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const types::Column& wanted : settings_.schema.columns) {
    const std::shared_ptr<arrow::Array> found = batch.GetColumnByName(wanted.name);
    std::shared_ptr<arrow::Array> column;
    if (found == nullptr) {
      LW_ASSIGN(column, arrow::MakeArrayOfNull(types::ToArrow(*wanted.type), batch.num_rows()));
    } else {
      LW_ASSIGN(column, ConvertColumn(found, *wanted.type, wanted.name));
    }
    columns.push_back(std::move(column));
  }
  return arrow::RecordBatch::Make(schema_, batch.num_rows(), std::move(columns));
}

Result<std::shared_ptr<arrow::RecordBatch>> ParquetReader::Next() {
  return CatchParquet(ErrorKind::kCorruptData, name_,
                      [&]() -> Result<std::shared_ptr<arrow::RecordBatch>> { return ReadBatch(); });
}

}  // namespace

Result<std::unique_ptr<FileReader>> OpenParquetReader(const FileRange& range,
                                                      const ParquetReadSettings& settings) {
  LW_ASSIGN(std::shared_ptr<arrow::io::RandomAccessFile> file,
            range.file.file_system->OpenInput(range.file.path));
  auto reader = std::make_unique<ParquetReader>(range, settings);
  LW_TRY(reader->Open(std::move(file), range));
  return std::unique_ptr<FileReader>(std::move(reader));
}

}  // namespace lakeward::format
