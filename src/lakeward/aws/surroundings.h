#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "lakeward/base/clock.h"
#include "lakeward/base/status.h"
#include "lakeward/net/http_client.h"

namespace lakeward::aws {

/// All that credentials can come from outside of the configuration, so that tests can take its
/// place. The functions are thread-safe.
struct Surroundings {
  Clock* clock = nullptr;
  /// For STS and https container endpoints: with the proxy and authorities of the settings.
  std::shared_ptr<net::HttpClient> http;
  /// For addresses of this machine or its link: never through a proxy.
  std::shared_ptr<net::HttpClient> direct_http;
  /// The value of a variable; an empty one counts as not set.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::function<Result<std::string>(const std::string& path)> read_file;
  /// Changes when a file does; 0 for one that is not there.
  std::function<int64_t(const std::string& path)> file_version;
  /// The standard output of a shell command.
  std::function<Result<std::string>(const std::string& command)> run_command;
};

/// This process and machine.
Surroundings RealSurroundings(std::shared_ptr<net::HttpClient> http);

}  // namespace lakeward::aws
