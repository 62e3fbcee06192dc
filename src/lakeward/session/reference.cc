#include "lakeward/session/reference.h"

#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "lakeward/connector/connector.h"
#include "lakeward/expr/function.h"
#include "lakeward/fs/s3/s3_options.h"
#include "lakeward/session/options.h"

namespace lakeward::session {
namespace {

std::string MarkdownCell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    cell += c == '|' ? "\\|" : std::string(1, c);
  }
  return cell;
}

std::string Code(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::string Row(const config::OptionInfo& option, const std::vector<std::string>& other_names) {
  std::string doc = option.doc + (option.required ? " Required." : "");
  if (!option.allowed.empty()) {
    doc += fmt::format(" One of {}.", Code(option.allowed));
  }
  return fmt::format("| `{}` | {} | {} | {}{} |\n", option.key, option.type,
                     option.has_default ? Code({option.default_text}) : "", MarkdownCell(doc),
                     other_names.empty() ? "" : " Also " + Code(other_names) + ".");
}

constexpr std::string_view kSettingsHead =
    R"(# Configuration

Written by `lakeward reference settings` from the declarations in the source; change those, not this file.

A setting is looked for at these levels, the nearest first; the first that has it counts:

1. the WITH clause of the table (settings of the storage only), then that of its catalog,
2. `SET 'key' = 'value'` in the session,
3. `-D key=value` on the command line,
4. the configuration file: `-c FILE|FOLDER`, else the folder in `$LAKEWARD_CONF_DIR`, else `./conf/`, else the folder in
   `$FLINK_CONF_DIR`. Of a folder `flink-conf.yaml` is read when it is there, else `config.yaml`; both as Flink reads
   them, nested or flat,
5. environment variables.

Two names of one setting with different values at one level are an error that names both places. `lakeward config` and
`SHOW CONFIGURATION` show what is in force, where it comes from and what it beats; values of secret keys are hidden.

## SQL and jobs

)";

constexpr std::string_view kTableHead =
    "| key | type | default | meaning |\n"
    "|---|---|---|---|\n";

constexpr std::string_view kStorageHead =
    R"(
## S3

Every key of this list is read with the prefixes {} in the place of `fs.s3a.`, and for one bucket as
`fs.s3a.bucket.<name>.…`. Environment variables count least. Key id, secret and session token are taken together from one
level; without any, credentials come from the AWS variables, web identity, `~/.aws`, the container and the instance.

)";

constexpr std::string_view kConnectorsHead =
    R"(# Connectors

Written by `lakeward reference connectors` from the declarations in the source; change those, not this file.

A table of a connector is `CREATE TABLE … WITH ('connector' = '…', 'key' = 'value', …)`. Settings of the storage
([configuration.md](configuration.md)) may stand in the same clause. `#` stands for a column's name.
)";

constexpr std::string_view kFunctionsHead =
    R"(# Functions

Written by `lakeward reference functions` from the declarations in the source; change those, not this file. Each example
is run as a test. `SHOW FUNCTIONS` lists the names.

)";

constexpr std::string_view kFunctionTableHead =
    "| call | meaning | example | gives |\n"
    "|---|---|---|---|\n";

std::string_view Directions(const catalog::TableFactory& factory) {
  if (factory.can_scan() && factory.can_sink()) {
    return "Read and written.";
  }
  return factory.can_scan() ? "Only read." : "Only written.";
}

template <typename Function>
std::string FunctionRow(const Function& function) {
  std::string calls;
  for (const std::string& signature : function.signatures) {
    calls += (calls.empty() ? "`" : "<br>`") + MarkdownCell(signature) + "`";
  }
  const bool has_example = !function.example.empty();
  return fmt::format("| {} | {} | {} | {} |\n", calls, MarkdownCell(function.doc),
                     has_example ? "`" + MarkdownCell(function.example) + "`" : "",
                     has_example ? "`" + MarkdownCell(function.example_result) + "`" : "");
}

}  // namespace

std::string SettingsReference() {
  std::string text(kSettingsHead);
  text += kTableHead;
  for (const config::OptionInfo& option : AllOptions()) {
    if (!option.key.starts_with(fs::S3OptionPrefixes().front())) {
      text += Row(option, option.also);
    }
  }
  std::vector<std::string> prefixes = fs::S3OptionPrefixes();
  prefixes.erase(prefixes.begin());
  text += fmt::format(kStorageHead, Code(prefixes));
  text += kTableHead;
  for (const fs::S3Option& option : fs::S3Options()) {
    std::vector<std::string> names = option.also;
    names.insert(names.end(), option.also_whole.begin(), option.also_whole.end());
    names.insert(names.end(), option.variables.begin(), option.variables.end());
    text += Row(option.Info(), names);
  }
  return text;
}

std::string ConnectorsReference() {
  std::string text(kConnectorsHead);
  for (const auto& connector : connector::BuiltinConnectors()) {
    text += fmt::format("\n## {}\n\n{} {}\n", connector->identifier(), connector->doc(),
                        Directions(*connector));
    if (const std::vector<config::OptionInfo> options = connector->options(); !options.empty()) {
      text += "\n" + std::string(kTableHead);
      for (const config::OptionInfo& option : options) {
        text += Row(option, option.also);
      }
    }
  }
  return text;
}

std::string FunctionsReference() {
  std::string text(kFunctionsHead);
  text += "## Scalar functions\n\n";
  text += kFunctionTableHead;
  for (const expr::ScalarFunction* function : expr::FunctionRegistry::Builtin()->Scalars()) {
    text += function->internal ? "" : FunctionRow(*function);
  }
  text += "\n## Aggregate functions\n\n";
  text += kFunctionTableHead;
  for (const expr::AggregateFunction* function : expr::FunctionRegistry::Builtin()->Aggregates()) {
    text += FunctionRow(*function);
  }
  return text;
}

}  // namespace lakeward::session
