#pragma once

#include <cstdint>
#include <optional>

#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// Leaves out the first `offset` rows and gives at most `limit`.
struct LogicalLimit final : LogicalNodeOf<LogicalKind::kLimit> {
  int64_t offset = 0;
  std::optional<int64_t> limit;
};

}  // namespace lakeward::plan
