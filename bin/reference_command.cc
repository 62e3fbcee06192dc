#include "bin/reference_command.h"

#include <cstdio>

#include "lakeward/session/reference.h"

namespace lakeward::bin {

int RunReference(const CommandLine& line) {
  const std::string text = line.reference == "settings"     ? session::SettingsReference()
                           : line.reference == "connectors" ? session::ConnectorsReference()
                                                            : session::FunctionsReference();
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace lakeward::bin
