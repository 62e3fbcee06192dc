#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lakeward/aws/surroundings.h"
#include "lakeward/base/mutex.h"
#include "lakeward/net/memory_http_client.h"
#include "support/manual_clock.h"

namespace lakeward::aws {

/// A machine on which nothing is set up, for tests of providers: variables, files, commands and
/// servers are what the test puts there.
class FakeMachine {
 public:
  /// 2026-01-01T00:00:00Z.
  static constexpr int64_t kStartUs = 1'767'225'600'000'000;

  FakeMachine() {
    const auto client = std::make_shared<net::MemoryHttpClient>(
        [this](const net::HttpRequest& request) { return Serve(request); });
    surroundings.clock = &clock;
    surroundings.http = client;
    surroundings.direct_http = client;
    surroundings.environment = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    surroundings.read_file = [this](const std::string& path) -> Result<std::string> {
      const auto found = files.find(path);
      if (found == files.end()) {
        return MakeError(ErrorKind::kNotFound, "Cannot open " + path);
      }
      return found->second;
    };
    surroundings.file_version = [this](const std::string& path) -> int64_t {
      const auto found = files.find(path);
      return found == files.end() ? 0
                                  : static_cast<int64_t>(std::hash<std::string>()(found->second));
    };
    surroundings.run_command = [this](const std::string& command) -> Result<std::string> {
      const auto found = commands.find(command);
      if (found == commands.end()) {
        return MakeError(ErrorKind::kIo, "The command ended with code 127");
      }
      return found->second;
    };
  }

  /// Requests seen, "PUT http://…".
  std::vector<std::string> Seen() {
    MutexLock lock(&mutex_);
    return seen_;
  }

  test::ManualClock clock{kStartUs};
  std::map<std::string, std::string> variables;
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> commands;
  /// Who answers; without: nobody can be reached.
  std::function<net::HttpOutcome(const net::HttpRequest& request)> server;
  Surroundings surroundings;

 private:
  net::HttpOutcome Serve(const net::HttpRequest& request) {
    {
      MutexLock lock(&mutex_);
      seen_.push_back(std::string(ToText(request.method)) + " " + request.url);
    }
    return server ? server(request)
                  : net::HttpOutcome::OfFailure(net::HttpFailureKind::kConnectTimeout,
                                                "Connection timed out");
  }

  Mutex mutex_;
  std::vector<std::string> seen_;
};

/// An answer of STS to `action` with the keys "<id>", "secret of <id>", "token of <id>".
inline std::string StsAnswer(const std::string& action, const std::string& id,
                             const std::string& expiration) {
  return "<" + action + "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" + action +
         "Result><Credentials><AccessKeyId>" + id + "</AccessKeyId><SecretAccessKey>secret of " +
         id + "</SecretAccessKey><SessionToken>token of " + id + "</SessionToken><Expiration>" +
         expiration + "</Expiration></Credentials></" + action + "Result></" + action + "Response>";
}

}  // namespace lakeward::aws
