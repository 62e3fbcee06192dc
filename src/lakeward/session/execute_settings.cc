#include <utility>

#include "lakeward/runtime/options.h"
#include "lakeward/session/options.h"
#include "lakeward/session/session_state.h"
#include "lakeward/session/settings_report.h"

namespace lakeward::session {
namespace {

/// `'key' = 'value'` lines, sorted, as SET alone prints them.
Result<StatementResult> ListSettings(const SessionState& state) {
  std::vector<std::string> keys;
  std::vector<std::string> values;
  for (const auto& [key, setting] : state.settings.EffectiveForDisplay()) {
    keys.push_back(key);
    values.push_back(setting.value);
  }
  return TextColumns({"key", "value"}, {keys, values});
}

/// Whether the value that `key` has in `settings` can be used: kConfig when it does not parse.
Status CheckSetting(const config::Configuration& settings, const std::string& key) {
  for (const config::OptionInfo& option : AllOptions()) {
    if (!config::IsNamedBy(option, key)) {
      continue;
    }
    const std::optional<config::Setting> setting = settings.FindSetting(key);
    if (!setting.has_value()) {
      return Status::OK();
    }
    LW_TRY(config::ValidateOptions({{key, setting->value}}, {option}, "the session"));
    // Bounds and names of zones, which every job would refuse.
    return runtime::JobSettings::Read(settings).status();
  }
  return Status::OK();
}

}  // namespace

Result<StatementResult> ExecuteSet(SessionState* state, const sql::SetStatement& statement) {
  if (!statement.option.has_value()) {
    return ListSettings(*state);
  }
  std::string origin = "SET";
  if (!state->options.script_name.empty()) {
    origin += " in " + state->options.script_name;
  }
  const sql::TableOption& option = *statement.option;
  config::Configuration changed = state->settings;
  changed.Set(option.key, option.value, config::Level::kSession, origin);
  LW_TRY(WithPosition(CheckSetting(changed, option.key), option.value_position));
  state->settings = std::move(changed);
  StatementResult result = Succeeded();
  result.notice = SettingNotice(option.key);
  return result;
}

Result<StatementResult> ExecuteReset(SessionState* state, const sql::ResetStatement& statement) {
  if (statement.key.has_value()) {
    state->settings.Reset(*statement.key);
  } else {
    state->settings.ResetAll();
  }
  return Succeeded();
}

}  // namespace lakeward::session
