#include "lakeward/base/environment.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace lakeward {

std::optional<std::string> GetEnvironment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) {
    return std::nullopt;
  }
  return std::string(value);
}

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') {
    return "localhost";
  }
  return name.data();
}

int64_t ProcessId() { return getpid(); }

}  // namespace lakeward
