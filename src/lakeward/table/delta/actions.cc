#include "lakeward/table/delta/actions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "lakeward/table/delta/file_path.h"

namespace lakeward::delta {
namespace {

using json::Json;

Status WrongType(std::string_view what, const char* member, std::string_view expected) {
  return MakeError(ErrorKind::kCorruptData,
                   std::string(what) + ": member '" + member + "' is no " + std::string(expected));
}

/// Texts of an object; null values are dropped, numbers and booleans are taken as written.
Status GetTextMap(const Json& object, const char* member, std::string_view what,
                  std::map<std::string, std::string>* texts) {
  const Json* map = json::Find(object, member);
  if (map == nullptr || map->is_null()) {
    return Status::OK();
  }
  if (!map->is_object()) {
    return WrongType(what, member, "object");
  }
  for (const auto& [key, value] : map->items()) {
    if (value.is_string()) {
      (*texts)[key] = value.get_ref<const std::string&>();
    } else if (value.is_boolean() || value.is_number()) {
      (*texts)[key] = json::Write(value);
    } else if (!value.is_null()) {
      return WrongType(what, member, "map of texts");
    }
  }
  return Status::OK();
}

Status GetPartitionValues(const Json& object, std::string_view what,
                          std::map<std::string, std::optional<std::string>>* values) {
  const Json* map = json::Find(object, "partitionValues");
  if (map == nullptr || map->is_null()) {
    return Status::OK();
  }
  if (!map->is_object()) {
    return WrongType(what, "partitionValues", "object");
  }
  for (const auto& [column, value] : map->items()) {
    if (value.is_null()) {
      (*values)[column] = std::nullopt;
    } else if (value.is_string()) {
      (*values)[column] = value.get_ref<const std::string&>();
    } else {
      return WrongType(what, "partitionValues", "map of texts");
    }
  }
  return Status::OK();
}

Status GetTextList(const Json& object, const char* member, std::string_view what,
                   std::vector<std::string>* texts) {
  const Json* list = json::Find(object, member);
  if (list == nullptr || list->is_null()) {
    return Status::OK();
  }
  if (!list->is_array()) {
    return WrongType(what, member, "list");
  }
  for (const Json& value : *list) {
    if (!value.is_string()) {
      return WrongType(what, member, "list of texts");
    }
    texts->push_back(value.get_ref<const std::string&>());
  }
  return Status::OK();
}

Status GetDeletionVector(const Json& object, std::string_view what,
                         std::optional<DeletionVector>* deletion_vector) {
  const Json* found = json::Find(object, "deletionVector");
  if (found == nullptr || found->is_null()) {
    return Status::OK();
  }
  if (!found->is_object()) {
    return WrongType(what, "deletionVector", "object");
  }
  DeletionVector vector;
  LW_ASSIGN(vector.storage_type, json::GetString(*found, "storageType", what));
  LW_ASSIGN(vector.path_or_inline_data, json::GetString(*found, "pathOrInlineDv", what));
  LW_ASSIGN(const std::optional<int64_t> offset, json::GetOptionalInt64(*found, "offset", what));
  if (offset.has_value()) {
    vector.offset = static_cast<int32_t>(*offset);
  }
  LW_ASSIGN(const int64_t size_bytes, json::GetInt64(*found, "sizeInBytes", what));
  vector.size_bytes = static_cast<int32_t>(size_bytes);
  LW_ASSIGN(vector.cardinality, json::GetInt64(*found, "cardinality", what));
  *deletion_vector = std::move(vector);
  return Status::OK();
}

Status ParseProtocol(const Json& body, std::string_view what, Actions* actions) {
  Protocol protocol;
  LW_ASSIGN(const int64_t reader, json::GetInt64(body, "minReaderVersion", what));
  LW_ASSIGN(const int64_t writer, json::GetInt64(body, "minWriterVersion", what));
  protocol.min_reader_version = ToProtocolVersion(reader);
  protocol.min_writer_version = ToProtocolVersion(writer);
  LW_TRY(GetTextList(body, "readerFeatures", what, &protocol.reader_features));
  LW_TRY(GetTextList(body, "writerFeatures", what, &protocol.writer_features));
  actions->protocol = std::move(protocol);
  return Status::OK();
}

Status ParseMetadata(const Json& body, std::string_view what, Actions* actions) {
  MetadataAction action;
  Metadata& metadata = action.metadata;
  LW_ASSIGN(metadata.id, json::GetString(body, "id", what));
  LW_ASSIGN(std::optional<std::string> name, json::GetOptionalString(body, "name", what));
  metadata.name = std::move(name).value_or("");
  LW_ASSIGN(std::optional<std::string> description,
            json::GetOptionalString(body, "description", what));
  metadata.description = std::move(description).value_or("");
  // Some writers set a table up in two steps; only the newest metadata must have a schema.
  LW_ASSIGN(std::optional<std::string> schema, json::GetOptionalString(body, "schemaString", what));
  metadata.schema_json = std::move(schema).value_or("");
  LW_TRY(GetTextList(body, "partitionColumns", what, &metadata.partition_columns));
  LW_TRY(GetTextMap(body, "configuration", what, &metadata.configuration));
  LW_ASSIGN(metadata.created_time_ms, json::GetOptionalInt64(body, "createdTime", what));
  const Json* format = json::Find(body, "format");
  if (format != nullptr && format->is_object()) {
    LW_ASSIGN(std::optional<std::string> provider,
              json::GetOptionalString(*format, "provider", what));
    action.provider = std::move(provider).value_or("parquet");
    LW_TRY(GetTextMap(*format, "options", what, &action.provider_options));
  }
  actions->metadata = std::move(action);
  return Status::OK();
}

Status ParseAdd(const Json& body, std::string_view what, Actions* actions) {
  AddFile file;
  LW_ASSIGN(const std::string path, json::GetString(body, "path", what));
  file.path = PathFromLog(path);
  LW_TRY(GetPartitionValues(body, what, &file.partition_values));
  LW_ASSIGN(file.size_bytes, json::GetInt64(body, "size", what));
  LW_ASSIGN(const std::optional<int64_t> modified,
            json::GetOptionalInt64(body, "modificationTime", what));
  file.modification_time_ms = modified.value_or(0);
  LW_ASSIGN(const std::optional<bool> data_change, json::GetOptionalBool(body, "dataChange", what));
  file.data_change = data_change.value_or(true);
  LW_ASSIGN(std::optional<std::string> statistics, json::GetOptionalString(body, "stats", what));
  file.statistics_json = std::move(statistics).value_or("");
  LW_TRY(GetTextMap(body, "tags", what, &file.tags));
  LW_TRY(GetDeletionVector(body, what, &file.deletion_vector));
  LW_ASSIGN(file.base_row_id, json::GetOptionalInt64(body, "baseRowId", what));
  LW_ASSIGN(file.default_row_commit_version,
            json::GetOptionalInt64(body, "defaultRowCommitVersion", what));
  LW_ASSIGN(std::optional<std::string> clustering,
            json::GetOptionalString(body, "clusteringProvider", what));
  file.clustering_provider = std::move(clustering).value_or("");
  actions->adds.push_back(std::move(file));
  return Status::OK();
}

Status ParseRemove(const Json& body, std::string_view what, Actions* actions) {
  RemoveFile file;
  LW_ASSIGN(const std::string path, json::GetString(body, "path", what));
  file.path = PathFromLog(path);
  LW_ASSIGN(file.deletion_timestamp_ms, json::GetOptionalInt64(body, "deletionTimestamp", what));
  LW_ASSIGN(const std::optional<bool> data_change, json::GetOptionalBool(body, "dataChange", what));
  file.data_change = data_change.value_or(true);
  LW_ASSIGN(file.extended_file_metadata, json::GetOptionalBool(body, "extendedFileMetadata", what));
  LW_TRY(GetPartitionValues(body, what, &file.partition_values));
  LW_ASSIGN(file.size_bytes, json::GetOptionalInt64(body, "size", what));
  LW_TRY(GetDeletionVector(body, what, &file.deletion_vector));
  LW_ASSIGN(file.base_row_id, json::GetOptionalInt64(body, "baseRowId", what));
  LW_ASSIGN(file.default_row_commit_version,
            json::GetOptionalInt64(body, "defaultRowCommitVersion", what));
  actions->removes.push_back(std::move(file));
  return Status::OK();
}

Status ParseTransaction(const Json& body, std::string_view what, Actions* actions) {
  TransactionAction transaction;
  LW_ASSIGN(transaction.app_id, json::GetString(body, "appId", what));
  LW_ASSIGN(transaction.version, json::GetInt64(body, "version", what));
  LW_ASSIGN(transaction.last_updated_ms, json::GetOptionalInt64(body, "lastUpdated", what));
  actions->transactions.push_back(std::move(transaction));
  return Status::OK();
}

Status ParseCommitInfo(const Json& body, std::string_view what, Actions* actions) {
  actions->commit_info = body;
  return Status::OK();
}

Status ParseDomain(const Json& body, std::string_view what, Actions* actions) {
  DomainMetadata domain;
  LW_ASSIGN(domain.domain, json::GetString(body, "domain", what));
  LW_ASSIGN(std::optional<std::string> configuration,
            json::GetOptionalString(body, "configuration", what));
  domain.configuration = std::move(configuration).value_or("");
  LW_ASSIGN(const std::optional<bool> removed, json::GetOptionalBool(body, "removed", what));
  domain.removed = removed.value_or(false);
  actions->domains.push_back(std::move(domain));
  return Status::OK();
}

Status ParseSidecar(const Json& body, std::string_view what, Actions* actions) {
  Sidecar sidecar;
  LW_ASSIGN(sidecar.path, json::GetString(body, "path", what));
  LW_ASSIGN(const std::optional<int64_t> size, json::GetOptionalInt64(body, "sizeInBytes", what));
  sidecar.size_bytes = size.value_or(0);
  actions->sidecars.push_back(std::move(sidecar));
  return Status::OK();
}

struct ActionKind {
  const char* name;
  Status (*parse)(const Json& body, std::string_view what, Actions* actions);
};

/// Every action that the log may hold and that matters here. `cdc` (change data, read by nobody
/// here), `checkpointMetadata` and whatever the future brings are skipped.
constexpr std::array<ActionKind, 8> kActionKinds{{
    {"add", ParseAdd},
    {"remove", ParseRemove},
    {"txn", ParseTransaction},
    {"commitInfo", ParseCommitInfo},
    {"protocol", ParseProtocol},
    {"metaData", ParseMetadata},
    {"domainMetadata", ParseDomain},
    {"sidecar", ParseSidecar},
}};

Json TextMapToJson(const std::map<std::string, std::string>& texts) {
  Json object = Json::object();
  for (const auto& [key, value] : texts) {
    object[key] = value;
  }
  return object;
}

Json DeletionVectorToJson(const DeletionVector& vector) {
  Json object = Json::object();
  object["storageType"] = vector.storage_type;
  object["pathOrInlineDv"] = vector.path_or_inline_data;
  if (vector.offset.has_value()) {
    object["offset"] = *vector.offset;
  }
  object["sizeInBytes"] = vector.size_bytes;
  object["cardinality"] = vector.cardinality;
  return object;
}

std::string Line(const char* action, Json body) {
  Json line = Json::object();
  line[action] = std::move(body);
  return json::Write(line);
}

}  // namespace

int ToProtocolVersion(int64_t version) {
  return static_cast<int>(std::clamp<int64_t>(version, std::numeric_limits<int>::min(),
                                              std::numeric_limits<int>::max()));
}

Status ParseAction(std::string_view line, std::string_view what, Actions* actions) {
  LW_ASSIGN(const Json document, json::Parse(line, what));
  if (!document.is_object()) {
    return MakeError(ErrorKind::kCorruptData, std::string(what) + ": the line is no JSON object");
  }
  for (const ActionKind& kind : kActionKinds) {
    const Json* body = json::Find(document, kind.name);
    if (body == nullptr || body->is_null()) {
      continue;
    }
    if (!body->is_object()) {
      return WrongType(what, kind.name, "object");
    }
    LW_TRY(kind.parse(*body, what, actions));
  }
  return Status::OK();
}

Result<Actions> ParseLogEntry(std::string_view text, std::string_view what) {
  Actions actions;
  int line_number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line_number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    LW_TRY(ParseAction(line, std::string(what) + " line " + std::to_string(line_number), &actions));
  }
  return actions;
}

std::string ToLine(const Protocol& protocol) {
  Json body = Json::object();
  body["minReaderVersion"] = protocol.min_reader_version;
  body["minWriterVersion"] = protocol.min_writer_version;
  // "Protocol Evolution": the lists exist only with reader version 3 and writer version 7.
  if (protocol.min_reader_version == 3) {
    body["readerFeatures"] = protocol.reader_features;
  }
  if (protocol.min_writer_version == 7) {
    body["writerFeatures"] = protocol.writer_features;
  }
  return Line("protocol", std::move(body));
}

std::string ToLine(const MetadataAction& action) {
  const Metadata& metadata = action.metadata;
  Json body = Json::object();
  body["id"] = metadata.id;
  if (!metadata.name.empty()) {
    body["name"] = metadata.name;
  }
  if (!metadata.description.empty()) {
    body["description"] = metadata.description;
  }
  Json format = Json::object();
  format["provider"] = action.provider;
  format["options"] = TextMapToJson(action.provider_options);
  body["format"] = std::move(format);
  body["schemaString"] = metadata.schema_json;
  body["partitionColumns"] = metadata.partition_columns;
  body["configuration"] = TextMapToJson(metadata.configuration);
  if (metadata.created_time_ms.has_value()) {
    body["createdTime"] = *metadata.created_time_ms;
  }
  return Line("metaData", std::move(body));
}

std::string ToLine(const AddFile& file) {
  Json body = Json::object();
  body["path"] = PathToLog(file.path);
  Json values = Json::object();
  for (const auto& [column, value] : file.partition_values) {
    values[column] = value.has_value() ? Json(*value) : Json(nullptr);
  }
  body["partitionValues"] = std::move(values);
  body["size"] = file.size_bytes;
  body["modificationTime"] = file.modification_time_ms;
  body["dataChange"] = file.data_change;
  if (!file.statistics_json.empty()) {
    body["stats"] = file.statistics_json;
  }
  if (!file.tags.empty()) {
    body["tags"] = TextMapToJson(file.tags);
  }
  if (file.deletion_vector.has_value()) {
    body["deletionVector"] = DeletionVectorToJson(*file.deletion_vector);
  }
  if (file.base_row_id.has_value()) {
    body["baseRowId"] = *file.base_row_id;
  }
  if (file.default_row_commit_version.has_value()) {
    body["defaultRowCommitVersion"] = *file.default_row_commit_version;
  }
  if (!file.clustering_provider.empty()) {
    body["clusteringProvider"] = file.clustering_provider;
  }
  return Line("add", std::move(body));
}

std::string ToLine(const TransactionAction& transaction) {
  Json body = Json::object();
  body["appId"] = transaction.app_id;
  body["version"] = transaction.version;
  if (transaction.last_updated_ms.has_value()) {
    body["lastUpdated"] = *transaction.last_updated_ms;
  }
  return Line("txn", std::move(body));
}

std::string CommitInfoLine(const Json& commit_info) { return Line("commitInfo", commit_info); }

std::string UniqueId(const std::optional<DeletionVector>& deletion_vector) {
  if (!deletion_vector.has_value()) {
    return "";
  }
  std::string id = deletion_vector->storage_type + deletion_vector->path_or_inline_data;
  if (deletion_vector->offset.has_value()) {
    id += "@" + std::to_string(*deletion_vector->offset);
  }
  return id;
}

}  // namespace lakeward::delta
