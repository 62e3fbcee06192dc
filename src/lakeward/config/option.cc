#include "lakeward/config/option.h"

#include <algorithm>
#include <cctype>

#include "fmt/format.h"
#include "lakeward/base/secret.h"

namespace lakeward::config {
namespace {

template <typename T>
constexpr std::string_view TypeName() {
  if constexpr (std::is_same_v<T, bool>) {
    return "Boolean";
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return "Integer";
  } else if constexpr (std::is_same_v<T, double>) {
    return "Double";
  } else if constexpr (std::is_same_v<T, Duration>) {
    return "Duration";
  } else if constexpr (std::is_same_v<T, MemorySize>) {
    return "MemorySize";
  } else {
    return "String";
  }
}

template <typename T>
Result<T> ParseText(std::string_view text) {
  if constexpr (std::is_same_v<T, bool>) {
    return ParseBool(text);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return ParseInt64(text);
  } else if constexpr (std::is_same_v<T, double>) {
    return ParseDouble(text);
  } else if constexpr (std::is_same_v<T, Duration>) {
    return ParseDuration(text);
  } else if constexpr (std::is_same_v<T, MemorySize>) {
    return ParseMemorySize(text);
  } else {
    return std::string(text);
  }
}

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

Result<std::string> ParseWord(std::string_view text, const std::vector<std::string>& allowed) {
  for (const std::string& word : allowed) {
    if (EqualIgnoringCase(word, text)) {
      return word;
    }
  }
  return MakeError(ErrorKind::kConfig,
                   fmt::format("'{}' is not one of {}", text, fmt::join(allowed, ", ")));
}

// Names the option; keeps the value of a secret out of the message.
Status ForOption(const Status& status, const std::string& key) {
  if (IsSecretKey(key)) {
    return MakeError(ErrorKind::kConfig,
                     fmt::format("Invalid value for option '{}' (not shown: a secret)", key));
  }
  return WithContext(status, fmt::format("Invalid value for option '{}'", key));
}

Status Missing(const OptionInfo& info) {
  return MakeError(
      ErrorKind::kConfig,
      fmt::format(
          "One or more required options are missing.\n\nMissing required options are:\n\n{}",
          info.key),
      info.doc.empty() ? "" : fmt::format("Set '{}': {}", info.key, info.doc));
}

// The value given under any of the option's names. Two names with different values are an error:
// nobody could say which one counts.
Result<std::optional<std::string>> GivenText(const OptionMap& options, const OptionInfo& info) {
  std::optional<std::string> given;
  std::string_view given_key;
  const auto look_at = [&](const std::string& key) -> Status {
    const auto found = options.find(key);
    if (found == options.end()) {
      return Status::OK();
    }
    if (given.has_value() && *given != found->second) {
      return MakeError(
          ErrorKind::kConfig,
          fmt::format("Options '{}' and '{}' mean the same but differ", given_key, key),
          fmt::format("Keep only '{}'.", info.key));
    }
    if (!given.has_value()) {
      given = found->second;
      given_key = key;
    }
    return Status::OK();
  };
  LW_TRY(look_at(info.key));
  for (const std::string& key : info.also) {
    LW_TRY(look_at(key));
  }
  return given;
}

}  // namespace

template <typename T>
Option<T>::Option(std::string key, T default_value, std::string doc)
    : Option(std::move(key), std::move(doc)) {
  info_.default_text = ToText(default_value);
  info_.has_default = true;
  default_value_ = std::move(default_value);
}

template <typename T>
Option<T>::Option(std::string key, std::string doc) {
  info_.key = std::move(key);
  info_.type = TypeName<T>();
  info_.doc = std::move(doc);
}

template <typename T>
Option<T> Option<T>::Required(std::string key, std::string doc) {
  Option option(std::move(key), std::move(doc));
  option.info_.required = true;
  return option;
}

template <typename T>
Option<T> Option<T>::Allowed(std::vector<std::string> words) && {
  info_.allowed = std::move(words);
  info_.type = "Enum";
  return std::move(*this);
}

template <typename T>
Option<T> Option<T>::Also(std::vector<std::string> keys) && {
  info_.also = std::move(keys);
  return std::move(*this);
}

template <typename T>
Result<T> Option<T>::Parse(std::string_view text) const {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!info_.allowed.empty()) {
      Result<std::string> word = ParseWord(text, info_.allowed);
      return word.ok() ? std::move(word) : ForOption(word.status(), info_.key);
    }
  }
  Result<T> value = ParseText<T>(text);
  if (!value.ok()) {
    return ForOption(value.status(), info_.key);
  }
  return value;
}

template <typename T>
Result<std::optional<T>> Find(const OptionMap& options, const Option<T>& option) {
  LW_ASSIGN(const std::optional<std::string> text, GivenText(options, option.info()));
  if (!text.has_value()) {
    return option.default_value();
  }
  LW_ASSIGN(T value, option.Parse(*text));
  return std::optional<T>(std::move(value));
}

template <typename T>
Result<T> Get(const OptionMap& options, const Option<T>& option) {
  LW_ASSIGN(std::optional<T> value, Find(options, option));
  if (!value.has_value()) {
    return Missing(option.info());
  }
  return *std::move(value);
}

Status CheckText(const OptionInfo& info, std::string_view text) {
  Status status;
  if (!info.allowed.empty()) {
    status = ParseWord(text, info.allowed).status();
  } else if (info.type == TypeName<bool>()) {
    status = ParseBool(text).status();
  } else if (info.type == TypeName<int64_t>()) {
    status = ParseInt64(text).status();
  } else if (info.type == TypeName<double>()) {
    status = ParseDouble(text).status();
  } else if (info.type == TypeName<Duration>()) {
    status = ParseDuration(text).status();
  } else if (info.type == TypeName<MemorySize>()) {
    status = ParseMemorySize(text).status();
  }
  return status.ok() ? status : ForOption(status, info.key);
}

template class Option<bool>;
template class Option<int64_t>;
template class Option<double>;
template class Option<Duration>;
template class Option<MemorySize>;
template class Option<std::string>;

template Result<bool> Get(const OptionMap&, const Option<bool>&);
template Result<int64_t> Get(const OptionMap&, const Option<int64_t>&);
template Result<double> Get(const OptionMap&, const Option<double>&);
template Result<Duration> Get(const OptionMap&, const Option<Duration>&);
template Result<MemorySize> Get(const OptionMap&, const Option<MemorySize>&);
template Result<std::string> Get(const OptionMap&, const Option<std::string>&);

template Result<std::optional<bool>> Find(const OptionMap&, const Option<bool>&);
template Result<std::optional<int64_t>> Find(const OptionMap&, const Option<int64_t>&);
template Result<std::optional<double>> Find(const OptionMap&, const Option<double>&);
template Result<std::optional<Duration>> Find(const OptionMap&, const Option<Duration>&);
template Result<std::optional<MemorySize>> Find(const OptionMap&, const Option<MemorySize>&);
template Result<std::optional<std::string>> Find(const OptionMap&, const Option<std::string>&);

}  // namespace lakeward::config
