#include <algorithm>
#include <utility>

#include "arrow/io/interfaces.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "arrow/type_traits.h"
#include "arrow/util/key_value_metadata.h"
#include "fmt/format.h"
#include "lakeward/base/version.h"
#include "lakeward/format/parquet/footer_statistics.h"
#include "lakeward/format/parquet/masked_nulls.h"
#include "lakeward/format/parquet/nan_counts.h"
#include "lakeward/format/parquet/parquet_error.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/format/parquet/repetition.h"
#include "lakeward/types/arrow_mapping.h"
#include "parquet/arrow/writer.h"
#include "parquet/file_writer.h"
#include "parquet/properties.h"

namespace lakeward::format {

namespace {

constexpr int32_t kPrecisionMax = 6;
constexpr int64_t kValuesPerStep = 4096;
constexpr int64_t kRatioBytesMin = 1 << 20;
const std::string kWriting = "writing a Parquet file";

Result<arrow::Compression::type> CodecOf(std::string_view name) {
  if (name == "uncompressed" || name == "none") {
    return arrow::Compression::UNCOMPRESSED;
  }
  if (name == "snappy") {
    return arrow::Compression::SNAPPY;
  }
  if (name == "gzip") {
    return arrow::Compression::GZIP;
  }
  if (name == "zstd") {
    return arrow::Compression::ZSTD;
  }
  if (name == "lz4" || name == "lz4_raw") {
    return arrow::Compression::LZ4;
  }
  return MakeError(ErrorKind::kConfig, fmt::format("unknown Parquet compression '{}'", name),
                   "Use one of: uncompressed, snappy, gzip, zstd, lz4.");
}

/// Refuses what Parquet cannot hold without loss, by the column's name.
Status CheckType(const types::LogicalType& type, const std::string& path) {
  switch (type.root()) {
    case types::TypeRoot::kNull:
      return MakeError(ErrorKind::kUnsupported,
                       fmt::format("column '{}': Parquet has no column of type NULL", path),
                       "CAST the column to the type that it should have.");
    case types::TypeRoot::kTimestamp:
    case types::TypeRoot::kTimestampLtz:
      if (type.precision() > kPrecisionMax) {
        return MakeError(
            ErrorKind::kUnsupported,
            fmt::format("column '{}': {} cannot be stored, timestamps are kept in microseconds",
                        path, type.ToString()),
            "CAST the column to a precision of 6 or less.");
      }
      return Status::OK();
    case types::TypeRoot::kRow:
      if (type.fields().empty()) {
        return MakeError(ErrorKind::kUnsupported,
                         fmt::format("column '{}': Parquet cannot hold a ROW without fields", path),
                         "Leave the column out.");
      }
      break;
    default:
      break;
  }
  for (const types::TypePtr& child : type.children()) {
    LW_TRY(CheckType(*child, path));
  }
  for (const types::RowField& field : type.fields()) {
    LW_TRY(CheckType(*field.type, path + "." + field.name));
  }
  return Status::OK();
}

/// The schema as it is written: field ids as the metadata that Arrow's writer looks for.
std::shared_ptr<arrow::Schema> WrittenSchema(const ParquetWriteSettings& settings) {
  std::shared_ptr<arrow::Schema> schema = types::ToArrowSchema(settings.schema);
  if (settings.field_ids.empty()) {
    return schema;
  }
  arrow::FieldVector fields = schema->fields();
  for (size_t i = 0; i < fields.size(); ++i) {
    fields[i] = fields[i]->WithMetadata(
        arrow::key_value_metadata({"PARQUET:field_id"}, {std::to_string(settings.field_ids[i])}));
  }
  return arrow::schema(std::move(fields));
}

class ParquetWriter final : public FileWriter {
 public:
  ParquetWriter(std::shared_ptr<arrow::io::OutputStream> output, ParquetWriteSettings settings,
                arrow::Compression::type codec)
      : output_(std::move(output)),
        settings_(std::move(settings)),
        codec_(codec),
        schema_(WrittenSchema(settings_)) {}

  Status Write(const arrow::RecordBatch& batch) override;
  int64_t EstimatedSizeBytes() const override;
  int64_t BufferedBytes() const override {
    return pool_.bytes_allocated() + (writer_ == nullptr ? raw_bytes_ : 0);
  }
  void FlushBeforeNextWrite() override { flush_first_ = true; }
  Result<FileStatistics> Finish() override;

 private:
  Status Open();
  Status EncodeSample();
  Status StartRowGroup();
  Status Encode(const arrow::RecordBatch& batch);

  std::shared_ptr<arrow::io::OutputStream> output_;
  ParquetWriteSettings settings_;
  arrow::Compression::type codec_;
  std::shared_ptr<arrow::Schema> schema_;
  arrow::ProxyMemoryPool pool_{arrow::default_memory_pool()};  ///< counts this writer's share
  std::unique_ptr<::parquet::arrow::FileWriter> writer_;       ///< null while the sample grows

  NanCounts nan_counts_;
  std::vector<std::shared_ptr<arrow::RecordBatch>> sample_;
  int64_t sample_rows_ = 0;
  int64_t raw_bytes_ = 0;  ///< of all rows, before encoding
  // Of the open row group, and what had been written when it began.
  int64_t row_group_rows_ = 0;
  int64_t row_group_raw_bytes_ = 0;
  int64_t closed_bytes_ = 0;
  bool flush_first_ = false;
};

/// Bytes of a batch's own rows.
int64_t RawBytes(const arrow::RecordBatch& batch) {
  int64_t bytes = 0;
  for (const std::shared_ptr<arrow::Array>& column : batch.columns()) {
    const arrow::ArrayData& data = *column->data();
    if (arrow::is_base_binary_like(data.type->id()) && data.buffers[1] != nullptr) {
      const auto* offsets = data.GetValues<int32_t>(1);
      bytes += offsets[data.length] - offsets[0] + 4 * data.length;
    } else if (data.child_data.empty() && arrow::is_fixed_width(data.type->id())) {
      bytes +=
          (data.length * static_cast<const arrow::FixedWidthType&>(*data.type).bit_width() + 7) / 8;
    } else {
      for (const std::shared_ptr<arrow::ArrayData>& child : data.child_data) {
        bytes += child->length * 8;
      }
    }
  }
  return bytes;
}

Status ParquetWriter::Open() {
  const std::vector<std::string> repetitive =
      settings_.dictionary ? FindRepetitiveLeaves(sample_) : std::vector<std::string>();
  return CatchParquet(ErrorKind::kInternal, kWriting, [&]() -> Status {
    ::parquet::WriterProperties::Builder builder;
    builder.memory_pool(&pool_)
        ->version(::parquet::ParquetVersion::PARQUET_2_6)
        ->data_page_version(::parquet::ParquetDataPageVersion::V1)
        ->created_by(fmt::format("lakeward version {}", Version()))
        ->compression(codec_)
        ->disable_dictionary()
        ->encoding(::parquet::Encoding::PLAIN)
        ->enable_store_decimal_as_integer()
        ->enable_page_checksum()
        ->data_pagesize(settings_.page_bytes)
        ->write_batch_size(kValuesPerStep)
        ->max_row_group_length(settings_.row_group_rows)
        ->set_size_statistics_level(::parquet::SizeStatisticsLevel::None);
    for (const std::string& path : repetitive) {
      builder.enable_dictionary(path);
    }
    int level = settings_.codec_level;
    if (level < 0 && codec_ == arrow::Compression::ZSTD) {
      level = 1;
    }
    if (level >= 0 && arrow::util::Codec::SupportsCompressionLevel(codec_)) {
      builder.compression_level(level);
    }
    ::parquet::ArrowWriterProperties::Builder arrow_builder;
    arrow_builder.coerce_timestamps(arrow::TimeUnit::MICRO)->set_use_threads(settings_.use_threads);
    LW_ASSIGN(writer_, ::parquet::arrow::FileWriter::Open(*schema_, &pool_, output_,
                                                          builder.build(), arrow_builder.build()));
    return Status::OK();
  });
}

Status ParquetWriter::EncodeSample() {
  LW_TRY(Open());
  for (const std::shared_ptr<arrow::RecordBatch>& batch : sample_) {
    LW_TRY(Encode(*batch));
  }
  sample_.clear();
  return Status::OK();
}

Status ParquetWriter::StartRowGroup() {
  LW_TRY(writer_->NewBufferedRowGroup());
  flush_first_ = false;
  row_group_rows_ = 0;
  row_group_raw_bytes_ = 0;
  LW_ASSIGN(closed_bytes_, output_->Tell());
  return Status::OK();
}

Status ParquetWriter::Encode(const arrow::RecordBatch& batch) {
  const Status written = CatchParquet(ErrorKind::kInternal, kWriting, [&]() -> Status {
    const bool is_full = flush_first_ ||
                         row_group_rows_ + batch.num_rows() > settings_.row_group_rows ||
                         row_group_raw_bytes_ >= settings_.row_group_bytes;
    if (row_group_rows_ == 0 || is_full) {
      LW_TRY(StartRowGroup());
    }
    return writer_->WriteRecordBatch(batch);
  });
  LW_TRY(written);
  row_group_rows_ += batch.num_rows();
  row_group_raw_bytes_ += RawBytes(batch);
  return Status::OK();
}

Status ParquetWriter::Write(const arrow::RecordBatch& batch) {
  if (batch.num_rows() == 0) {
    return Status::OK();
  }
  LW_ASSIGN(std::shared_ptr<arrow::RecordBatch> rows, DropMaskedNulls(batch, schema_));
  raw_bytes_ += RawBytes(*rows);
  nan_counts_.Add(*rows);
  if (writer_ != nullptr) {
    return Encode(*rows);
  }
  sample_.push_back(std::move(rows));
  sample_rows_ += batch.num_rows();
  return sample_rows_ < settings_.dictionary_sample_rows ? Status::OK() : EncodeSample();
}

Result<FileStatistics> ParquetWriter::Finish() {
  if (writer_ == nullptr) {
    LW_TRY(EncodeSample());
  }
  return CatchParquet(ErrorKind::kInternal, kWriting, [&]() -> Result<FileStatistics> {
    LW_TRY(writer_->Close());
    LW_ASSIGN(const int64_t size, output_->Tell());
    FileStatistics statistics = StatisticsOfFooter(*writer_->metadata(), size);
    nan_counts_.SetIn(&statistics.columns);
    return statistics;
  });
}

int64_t ParquetWriter::EstimatedSizeBytes() const {
  // The open row group is taken to shrink as the closed ones did, to a third where there is none.
  const int64_t closed_raw_bytes = raw_bytes_ - row_group_raw_bytes_;
  const double ratio =
      closed_bytes_ > kRatioBytesMin && closed_raw_bytes > 0
          ? static_cast<double>(closed_bytes_) / static_cast<double>(closed_raw_bytes)
          : (codec_ == arrow::Compression::UNCOMPRESSED ? 1.0 : 1.0 / 3);
  const int64_t open_raw_bytes = writer_ == nullptr ? raw_bytes_ : row_group_raw_bytes_;
  return closed_bytes_ + static_cast<int64_t>(static_cast<double>(open_raw_bytes) * ratio);
}

}  // namespace

Result<std::unique_ptr<FileWriter>> OpenParquetWriter(
    std::shared_ptr<arrow::io::OutputStream> output, const ParquetWriteSettings& settings) {
  LW_ASSIGN(const arrow::Compression::type codec, CodecOf(settings.codec));
  for (const types::Column& column : settings.schema.columns) {
    LW_TRY(CheckType(*column.type, column.name));
  }
  return std::make_unique<ParquetWriter>(std::move(output), settings, codec);
}

}  // namespace lakeward::format
