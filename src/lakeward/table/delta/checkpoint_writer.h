#pragma once

#include <cstdint>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/last_checkpoint.h"
#include "lakeward/table/delta/table_state.h"

namespace lakeward::delta {

/// Writes the classic single-file checkpoint of a state, with every column of the current
/// checkpoint schema, and without tombstones that were deleted before `oldest_tombstone_ms`. The
/// file appears whole or not at all; one that is there is replaced by equal content. Does not touch
/// `_last_checkpoint`; returns what belongs into it.
Result<LastCheckpoint> WriteCheckpoint(const fs::Location& root, const TableState& state,
                                       int64_t oldest_tombstone_ms);

}  // namespace lakeward::delta
