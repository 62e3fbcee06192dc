#include "lakeward/table/delta/create_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/table/delta/commit_info.h"
#include "lakeward/table/delta/features.h"
#include "lakeward/table/delta/schema_json.h"

namespace lakeward::delta {
namespace {

bool HasNtz(const Protocol& protocol) {
  return std::find(protocol.writer_features.begin(), protocol.writer_features.end(),
                   "timestampNtz") != protocol.writer_features.end();
}

Status CheckPartitionColumns(const CreateTableSpec& spec) {
  std::set<std::string> seen;
  for (const std::string& name : spec.partition_columns) {
    const std::optional<int> number = spec.schema.FindColumn(name);
    if (!number.has_value()) {
      return MakeError(ErrorKind::kValidation,
                       fmt::format("the partition column `{}` is not a column of the table", name),
                       "Partition by a declared column.");
    }
    if (!seen.insert(name).second) {
      return MakeError(ErrorKind::kValidation,
                       fmt::format("the table is partitioned by `{}` twice", name),
                       "Name each partition column once.");
    }
    const types::LogicalType& type = *spec.schema.columns[*number].type;
    if (!type.children().empty() || type.root() == types::TypeRoot::kRow) {
      return MakeError(ErrorKind::kUnsupported,
                       fmt::format("the partition column `{}` has the type {}; a Delta table is "
                                   "partitioned by simple types only",
                                   name, type.ToString()),
                       "Partition by a column of a simple type.");
    }
  }
  if (spec.partition_columns.size() == spec.schema.columns.size()) {
    return MakeError(ErrorKind::kValidation,
                     "a Delta table cannot be partitioned by all of its columns",
                     "Leave at least one column out of PARTITIONED BY.");
  }
  return Status::OK();
}

}  // namespace

Result<std::string> FirstEntry(const CreateTableSpec& spec, const std::string& table_id,
                               int64_t now_ms, const std::string& commit_id) {
  if (spec.schema.columns.empty()) {
    return MakeError(ErrorKind::kValidation, "a new Delta table needs at least one column",
                     "List the columns in CREATE TABLE, or check the path if the table should be "
                     "there already.");
  }
  LW_TRY(CheckColumnNames(spec.schema));
  LW_TRY(CheckPartitionColumns(spec));
  MetadataAction action;
  action.metadata.configuration = spec.configuration;
  LW_ASSIGN(const Protocol protocol, ProtocolFor(&action.metadata.configuration));
  action.metadata.id = table_id;
  action.metadata.description = spec.description;
  LW_ASSIGN(action.metadata.schema_json, SchemaToJson(spec.schema, HasNtz(protocol)));
  action.metadata.partition_columns = spec.partition_columns;
  action.metadata.created_time_ms = now_ms;
  return fmt::format("{}\n{}\n{}\n",
                     CommitInfoLine(CreateCommitInfo(action.metadata, now_ms, commit_id)),
                     ToLine(protocol), ToLine(action));
}

}  // namespace lakeward::delta
