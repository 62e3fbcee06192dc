#pragma once

#include <memory>
#include <vector>

#include "arrow/datum.h"
#include "arrow/record_batch.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/expr/expression.h"
#include "lakeward/types/time_zone.h"

namespace arrow {
class MemoryPool;
}

namespace lakeward::expr {

/// What an evaluation may ask for besides the rows. Owned by the caller, outlives the call.
struct EvaluationContext {
  types::TimeZone zone;  ///< table.local-time-zone
  Clock* clock = nullptr;
  Random* random = nullptr;
  int64_t query_start_us = 0;  ///< what CURRENT_TIMESTAMP gives in batch mode
  bool batch_mode = false;
  arrow::MemoryPool* memory_pool = nullptr;  ///< null: the default pool
};

/// Computes an expression over whole columns. Errors that a row causes (division by zero, a CAST
/// that fails) are kValidation and quote the value. Thread-safe: it keeps no state. Constant
/// results come as scalars.
Result<arrow::Datum> Evaluate(const Expression& expression, const arrow::RecordBatch& input,
                              const EvaluationContext& context);

/// As Evaluate, but always an array of `input.num_rows()` values.
Result<std::shared_ptr<arrow::Array>> EvaluateToArray(const Expression& expression,
                                                      const arrow::RecordBatch& input,
                                                      const EvaluationContext& context);

/// Row numbers (ascending) for which a BOOLEAN expression is TRUE. When every row passes the result
/// is null, so that callers need not copy.
Result<std::shared_ptr<arrow::Int32Array>> EvaluateSelection(const Expression& condition,
                                                             const arrow::RecordBatch& input,
                                                             const EvaluationContext& context);

/// Replaces deterministic sub-expressions without columns by their value; one that fails stays as
/// it is, so that the error comes when (and only when) a row needs it.
ExpressionPtr FoldConstants(const ExpressionPtr& expression, const EvaluationContext& context);

}  // namespace lakeward::expr
