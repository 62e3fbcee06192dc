#pragma once

#include <memory>
#include <string_view>

#include "arrow/array.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/cast.h"

namespace lakeward::expr {

/// The parts of CastArray, one per kind of conversion.
Result<std::shared_ptr<arrow::Array>> CastToText(const arrow::Array& values, const CastCall& call);
Result<std::shared_ptr<arrow::Array>> CastFromText(const arrow::Array& values,
                                                   const CastCall& call);
/// Among BOOLEAN, numbers and intervals.
Result<std::shared_ptr<arrow::Array>> CastNumbers(const std::shared_ptr<arrow::Array>& values,
                                                  const CastCall& call);
/// Among DATE, TIME, TIMESTAMP and TIMESTAMP_LTZ.
Result<std::shared_ptr<arrow::Array>> CastTimes(const std::shared_ptr<arrow::Array>& values,
                                                const CastCall& call);
Result<std::shared_ptr<arrow::Array>> CastNested(const std::shared_ptr<arrow::Array>& values,
                                                 const CastCall& call);

/// "cannot cast 'abc' to INT: `cause`".
Status CastError(std::string_view value, const types::LogicalType& target, std::string_view cause);

/// The column's own validity bitmap at offset 0, null when nothing is null.
Result<std::shared_ptr<arrow::Buffer>> CopyValidity(const arrow::Array& values,
                                                    const EvaluationContext& context);

}  // namespace lakeward::expr
