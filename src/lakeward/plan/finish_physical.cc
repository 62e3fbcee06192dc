#include <string>
#include <utility>

#include "lakeward/plan/node_id.h"
#include "lakeward/plan/to_physical.h"

namespace lakeward::plan {
namespace {

std::shared_ptr<PhysicalNode> Copy(const PhysicalNode& node) {
  switch (node.kind) {
    case PhysicalKind::kTableScan:
      return std::make_shared<TableScanNode>(static_cast<const TableScanNode&>(node));
    case PhysicalKind::kValues:
      return std::make_shared<ValuesNode>(static_cast<const ValuesNode&>(node));
    case PhysicalKind::kCalc:
      return std::make_shared<CalcNode>(static_cast<const CalcNode&>(node));
    case PhysicalKind::kExchange:
      return std::make_shared<ExchangeNode>(static_cast<const ExchangeNode&>(node));
    case PhysicalKind::kGroupAggregate:
      return std::make_shared<GroupAggregateNode>(static_cast<const GroupAggregateNode&>(node));
    case PhysicalKind::kUnion:
      return std::make_shared<UnionNode>(static_cast<const UnionNode&>(node));
    case PhysicalKind::kSort:
      return std::make_shared<SortNode>(static_cast<const SortNode&>(node));
    case PhysicalKind::kLimit:
      return std::make_shared<LimitNode>(static_cast<const LimitNode&>(node));
    case PhysicalKind::kTableSink:
      return std::make_shared<TableSinkNode>(static_cast<const TableSinkNode&>(node));
    case PhysicalKind::kCollect:
      return std::make_shared<CollectNode>(static_cast<const CollectNode&>(node));
  }
  LW_CHECK(false && "every PhysicalKind is copied");
  return nullptr;
}

// Whether the node hands its input's batches on as they are, column names included.
bool PassesThrough(PhysicalKind kind) {
  return kind == PhysicalKind::kExchange || kind == PhysicalKind::kUnion ||
         kind == PhysicalKind::kSort || kind == PhysicalKind::kLimit;
}

// `names`: what the node's columns must be called; empty: as they are.
PhysicalNodePtr FinishNode(const PhysicalNode& node, const std::string& place,
                           const std::vector<std::string>& names) {
  std::shared_ptr<PhysicalNode> copy = Copy(node);
  for (size_t i = 0; i < names.size(); ++i) {
    copy->schema.columns[i].name = names[i];
  }
  const auto* calc =
      node.kind == PhysicalKind::kCalc ? static_cast<const CalcNode*>(&node) : nullptr;
  std::vector<std::string> input_names;
  if (node.kind == PhysicalKind::kTableSink) {
    input_names = node.schema.Names();
  } else if (PassesThrough(node.kind) || (calc != nullptr && calc->projections.empty())) {
    input_names = names;
  }
  for (size_t i = 0; i < copy->inputs.size(); ++i) {
    copy->inputs[i] = FinishNode(*copy->inputs[i], place + "." + std::to_string(i), input_names);
  }
  if (node.kind == PhysicalKind::kValues && !names.empty()) {
    auto& values = static_cast<ValuesNode&>(*copy);
    LW_CHECK(values.rows->num_columns() == static_cast<int>(names.size()));
    auto renamed = values.rows->RenameColumns(names);
    LW_CHECK(renamed.ok());
    values.rows = *std::move(renamed);
  }
  copy->id = MakeNodeId(*copy, place);
  return copy;
}

}  // namespace

PhysicalPlan Finish(const PhysicalPlan& plan) {
  PhysicalPlan finished = plan;
  for (size_t i = 0; i < plan.roots.size(); ++i) {
    finished.roots[i] = FinishNode(*plan.roots[i], std::to_string(i), {});
  }
  return finished;
}

}  // namespace lakeward::plan
