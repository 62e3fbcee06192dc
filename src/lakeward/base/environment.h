#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lakeward {

/// The value of an environment variable of this process, nothing when it is not set.
std::optional<std::string> GetEnvironment(const std::string& name);

/// The host's name as the operating system gives it; "localhost" when it does not.
std::string HostName();

int64_t ProcessId();

}  // namespace lakeward
