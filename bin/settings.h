#pragma once

#include "bin/command_line.h"
#include "lakeward/base/status.h"
#include "lakeward/config/configuration.h"

namespace lakeward::bin {

/// The settings of the configuration file and, above them, of -D. `-D log.<component>=<level>` is
/// taken as the level of that component's log lines. kConfig for a file that cannot be read.
Result<config::Configuration> SettingsOf(const CommandLine& line);

}  // namespace lakeward::bin
