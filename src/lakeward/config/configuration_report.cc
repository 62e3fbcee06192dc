#include "lakeward/config/configuration_report.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/secret.h"
#include "lakeward/base/similar_names.h"

namespace lakeward::config {
namespace {

constexpr size_t kTypingErrorsMax = 2;

struct NamedSetting {
  std::string key;
  Setting setting;
};

std::string Shown(const std::string& key, const std::string& value) {
  return IsSecretKey(key) ? std::string(kHiddenValue) : value;
}

/// `settings` nearest first; the first is in force.
ReportedSetting Reported(std::string key, std::string doc,
                         const std::vector<NamedSetting>& settings) {
  ReportedSetting reported;
  const NamedSetting& effective = settings.front();
  reported.value = Shown(key, effective.setting.value);
  reported.origin = effective.key == key
                        ? effective.setting.origin
                        : fmt::format("'{}' from {}", effective.key, effective.setting.origin);
  for (size_t i = 1; i < settings.size(); ++i) {
    const auto& [name, setting] = settings[i];
    reported.shadowed.push_back(
        fmt::format("'{}' = '{}' from {}", name, Shown(key, setting.value), setting.origin));
  }
  reported.key = std::move(key);
  reported.doc = std::move(doc);
  return reported;
}

/// What was set under the names of an option, nearest first; its own name first within a level.
std::vector<NamedSetting> SetUnder(const std::vector<std::string>& names,
                                   const Configuration& configuration) {
  std::vector<NamedSetting> found;
  for (const std::string& name : names) {
    for (Setting& setting : configuration.SettingsOf(name)) {
      found.push_back({name, std::move(setting)});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& left, const auto& right) {
    return left.setting.level > right.setting.level;
  });
  return found;
}

bool IsPattern(const OptionInfo& option) { return option.key.find('#') != std::string::npos; }

}  // namespace

std::vector<ReportedSetting> ReportConfiguration(const Configuration& configuration,
                                                 const std::vector<OptionInfo>& declared,
                                                 std::string_view prefix) {
  std::vector<ReportedSetting> report;
  std::set<std::string, std::less<>> told;
  for (const OptionInfo& option : declared) {
    if (IsPattern(option)) {
      continue;
    }
    std::vector<std::string> names{option.key};
    names.insert(names.end(), option.also.begin(), option.also.end());
    told.insert(names.begin(), names.end());
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.starts_with(prefix); })) {
      continue;
    }
    const std::vector<NamedSetting> settings = SetUnder(names, configuration);
    if (!settings.empty()) {
      report.push_back(Reported(option.key, option.doc, settings));
    } else if (option.has_default) {
      report.push_back({option.key, option.default_text, "default", {}, option.doc});
    }
  }
  for (const std::string& key : configuration.Keys()) {
    if (told.contains(key) || !key.starts_with(prefix)) {
      continue;
    }
    const auto pattern = std::find_if(declared.begin(), declared.end(),
                                      [&](const auto& option) { return IsNamedBy(option, key); });
    std::string doc;
    if (pattern != declared.end()) {
      doc = pattern->doc;
    } else {
      const std::string meant = MeantOption(key, declared);
      doc = meant.empty() ? "Not known here: it has no effect."
                          : fmt::format("Not known here. Did you mean '{}'?", meant);
    }
    report.push_back(Reported(key, std::move(doc), SetUnder({key}, configuration)));
  }
  std::sort(report.begin(), report.end(),
            [](const auto& left, const auto& right) { return left.key < right.key; });
  return report;
}

std::string MeantOption(std::string_view key, const std::vector<OptionInfo>& declared) {
  std::vector<std::string> names;
  for (const OptionInfo& option : declared) {
    if (IsNamedBy(option, key)) {
      return "";
    }
    names.push_back(option.key);
    names.insert(names.end(), option.also.begin(), option.also.end());
  }
  const std::vector<std::string> near = SimilarNames(key, names, 1, kTypingErrorsMax);
  return near.empty() ? "" : near[0];
}

}  // namespace lakeward::config
