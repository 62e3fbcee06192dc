#include "bin/settings.h"

#include <string_view>

#include "lakeward/base/environment.h"
#include "lakeward/base/log.h"
#include "lakeward/config/configuration_files.h"

namespace lakeward::bin {
namespace {

constexpr std::string_view kLogPrefix = "log.";

}  // namespace

Result<config::Configuration> SettingsOf(const CommandLine& line) {
  config::Configuration settings;
  LW_TRY(config::LoadConfigurationFiles(line.configuration, GetEnvironment, &settings).status());
  for (const auto& [key, value] : line.settings) {
    if (!key.starts_with(kLogPrefix)) {
      settings.Set(key, value, config::Level::kCommandLine, "-D " + key);
      continue;
    }
    const std::optional<LogLevel> level = ParseLogLevel(value);
    if (!level.has_value()) {
      return MakeError(ErrorKind::kConfig, "-D " + key + "=" + value + ": there is no such level",
                       "Levels: trace, debug, info, warn, error, off.");
    }
    SetLogLevel(key.substr(kLogPrefix.size()), *level);
  }
  return settings;
}

}  // namespace lakeward::bin
