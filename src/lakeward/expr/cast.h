#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "arrow/array.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/expr/int128.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::expr {

/// A conversion of whole columns as Flink 1.20's CAST makes it: integers wrap around as in Java,
/// floating point saturates at an integer's ends, a DECIMAL that does not fit is null, text that
/// cannot be read is an error (null under TRY_CAST), timestamps lose digits without rounding.
struct CastCall {
  const types::LogicalType& source;
  const types::LogicalType& target;
  bool null_on_failure;  ///< TRY_CAST
  const EvaluationContext& context;
};

/// `values` has the physical form of the source type, the result that of the target type.
/// kUnsupported for pairs that types::FindCast refuses; kValidation quotes a value that cannot be
/// converted.
Result<std::shared_ptr<arrow::Array>> CastArray(std::shared_ptr<arrow::Array> values,
                                                const CastCall& call);

/// Whether a value of the source type can be refused by CAST.
bool CastMayFail(const types::LogicalType& source, const types::LogicalType& target);

/// A decimal number's text as an unscaled value, rounded half up. `is_number` tells whether the
/// text was a number at all; no value although it was: it needs more than `precision` digits.
std::optional<Int128> ParseDecimal(std::string_view text, int32_t precision, int32_t scale,
                                   bool* is_number);

}  // namespace lakeward::expr
