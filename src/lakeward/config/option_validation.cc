#include <algorithm>

#include "fmt/format.h"
#include "lakeward/base/similar_names.h"
#include "lakeward/config/option.h"

namespace lakeward::config {
namespace {

// Whether `key` is `pattern`, in which a '#' stands for any non-empty text (column names may hold
// dots).
bool MatchesPattern(std::string_view pattern, std::string_view key) {
  const size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) {
    return pattern == key;
  }
  const std::string_view before = pattern.substr(0, hash);
  const std::string_view after = pattern.substr(hash + 1);
  return key.size() > before.size() + after.size() && key.starts_with(before) &&
         key.ends_with(after);
}

const OptionInfo* FindDeclaration(const std::vector<OptionInfo>& declared, std::string_view key) {
  for (const OptionInfo& info : declared) {
    if (IsNamedBy(info, key)) {
      return &info;
    }
  }
  return nullptr;
}

bool IsGiven(const OptionMap& options, const OptionInfo& info) {
  return options.contains(info.key) ||
         std::any_of(info.also.begin(), info.also.end(),
                     [&](const std::string& key) { return options.contains(key); });
}

// "'pth': did you mean 'path'?" for the first unknown key that resembles a wanted one.
std::string NearMiss(const std::vector<std::string>& unknown,
                     const std::vector<std::string>& wanted) {
  for (const std::string& key : unknown) {
    const std::string suggestion = DidYouMean(key, wanted);
    if (!suggestion.empty()) {
      return fmt::format("'{}' is not an option. {}", key, suggestion);
    }
  }
  return "";
}

}  // namespace

bool IsNamedBy(const OptionInfo& option, std::string_view key) {
  return MatchesPattern(option.key, key) ||
         std::any_of(option.also.begin(), option.also.end(),
                     [&](const std::string& other) { return MatchesPattern(other, key); });
}

Status ValidateOptions(const OptionMap& options, const std::vector<OptionInfo>& declared,
                       std::string_view object, const std::vector<std::string>& ignore_prefixes) {
  std::vector<std::string> unknown;
  for (const auto& [key, value] : options) {
    const bool is_ignored =
        std::any_of(ignore_prefixes.begin(), ignore_prefixes.end(),
                    [&key = key](const std::string& prefix) { return key.starts_with(prefix); });
    if (!is_ignored && FindDeclaration(declared, key) == nullptr) {
      unknown.push_back(key);
    }
  }

  std::vector<std::string> missing;
  for (const OptionInfo& info : declared) {
    if (info.required && !IsGiven(options, info)) {
      missing.push_back(info.key);
    }
  }
  if (!missing.empty()) {
    std::sort(missing.begin(), missing.end());
    return MakeError(
        ErrorKind::kConfig,
        fmt::format(
            "One or more required options are missing.\n\nMissing required options are:\n\n{}",
            fmt::join(missing, "\n")),
        NearMiss(unknown, missing));
  }

  if (!unknown.empty()) {
    std::vector<std::string> supported;
    for (const OptionInfo& info : declared) {
      supported.push_back(info.key);
    }
    std::sort(supported.begin(), supported.end());
    return MakeError(ErrorKind::kConfig,
                     fmt::format("Unsupported options found for {}.\n\nUnsupported "
                                 "options:\n\n{}\n\nSupported options:\n\n{}",
                                 object, fmt::join(unknown, "\n"), fmt::join(supported, "\n")),
                     NearMiss(unknown, supported));
  }

  for (const auto& [key, value] : options) {
    const OptionInfo* info = FindDeclaration(declared, key);
    if (info != nullptr) {
      OptionInfo named = *info;
      named.key = key;
      LW_TRY(CheckText(named, value));
    }
  }
  return Status::OK();
}

}  // namespace lakeward::config
