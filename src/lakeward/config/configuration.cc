#include "lakeward/config/configuration.h"

#include <array>

#include "fmt/format.h"
#include "lakeward/base/local_file.h"
#include "lakeward/base/secret.h"
#include "lakeward/config/config_file.h"

namespace lakeward::config {
namespace {

constexpr std::array kNearestFirst{Level::kTable,       Level::kCatalog, Level::kSession,
                                   Level::kCommandLine, Level::kFile,    Level::kEnvironment};

using Levels = std::map<Level, Setting>;

const Setting* AtLevel(const std::map<std::string, Levels, std::less<>>& settings,
                       std::string_view key, Level level) {
  const auto found = settings.find(key);
  if (found == settings.end()) {
    return nullptr;
  }
  const auto setting = found->second.find(level);
  return setting == found->second.end() ? nullptr : &setting->second;
}

}  // namespace

void Configuration::Set(const std::string& key, std::string value, Level level,
                        std::string origin) {
  settings_[key].insert_or_assign(level, Setting{std::move(value), level, std::move(origin)});
}

void Configuration::Reset(const std::string& key) {
  const auto found = settings_.find(key);
  if (found == settings_.end()) {
    return;
  }
  found->second.erase(Level::kSession);
  if (found->second.empty()) {
    settings_.erase(found);
  }
}

void Configuration::ResetAll() {
  for (auto entry = settings_.begin(); entry != settings_.end();) {
    entry->second.erase(Level::kSession);
    entry = entry->second.empty() ? settings_.erase(entry) : std::next(entry);
  }
}

std::optional<Setting> Configuration::FindSetting(std::string_view key) const {
  const auto found = settings_.find(key);
  if (found == settings_.end() || found->second.empty()) {
    return std::nullopt;
  }
  return found->second.rbegin()->second;
}

std::optional<Setting> Configuration::FindSetting(const OptionInfo& option) const {
  for (const Level level : kNearestFirst) {
    if (const Setting* own = AtLevel(settings_, option.key, level)) {
      return *own;
    }
    for (const std::string& other_key : option.also) {
      if (const Setting* other = AtLevel(settings_, other_key, level)) {
        return *other;
      }
    }
  }
  return std::nullopt;
}

Result<std::optional<Setting>> Configuration::FindAt(const OptionInfo& option, Level level) const {
  const Setting* found = AtLevel(settings_, option.key, level);
  for (size_t i = 0; found == nullptr && i < option.also.size(); ++i) {
    found = AtLevel(settings_, option.also[i], level);
  }
  if (found == nullptr) {
    return std::optional<Setting>();
  }
  LW_TRY(CheckNamesAgree(option, *found));
  return std::optional<Setting>(*found);
}

Status Configuration::CheckNamesAgree(const OptionInfo& option, const Setting& effective) const {
  const auto disagrees = [&](const std::string& key) -> Status {
    const Setting* other = AtLevel(settings_, key, effective.level);
    if (other == nullptr || other->value == effective.value) {
      return Status::OK();
    }
    return MakeError(ErrorKind::kConfig,
                     fmt::format("Two names for option '{}' have different values: one from {}, "
                                 "'{}' from {}",
                                 option.key, effective.origin, key, other->origin),
                     fmt::format("Keep only '{}'.", option.key));
  };
  for (const std::string& key : option.also) {
    LW_TRY(disagrees(key));
  }
  return Status::OK();
}

template <typename T>
Result<std::optional<T>> Configuration::Find(const Option<T>& option) const {
  const std::optional<Setting> setting = FindSetting(option.info());
  if (!setting.has_value()) {
    return option.default_value();
  }
  LW_TRY(CheckNamesAgree(option.info(), *setting));
  Result<T> value = option.Parse(setting->value);
  if (!value.ok()) {
    const Status& status = value.status();
    return MakeError(ErrorKind::kConfig,
                     fmt::format("{} (from {})", status.message(), setting->origin),
                     HintOf(status));
  }
  return std::optional<T>(*std::move(value));
}

template <typename T>
Result<T> Configuration::Get(const Option<T>& option) const {
  LW_ASSIGN(std::optional<T> value, Find(option));
  if (!value.has_value()) {
    return MakeError(ErrorKind::kConfig, fmt::format("Option '{}' is not set", option.key()),
                     fmt::format("Set '{}': {}", option.key(), option.info().doc));
  }
  return *std::move(value);
}

std::vector<Setting> Configuration::SettingsOf(std::string_view key) const {
  std::vector<Setting> settings;
  if (const auto found = settings_.find(key); found != settings_.end()) {
    for (auto level = found->second.rbegin(); level != found->second.rend(); ++level) {
      settings.push_back(level->second);
    }
  }
  return settings;
}

std::vector<std::string> Configuration::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, levels] : settings_) {
    keys.push_back(key);
  }
  return keys;
}

std::map<std::string, Setting> Configuration::EffectiveForDisplay() const {
  std::map<std::string, Setting> shown;
  for (const auto& [key, levels] : settings_) {
    Setting setting = levels.rbegin()->second;
    if (IsSecretKey(key)) {
      setting.value = kHiddenValue;
    }
    shown.emplace(key, std::move(setting));
  }
  return shown;
}

Status Configuration::LoadFile(const std::string& path) {
  LW_ASSIGN(const std::string text, ReadWholeLocalFile(path));
  LW_ASSIGN(std::vector<ConfigFileEntry> entries, ParseConfigFile(text, path));
  for (ConfigFileEntry& entry : entries) {
    Set(entry.key, std::move(entry.value), Level::kFile,
        fmt::format("{} line {}", path, entry.line));
  }
  return Status::OK();
}

template Result<bool> Configuration::Get(const Option<bool>&) const;
template Result<int64_t> Configuration::Get(const Option<int64_t>&) const;
template Result<double> Configuration::Get(const Option<double>&) const;
template Result<Duration> Configuration::Get(const Option<Duration>&) const;
template Result<MemorySize> Configuration::Get(const Option<MemorySize>&) const;
template Result<std::string> Configuration::Get(const Option<std::string>&) const;

template Result<std::optional<bool>> Configuration::Find(const Option<bool>&) const;
template Result<std::optional<int64_t>> Configuration::Find(const Option<int64_t>&) const;
template Result<std::optional<double>> Configuration::Find(const Option<double>&) const;
template Result<std::optional<Duration>> Configuration::Find(const Option<Duration>&) const;
template Result<std::optional<MemorySize>> Configuration::Find(const Option<MemorySize>&) const;
template Result<std::optional<std::string>> Configuration::Find(const Option<std::string>&) const;

}  // namespace lakeward::config
