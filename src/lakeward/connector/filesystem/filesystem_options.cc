#include "lakeward/connector/filesystem/filesystem_options.h"

#include "lakeward/base/similar_names.h"

namespace lakeward::connector {
namespace {

const config::Option<std::string>& Path() {
  static const auto option = config::Option<std::string>::Required(
      "path", "The folder (or, for reading, the single file) of the table: a path or URI.");
  return option;
}

const config::Option<std::string>& FormatName() {
  static const auto option =
      config::Option<std::string>::Required("format", "How rows stand in the files.");
  return option;
}

const config::Option<std::string>& DefaultPartitionName() {
  static const config::Option<std::string> option{
      "partition.default-name", "__DEFAULT_PARTITION__",
      "The folder's value for rows whose partition column is null or empty."};
  return option;
}

const config::Option<config::MemorySize>& RollingFileSize() {
  static const config::Option<config::MemorySize> option{
      "sink.rolling-policy.file-size", config::MemorySize{128 << 20},
      "A file that has grown to this size is closed and another one begun."};
  return option;
}

}  // namespace

std::vector<config::OptionInfo> FilesystemOptions() {
  std::vector<config::OptionInfo> all{Path().info(), FormatName().info(),
                                      DefaultPartitionName().info(), RollingFileSize().info()};
  for (const format::Format& format : format::BuiltinFormats()) {
    all.insert(all.end(), format.options.begin(), format.options.end());
  }
  return all;
}

Result<FilesystemTable> ReadFilesystemTable(const catalog::TableContext& context) {
  const config::OptionMap& options = context.table->options;
  FilesystemTable table;
  table.name = context.path.ToString();
  table.zone = context.zone;
  table.partition_keys = context.table->partition_keys;
  LW_ASSIGN(const std::string path, config::Get(options, Path()));
  LW_ASSIGN(table.root, context.engine->file_systems->Resolve(path, context.settings));
  LW_ASSIGN(const std::string format_name, config::Get(options, FormatName()));
  table.format = format::FindFormat(format_name);
  if (table.format == nullptr) {
    std::vector<std::string> names;
    std::string list;
    for (const format::Format& format : format::BuiltinFormats()) {
      names.push_back(format.name);
      list += (list.empty() ? "" : ", ") + format.name;
    }
    const std::string near = DidYouMean(format_name, names);
    return MakeError(ErrorKind::kValidation,
                     "Table '" + table.name + "': there is no format '" + format_name + "'",
                     near.empty() ? "Formats: " + list + "." : near);
  }
  const std::string prefix = table.format->name + ".";
  for (const auto& [key, value] : options) {
    if (key.starts_with(prefix)) {
      table.format_options[key.substr(prefix.size())] = value;
    }
  }
  LW_ASSIGN(table.default_partition_name, config::Get(options, DefaultPartitionName()));
  LW_ASSIGN(const config::MemorySize size, config::Get(options, RollingFileSize()));
  table.target_file_bytes = size.bytes;
  return table;
}

}  // namespace lakeward::connector
