#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/config/configuration_report.h"

namespace lakeward::session {

/// Every setting that is in force, those of the environment's variables among them; see
/// config::ReportConfiguration. `environment` gives the value of a variable.
std::vector<config::ReportedSetting> ReportSettings(
    config::Configuration settings,
    const std::function<std::optional<std::string>(const std::string&)>& environment,
    std::string_view prefix);

/// As `lakeward config` prints them: lines of a config.yaml, each below comments that say what it
/// is, where it comes from and what it beats.
std::string SettingsText(const std::vector<config::ReportedSetting>& report);

/// "'s3.regoin' is no known setting of S3. Did you mean 's3.region'?" of a key that does nothing;
/// empty for settings, and for keys that are like none.
std::string SettingNotice(std::string_view key);

/// "Did you mean …" for each key of the configuration file and the command line that is nearly an
/// option's, with its origin; S3 tells its own, with those of tables and catalogs
/// (fs::S3SettingNotices).
std::vector<std::string> MistypedSettings(const config::Configuration& settings);

}  // namespace lakeward::session
