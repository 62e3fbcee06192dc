#pragma once

#include "bin/command_line.h"

namespace lakeward::bin {

/// Prints the reference document that was asked for. Returns the exit code.
int RunReference(const CommandLine& line);

}  // namespace lakeward::bin
