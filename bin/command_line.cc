#include "bin/command_line.h"

#include <algorithm>
#include <cstdio>

#include "CLI/CLI.hpp"
#include "lakeward/base/similar_names.h"
#include "lakeward/base/version.h"

namespace lakeward::bin {
namespace {

constexpr char kDescription[] =
    "Lakeward runs Flink SQL scripts and keeps Delta Lake tables up to date, exactly once.";

constexpr char kExamples[] = R"(Examples:
  lakeward run job.sql                          run a script, stay until its jobs have ended
  lakeward run job.sql --state-dir ./state      keep checkpoints there: after a crash the same
                                                command goes on where it stopped
  lakeward sql -e "SELECT 1 + 1"                run statements from the command line
  lakeward sql < job.sql                        read them from standard input
  lakeward run job.sql -D parallelism.default=4 change a setting, as SET would
  lakeward run job.sql -c conf/                 read config.yaml or flink-conf.yaml there
  lakeward config s3                            show the S3 settings in force and their origins
  lakeward reference functions                  list every function with an example

Ctrl-C once ends the script and stops its jobs gracefully (last checkpoint, last commit); twice
stops them at once. A job with an end is all or nothing: stopped early it commits nothing, and
with --state-dir the same command goes on where it stopped.

Exit codes: 0 all done (endless jobs also after a graceful stop), 1 a statement or job failed,
            2 wrong command line, 130 stopped before all was done,
            141 standard output was closed early (jobs are stopped gracefully).)";

void AddSettings(CLI::App* command, CommandLine* line, std::vector<std::string>* definitions) {
  command->add_option("-c,--config", line->configuration,
                      "Configuration file, or folder that holds config.yaml or flink-conf.yaml; by "
                      "default LAKEWARD_CONF_DIR, ./conf or FLINK_CONF_DIR");
  command->add_option("-D", *definitions, "A setting, as SET 'key' = 'value' would make it")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void AddShared(CLI::App* command, CommandLine* line, std::vector<std::string>* definitions) {
  command->add_option("--state-dir", line->state_directory,
                      "Folder (path or URI) where jobs keep checkpoints, so that a killed run can "
                      "be resumed by the same command");
  AddSettings(command, line, definitions);
  command->add_option("--log-level", line->log_level, "What is logged to standard error")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  command->add_option("--log-file", line->log_file, "Log to this file instead");
}

/// What to say when the first word is no command; empty when it is one, or an option.
std::string UnknownCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    return "";
  }
  std::vector<std::string> names;
  std::string list;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
    list += (list.empty() ? "" : ", ") + command->get_name();
  }
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) {
    return "";
  }
  const std::string near = DidYouMean(argv[1], names);
  return std::string("There is no command '") + argv[1] + "'. " +
         (near.empty() ? "Commands: " + list + "." : near) + " lakeward --help explains them.";
}

}  // namespace

std::optional<CommandLine> ParseCommandLine(int argc, char** argv, int* exit_code) {
  CommandLine line;
  std::vector<std::string> definitions;
  CLI::App app(kDescription, "lakeward");
  app.footer(kExamples);
  app.set_version_flag("--version", "lakeward " + std::string(Version()));
  app.require_subcommand(1);
  CLI::App* run = app.add_subcommand("run", "Run a SQL script and stay until its jobs have ended");
  run->add_option("FILE", line.file, "The script")->required();
  AddShared(run, &line, &definitions);
  CLI::App* sql = app.add_subcommand(
      "sql", "Run SQL statements from a file, the command line or standard input");
  CLI::Option* file = sql->add_option("-f,--file", line.file, "Read statements from this script");
  sql->add_option("-e,--execute", line.text, "Run these statements")->excludes(file);
  AddShared(sql, &line, &definitions);
  CLI::App* config = app.add_subcommand(
      "config", "Show the settings in force, where each comes from and what it beats");
  config->add_option("PREFIX", line.prefix,
                     "Only settings that begin so, for example fs.s3a or s3");
  AddSettings(config, &line, &definitions);
  CLI::App* reference = app.add_subcommand(
      "reference", "Print what the program knows, as Markdown: settings, connectors, functions");
  reference->add_option("KIND", line.reference, "settings, connectors or functions")
      ->required()
      ->check(CLI::IsMember({"settings", "connectors", "functions"}));

  if (const std::string mistake = UnknownCommand(app, argc, argv); !mistake.empty()) {
    std::fprintf(stderr, "%s\n", mistake.c_str());
    *exit_code = 2;
    return std::nullopt;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool wanted = error.get_exit_code() == 0;
    app.exit(error);
    *exit_code = wanted ? 0 : 2;
    return std::nullopt;
  }
  line.command = config->parsed()      ? Command::kConfig
                 : reference->parsed() ? Command::kReference
                                       : Command::kSql;
  for (const std::string& definition : definitions) {
    const size_t equals = definition.find('=');
    if (equals == std::string::npos || equals == 0) {
      std::fprintf(stderr, "-D %s: expected KEY=VALUE, for example -D parallelism.default=4\n",
                   definition.c_str());
      *exit_code = 2;
      return std::nullopt;
    }
    line.settings.emplace_back(definition.substr(0, equals), definition.substr(equals + 1));
  }
  return line;
}

}  // namespace lakeward::bin
