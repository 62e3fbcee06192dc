#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/config/option.h"

namespace lakeward::config {

/// Where a value comes from, nearest first when levels compete: a later enumerator beats an
/// earlier.
enum class Level { kEnvironment, kFile, kCommandLine, kSession, kCatalog, kTable };

/// A value together with the place a person would go to change it.
struct Setting {
  std::string value;
  Level level;
  std::string origin;  ///< "SET in script.sql", "conf/config.yaml line 12", "-D s3.endpoint"
};

/// All settings of a session, in levels. Copyable; not thread-safe while being changed (a job takes
/// a copy when it starts).
class Configuration {
 public:
  /// Replaces a value of the same level.
  void Set(const std::string& key, std::string value, Level level, std::string origin);
  /// Takes away the session's value of one key, or of all keys; lower levels show through again.
  void Reset(const std::string& key);
  void ResetAll();

  /// The effective setting under exactly this name.
  std::optional<Setting> FindSetting(std::string_view key) const;
  /// The effective setting of an option under its own or another name (Option::Also); its own name
  /// wins within a level.
  std::optional<Setting> FindSetting(const OptionInfo& option) const;
  /// What one level says of an option, for values that must come from one level together. kConfig
  /// when two of its names have different values there.
  Result<std::optional<Setting>> FindAt(const OptionInfo& option, Level level) const;

  /// The option's effective value or its default. A value that does not parse is kConfig with its
  /// origin, and so are two names of one option with different values at one level.
  template <typename T>
  Result<T> Get(const Option<T>& option) const;
  template <typename T>
  Result<std::optional<T>> Find(const Option<T>& option) const;
  /// Whether anybody set it (at any level).
  template <typename T>
  bool Has(const Option<T>& option) const {
    return FindSetting(option.info()).has_value();
  }

  /// Every level's setting under exactly this name, nearest first.
  std::vector<Setting> SettingsOf(std::string_view key) const;
  /// Every name that anybody set, sorted.
  std::vector<std::string> Keys() const;
  /// Every effective setting by key; values of secret keys are hidden (base/secret.h).
  std::map<std::string, Setting> EffectiveForDisplay() const;

  /// Reads a `key: value` file as Flink has it, nested (config.yaml) or flat (flink-conf.yaml).
  Status LoadFile(const std::string& path);

 private:
  /// kConfig when another name of the option has another value at the level that counts.
  Status CheckNamesAgree(const OptionInfo& option, const Setting& effective) const;

  std::map<std::string, std::map<Level, Setting>, std::less<>> settings_;
};

}  // namespace lakeward::config
