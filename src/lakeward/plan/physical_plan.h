#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/record_batch.h"
#include "lakeward/catalog/table_factory.h"
#include "lakeward/expr/expression.h"
#include "lakeward/expr/function.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::plan {

/// What the runtime executes: a tree of nodes, inputs first. Values; shared between threads once
/// made.
enum class PhysicalKind : uint8_t {
  kTableScan,
  kValues,
  kCalc,
  kExchange,
  kGroupAggregate,
  kUnion,
  kSort,
  kLimit,
  kTableSink,
  kCollect,
};

struct PhysicalNode;
using PhysicalNodePtr = std::shared_ptr<const PhysicalNode>;

struct PhysicalNode {
  explicit PhysicalNode(PhysicalKind node_kind) : kind(node_kind) {}
  virtual ~PhysicalNode() = default;

  PhysicalKind kind;
  std::vector<PhysicalNodePtr> inputs;
  types::RowSchema schema;  ///< of the rows that it emits
  catalog::ChangelogMode changelog;
  /// Distinguishes the node's state from all others of the plan and stays the same as long as the
  /// statement (and this node's place in it) does.
  std::string id;
};

struct TableScanNode final : PhysicalNode {
  TableScanNode() : PhysicalNode(PhysicalKind::kTableScan) {}
  catalog::TableContext context;
  std::shared_ptr<const catalog::TableFactory> factory;
  std::shared_ptr<const catalog::ScanNegotiation> negotiation;
};

struct ValuesNode final : PhysicalNode {
  ValuesNode() : PhysicalNode(PhysicalKind::kValues) {}
  std::shared_ptr<arrow::RecordBatch> rows;
};

/// Filter, then projection; either may be absent.
struct CalcNode final : PhysicalNode {
  CalcNode() : PhysicalNode(PhysicalKind::kCalc) {}
  expr::ExpressionPtr condition;                 ///< null: every row passes
  std::vector<expr::ExpressionPtr> projections;  ///< one per output column, over the input
};

enum class Distribution : uint8_t {
  kSingle,     ///< everything to one task
  kHash,       ///< by the hash of `keys`
  kRebalance,  ///< batch by batch, in turn
};

struct ExchangeNode final : PhysicalNode {
  ExchangeNode() : PhysicalNode(PhysicalKind::kExchange) {}
  Distribution distribution = Distribution::kRebalance;
  std::vector<int> keys;  ///< input columns, of kHash
};

struct AggregateCall {
  const expr::AggregateFunction* function = nullptr;
  expr::BoundSignature signature;
  std::vector<int> arguments;  ///< input columns, already of the signature's types
  std::optional<int> filter;   ///< a BOOLEAN input column: FILTER (WHERE …)
  bool distinct = false;
  std::string name;  ///< for EXPLAIN: "SUM(v)"
};

enum class AggregateEmission : uint8_t {
  kChangelog,  ///< after each row the group's change, as row-at-a-time execution does
  kAtEnd,      ///< one row a group when the input has ended (batch mode)
};

/// Output: the keys in order, then one column per call. The input is hash-distributed by the keys,
/// or on one task when there are none (then there is exactly one group, present even without input
/// rows only in kAtEnd).
struct GroupAggregateNode final : PhysicalNode {
  GroupAggregateNode() : PhysicalNode(PhysicalKind::kGroupAggregate) {}
  std::vector<int> keys;
  std::vector<AggregateCall> calls;
  AggregateEmission emission = AggregateEmission::kChangelog;
  bool emit_update_before = true;  ///< false: only +I, +U and -D are wanted
  bool fold_changes = false;       ///< at most one change a key and batch (consumers allow it)
};

/// All inputs have the same column types; rows pass through.
struct UnionNode final : PhysicalNode {
  UnionNode() : PhysicalNode(PhysicalKind::kUnion) {}
};

struct SortKey {
  int column = 0;
  bool ascending = true;
  bool nulls_first = true;
};

/// Sorts everything once the input has ended; on one task. With a limit only the first rows are
/// kept.
struct SortNode final : PhysicalNode {
  SortNode() : PhysicalNode(PhysicalKind::kSort) {}
  std::vector<SortKey> keys;
};

/// On one task.
struct LimitNode final : PhysicalNode {
  LimitNode() : PhysicalNode(PhysicalKind::kLimit) {}
  int64_t offset = 0;
  std::optional<int64_t> limit;
};

struct TableSinkNode final : PhysicalNode {
  TableSinkNode() : PhysicalNode(PhysicalKind::kTableSink) {}
  catalog::TableContext context;
  std::shared_ptr<const catalog::TableFactory> factory;
  std::shared_ptr<const catalog::SinkNegotiation> negotiation;
  /// Columns declared NOT NULL whose input may be null: checked by the sink operator.
  std::vector<int> not_null_columns;
  bool drop_null_violations = false;  ///< table.exec.sink.not-null-enforcer = DROP
  /// What the query calls the columns, for EXPLAIN; the input's own names are the table's.
  std::vector<std::string> query_columns;
};

/// The rows go to the person who asked: the result of a query.
struct CollectNode final : PhysicalNode {
  CollectNode() : PhysicalNode(PhysicalKind::kCollect) {}
};

/// One job: each root is a TableSinkNode or a CollectNode.
struct PhysicalPlan {
  std::vector<PhysicalNodePtr> roots;
  bool batch_mode = false;
  bool bounded = true;  ///< every scan is
};

}  // namespace lakeward::plan
