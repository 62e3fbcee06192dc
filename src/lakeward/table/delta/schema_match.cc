#include "lakeward/table/delta/schema_match.h"

#include <algorithm>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "lakeward/table/delta/schema_json.h"

namespace lakeward::delta {
namespace {

std::string ListOf(const std::vector<std::string>& names) {
  return fmt::format("({})", fmt::join(names, ", "));
}

Status Differs(std::string_view table, std::string difference) {
  return MakeError(ErrorKind::kValidation,
                   fmt::format("a Delta table is already at {}, and {}", table, difference),
                   "Change the statement so that it describes the table that is there, or choose "
                   "another path.");
}

Status CompareColumn(size_t position, const types::Column& declared, const types::Column& present,
                     std::string_view table) {
  if (declared.name != present.name) {
    return Differs(table, fmt::format("its column {} is `{}`, not `{}`", position + 1, present.name,
                                      declared.name));
  }
  if (!TypeFits(*declared.type, *present.type)) {
    return Differs(table, fmt::format("its column `{}` has the type {}, not {}", present.name,
                                      present.type->ToString(), declared.type->ToString()));
  }
  if (declared.type->nullable() != present.type->nullable()) {
    return Differs(table, fmt::format("its column `{}` is {}, not {}", present.name,
                                      present.type->nullable() ? "nullable" : "NOT NULL",
                                      declared.type->nullable() ? "nullable" : "NOT NULL"));
  }
  return Status::OK();
}

Status CompareProperties(const std::map<std::string, std::string>& declared,
                         const Snapshot& snapshot, std::string_view table) {
  constexpr std::string_view kFeaturePrefix = "delta.feature.";
  const auto& present = snapshot.metadata().configuration;
  for (const auto& [key, value] : declared) {
    if (key.starts_with(kFeaturePrefix)) {
      const auto& features = snapshot.protocol().writer_features;
      const std::string name = key.substr(kFeaturePrefix.size());
      if (std::find(features.begin(), features.end(), name) == features.end()) {
        return Differs(table, fmt::format("it has not the table feature '{}'", name));
      }
      continue;
    }
    if (key == "delta.minReaderVersion" || key == "delta.minWriterVersion") {
      continue;
    }
    const auto found = present.find(key);
    if (found == present.end()) {
      return Differs(table, fmt::format("its property '{}' is not set", key));
    }
    if (found->second != value) {
      return Differs(table,
                     fmt::format("its property '{}' is '{}', not '{}'", key, found->second, value));
    }
  }
  return Status::OK();
}

}  // namespace

std::optional<std::string> FindSchemaConflict(const types::RowSchema& written,
                                              const std::vector<std::string>& written_partitions,
                                              const types::RowSchema& table,
                                              const std::vector<std::string>& table_partitions) {
  if (written_partitions != table_partitions) {
    return fmt::format("the table is now partitioned by {}, the files were written for {}",
                       ListOf(table_partitions), ListOf(written_partitions));
  }
  for (const types::Column& column : written.columns) {
    const std::optional<int> number = table.FindColumn(column.name);
    if (!number.has_value()) {
      return fmt::format("the column `{}` was dropped or renamed; the table now has {}",
                         column.name, table.ToString());
    }
    const types::Column& present = table.columns[*number];
    if (!TypeFits(*column.type, *present.type)) {
      return fmt::format("the column `{}` is now {}, the files hold {}", column.name,
                         present.type->ToString(), column.type->ToString());
    }
    if (column.type->nullable() && !present.type->nullable()) {
      return fmt::format("the column `{}` is now NOT NULL, the files may hold nulls", column.name);
    }
  }
  for (const types::Column& present : table.columns) {
    if (!present.type->nullable() && !written.FindColumn(present.name).has_value()) {
      return fmt::format("the new column `{}` is NOT NULL and the files do not have it",
                         present.name);
    }
  }
  return std::nullopt;
}

Status CheckSameTable(const CreateTableSpec& spec, const Snapshot& snapshot,
                      std::string_view table) {
  const auto& declared = spec.schema.columns;
  const auto& present = snapshot.schema().columns;
  if (!declared.empty()) {
    for (size_t i = 0; i < std::min(declared.size(), present.size()); ++i) {
      LW_TRY(CompareColumn(i, declared[i], present[i], table));
    }
    if (declared.size() < present.size()) {
      return Differs(table,
                     fmt::format("it has a further column `{}` {}", present[declared.size()].name,
                                 present[declared.size()].type->ToString()));
    }
    if (declared.size() > present.size()) {
      return Differs(table, fmt::format("it has no column `{}`", declared[present.size()].name));
    }
    if (spec.partition_columns != snapshot.metadata().partition_columns) {
      return Differs(table, fmt::format("it is partitioned by {}, not by {}",
                                        ListOf(snapshot.metadata().partition_columns),
                                        ListOf(spec.partition_columns)));
    }
  }
  return CompareProperties(spec.configuration, snapshot, table);
}

}  // namespace lakeward::delta
