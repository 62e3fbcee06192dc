#include "lakeward/plan/options.h"

#include "lakeward/base/letter_case.h"

namespace lakeward::plan {

const config::Option<std::string>& RuntimeModeOption() {
  static const config::Option<std::string> option =
      config::Option<std::string>{
          "execution.runtime-mode", "STREAMING",
          "Whether queries run as endless changelogs or to their end with a final result."}
          .Allowed({"STREAMING", "BATCH", "AUTOMATIC"});
  return option;
}

const config::Option<std::string>& LocalTimeZoneOption() {
  static const config::Option<std::string> option{
      "table.local-time-zone", "default",
      "The zone in which TIMESTAMP_LTZ values are shown and converted; 'default' is the "
      "machine's."};
  return option;
}

const config::Option<std::string>& NotNullEnforcerOption() {
  static const config::Option<std::string> option =
      config::Option<std::string>{
          "table.exec.sink.not-null-enforcer", "ERROR",
          "What happens to a row with a null for a column that is declared NOT NULL."}
          .Allowed({"ERROR", "DROP"});
  return option;
}

const config::Option<std::string>& TypeLengthEnforcerOption() {
  static const config::Option<std::string> option =
      config::Option<std::string>{
          "table.exec.sink.type-length-enforcer", "IGNORE",
          "Whether values are cut or padded to the declared length of CHAR, VARCHAR, BINARY and "
          "VARBINARY columns before they are written."}
          .Allowed({"IGNORE", "TRIM_PAD"});
  return option;
}

const config::Option<bool>& MiniBatchOption() {
  static const config::Option<bool> option{
      "table.exec.mini-batch.enabled", false,
      "Whether an aggregate gives one change for all rows of a key that come in one batch, instead "
      "of one for each row."};
  return option;
}

std::vector<config::OptionInfo> PlanOptions() {
  return {RuntimeModeOption().info(), LocalTimeZoneOption().info(), NotNullEnforcerOption().info(),
          TypeLengthEnforcerOption().info(), MiniBatchOption().info()};
}

Result<bool> IsBatchMode(const config::Configuration& settings) {
  LW_ASSIGN(const std::string mode, settings.Get(RuntimeModeOption()));
  return ToUpper(mode) == "BATCH";
}

Result<types::TimeZone> LocalTimeZone(const config::Configuration& settings) {
  LW_ASSIGN(const std::string name, settings.Get(LocalTimeZoneOption()));
  if (name == "default") {
    return types::TimeZone::Local();
  }
  Result<types::TimeZone> zone = types::TimeZone::Find(name);
  if (!zone.ok()) {
    return WithContext(zone.status(), "table.local-time-zone");
  }
  return zone;
}

}  // namespace lakeward::plan
