#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "lakeward/expr/expression.h"
#include "lakeward/table/delta/statistics.h"

namespace lakeward::delta {

/// The truth values that a condition can have over the rows of one file. True in doubt.
struct Outcomes {
  bool may_be_true = true;
  bool may_be_false = true;
  bool may_be_null = true;
};

/// What is known of one file's columns, by number.
struct FileKnowledge {
  std::function<ColumnBounds(int column)> bounds;
  std::optional<int64_t> record_count;
};

/// Judges a condition without reading rows: comparisons of a column with a constant, IS [NOT] NULL,
/// IN, BETWEEN, boolean columns, and AND, OR, NOT, IS [NOT] TRUE|FALSE over them. Anything else may
/// be anything.
Outcomes Judge(const expr::Expression& condition, const FileKnowledge& file);

/// A constant as it is compared; nothing for null and for types without bounds.
std::optional<BoundValue> ToBoundValue(const arrow::Scalar& value, const types::LogicalType& type);

}  // namespace lakeward::delta
