#pragma once

#include <cstdint>
#include <string>

#include "lakeward/base/status.h"

namespace lakeward {

/// Runs `command` with /bin/sh and returns what it wrote to standard output; its standard error is
/// ours. kIo when it cannot be started, ends with another code than 0 (named in the error, the
/// command's text is not) or, being killed then with all that it started, takes longer than
/// `timeout_ms`. Blocks.
Result<std::string> RunCommand(const std::string& command, int64_t timeout_ms);

}  // namespace lakeward
