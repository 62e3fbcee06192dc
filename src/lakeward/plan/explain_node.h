#pragma once

#include <string>
#include <vector>

#include "lakeward/plan/expression_text.h"
#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// One line of EXPLAIN for a node, without its inputs.
std::string DescribeLogical(const LogicalNode& node);
std::string DescribePhysical(const PhysicalNode& node, ExpressionStyle style, bool batch_mode);

/// "a, b, c".
std::string Join(const std::vector<std::string>& parts);

}  // namespace lakeward::plan
