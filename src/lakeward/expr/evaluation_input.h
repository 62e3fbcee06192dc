#pragma once

#include <memory>
#include <vector>

#include "arrow/array.h"
#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/expr/expression.h"

namespace lakeward::expr {

/// The rows that an expression is computed over: a batch, or some rows of one. Columns of a part
/// are gathered when an expression first reads them. Used by one evaluation only.
class EvaluationInput {
 public:
  explicit EvaluationInput(const arrow::RecordBatch& batch);
  /// The rows of `whole` whose numbers are given (counted within `whole`, which outlives this).
  EvaluationInput(EvaluationInput* whole, std::shared_ptr<arrow::Int32Array> rows);

  int64_t row_count() const { return row_count_; }
  Result<std::shared_ptr<arrow::Array>> Column(int number);

 private:
  const arrow::RecordBatch* batch_ = nullptr;
  EvaluationInput* whole_ = nullptr;
  std::shared_ptr<arrow::Int32Array> rows_;
  int64_t row_count_;
  std::vector<std::shared_ptr<arrow::Array>> gathered_;
};

/// The recursion behind Evaluate.
Result<arrow::Datum> EvaluateOver(const Expression& expression, EvaluationInput* input,
                                  const EvaluationContext& context);
Result<std::shared_ptr<arrow::Array>> EvaluateToArrayOver(const Expression& expression,
                                                          EvaluationInput* input,
                                                          const EvaluationContext& context);

/// Row numbers for which a BOOLEAN result (array or scalar) is TRUE, appended to `rows`.
Status AppendTrueRows(const arrow::Datum& condition, int64_t row_count, std::vector<int32_t>* rows);

/// Whether some row's values can make the expression an error.
bool MayFail(const Expression& expression);

std::shared_ptr<arrow::Int32Array> ToInt32Array(std::vector<int32_t> values);

}  // namespace lakeward::expr
