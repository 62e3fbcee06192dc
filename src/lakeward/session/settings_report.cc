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
  std::vector<config::ReportedSetting> report =
      config::ReportConfiguration(settings, Declared(), prefix);
  for (config::ReportedSetting& setting : report) {
    if (const auto notice = fs::S3SettingNotice(setting.key); notice.has_value()) {
      setting.doc = fmt::format("It {}{}", *notice, notice->ends_with('?') ? "" : ".");
    }
  }
  return report;
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

namespace {

// What becomes of a key that is nearly a setting's, to follow its name.
std::string Mistake(std::string_view meant) {
  return fmt::format("is no setting and has no effect. Did you mean '{}'?", meant);
}

}  // namespace

std::string SettingNotice(std::string_view key) {
  if (fs::IsS3Key(key)) {
    const auto notice = fs::S3SettingNotice(key);
    return notice.has_value() ? fmt::format("'{}' {}", key, *notice) : "";
  }
  const std::string meant = config::MeantOption(key, Declared());
  return meant.empty() ? "" : fmt::format("'{}' {}", key, Mistake(meant));
}

std::vector<std::string> MistypedSettings(const config::Configuration& settings) {
  const std::vector<config::OptionInfo> declared = Declared();
  std::vector<std::string> mistyped;
  for (const std::string& key : settings.Keys()) {
    const std::string meant = fs::IsS3Key(key) ? "" : config::MeantOption(key, declared);
    if (!meant.empty()) {
      mistyped.push_back(
          fmt::format("'{}' ({}) {}", key, settings.FindSetting(key)->origin, Mistake(meant)));
    }
  }
  return mistyped;
}

}  // namespace lakeward::session
