#pragma once

#include <string>
#include <utility>

#include "lakeward/expr/column_values.h"

namespace lakeward::expr {

/// Writes one text per valid row by `write(row, text)`, which answers whether the row has a value.
template <typename Write>
Result<arrow::Datum> WriteTextRows(const KernelCall& call, Write write) {
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (IsValidRow(call, row) && write(row, &output.text())) {
      output.End();
    } else {
      output.EndNull();
    }
  }
  return std::move(output).Finish(*call.result_type);
}

/// Sets the bits of the valid rows for which `test(row)`.
template <typename Test>
Result<arrow::Datum> TestRows(const KernelCall& call, Test test) {
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (IsValidRow(call, row) && test(row)) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

}  // namespace lakeward::expr
