#include "lakeward/config/config_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "yaml-cpp/yaml.h"

namespace lakeward::config {
namespace {

constexpr size_t kTextBytesMax = 1 << 20;
constexpr size_t kEntriesMax = 10'000;
constexpr int kDepthMax = 50;

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view WithoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    }
  }
  return line;
}

// The entries of a flat file; nothing when some line is not an unindented `key: value`.
std::optional<std::vector<ConfigFileEntry>> ParseFlat(std::string_view text) {
  std::map<std::string, size_t> place_by_key;
  std::vector<ConfigFileEntry> entries;
  int line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const size_t end = std::min(text.size(), text.find('\n'));
    const std::string_view line = WithoutComment(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    if (Trim(line).empty()) {
      continue;
    }
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos || line[0] == ' ' || line[0] == '\t' || line[0] == '-') {
      return std::nullopt;
    }
    ConfigFileEntry entry{std::string(Trim(line.substr(0, colon))),
                          std::string(Trim(line.substr(colon + 2))), line_number};
    if (entry.key.empty() || entry.value.empty()) {
      return std::nullopt;
    }
    const auto [place, is_new] = place_by_key.emplace(entry.key, entries.size());
    if (is_new) {
      entries.push_back(std::move(entry));
    } else {
      entries[place->second] = std::move(entry);
    }
  }
  return entries;
}

Status Malformed(const std::string& path, int line, std::string_view reason,
                 std::string hint = "Write one 'key: value' a line, or nested YAML.") {
  return MakeError(ErrorKind::kConfig, fmt::format("{} line {}: {}", path, line, reason),
                   std::move(hint));
}

// Joins the keys of nested maps.
class YamlFlattener {
 public:
  explicit YamlFlattener(const std::string& path) : path_(path) {}

  // May throw what yaml-cpp throws.
  Status Add(const std::string& key, const YAML::Node& node, int depth) {
    const int line = node.Mark().line + 1;
    if (depth > kDepthMax) {
      return Malformed(path_, line, fmt::format("nested deeper than {} levels", kDepthMax));
    }
    switch (node.Type()) {
      case YAML::NodeType::Null:
      case YAML::NodeType::Undefined:
        return Status::OK();
      case YAML::NodeType::Map:
        return AddMap(key, node, depth);
      case YAML::NodeType::Sequence:
        return AddList(key, node);
      case YAML::NodeType::Scalar:
        return AddEntry(key, ScalarText(node), line);
    }
    return Status::OK();
  }

  std::vector<ConfigFileEntry> TakeEntries() { return std::move(entries_); }

 private:
  Status AddMap(const std::string& prefix, const YAML::Node& node, int depth) {
    for (const auto& member : node) {
      const int line = member.first.Mark().line + 1;
      if (!member.first.IsScalar() || member.first.Scalar().empty()) {
        return Malformed(path_, line, "a key must be a plain name");
      }
      const std::string& name = member.first.Scalar();
      LW_TRY(Add(prefix.empty() ? name : prefix + "." + name, member.second, depth + 1));
    }
    return Status::OK();
  }

  Status AddList(const std::string& key, const YAML::Node& node) {
    std::string text;
    bool is_first = true;
    for (const YAML::Node& item : node) {
      if (!item.IsScalar()) {
        return Malformed(path_, item.Mark().line + 1,
                         fmt::format("the list '{}' may hold only plain values", key));
      }
      text += is_first ? "" : ";";
      text += ScalarText(item);
      is_first = false;
    }
    return AddEntry(key, std::move(text), node.Mark().line + 1);
  }

  // Flink reads YAML 1.1, in which these unquoted words are booleans.
  static std::string ScalarText(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    if (node.Tag() == "?") {
      for (const char* word : {"yes", "Yes", "YES", "on", "On", "ON"}) {
        if (text == word) {
          return "true";
        }
      }
      for (const char* word : {"no", "No", "NO", "off", "Off", "OFF"}) {
        if (text == word) {
          return "false";
        }
      }
    }
    return text;
  }

  Status AddEntry(const std::string& key, std::string value, int line) {
    if (key.empty()) {
      return Malformed(path_, line, "a value without a key");
    }
    const auto [place, is_new] = line_by_key_.emplace(key, line);
    if (!is_new) {
      return Malformed(path_, line,
                       fmt::format("'{}' was already given in line {}", key, place->second),
                       "Remove one of the two.");
    }
    if (entries_.size() == kEntriesMax) {
      return Malformed(path_, line, fmt::format("more than {} settings", kEntriesMax));
    }
    entries_.push_back({key, std::move(value), line});
    return Status::OK();
  }

  const std::string& path_;
  std::map<std::string, int> line_by_key_;
  std::vector<ConfigFileEntry> entries_;
};

Status FromException(const YAML::Exception& error, const std::string& path) {
  return Malformed(path, error.mark.line + 1, error.msg);
}

Result<YAML::Node> LoadYaml(std::string_view text, const std::string& path) {
  try {
    return YAML::Load(std::string(text));
  } catch (const YAML::Exception& error) {
    return FromException(error, path);
  }
}

Result<std::vector<ConfigFileEntry>> Flatten(const YAML::Node& root, const std::string& path) {
  try {
    YamlFlattener flattener(path);
    LW_TRY(flattener.Add("", root, 0));
    return flattener.TakeEntries();
  } catch (const YAML::Exception& error) {
    return FromException(error, path);
  }
}

}  // namespace

Result<std::vector<ConfigFileEntry>> ParseConfigFile(std::string_view text,
                                                     const std::string& path) {
  if (text.size() > kTextBytesMax) {
    return MakeError(ErrorKind::kConfig,
                     fmt::format("{} is larger than {} bytes", path, kTextBytesMax),
                     "Check that this is a configuration file.");
  }
  std::optional<std::vector<ConfigFileEntry>> flat = ParseFlat(text);
  if (flat.has_value() && path.ends_with("flink-conf.yaml")) {
    return *std::move(flat);
  }
  const Result<YAML::Node> root = LoadYaml(text, path);
  if (!root.ok()) {
    return flat.has_value() ? Result<std::vector<ConfigFileEntry>>(*std::move(flat))
                            : root.status();
  }
  return Flatten(*root, path);
}

}  // namespace lakeward::config
