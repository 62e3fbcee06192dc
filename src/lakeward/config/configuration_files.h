#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lakeward/base/status.h"
#include "lakeward/config/configuration.h"

namespace lakeward::config {

/// Reads the configuration file that people have into `configuration`, at Level::kFile, and returns
/// its path; empty when there is none. It is looked for in the first of these places only:
///
/// 1. `given` (`-c`): a file, or a folder,
/// 2. the folder that LAKEWARD_CONF_DIR names,
/// 3. `./conf/`, when one of the two files is there,
/// 4. the folder that FLINK_CONF_DIR names.
///
/// Of a folder it is `flink-conf.yaml` when that exists and `config.yaml` otherwise, as in Flink
/// 1.20 (GlobalConfiguration). kConfig when 1, 2 or 4 lead to no file, and what ParseConfigFile
/// reports. `environment` gives the value of a variable.
Result<std::string> LoadConfigurationFiles(
    const std::string& given,
    const std::function<std::optional<std::string>(const std::string&)>& environment,
    Configuration* configuration);

}  // namespace lakeward::config
