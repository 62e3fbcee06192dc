#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "arrow/type.h"
#include "lakeward/expr/function.h"
#include "lakeward/stream/operator.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::stream {

struct GroupAggregateCall {
  const expr::AggregateFunction* function = nullptr;
  expr::BoundSignature signature;
  std::vector<int> arguments;  ///< input columns
  std::optional<int> filter;   ///< a BOOLEAN input column
};

struct GroupAggregateOptions {
  std::vector<int> keys;  ///< input columns
  std::vector<types::TypePtr> key_types;
  std::vector<GroupAggregateCall> calls;
  bool emit_at_end = false;        ///< one row a group once the input has ended, no changelog
  bool emit_update_before = true;  ///< whether -U rows are wanted
  bool fold_changes = false;       ///< at most one change a key and batch
  std::shared_ptr<arrow::Schema> schema;  ///< of the output: keys, then calls
};

/// Aggregates by key. As a changelog it emits what row-at-a-time execution would, row by row within
/// a batch: +I for a group's first row, then -U and +U where the result changes, -D when the last
/// row is retracted (Flink's GroupAggFunction). State lies in columns by key group.
Result<std::unique_ptr<Operator>> MakeGroupAggregateOperator(GroupAggregateOptions options);

}  // namespace lakeward::stream
