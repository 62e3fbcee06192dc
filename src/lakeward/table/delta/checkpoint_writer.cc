#include "lakeward/table/delta/checkpoint_writer.h"

#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_nested.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/record_batch.h"
#include "arrow/table_builder.h"
#include "arrow/type.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/table/delta/log_listing.h"
#include "parquet/arrow/writer.h"

// Source: protocol, "Checkpoints", "Checkpoint Schema". Columns that newer readers project are all
// there, as nulls where this table has no use for them.

namespace lakeward::delta {
namespace {

constexpr int64_t kBatchRows = 8'192;

// The columns of a checkpoint, by position.
enum ActionColumn : int { kMetadata, kProtocol, kTransaction, kAdd, kRemove, kDomain };

std::shared_ptr<arrow::DataType> TextMapType() { return arrow::map(arrow::utf8(), arrow::utf8()); }

std::shared_ptr<arrow::DataType> TextListType() {
  return arrow::list(arrow::field("element", arrow::utf8()));
}

std::shared_ptr<arrow::DataType> DeletionVectorType() {
  return arrow::struct_({
      arrow::field("storageType", arrow::utf8()),
      arrow::field("pathOrInlineDv", arrow::utf8()),
      arrow::field("offset", arrow::int32()),
      arrow::field("sizeInBytes", arrow::int32()),
      arrow::field("cardinality", arrow::int64()),
  });
}

std::shared_ptr<arrow::Schema> CheckpointSchema() {
  const auto format = arrow::struct_({
      arrow::field("provider", arrow::utf8()),
      arrow::field("options", TextMapType()),
  });
  const auto metadata = arrow::struct_({
      arrow::field("id", arrow::utf8()),
      arrow::field("name", arrow::utf8()),
      arrow::field("description", arrow::utf8()),
      arrow::field("format", format),
      arrow::field("schemaString", arrow::utf8()),
      arrow::field("partitionColumns", TextListType()),
      arrow::field("configuration", TextMapType()),
      arrow::field("createdTime", arrow::int64()),
  });
  const auto protocol = arrow::struct_({
      arrow::field("minReaderVersion", arrow::int32()),
      arrow::field("minWriterVersion", arrow::int32()),
      arrow::field("readerFeatures", TextListType()),
      arrow::field("writerFeatures", TextListType()),
  });
  const auto transaction = arrow::struct_({
      arrow::field("appId", arrow::utf8()),
      arrow::field("version", arrow::int64()),
      arrow::field("lastUpdated", arrow::int64()),
  });
  const auto add = arrow::struct_({
      arrow::field("path", arrow::utf8()),
      arrow::field("partitionValues", TextMapType()),
      arrow::field("size", arrow::int64()),
      arrow::field("modificationTime", arrow::int64()),
      arrow::field("dataChange", arrow::boolean()),
      arrow::field("stats", arrow::utf8()),
      arrow::field("tags", TextMapType()),
      arrow::field("deletionVector", DeletionVectorType()),
      arrow::field("baseRowId", arrow::int64()),
      arrow::field("defaultRowCommitVersion", arrow::int64()),
      arrow::field("clusteringProvider", arrow::utf8()),
  });
  const auto remove = arrow::struct_({
      arrow::field("path", arrow::utf8()),
      arrow::field("deletionTimestamp", arrow::int64()),
      arrow::field("dataChange", arrow::boolean()),
      arrow::field("extendedFileMetadata", arrow::boolean()),
      arrow::field("partitionValues", TextMapType()),
      arrow::field("size", arrow::int64()),
      arrow::field("deletionVector", DeletionVectorType()),
      arrow::field("baseRowId", arrow::int64()),
      arrow::field("defaultRowCommitVersion", arrow::int64()),
  });
  const auto domain = arrow::struct_({
      arrow::field("domain", arrow::utf8()),
      arrow::field("configuration", arrow::utf8()),
      arrow::field("removed", arrow::boolean()),
  });
  return arrow::schema({
      arrow::field("metaData", metadata),
      arrow::field("protocol", protocol),
      arrow::field("txn", transaction),
      arrow::field("add", add),
      arrow::field("remove", remove),
      arrow::field("domainMetadata", domain),
  });
}

/// Fills the members of one struct in the order of its type.
class StructFiller {
 public:
  explicit StructFiller(arrow::ArrayBuilder* builder)
      : builder_(static_cast<arrow::StructBuilder*>(builder)), status_(builder_->Append()) {}

  StructFiller& Text(const std::optional<std::string_view>& text) {
    auto* builder = static_cast<arrow::StringBuilder*>(Next());
    return Note(text.has_value() ? builder->Append(*text) : builder->AppendNull());
  }
  /// For texts that are absent when they are empty.
  StructFiller& TextOrNull(std::string_view text) {
    return Text(text.empty() ? std::nullopt : std::optional<std::string_view>(text));
  }
  StructFiller& Int32(const std::optional<int32_t>& number) {
    auto* builder = static_cast<arrow::Int32Builder*>(Next());
    return Note(number.has_value() ? builder->Append(*number) : builder->AppendNull());
  }
  StructFiller& Int64(const std::optional<int64_t>& number) {
    auto* builder = static_cast<arrow::Int64Builder*>(Next());
    return Note(number.has_value() ? builder->Append(*number) : builder->AppendNull());
  }
  StructFiller& Boolean(const std::optional<bool>& value) {
    auto* builder = static_cast<arrow::BooleanBuilder*>(Next());
    return Note(value.has_value() ? builder->Append(*value) : builder->AppendNull());
  }
  StructFiller& Null() { return Note(Next()->AppendNull()); }

  /// A map of texts or optional texts.
  template <typename Map>
  StructFiller& TextMap(const Map& texts) {
    auto* builder = static_cast<arrow::MapBuilder*>(Next());
    Note(builder->Append());
    auto* keys = static_cast<arrow::StringBuilder*>(builder->key_builder());
    auto* values = static_cast<arrow::StringBuilder*>(builder->item_builder());
    for (const auto& [key, value] : texts) {
      Note(keys->Append(key));
      Note(AppendValue(value, values));
    }
    return *this;
  }
  StructFiller& TextList(const std::vector<std::string>& texts) {
    auto* builder = static_cast<arrow::ListBuilder*>(Next());
    Note(builder->Append());
    auto* values = static_cast<arrow::StringBuilder*>(builder->value_builder());
    for (const std::string& text : texts) {
      Note(values->Append(text));
    }
    return *this;
  }
  StructFiller& OptionalDeletionVector(const std::optional<DeletionVector>& vector) {
    if (!vector.has_value()) {
      return Null();
    }
    StructFiller filler(Next());
    filler.Text(vector->storage_type)
        .Text(vector->path_or_inline_data)
        .Int32(vector->offset)
        .Int32(vector->size_bytes)
        .Int64(vector->cardinality);
    return Note(filler.status());
  }
  /// The next member, a struct that the caller fills.
  arrow::ArrayBuilder* Next() { return builder_->field_builder(next_++); }

  StructFiller& Note(const Status& status) {
    status_ &= status;
    return *this;
  }
  const Status& status() const { return status_; }

 private:
  static Status AppendValue(const std::string& value, arrow::StringBuilder* values) {
    return values->Append(value);
  }
  static Status AppendValue(const std::optional<std::string>& value, arrow::StringBuilder* values) {
    return value.has_value() ? values->Append(*value) : values->AppendNull();
  }

  arrow::StructBuilder* builder_;
  int next_ = 0;
  Status status_;
};

/// Turns actions into rows and rows into Parquet.
class CheckpointFile {
 public:
  static Result<std::unique_ptr<CheckpointFile>> Open(std::shared_ptr<fs::OutputFile> output) {
    auto file = std::unique_ptr<CheckpointFile>(new CheckpointFile(std::move(output)));
    const auto properties =
        parquet::WriterProperties::Builder().compression(arrow::Compression::SNAPPY)->build();
    LW_ASSIGN(file->writer_,
              parquet::arrow::FileWriter::Open(*file->schema_, arrow::default_memory_pool(),
                                               file->output_, properties));
    LW_ASSIGN(file->rows_, arrow::RecordBatchBuilder::Make(
                               file->schema_, arrow::default_memory_pool(), kBatchRows));
    return file;
  }

  Status Write(const Protocol& protocol) {
    StructFiller filler(rows_->GetField(kProtocol));
    filler.Int32(protocol.min_reader_version).Int32(protocol.min_writer_version);
    // "Their values must be null" unless the versions are 3 and 7; an empty list is not null.
    if (protocol.min_reader_version == 3) {
      filler.TextList(protocol.reader_features);
    } else {
      filler.Null();
    }
    if (protocol.min_writer_version == 7) {
      filler.TextList(protocol.writer_features);
    } else {
      filler.Null();
    }
    return EndRow(kProtocol, filler.status());
  }

  Status Write(const MetadataAction& action) {
    const Metadata& metadata = action.metadata;
    StructFiller filler(rows_->GetField(kMetadata));
    filler.Text(metadata.id).TextOrNull(metadata.name).TextOrNull(metadata.description);
    StructFiller format(filler.Next());
    format.Text(action.provider).TextMap(action.provider_options);
    filler.Note(format.status())
        .Text(metadata.schema_json)
        .TextList(metadata.partition_columns)
        .TextMap(metadata.configuration)
        .Int64(metadata.created_time_ms);
    return EndRow(kMetadata, filler.status());
  }

  Status Write(const TransactionAction& transaction) {
    StructFiller filler(rows_->GetField(kTransaction));
    filler.Text(transaction.app_id).Int64(transaction.version).Int64(transaction.last_updated_ms);
    return EndRow(kTransaction, filler.status());
  }

  Status Write(const AddFile& file) {
    StructFiller filler(rows_->GetField(kAdd));
    // "dataChange" of a checkpoint says that reading it brings no new data.
    filler.Text(PathToLog(file.path))
        .TextMap(file.partition_values)
        .Int64(file.size_bytes)
        .Int64(file.modification_time_ms)
        .Boolean(false)
        .TextOrNull(file.statistics_json);
    if (file.tags.empty()) {
      filler.Null();
    } else {
      filler.TextMap(file.tags);
    }
    filler.OptionalDeletionVector(file.deletion_vector)
        .Int64(file.base_row_id)
        .Int64(file.default_row_commit_version)
        .TextOrNull(file.clustering_provider);
    return EndRow(kAdd, filler.status());
  }

  Status Write(const RemoveFile& file) {
    StructFiller filler(rows_->GetField(kRemove));
    filler.Text(PathToLog(file.path))
        .Int64(file.deletion_timestamp_ms)
        .Boolean(false)
        .Boolean(file.extended_file_metadata);
    if (file.extended_file_metadata.value_or(false)) {
      filler.TextMap(file.partition_values);
    } else {
      filler.Null();
    }
    filler.Int64(file.size_bytes)
        .OptionalDeletionVector(file.deletion_vector)
        .Int64(file.base_row_id)
        .Int64(file.default_row_commit_version);
    return EndRow(kRemove, filler.status());
  }

  Status Write(const DomainMetadata& domain) {
    StructFiller filler(rows_->GetField(kDomain));
    filler.Text(domain.domain).Text(domain.configuration).Boolean(false);
    return EndRow(kDomain, filler.status());
  }

  /// Returns the size of the file.
  Result<int64_t> Close() {
    LW_TRY(Flush());
    LW_TRY(writer_->Close());
    LW_ASSIGN(const int64_t size_bytes, output_->Tell());
    LW_TRY(output_->Close());
    return size_bytes;
  }

  int64_t row_count() const { return row_count_; }

 private:
  explicit CheckpointFile(std::shared_ptr<fs::OutputFile> output)
      : output_(std::move(output)), schema_(CheckpointSchema()) {}

  /// Completes the row whose only action is in `column`.
  Status EndRow(int column, const Status& filled) {
    LW_TRY(filled);
    for (int other = 0; other < rows_->num_fields(); ++other) {
      if (other != column) {
        LW_TRY(rows_->GetField(other)->AppendNull());
      }
    }
    ++row_count_;
    return ++buffered_rows_ < kBatchRows ? Status::OK() : Flush();
  }

  Status Flush() {
    if (buffered_rows_ == 0) {
      return Status::OK();
    }
    buffered_rows_ = 0;
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> batch, rows_->Flush());
    return writer_->WriteRecordBatch(*batch);
  }

  std::shared_ptr<fs::OutputFile> output_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::unique_ptr<arrow::RecordBatchBuilder> rows_;
  int64_t buffered_rows_ = 0;
  int64_t row_count_ = 0;
};

Result<LastCheckpoint> WriteAll(const TableState& state, int64_t oldest_tombstone_ms,
                                CheckpointFile* file) {
  LW_TRY(file->Write(*state.protocol));
  LW_TRY(file->Write(*state.metadata));
  for (const auto& [app_id, transaction] : state.transactions) {
    LW_TRY(file->Write(transaction.action));
  }
  for (const auto& [name, domain] : state.domains) {
    LW_TRY(file->Write(domain));
  }
  for (const auto& [key, tombstone] : state.tombstones) {
    if (tombstone->deletion_timestamp_ms.value_or(0) >= oldest_tombstone_ms) {
      LW_TRY(file->Write(*tombstone));
    }
  }
  for (const PackedFilePtr& packed : state.files) {
    LW_TRY(file->Write(packed->Unpack()));
  }
  LastCheckpoint written;
  written.version = state.version;
  LW_ASSIGN(written.size_bytes, file->Close());
  written.action_count = file->row_count();
  written.add_file_count = static_cast<int64_t>(state.files.size());
  return written;
}

}  // namespace

Result<LastCheckpoint> WriteCheckpoint(const fs::Location& root, const TableState& state,
                                       int64_t oldest_tombstone_ms) {
  LW_ASSIGN(std::shared_ptr<fs::OutputFile> output,
            root.file_system->OpenOutput(LogPath(root, CheckpointName(state.version)), {}));
  // Destroying the output unclosed gives its bytes up.
  try {
    LW_ASSIGN(const std::unique_ptr<CheckpointFile> file, CheckpointFile::Open(std::move(output)));
    return WriteAll(state, oldest_tombstone_ms, file.get());
  } catch (const std::exception& error) {
    return MakeError(ErrorKind::kIo, error.what());
  }
}

}  // namespace lakeward::delta
