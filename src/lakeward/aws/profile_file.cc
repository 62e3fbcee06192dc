#include "lakeward/aws/profile_file.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace lakeward::aws {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The profile that a section's header begins; nothing for sections of other kinds.
std::optional<std::string> ProfileOfHeader(std::string_view header, ProfileFileKind kind) {
  const std::string_view name = Trimmed(header.substr(1, header.find(']') - 1));
  if (kind == ProfileFileKind::kCredentials || name == "default") {
    return std::string(name);
  }
  constexpr std::string_view kPrefix = "profile";
  if (name.starts_with(kPrefix) && name.size() > kPrefix.size() &&
      (name[kPrefix.size()] == ' ' || name[kPrefix.size()] == '\t')) {
    return std::string(Trimmed(name.substr(kPrefix.size())));
  }
  return std::nullopt;
}

// A value ends where a comment begins: at a blank followed by '#' or ';'.
std::string_view WithoutComment(std::string_view value) {
  for (size_t i = 1; i < value.size(); ++i) {
    if ((value[i] == '#' || value[i] == ';') && (value[i - 1] == ' ' || value[i - 1] == '\t')) {
      return Trimmed(value.substr(0, i));
    }
  }
  return value;
}

}  // namespace

Profiles ParseProfiles(std::string_view text, ProfileFileKind kind) {
  Profiles profiles;
  std::optional<std::string> current;
  while (!text.empty()) {
    const std::string_view raw = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), raw.size() + 1));
    const std::string_view line = Trimmed(raw);
    const bool is_nested = !raw.empty() && (raw[0] == ' ' || raw[0] == '\t');
    if (line.empty() || line[0] == '#' || line[0] == ';') {
      continue;
    }
    if (line[0] == '[') {
      current = ProfileOfHeader(line, kind);
      if (current.has_value()) {
        profiles.try_emplace(*current);
      }
      continue;
    }
    const size_t equals = line.find('=');
    if (!current.has_value() || is_nested || equals == std::string_view::npos) {
      continue;
    }
    std::string name(Trimmed(line.substr(0, equals)));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    profiles[*current].insert_or_assign(
        std::move(name), std::string(WithoutComment(Trimmed(line.substr(equals + 1)))));
  }
  return profiles;
}

ProfilePaths FindProfilePaths(const Surroundings& surroundings) {
  const std::string home = surroundings.environment("HOME").value_or("");
  const auto in_home = [&](const char* name) { return home.empty() ? "" : home + "/.aws/" + name; };
  const auto expanded = [&](std::string path) {
    return path.starts_with("~/") ? home + path.substr(1) : path;
  };
  ProfilePaths paths;
  paths.credentials = expanded(
      surroundings.environment("AWS_SHARED_CREDENTIALS_FILE").value_or(in_home("credentials")));
  paths.config = expanded(surroundings.environment("AWS_CONFIG_FILE").value_or(in_home("config")));
  return paths;
}

Profiles LoadProfiles(const Surroundings& surroundings) {
  const ProfilePaths paths = FindProfilePaths(surroundings);
  const auto load = [&](const std::string& path, ProfileFileKind kind) {
    Result<std::string> text =
        path.empty() ? Result<std::string>(std::string()) : surroundings.read_file(path);
    return text.ok() ? ParseProfiles(*text, kind) : Profiles{};
  };
  Profiles profiles = load(paths.credentials, ProfileFileKind::kCredentials);
  for (auto& [name, profile] : load(paths.config, ProfileFileKind::kConfig)) {
    profiles[name].insert(profile.begin(), profile.end());
  }
  return profiles;
}

std::string ProfileName(const Surroundings& surroundings, const std::string& given) {
  if (!given.empty()) {
    return given;
  }
  for (const char* variable : {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"}) {
    if (auto name = surroundings.environment(variable); name.has_value()) {
      return *std::move(name);
    }
  }
  return "default";
}

std::optional<std::string> RegionOfProfile(const Surroundings& surroundings,
                                           const std::string& given) {
  const Profiles profiles = LoadProfiles(surroundings);
  const auto profile = profiles.find(ProfileName(surroundings, given));
  if (profile == profiles.end()) {
    return std::nullopt;
  }
  const auto region = profile->second.find("region");
  return region == profile->second.end() || region->second.empty()
             ? std::nullopt
             : std::optional<std::string>(region->second);
}

}  // namespace lakeward::aws
