#include "lakeward/table/delta/log_listing.h"

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/ids.h"
#include "lakeward/table/delta/file_path.h"

// Source: protocol, "Delta Log Entries", "Checkpoint Naming Scheme".

namespace lakeward::delta {
namespace {

constexpr size_t kVersionDigits = 20;
constexpr size_t kPartDigits = 10;

/// A number of exactly `digits` digits.
std::optional<int64_t> FixedNumber(std::string_view text, size_t digits) {
  int64_t value = 0;
  if (text.size() != digits) {
    return std::nullopt;
  }
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

struct MultiPartKey {
  int64_t version;
  int64_t part_count;
  auto operator<=>(const MultiPartKey&) const = default;
};

/// Which form of one version to trust first: the single files before the many.
int Preference(CheckpointForm form) {
  switch (form) {
    case CheckpointForm::kMultiPart:
      return 0;
    case CheckpointForm::kUuidJson:
      return 1;
    case CheckpointForm::kUuidParquet:
      return 2;
    case CheckpointForm::kClassic:
      return 3;
  }
  return 0;
}

class Sorter {
 public:
  void Take(const fs::FileInfo& file) {
    const std::string_view name = fs::BaseNameOf(file.path);
    if (const std::optional<int64_t> version = EntryVersion(name)) {
      listing_.entries.emplace(*version, file);
      return;
    }
    if (name.size() <= kVersionDigits || name[kVersionDigits] != '.') {
      return;
    }
    const std::optional<int64_t> version =
        FixedNumber(name.substr(0, kVersionDigits), kVersionDigits);
    std::string_view rest = name.substr(kVersionDigits + 1);
    // A file of no bytes is what a writer left that died half-way.
    if (!version.has_value() || !rest.starts_with("checkpoint.") || file.size_bytes == 0) {
      return;
    }
    rest.remove_prefix(std::string_view("checkpoint.").size());
    TakeCheckpoint(*version, std::string(name), rest);
  }

  LogListing Finish() && {
    for (auto& [key, parts] : multi_part_) {
      // "Readers must ignore multi-part checkpoints with missing parts."
      if (static_cast<int64_t>(parts.size()) != key.part_count) {
        continue;
      }
      Checkpoint checkpoint{key.version, CheckpointForm::kMultiPart, {}};
      for (auto& [part, name] : parts) {
        checkpoint.file_names.push_back(std::move(name));
      }
      listing_.checkpoints.push_back(std::move(checkpoint));
    }
    std::sort(listing_.checkpoints.begin(), listing_.checkpoints.end(),
              [](const Checkpoint& a, const Checkpoint& b) {
                return std::make_tuple(a.version, Preference(a.form), a.file_names) <
                       std::make_tuple(b.version, Preference(b.form), b.file_names);
              });
    return std::move(listing_);
  }

 private:
  void TakeCheckpoint(int64_t version, std::string name, std::string_view rest) {
    if (rest == "parquet") {
      listing_.checkpoints.push_back({version, CheckpointForm::kClassic, {std::move(name)}});
      return;
    }
    const size_t last_dot = rest.rfind('.');
    if (last_dot == std::string_view::npos) {
      return;
    }
    const std::string_view extension = rest.substr(last_dot + 1);
    const std::string_view middle = rest.substr(0, last_dot);
    if (IsUuid(middle) && (extension == "parquet" || extension == "json")) {
      listing_.checkpoints.push_back(
          {version,
           extension == "json" ? CheckpointForm::kUuidJson : CheckpointForm::kUuidParquet,
           {std::move(name)}});
      return;
    }
    if (extension != "parquet" || middle.size() != 2 * kPartDigits + 1 ||
        middle[kPartDigits] != '.') {
      return;
    }
    const auto part = FixedNumber(middle.substr(0, kPartDigits), kPartDigits);
    const auto part_count = FixedNumber(middle.substr(kPartDigits + 1), kPartDigits);
    if (part.has_value() && part_count.has_value() && *part >= 1 && *part <= *part_count) {
      multi_part_[{version, *part_count}][*part] = std::move(name);
    }
  }

  LogListing listing_;
  std::map<MultiPartKey, std::map<int64_t, std::string>> multi_part_;
};

}  // namespace

int64_t LogListing::NewestVersion() const {
  const int64_t entry = entries.empty() ? -1 : entries.rbegin()->first;
  const int64_t checkpoint = checkpoints.empty() ? -1 : checkpoints.back().version;
  return std::max(entry, checkpoint);
}

std::string EntryName(int64_t version) { return fmt::format("{:020}.json", version); }

std::string CheckpointName(int64_t version) {
  return fmt::format("{:020}.checkpoint.parquet", version);
}

std::optional<int64_t> EntryVersion(std::string_view file_name) {
  if (!file_name.ends_with(".json")) {
    return std::nullopt;
  }
  return FixedNumber(file_name.substr(0, file_name.size() - std::string_view(".json").size()),
                     kVersionDigits);
}

LogListing SortLogFiles(const std::vector<fs::FileInfo>& files) {
  Sorter sorter;
  for (const fs::FileInfo& file : files) {
    sorter.Take(file);
  }
  return std::move(sorter).Finish();
}

Result<LogListing> ListLog(const fs::Location& root, int64_t first_version) {
  // '-' sorts right before '.', which follows the version in every name.
  const std::string start_after =
      first_version <= 0 ? std::string() : LogPath(root, fmt::format("{:020}-", first_version));
  LW_ASSIGN(const std::vector<fs::FileInfo> files,
            root.file_system->ListDirectly(LogFolder(root), start_after));
  return SortLogFiles(files);
}

}  // namespace lakeward::delta
