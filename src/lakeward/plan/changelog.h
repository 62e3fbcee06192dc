#pragma once

#include "lakeward/catalog/table_factory.h"
#include "lakeward/plan/logical/node.h"

namespace lakeward::plan {

/// The row kinds that a relation gives when it runs, with every update as -U and +U.
catalog::ChangelogMode InferChangelog(const LogicalNode& node, bool batch_mode);

/// Whether a node that must itself give update_before (or not) needs it from its input: a filter
/// does, since it must withdraw rows that no longer pass, and an aggregate over updates.
bool NeedsUpdateBefore(const LogicalNode& node, bool needed_from_node);

/// The lowest node that turns an append-only input into an updating one; null when there is none.
const LogicalNode* FindUpdatingNode(const LogicalNode& node, bool batch_mode);

}  // namespace lakeward::plan
