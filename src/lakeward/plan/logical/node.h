#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::plan {

/// What a query means, before it is decided how to run it: a tree of relations, inputs first. One
/// header for each kind. Values; rules build new trees.
enum class LogicalKind : uint8_t {
  kScan,
  kValues,
  kFilter,
  kProject,
  kAggregate,
  kUnion,
  kSort,
  kLimit,
  kSink,
};

struct LogicalNode;
using LogicalNodePtr = std::shared_ptr<const LogicalNode>;

struct LogicalNode {
  explicit LogicalNode(LogicalKind node_kind) : kind(node_kind) {}
  LogicalNode(const LogicalNode&) = default;
  LogicalNode& operator=(const LogicalNode&) = default;
  virtual ~LogicalNode() = default;

  /// This node as the struct that `kind` names; an invariant is broken when it is another one.
  template <typename T>
  const T& As() const {
    LW_CHECK(kind == T::kKind);
    return static_cast<const T&>(*this);
  }
  /// The same, null when this node is of another kind.
  template <typename T>
  const T* AsIf() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }

  LogicalKind kind;
  std::vector<LogicalNodePtr> inputs;
  types::RowSchema schema;  ///< of the rows that it gives
};

template <LogicalKind kind_of_node>
struct LogicalNodeOf : LogicalNode {
  static constexpr LogicalKind kKind = kind_of_node;
  LogicalNodeOf() : LogicalNode(kind_of_node) {}
};

/// A copy of the node over other inputs and, where given, with other column names.
LogicalNodePtr WithInputs(const LogicalNode& node, std::vector<LogicalNodePtr> inputs);
LogicalNodePtr WithSchema(const LogicalNode& node, types::RowSchema schema);

}  // namespace lakeward::plan
