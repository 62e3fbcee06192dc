#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "lakeward/base/clock.h"
#include "lakeward/connector/partitioned_writer.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::connector {

/// Where and how one data file is written.
struct DeltaDataFileSpec {
  fs::Location root;
  std::string relative_path;
  std::map<std::string, std::optional<std::string>> partition_values;
  types::RowSchema stored_data_schema;  ///< without partition columns, in the table's types
  delta::Metadata metadata;
  Clock* clock = nullptr;
};

/// A Parquet file that becomes an `add` action. It is invisible until a log entry names it.
Result<std::unique_ptr<DataFile>> OpenDeltaDataFile(DeltaDataFileSpec spec);

}  // namespace lakeward::connector
