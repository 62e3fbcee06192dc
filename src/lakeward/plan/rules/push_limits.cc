#include "lakeward/plan/logical/limit.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {
namespace {

// Rows pass projections and unions one by one, so the bound holds below them too.
void Offer(const LogicalNode& node, int64_t limit) {
  switch (node.kind) {
    case LogicalKind::kScan:
      node.As<LogicalScan>().negotiation->ApplyLimit(limit);
      return;
    case LogicalKind::kProject:
    case LogicalKind::kUnion:
      for (const LogicalNodePtr& input : node.inputs) {
        Offer(*input, limit);
      }
      return;
    default:
      return;
  }
}

}  // namespace

Result<LogicalNodePtr> PushLimits(const LogicalNodePtr& root, const BindContext& context) {
  return TransformUp(root, [](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    const auto* limit = node->AsIf<LogicalLimit>();
    if (limit != nullptr && limit->limit.has_value() &&
        *limit->limit <= INT64_MAX - limit->offset) {
      Offer(*node->inputs[0], *limit->limit + limit->offset);
    }
    return node;
  });
}

}  // namespace lakeward::plan
