#include "lakeward/plan/node_id.h"

#include <cstdint>

#include "fmt/format.h"

namespace lakeward::plan {
namespace {

// FNV-1a.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return hash;
}

std::string_view KindName(PhysicalKind kind) {
  switch (kind) {
    case PhysicalKind::kTableScan:
      return "scan";
    case PhysicalKind::kValues:
      return "values";
    case PhysicalKind::kCalc:
      return "calc";
    case PhysicalKind::kExchange:
      return "exchange";
    case PhysicalKind::kGroupAggregate:
      return "aggregate";
    case PhysicalKind::kUnion:
      return "union";
    case PhysicalKind::kSort:
      return "sort";
    case PhysicalKind::kLimit:
      return "limit";
    case PhysicalKind::kTableSink:
      return "sink";
    case PhysicalKind::kCollect:
      return "collect";
  }
  return "?";
}

std::string TypesOf(const types::RowSchema& schema) {
  std::string text;
  for (const types::Column& column : schema.columns) {
    text += "," + column.type->ToString();
  }
  return text;
}

// What decides whether state written by one plan fits another: not the names of columns.
std::string Structure(const PhysicalNode& node) {
  switch (node.kind) {
    case PhysicalKind::kTableScan:
      return static_cast<const TableScanNode&>(node).context.path.ToString();
    case PhysicalKind::kTableSink:
      return static_cast<const TableSinkNode&>(node).context.path.ToString();
    case PhysicalKind::kGroupAggregate: {
      const auto& aggregate = static_cast<const GroupAggregateNode&>(node);
      std::string text = TypesOf(aggregate.schema);
      for (const AggregateCall& call : aggregate.calls) {
        text += "," + call.function->name + (call.distinct ? " distinct" : "");
        for (const types::TypePtr& type : call.signature.argument_types) {
          text += " " + type->ToString();
        }
      }
      return text;
    }
    default:
      return TypesOf(node.schema);
  }
}

}  // namespace

std::string MakeNodeId(const PhysicalNode& node, std::string_view place) {
  return fmt::format("{}-{}-{:016x}", KindName(node.kind), place, Hash(Structure(node)));
}

}  // namespace lakeward::plan
