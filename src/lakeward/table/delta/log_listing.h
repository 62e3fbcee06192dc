#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"

namespace lakeward::delta {

enum class CheckpointForm : uint8_t {
  kClassic,      ///< n.checkpoint.parquet
  kMultiPart,    ///< n.checkpoint.o.p.parquet
  kUuidParquet,  ///< n.checkpoint.<uuid>.parquet, version 2
  kUuidJson,     ///< n.checkpoint.<uuid>.json, version 2
};

/// A checkpoint with all its parts.
struct Checkpoint {
  int64_t version = 0;
  CheckpointForm form = CheckpointForm::kClassic;
  std::vector<std::string> file_names;  ///< in `_delta_log`, in part order
};

/// What lies in `_delta_log`, as far as it matters. Log compactions, version checksums, temporary
/// files and multi-part checkpoints with missing parts are left out.
struct LogListing {
  /// Log entries by version: the file's information as the store gave it.
  std::map<int64_t, fs::FileInfo> entries;
  /// By ascending version; of one version, the form that is read first comes last.
  std::vector<Checkpoint> checkpoints;

  bool empty() const { return entries.empty() && checkpoints.empty(); }
  /// The newest version that the listing shows, -1 when it shows none.
  int64_t NewestVersion() const;
};

/// "00000000000000000042.json" …
std::string EntryName(int64_t version);
std::string CheckpointName(int64_t version);

/// The version of a log entry's file name; nothing for every other file.
std::optional<int64_t> EntryVersion(std::string_view file_name);

/// Lists `_delta_log` from `first_version` on (0: everything).
Result<LogListing> ListLog(const fs::Location& root, int64_t first_version);

/// Sorts the files of a listing. Separate for tests.
LogListing SortLogFiles(const std::vector<fs::FileInfo>& files);

}  // namespace lakeward::delta
