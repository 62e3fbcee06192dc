#include "lakeward/session/settings_report.h"

#include <utility>

#include "fmt/format.h"
#include "lakeward/fs/s3/s3_options.h"
#include "lakeward/session/options.h"

namespace lakeward::session {
namespace {

/// What can be set, and for matching what can be set of one bucket.
std::vector<config::OptionInfo> Declared() {
  std::vector<config::OptionInfo> declared = AllOptions();
  for (const fs::S3Option& option : fs::S3Options()) {
    declared.push_back(option.InfoOf("#"));
  }
  return declared;
}

/// As a value of YAML: quoted where it would not be read back as this text.
std::string YamlValue(const std::string& value) {
  const bool plain =
      !value.empty() && value.find_first_of("\n'\"#:{}[],&*!|>%@`") == std::string::npos &&
      value.front() != ' ' && value.back() != ' ' && value.front() != '-' && value.front() != '?';
  if (plain || value.find("://") != std::string::npos) {
    return value;
  }
  std::string quoted = "'";
  for (const char c : value) {
    quoted += c == '\'' ? "''" : std::string(1, c);
  }
  return quoted + "'";
}

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

std::string Row(const config::OptionInfo& option, const std::string& other_names) {
  std::string doc = option.doc;
  if (!option.allowed.empty()) {
    doc += fmt::format(" One of {}.", Code(option.allowed));
  }
  return fmt::format("| `{}` | {} | {} | {}{} |\n", option.key, option.type,
                     option.has_default ? Code({option.default_text}) : "", MarkdownCell(doc),
                     other_names.empty() ? "" : " Also " + other_names + ".");
}

constexpr std::string_view kReferenceHead =
    R"(# Configuration

Written by `lakeward config --reference` from the declarations in the source; change those, not this file.

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

}  // namespace

std::vector<config::ReportedSetting> ReportSettings(
    config::Configuration settings,
    const std::function<std::optional<std::string>(const std::string&)>& environment,
    std::string_view prefix) {
  for (const fs::S3Option& option : fs::S3Options()) {
    for (const std::string& variable : option.variables) {
      if (std::optional<std::string> value = environment(variable); value.has_value()) {
        settings.Set(option.Info().key, *std::move(value), config::Level::kEnvironment, variable);
        break;
      }
    }
  }
  return config::ReportConfiguration(settings, Declared(), prefix);
}

std::string SettingsText(const std::vector<config::ReportedSetting>& report) {
  std::string text;
  for (const config::ReportedSetting& setting : report) {
    text += fmt::format("# {}\n# From {}.", setting.doc, setting.origin);
    for (const std::string& shadowed : setting.shadowed) {
      text += fmt::format(" Beats {}.", shadowed);
    }
    text += fmt::format("\n{}: {}\n\n", setting.key, YamlValue(setting.value));
  }
  return text;
}

std::string SettingsReference() {
  std::string text(kReferenceHead);
  text += kTableHead;
  for (const config::OptionInfo& option : AllOptions()) {
    if (!option.key.starts_with(fs::S3OptionPrefixes().front())) {
      text += Row(option, Code(option.also));
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
    text += Row(option.Info(), Code(names));
  }
  return text;
}

std::string MeantSetting(std::string_view key) { return config::MeantOption(key, Declared()); }

std::vector<std::string> MistypedSettings(const config::Configuration& settings) {
  const std::vector<config::OptionInfo> declared = Declared();
  std::vector<std::string> mistyped;
  for (const std::string& key : settings.Keys()) {
    const std::string meant = config::MeantOption(key, declared);
    if (!meant.empty()) {
      mistyped.push_back(
          fmt::format("'{}' ({}) is no setting and has no effect. Did you mean '{}'?", key,
                      settings.FindSetting(key)->origin, meant));
    }
  }
  return mistyped;
}

}  // namespace lakeward::session
