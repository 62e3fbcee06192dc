#pragma once

#include <functional>

#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// Computes expressions without columns once; drops filters that are always true.
Result<LogicalNodePtr> FoldConstantExpressions(const LogicalNodePtr& root,
                                               const BindContext& context);
/// Computes aggregates with DISTINCT over rows made distinct by a grouping below. kUnsupported
/// where a grouping has several kinds of them.
Result<LogicalNodePtr> SplitDistinct(const LogicalNodePtr& root, const BindContext& context);
/// Moves conditions towards the scans and offers them there.
Result<LogicalNodePtr> PushFilters(const LogicalNodePtr& root, const BindContext& context);
/// Makes one projection of several on top of one another, and none of one that changes nothing.
Result<LogicalNodePtr> MergeProjections(const LogicalNodePtr& root, const BindContext& context);
/// Reads only the columns that something above needs.
Result<LogicalNodePtr> PruneColumns(const LogicalNodePtr& root, const BindContext& context);
/// Tells scans how many rows are wanted at most.
Result<LogicalNodePtr> PushLimits(const LogicalNodePtr& root, const BindContext& context);

/// Rebuilds a plan from its leaves up: `change` gets each node over its already changed inputs.
Result<LogicalNodePtr> TransformUp(
    const LogicalNodePtr& root,
    const std::function<Result<LogicalNodePtr>(const LogicalNodePtr& node)>& change);

}  // namespace lakeward::plan
