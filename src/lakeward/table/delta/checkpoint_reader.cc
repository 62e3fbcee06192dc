#include "lakeward/table/delta/checkpoint_reader.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "arrow/array.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "lakeward/table/delta/file_path.h"
#include "parquet/arrow/reader.h"
#include "parquet/file_reader.h"
#include "parquet/schema.h"

// Source: protocol, "Checkpoints", "Checkpoint Schema", "Sidecar Files". The one file of the folder
// that reads Parquet by itself: checkpoints are nested in ways that no table is.

namespace lakeward::delta {
namespace {

constexpr int64_t kBatchRows = 8'192;

/// The members of one row's struct. The first mismatch of types is kept in `error`; values read
/// after it mean nothing.
class StructReader {
 public:
  StructReader(const arrow::StructArray& array, int64_t row, Status* error)
      : array_(&array), row_(row), error_(error) {}

  std::optional<std::string> Text(const char* name) const {
    const std::shared_ptr<arrow::Array> field = Present(name);
    return field == nullptr ? std::nullopt : TextAt(*field, row_, name);
  }

  std::optional<int64_t> Number(const char* name) const {
    const std::shared_ptr<arrow::Array> field = Present(name);
    if (field == nullptr) {
      return std::nullopt;
    }
    switch (field->type_id()) {
      case arrow::Type::INT32:
        return static_cast<const arrow::Int32Array&>(*field).Value(row_);
      case arrow::Type::INT64:
        return static_cast<const arrow::Int64Array&>(*field).Value(row_);
      default:
        Mismatch(name, "a whole number", *field);
        return std::nullopt;
    }
  }

  std::optional<bool> Boolean(const char* name) const {
    const std::shared_ptr<arrow::Array> field = Present(name);
    if (field == nullptr) {
      return std::nullopt;
    }
    if (field->type_id() != arrow::Type::BOOL) {
      Mismatch(name, "true or false", *field);
      return std::nullopt;
    }
    return static_cast<const arrow::BooleanArray&>(*field).Value(row_);
  }

  std::map<std::string, std::optional<std::string>> TextMap(const char* name) const {
    std::map<std::string, std::optional<std::string>> texts;
    const std::shared_ptr<arrow::Array> field = Present(name);
    if (field == nullptr) {
      return texts;
    }
    if (field->type_id() != arrow::Type::MAP) {
      Mismatch(name, "a map", *field);
      return texts;
    }
    const auto& map = static_cast<const arrow::MapArray&>(*field);
    for (int64_t i = map.value_offset(row_); i < map.value_offset(row_ + 1); ++i) {
      const std::optional<std::string> key = TextAt(*map.keys(), i, name);
      if (key.has_value()) {
        texts[*key] = map.items()->IsNull(i) ? std::nullopt : TextAt(*map.items(), i, name);
      }
    }
    return texts;
  }

  std::map<std::string, std::string> PlainTextMap(const char* name) const {
    std::map<std::string, std::string> plain;
    for (auto& [key, value] : TextMap(name)) {
      if (value.has_value()) {
        plain[key] = std::move(*value);
      }
    }
    return plain;
  }

  std::vector<std::string> TextList(const char* name) const {
    std::vector<std::string> texts;
    const std::shared_ptr<arrow::Array> field = Present(name);
    if (field == nullptr) {
      return texts;
    }
    if (field->type_id() != arrow::Type::LIST) {
      Mismatch(name, "a list", *field);
      return texts;
    }
    const auto& list = static_cast<const arrow::ListArray&>(*field);
    for (int64_t i = list.value_offset(row_); i < list.value_offset(row_ + 1); ++i) {
      if (std::optional<std::string> text = TextAt(*list.values(), i, name)) {
        texts.push_back(std::move(*text));
      }
    }
    return texts;
  }

  std::optional<StructReader> Struct(const char* name) const {
    const std::shared_ptr<arrow::Array> field = Present(name);
    if (field == nullptr) {
      return std::nullopt;
    }
    if (field->type_id() != arrow::Type::STRUCT) {
      Mismatch(name, "a struct", *field);
      return std::nullopt;
    }
    StructReader reader(static_cast<const arrow::StructArray&>(*field), row_, error_);
    reader.owned_ = field;
    return reader;
  }

  /// For members without which the action means nothing.
  std::string RequiredText(const char* name) const {
    std::optional<std::string> text = Text(name);
    if (!text.has_value()) {
      Missing(name);
    }
    return std::move(text).value_or("");
  }
  int64_t RequiredNumber(const char* name) const {
    const std::optional<int64_t> number = Number(name);
    if (!number.has_value()) {
      Missing(name);
    }
    return number.value_or(0);
  }

 private:
  /// The member's array, null when it is missing or null in this row.
  std::shared_ptr<arrow::Array> Present(const char* name) const {
    std::shared_ptr<arrow::Array> field = array_->GetFieldByName(name);
    return field == nullptr || field->IsNull(row_) ? nullptr : field;
  }

  std::optional<std::string> TextAt(const arrow::Array& array, int64_t row,
                                    const char* name) const {
    if (array.IsNull(row)) {
      return std::nullopt;
    }
    switch (array.type_id()) {
      case arrow::Type::STRING:
      case arrow::Type::BINARY:
        return std::string(static_cast<const arrow::BinaryArray&>(array).GetView(row));
      case arrow::Type::LARGE_STRING:
      case arrow::Type::LARGE_BINARY:
        return std::string(static_cast<const arrow::LargeBinaryArray&>(array).GetView(row));
      default:
        Mismatch(name, "a text", array);
        return std::nullopt;
    }
  }

  void Mismatch(const char* name, const char* wanted, const arrow::Array& found) const {
    if (error_->ok()) {
      *error_ = MakeError(ErrorKind::kCorruptData, fmt::format("'{}' must be {}, not {}", name,
                                                               wanted, found.type()->ToString()));
    }
  }
  void Missing(const char* name) const {
    if (error_->ok()) {
      *error_ = MakeError(ErrorKind::kCorruptData, fmt::format("'{}' is missing", name));
    }
  }

  const arrow::StructArray* array_;
  int64_t row_;
  Status* error_;
  std::shared_ptr<arrow::Array> owned_;
};

std::optional<DeletionVector> ReadDeletionVector(const StructReader& reader) {
  const std::optional<StructReader> found = reader.Struct("deletionVector");
  // Some writers give a struct of nulls where there is no deletion vector.
  if (!found.has_value() || !found->Text("storageType").has_value()) {
    return std::nullopt;
  }
  DeletionVector vector;
  vector.storage_type = found->RequiredText("storageType");
  vector.path_or_inline_data = found->RequiredText("pathOrInlineDv");
  if (const std::optional<int64_t> offset = found->Number("offset")) {
    vector.offset = static_cast<int32_t>(*offset);
  }
  vector.size_bytes = static_cast<int32_t>(found->RequiredNumber("sizeInBytes"));
  vector.cardinality = found->RequiredNumber("cardinality");
  return vector;
}

void ReadAdd(const StructReader& reader, Actions* actions) {
  AddFile file;
  file.path = PathFromLog(reader.RequiredText("path"));
  file.partition_values = reader.TextMap("partitionValues");
  file.size_bytes = reader.RequiredNumber("size");
  file.modification_time_ms = reader.Number("modificationTime").value_or(0);
  file.data_change = reader.Boolean("dataChange").value_or(true);
  file.statistics_json = reader.Text("stats").value_or("");
  file.tags = reader.PlainTextMap("tags");
  file.deletion_vector = ReadDeletionVector(reader);
  file.base_row_id = reader.Number("baseRowId");
  file.default_row_commit_version = reader.Number("defaultRowCommitVersion");
  file.clustering_provider = reader.Text("clusteringProvider").value_or("");
  actions->adds.push_back(std::move(file));
}

void ReadRemove(const StructReader& reader, Actions* actions) {
  RemoveFile file;
  file.path = PathFromLog(reader.RequiredText("path"));
  file.deletion_timestamp_ms = reader.Number("deletionTimestamp");
  file.data_change = reader.Boolean("dataChange").value_or(true);
  file.extended_file_metadata = reader.Boolean("extendedFileMetadata");
  file.partition_values = reader.TextMap("partitionValues");
  file.size_bytes = reader.Number("size");
  file.deletion_vector = ReadDeletionVector(reader);
  file.base_row_id = reader.Number("baseRowId");
  file.default_row_commit_version = reader.Number("defaultRowCommitVersion");
  actions->removes.push_back(std::move(file));
}

void ReadProtocol(const StructReader& reader, Actions* actions) {
  Protocol protocol;
  protocol.min_reader_version = ToProtocolVersion(reader.RequiredNumber("minReaderVersion"));
  protocol.min_writer_version = ToProtocolVersion(reader.RequiredNumber("minWriterVersion"));
  protocol.reader_features = reader.TextList("readerFeatures");
  protocol.writer_features = reader.TextList("writerFeatures");
  actions->protocol = std::move(protocol);
}

void ReadMetadata(const StructReader& reader, Actions* actions) {
  MetadataAction action;
  action.metadata.id = reader.RequiredText("id");
  action.metadata.name = reader.Text("name").value_or("");
  action.metadata.description = reader.Text("description").value_or("");
  action.metadata.schema_json = reader.Text("schemaString").value_or("");
  action.metadata.partition_columns = reader.TextList("partitionColumns");
  action.metadata.configuration = reader.PlainTextMap("configuration");
  action.metadata.created_time_ms = reader.Number("createdTime");
  if (const std::optional<StructReader> format = reader.Struct("format")) {
    action.provider = format->Text("provider").value_or("parquet");
    action.provider_options = format->PlainTextMap("options");
  }
  actions->metadata = std::move(action);
}

void ReadTransaction(const StructReader& reader, Actions* actions) {
  TransactionAction transaction;
  transaction.app_id = reader.RequiredText("appId");
  transaction.version = reader.RequiredNumber("version");
  transaction.last_updated_ms = reader.Number("lastUpdated");
  actions->transactions.push_back(std::move(transaction));
}

void ReadDomain(const StructReader& reader, Actions* actions) {
  DomainMetadata domain;
  domain.domain = reader.RequiredText("domain");
  domain.configuration = reader.Text("configuration").value_or("");
  domain.removed = reader.Boolean("removed").value_or(false);
  actions->domains.push_back(std::move(domain));
}

void ReadSidecar(const StructReader& reader, Actions* actions) {
  Sidecar sidecar;
  sidecar.path = reader.RequiredText("path");
  sidecar.size_bytes = reader.Number("sizeInBytes").value_or(0);
  actions->sidecars.push_back(std::move(sidecar));
}

struct ActionColumn {
  const char* name;
  void (*read)(const StructReader& reader, Actions* actions);
};

constexpr ActionColumn kActionColumns[] = {
    {"add", ReadAdd},           {"remove", ReadRemove},   {"protocol", ReadProtocol},
    {"metaData", ReadMetadata}, {"txn", ReadTransaction}, {"domainMetadata", ReadDomain},
    {"sidecar", ReadSidecar},
};

Result<Actions> ReadBatch(const arrow::RecordBatch& batch) {
  Actions actions;
  Status error;
  for (const ActionColumn& column : kActionColumns) {
    const std::shared_ptr<arrow::Array> array = batch.GetColumnByName(column.name);
    if (array == nullptr) {
      continue;
    }
    if (array->type_id() != arrow::Type::STRUCT) {
      return MakeError(ErrorKind::kCorruptData,
                       fmt::format("the column '{}' is no struct", column.name));
    }
    const auto& structs = static_cast<const arrow::StructArray&>(*array);
    for (int64_t row = 0; row < structs.length(); ++row) {
      if (structs.IsValid(row)) {
        column.read(StructReader(structs, row, &error), &actions);
      }
    }
    LW_TRY(error);
  }
  return actions;
}

/// The leaves worth reading: what is doubled in parsed form is not.
std::vector<int> LeavesToRead(const parquet::SchemaDescriptor& schema) {
  std::vector<int> leaves;
  for (int i = 0; i < schema.num_columns(); ++i) {
    const std::vector<std::string> path = schema.Column(i)->path()->ToDotVector();
    const bool known =
        std::any_of(std::begin(kActionColumns), std::end(kActionColumns),
                    [&](const ActionColumn& column) { return path.front() == column.name; });
    const bool parsed =
        path.size() > 1 && (path[1] == "stats_parsed" || path[1] == "partitionValues_parsed");
    if (known && !parsed) {
      leaves.push_back(i);
    }
  }
  return leaves;
}

Status ReadParquet(const fs::Location& root, const std::string& path,
                   const std::function<void(Actions)>& take) {
  LW_ASSIGN(std::shared_ptr<arrow::io::RandomAccessFile> input, root.file_system->OpenInput(path));
  try {
    parquet::arrow::FileReaderBuilder builder;
    LW_TRY(builder.Open(std::move(input)));
    parquet::ArrowReaderProperties properties;
    properties.set_batch_size(kBatchRows);
    properties.set_use_threads(false);
    builder.properties(properties);
    std::unique_ptr<parquet::arrow::FileReader> reader;
    LW_TRY(builder.Build(&reader));
    std::vector<int> row_groups(reader->num_row_groups());
    for (int i = 0; i < reader->num_row_groups(); ++i) {
      row_groups[i] = i;
    }
    const std::vector<int> leaves = LeavesToRead(*reader->parquet_reader()->metadata()->schema());
    LW_ASSIGN(std::unique_ptr<arrow::RecordBatchReader> batches,
              reader->GetRecordBatchReader(row_groups, leaves));
    while (true) {
      LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> batch, batches->Next());
      if (batch == nullptr) {
        return Status::OK();
      }
      LW_ASSIGN(Actions actions, ReadBatch(*batch));
      take(std::move(actions));
    }
  } catch (const std::exception& error) {
    return MakeError(ErrorKind::kCorruptData, error.what());
  }
}

Status ReadPart(const fs::Location& root, const Checkpoint& checkpoint, const std::string& name,
                const std::function<void(Actions)>& take) {
  const std::string path = LogPath(root, name);
  if (checkpoint.form != CheckpointForm::kUuidJson) {
    return ReadParquet(root, path, take);
  }
  LW_ASSIGN(const std::string text, root.file_system->ReadAll(path));
  LW_ASSIGN(Actions actions, ParseLogEntry(text, name));
  take(std::move(actions));
  return Status::OK();
}

}  // namespace

Status ReadCheckpoint(const fs::Location& root, const Checkpoint& checkpoint,
                      const std::function<void(Actions)>& take) {
  std::vector<Sidecar> sidecars;
  const auto take_part = [&](Actions actions) {
    std::move(actions.sidecars.begin(), actions.sidecars.end(), std::back_inserter(sidecars));
    actions.sidecars.clear();
    // Checkpoints hold no provenance.
    actions.commit_info.reset();
    take(std::move(actions));
  };
  for (const std::string& name : checkpoint.file_names) {
    const Status status = ReadPart(root, checkpoint, name, take_part);
    if (!status.ok()) {
      return WithContext(status, "checkpoint _delta_log/" + name);
    }
  }
  for (const Sidecar& sidecar : sidecars) {
    const std::string path = PathFromLog(sidecar.path);
    Result<fs::Location> location = LocateFile(root, path);
    const bool file_name_only = path.find('/') == std::string::npos;
    if (!file_name_only && !location.ok()) {
      return location.status();
    }
    const Status status = ReadParquet(
        root, file_name_only ? LogPath(root, "_sidecars/" + path) : location->path, take);
    if (!status.ok()) {
      return WithContext(status, "checkpoint sidecar " + sidecar.path);
    }
  }
  return Status::OK();
}

}  // namespace lakeward::delta
