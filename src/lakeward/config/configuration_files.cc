#include "lakeward/config/configuration_files.h"

#include "fmt/format.h"
#include "lakeward/base/local_file.h"

namespace lakeward::config {
namespace {

std::string InFolder(const std::string& folder, const char* name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

/// The configuration file in a folder; nothing when it holds neither.
std::optional<std::string> FileIn(const std::string& folder) {
  for (const char* name : {"flink-conf.yaml", "config.yaml"}) {
    const Result<LocalFileInfo> info = StatLocal(InFolder(folder, name));
    if (info.ok() && !info->is_directory) {
      return InFolder(folder, name);
    }
  }
  return std::nullopt;
}

/// The file that `place`, a file or folder, leads to. `speaker` says who wrote that place.
Result<std::string> FileOf(const std::string& place, const std::string& speaker) {
  const Result<LocalFileInfo> info = StatLocal(place);
  if (info.ok() && !info->is_directory) {
    return place;
  }
  if (const std::optional<std::string> file = FileIn(place); file.has_value()) {
    return *file;
  }
  return MakeError(
      ErrorKind::kConfig,
      info.ok() ? fmt::format("{} names '{}', which holds neither config.yaml nor flink-conf.yaml",
                              speaker, place)
                : fmt::format("{} names '{}', which cannot be read: {}", speaker, place,
                              info.status().message()),
      fmt::format("Correct {}: a configuration file, or the folder that holds it.", speaker));
}

}  // namespace

Result<std::string> LoadConfigurationFiles(
    const std::string& given,
    const std::function<std::optional<std::string>(const std::string&)>& environment,
    Configuration* configuration) {
  const auto named_by = [&](const char* variable) -> std::optional<std::string> {
    std::optional<std::string> value = environment(variable);
    return value.has_value() && !value->empty() ? value : std::nullopt;
  };
  std::string file;
  if (!given.empty()) {
    LW_ASSIGN(file, FileOf(given, "-c"));
  } else if (const auto own = named_by("LAKEWARD_CONF_DIR"); own.has_value()) {
    LW_ASSIGN(file, FileOf(*own, "LAKEWARD_CONF_DIR"));
  } else if (const auto here = FileIn("conf"); here.has_value()) {
    file = *here;
  } else if (const auto flinks = named_by("FLINK_CONF_DIR"); flinks.has_value()) {
    LW_ASSIGN(file, FileOf(*flinks, "FLINK_CONF_DIR"));
  }
  if (!file.empty()) {
    LW_TRY(configuration->LoadFile(file));
  }
  return file;
}

}  // namespace lakeward::config
