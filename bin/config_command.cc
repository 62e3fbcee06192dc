#include "bin/config_command.h"

#include <cstdio>

#include "bin/settings.h"
#include "lakeward/base/environment.h"
#include "lakeward/session/settings_report.h"

namespace lakeward::bin {

int RunConfig(const CommandLine& line) {
  Result<config::Configuration> settings = SettingsOf(line);
  if (!settings.ok()) {
    std::fprintf(stderr, "[ERROR] %s\n", Describe(settings.status()).c_str());
    return 1;
  }
  const auto report = session::ReportSettings(*std::move(settings), GetEnvironment, line.prefix);
  if (report.empty()) {
    std::fprintf(stderr,
                 "Nothing that begins with '%s' is set or has a default. lakeward "
                 "reference settings lists all.\n",
                 line.prefix.c_str());
  }
  std::fputs(session::SettingsText(report).c_str(), stdout);
  return 0;
}

}  // namespace lakeward::bin
