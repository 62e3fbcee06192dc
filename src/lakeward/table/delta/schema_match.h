#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::delta {

/// What keeps files that were written with `written` from being added to the table: a column that
/// the table no longer has, has with another type, or demands and did not get; other partition
/// columns. Nothing when they fit; columns that came to the table meanwhile are read as null.
std::optional<std::string> FindSchemaConflict(const types::RowSchema& written,
                                              const std::vector<std::string>& written_partitions,
                                              const types::RowSchema& table,
                                              const std::vector<std::string>& table_partitions);

/// Compares CREATE TABLE with a table that is there, column by column; kValidation names the first
/// difference. A statement without columns takes the table's.
Status CheckSameTable(const CreateTableSpec& spec, const Snapshot& snapshot,
                      std::string_view table);

}  // namespace lakeward::delta
