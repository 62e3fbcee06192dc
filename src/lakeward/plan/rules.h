#pragma once

#include <string_view>
#include <vector>

#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// One way to improve a plan without changing its result: takes a whole plan, returns another.
/// Negotiations of its scans are told what the plan will need.
struct Rule {
  std::string_view name;
  Result<LogicalNodePtr> (*apply)(const LogicalNodePtr& root, const BindContext& context);
};

/// All rules in the order in which they are applied, each once.
const std::vector<Rule>& Rules();

/// The plan after every rule.
Result<LogicalNodePtr> Optimize(LogicalNodePtr root, const BindContext& context);

}  // namespace lakeward::plan
