#include "bin/command_line.h"
#include "bin/config_command.h"
#include "bin/reference_command.h"
#include "bin/sql_command.h"

int main(int argc, char** argv) {
  int exit_code = 0;
  const auto line = lakeward::bin::ParseCommandLine(argc, argv, &exit_code);
  if (!line.has_value()) {
    return exit_code;
  }
  switch (line->command) {
    case lakeward::bin::Command::kSql:
      return lakeward::bin::RunSql(*line);
    case lakeward::bin::Command::kConfig:
      return lakeward::bin::RunConfig(*line);
    case lakeward::bin::Command::kReference:
      return lakeward::bin::RunReference(*line);
  }
}
