#pragma once

#include <vector>

#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// The input's rows in order.
struct LogicalSort final : LogicalNodeOf<LogicalKind::kSort> {
  std::vector<SortKey> keys;
};

}  // namespace lakeward::plan
