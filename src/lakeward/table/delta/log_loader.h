#pragma once

#include <memory>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/log_listing.h"
#include "lakeward/table/delta/table_state.h"

namespace lakeward::delta {

/// The modification time of an entry that this process put itself: not asked for.
inline constexpr int64_t kUnknownTime = -1;

/// A state and the file of its newest log entry as it was when it was read (empty path: the state
/// came from a checkpoint alone), by which a replaced table is recognised.
struct LoadedState {
  std::shared_ptr<const TableState> state;
  fs::FileInfo newest_entry;
};

/// The newest version: from the newest readable checkpoint and the entries after it, or from entry
/// 0. kNotFound when there is no table; a missing version is kCorruptData naming it.
Result<LoadedState> LoadLatest(const fs::Location& root);

/// A given version. kNotFound names the versions that can be had.
Result<LoadedState> LoadVersion(const fs::Location& root, int64_t version);

/// As LoadLatest, but reads only what is newer than `previous` where the log went on from there.
Result<LoadedState> Refresh(const fs::Location& root, const LoadedState& previous);

/// Reads and parses one log entry.
Result<Actions> ReadEntry(const fs::Location& root, int64_t version);

}  // namespace lakeward::delta
