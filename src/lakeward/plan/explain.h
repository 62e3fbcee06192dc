#pragma once

#include <string>
#include <vector>

#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// EXPLAIN's text in Flink's three sections: the plans as bound, and as they will run (with
/// operators before and between their operands).
std::string Explain(const std::vector<LogicalNodePtr>& bound, const PhysicalPlan& plan);

/// One node as the last section shows it, for messages: "GroupAggregate(groupBy=[k], …)".
std::string DescribeUpdating(const LogicalNode& node);

}  // namespace lakeward::plan
