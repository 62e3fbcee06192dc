#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::config {

/// Milliseconds, as a type of its own so that "10 s" is parsed and printed as a duration.
struct Duration {
  int64_t millis = 0;
  friend bool operator==(const Duration&, const Duration&) = default;
};

/// Bytes, written as Flink's MemorySize: "128 mb".
struct MemorySize {
  int64_t bytes = 0;
  friend bool operator==(const MemorySize&, const MemorySize&) = default;
};

/// Parses the texts that Flink accepts: "true", "10", "1.5", "10 s", "PT10S", "100ms", "128 mb".
/// A number without unit is milliseconds or bytes; finer than a millisecond is refused. The error
/// names no key; callers add it.
Result<bool> ParseBool(std::string_view text);
Result<int64_t> ParseInt64(std::string_view text);
Result<double> ParseDouble(std::string_view text);
Result<Duration> ParseDuration(std::string_view text);
Result<MemorySize> ParseMemorySize(std::string_view text);
std::string ToText(bool value);
std::string ToText(int64_t value);
std::string ToText(double value);
std::string ToText(Duration value);
std::string ToText(MemorySize value);
std::string ToText(const std::string& value);

/// What documentation, SHOW and validation know of an option; see Option<T>.
struct OptionInfo {
  std::string key;   ///< "execution.checkpointing.interval"; '#' stands for any one name
  std::string type;  ///< "Boolean", "Integer", "Double", "Duration", "MemorySize", "String", "Enum"
  std::string default_text;  ///< empty with `has_default` false
  bool has_default = false;
  bool required = false;
  std::vector<std::string> allowed;  ///< the words of an enumeration
  std::vector<std::string> also;     ///< other names that people have for it
  std::string doc;                   ///< one sentence
};

/// One setting, declared once: key, type, default and documentation. Everything that validates,
/// documents or shows options reads the declaration.
///
///   const Option<Duration> kInterval{"execution.checkpointing.interval", Duration{10'000},
///                                    "How often …"};
template <typename T>
class Option {
 public:
  /// With a default.
  Option(std::string key, T default_value, std::string doc);
  /// Without one: Get() gives nothing when the setting is absent.
  Option(std::string key, std::string doc);

  /// An option that must be given.
  static Option Required(std::string key, std::string doc);
  /// Restricts a String option to these words (letters of either case).
  Option Allowed(std::vector<std::string> words) &&;
  /// Other spellings that mean this option.
  Option Also(std::vector<std::string> keys) &&;

  const OptionInfo& info() const { return info_; }
  const std::string& key() const { return info_.key; }
  const std::optional<T>& default_value() const { return default_value_; }

  /// Parses a text given for this option; the error is kConfig and names key, text and what is
  /// allowed.
  Result<T> Parse(std::string_view text) const;

 private:
  OptionInfo info_;
  std::optional<T> default_value_;
};

/// Options as written in a WITH clause.
using OptionMap = std::map<std::string, std::string, std::less<>>;

/// The option's value in `options`, its default, or kConfig when it is required and missing.
template <typename T>
Result<T> Get(const OptionMap& options, const Option<T>& option);
/// Nothing when absent and without default.
template <typename T>
Result<std::optional<T>> Find(const OptionMap& options, const Option<T>& option);

/// Whether a text is a value of the declared option; the error is that of Option::Parse.
Status CheckText(const OptionInfo& info, std::string_view text);

/// Whether `key` is one of the names of the option; a '#' in a name stands for any text.
bool IsNamedBy(const OptionInfo& option, std::string_view key);

/// Checks a WITH clause against declarations: unknown keys (with a near miss as hint and the list
/// of supported keys, as Flink prints it), missing required ones, unparsable values. `object` names
/// what they belong to, quotes included ("'filesystem'", as Flink does). Keys for which
/// `ignore_prefixes` has a prefix pass.
Status ValidateOptions(const OptionMap& options, const std::vector<OptionInfo>& declared,
                       std::string_view object,
                       const std::vector<std::string>& ignore_prefixes = {});

}  // namespace lakeward::config
