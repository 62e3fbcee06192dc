#pragma once

#include <vector>

#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// Groups by input columns; gives the keys in order and then one column for each call. Without
/// calls: the distinct keys.
struct LogicalAggregate final : LogicalNodeOf<LogicalKind::kAggregate> {
  std::vector<int> keys;
  std::vector<AggregateCall> calls;
};

}  // namespace lakeward::plan
