#include "lakeward/table/delta/table_snapshot.h"

#include <utility>

#include "lakeward/table/delta/features.h"

namespace lakeward::delta {

TableSnapshot::TableSnapshot(std::shared_ptr<const TableState> state, std::string table_name,
                             ParsedSchema schema)
    : state_(std::move(state)), table_name_(std::move(table_name)), schema_(std::move(schema)) {}

Result<std::shared_ptr<const TableSnapshot>> TableSnapshot::Make(
    std::shared_ptr<const TableState> state, std::string table_name) {
  const Metadata& metadata = state->metadata->metadata;
  if (metadata.schema_json.empty()) {
    return MakeError(ErrorKind::kCorruptData,
                     "table " + table_name + ": its metaData action has no schemaString",
                     "The program that set the table up did not finish; let it run again.");
  }
  Result<ParsedSchema> schema = ParseSchema(metadata.schema_json);
  if (!schema.ok()) {
    return WithContext(schema.status(), "table " + table_name);
  }
  for (const std::string& column : metadata.partition_columns) {
    if (!schema->schema.FindColumn(column).has_value()) {
      return MakeError(ErrorKind::kCorruptData, "table " + table_name + ": the partition column `" +
                                                    column + "` is not in the table's schema");
    }
  }
  return std::shared_ptr<const TableSnapshot>(
      new TableSnapshot(std::move(state), std::move(table_name), *std::move(schema)));
}

Result<std::vector<AddFile>> TableSnapshot::Files() const {
  std::vector<AddFile> files;
  files.reserve(state_->files.size());
  for (const PackedFilePtr& file : state_->files) {
    files.push_back(file->Unpack());
  }
  return files;
}

std::optional<int64_t> TableSnapshot::TransactionVersion(const std::string& sink_id) const {
  const auto found = state_->transactions.find(sink_id);
  return found == state_->transactions.end() ? std::nullopt
                                             : std::optional<int64_t>(found->second.action.version);
}

Status TableSnapshot::CheckReadable() const {
  return delta::CheckReadable(*state_, schema_, table_name_);
}

Status TableSnapshot::CheckWritable() const {
  return delta::CheckWritable(*state_, schema_, table_name_);
}

}  // namespace lakeward::delta
