#pragma once

#include <cstdint>
#include <optional>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"

namespace lakeward::delta {

/// What `_delta_log/_last_checkpoint` says: a hint, never the truth.
struct LastCheckpoint {
  int64_t version = 0;
  int64_t action_count = 0;
  std::optional<int64_t> size_bytes;
  std::optional<int64_t> add_file_count;
};

/// Nothing when the file is missing, empty or damaged; all but the first are told in the log. A
/// store that cannot be read is an error: the listing that would come instead fails as well.
Result<std::optional<LastCheckpoint>> ReadLastCheckpoint(const fs::Location& root);

/// Puts the file in one step, unless it already names a newer checkpoint.
Status WriteLastCheckpoint(const fs::Location& root, const LastCheckpoint& checkpoint);

}  // namespace lakeward::delta
