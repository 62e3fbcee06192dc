#include "lakeward/aws/surroundings.h"

#include <utility>

#include "lakeward/base/command.h"
#include "lakeward/base/environment.h"
#include "lakeward/base/local_file.h"

namespace lakeward::aws {
namespace {

constexpr int64_t kCommandTimeoutMs = 60'000;

}  // namespace

Surroundings RealSurroundings(std::shared_ptr<net::HttpClient> http) {
  Surroundings real;
  real.clock = SystemClock();
  real.http = std::move(http);
  real.direct_http = net::MakeHttpClient({.connect_timeout_ms = 1'000,
                                          .stall_timeout_ms = 5'000,
                                          .idle_connections_max = 1,
                                          .proxy_url = ""});
  real.environment = [](const std::string& name) {
    std::optional<std::string> value = GetEnvironment(name);
    return value.has_value() && value->empty() ? std::nullopt : std::move(value);
  };
  real.read_file = ReadWholeLocalFile;
  real.file_version = [](const std::string& path) -> int64_t {
    const Result<LocalFileInfo> info = StatLocal(path);
    return info.ok() ? info->modification_time_us ^ (info->size_bytes << 1) ^ 1 : 0;
  };
  real.run_command = [](const std::string& command) {
    return RunCommand(command, kCommandTimeoutMs);
  };
  return real;
}

}  // namespace lakeward::aws
