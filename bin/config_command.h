#pragma once

#include "bin/command_line.h"

namespace lakeward::bin {

/// Prints the settings in force. Returns the exit code.
int RunConfig(const CommandLine& line);

}  // namespace lakeward::bin
