#pragma once

#include <functional>

#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/actions.h"
#include "lakeward/table/delta/log_listing.h"

namespace lakeward::delta {

/// Reads a checkpoint of any form, sidecars included, in pieces of some thousand actions. Columns
/// that are missing count as null (protocol, "Checkpoint Schema"); struct statistics and parsed
/// partition values are not read. Any damage is an error; what was given to `take` before is then
/// worthless.
Status ReadCheckpoint(const fs::Location& root, const Checkpoint& checkpoint,
                      const std::function<void(Actions)>& take);

}  // namespace lakeward::delta
