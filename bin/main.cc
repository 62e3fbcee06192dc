#include "bin/command_line.h"
#include "bin/sql_command.h"

int main(int argc, char** argv) {
  int exit_code = 0;
  const auto line = lakeward::bin::ParseCommandLine(argc, argv, &exit_code);
  return line.has_value() ? lakeward::bin::RunSql(*line) : exit_code;
}
