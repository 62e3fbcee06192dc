#pragma once

#include "bin/command_line.h"

namespace lakeward::bin {

/// Runs the script that the command line names and waits for its jobs. Returns the exit code.
int RunSql(const CommandLine& line);

}  // namespace lakeward::bin
