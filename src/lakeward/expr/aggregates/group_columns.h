#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arrow/array.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::expr {

/// Calls `visit(row)` for the rows of a column that are not null, in order.
template <typename Visit>
void ForEachValidRow(const arrow::Array& column, int64_t row_count, Visit visit) {
  if (column.null_count() == 0) {
    for (int64_t row = 0; row < row_count; ++row) {
      visit(row);
    }
    return;
  }
  const uint8_t* valid = column.null_bitmap_data();
  if (valid == nullptr) {
    return;  // a column of untyped nulls
  }
  for (int64_t row = 0; row < row_count; ++row) {
    if (arrow::bit_util::GetBit(valid, column.offset() + row)) {
      visit(row);
    }
  }
}

/// The weight of a row: +1 where there are no weights.
inline int64_t WeightOf(const int8_t* weights, int64_t row) {
  return weights == nullptr ? 1 : weights[row];
}

/// A column of `count` values by `value(i)`, null where `valid(i)` is false.
template <typename T, typename Value, typename Valid>
Result<std::shared_ptr<arrow::Array>> MakeColumn(const types::LogicalType& type, int64_t count,
                                                 Value value, Valid valid) {
  const EvaluationContext context;
  LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(count, context));
  LW_ASSIGN(BitOutput validity, BitOutput::Make(count, context));
  for (int64_t i = 0; i < count; ++i) {
    output[i] = value(i);
    validity.SetTo(i, valid(i));
  }
  return std::move(output).Finish(type, count, validity.buffer()).make_array();
}

/// As MakeColumn, without nulls.
template <typename T, typename Value>
Result<std::shared_ptr<arrow::Array>> MakeColumn(const types::LogicalType& type, int64_t count,
                                                 Value value) {
  const EvaluationContext context;
  LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(count, context));
  for (int64_t i = 0; i < count; ++i) {
    output[i] = value(i);
  }
  return std::move(output).Finish(type, count).make_array();
}

}  // namespace lakeward::expr
