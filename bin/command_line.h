#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lakeward::bin {

enum class Command {
  kSql,        ///< run SQL text from a file, an argument or standard input
  kConfig,     ///< print the settings in force
  kReference,  ///< print what can be used
};

/// What the person asked for.
struct CommandLine {
  Command command = Command::kSql;
  std::string file;  ///< -f, or the argument of `run`
  std::string text;  ///< -e
  std::string state_directory;
  std::string configuration;  ///< -c: a file or folder
  std::string prefix;         ///< of `config`
  std::string reference;      ///< "settings", "connectors" or "functions"
  std::vector<std::pair<std::string, std::string>> settings;  ///< -D key=value
  std::string log_level = "warn";
  std::string log_file;
};

/// Parses the arguments. Nothing when the program should end at once with `*exit_code`: after
/// --help and --version (0), or a wrong command line (2), whatever belongs on the terminal being
/// printed.
std::optional<CommandLine> ParseCommandLine(int argc, char** argv, int* exit_code);

}  // namespace lakeward::bin
