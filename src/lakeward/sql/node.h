#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::sql {

/// What every node of the syntax tree has. Trees are immutable once parsed, own everything they
/// hold, and may be shared between threads.
struct Node {
  explicit Node(SqlPosition at) : position(at) {}
  Node(const Node&) = default;
  Node& operator=(const Node&) = default;
  virtual ~Node() = default;

  /// The first character of the node's text.
  SqlPosition position;
  /// How deep a walk over this node recurses when it follows the left operands of BinaryExpression,
  /// SetOperationQuery and JoinTable in a loop. The parser refuses trees beyond
  /// ParseOptions::nesting_depth_max.
  int nesting_depth = 1;
};

namespace internal {

/// Deletes a node and everything that only it owns, without recursion however long a chain is.
struct NodeDeleter {
  void operator()(Node* node) const;
};

}  // namespace internal

/// Makes a node whose destruction does not recurse.
template <typename T, typename... Arguments>
std::shared_ptr<T> MakeNode(Arguments&&... arguments) {
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), internal::NodeDeleter{});
}

/// One name as written, without its quotes.
struct Identifier {
  std::string text;
  bool quoted = false;
  SqlPosition position;
};

/// `catalog.database.table`, `table.column`, `column.field` …: what it means is the binder's
/// affair.
struct QualifiedName {
  std::vector<Identifier> parts;

  bool empty() const { return parts.empty(); }
  size_t size() const { return parts.size(); }
  SqlPosition position() const { return parts.empty() ? SqlPosition{} : parts.front().position; }
  const Identifier& back() const { return parts.back(); }
  /// The parts joined by dots, unquoted: for messages, not for SQL text (see ToSql in print.h).
  std::string ToString() const;
  /// The parts without positions and quotes.
  std::vector<std::string> Texts() const;
};

}  // namespace lakeward::sql
