#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/catalog/table_factory.h"
#include "lakeward/config/option.h"
#include "lakeward/format/format.h"

namespace lakeward::connector {

/// A filesystem table's WITH clause, read.
struct FilesystemTable {
  std::string name;  ///< full, for errors
  fs::Location root;
  const format::Format* format = nullptr;
  config::OptionMap format_options;  ///< without the format's prefix
  std::vector<std::string> partition_keys;
  std::string default_partition_name;  ///< the folder of null
  int64_t target_file_bytes = 0;
  types::TimeZone zone;
};

/// Declarations, those of every format included.
std::vector<config::OptionInfo> FilesystemOptions();

/// Reads the options; kConfig, kValidation and kUnsupported name the table and the option.
Result<FilesystemTable> ReadFilesystemTable(const catalog::TableContext& context);

}  // namespace lakeward::connector
