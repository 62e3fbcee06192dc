#pragma once

#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/table_state.h"

namespace lakeward::delta {

/// Those of `candidates` (paths as in AddFile) that some version which can still be built from the
/// log refers to: what the newest state holds, what any log entry adds, and what the oldest
/// readable checkpoint stands for. Fails when part of that cannot be read.
Result<std::vector<std::string>> FindReferencedFiles(const fs::Location& root,
                                                     const TableState& newest,
                                                     const std::vector<std::string>& candidates);

}  // namespace lakeward::delta
