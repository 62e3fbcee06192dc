#include "lakeward/plan/changelog.h"

#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/scan.h"

namespace lakeward::plan {
namespace {

catalog::ChangelogMode Merge(const catalog::ChangelogMode& a, const catalog::ChangelogMode& b) {
  return {a.insert || b.insert, a.update_before || b.update_before,
          a.update_after || b.update_after, a.deletes || b.deletes};
}

}  // namespace

catalog::ChangelogMode InferChangelog(const LogicalNode& node, bool batch_mode) {
  if (node.kind == LogicalKind::kScan) {
    return node.As<LogicalScan>().negotiation->changelog_mode();
  }
  catalog::ChangelogMode mode = catalog::ChangelogMode::AppendOnly();
  for (const LogicalNodePtr& input : node.inputs) {
    mode = Merge(mode, InferChangelog(*input, batch_mode));
  }
  if (node.kind == LogicalKind::kAggregate) {
    const bool appended = mode.append_only();
    if (batch_mode || (appended && node.As<LogicalAggregate>().calls.empty())) {
      return catalog::ChangelogMode::AppendOnly();
    }
    return {.insert = true, .update_before = true, .update_after = true, .deletes = !appended};
  }
  return mode;
}

bool NeedsUpdateBefore(const LogicalNode& node, bool needed_from_node) {
  switch (node.kind) {
    case LogicalKind::kFilter:
    case LogicalKind::kAggregate:
    case LogicalKind::kSort:
    case LogicalKind::kLimit:
      return true;
    default:
      return needed_from_node;
  }
}

const LogicalNode* FindUpdatingNode(const LogicalNode& node, bool batch_mode) {
  for (const LogicalNodePtr& input : node.inputs) {
    if (const LogicalNode* found = FindUpdatingNode(*input, batch_mode)) {
      return found;
    }
  }
  return InferChangelog(node, batch_mode).append_only() ? nullptr : &node;
}

}  // namespace lakeward::plan
