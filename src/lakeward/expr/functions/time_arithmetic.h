#pragma once

#include <optional>
#include <vector>

#include "lakeward/expr/function.h"

namespace lakeward::expr {

/// + and - between points in time and intervals, * between intervals and integers; the parts of the
/// arithmetic operators that are not about numbers.
std::optional<BoundSignature> BindTimeAddition(const std::vector<types::TypePtr>& arguments);
std::optional<BoundSignature> BindTimeSubtraction(const std::vector<types::TypePtr>& arguments);
std::optional<BoundSignature> BindIntervalMultiplication(
    const std::vector<types::TypePtr>& arguments);

Result<arrow::Datum> AddToTime(const KernelCall& call);
Result<arrow::Datum> SubtractFromTime(const KernelCall& call);
Result<arrow::Datum> MultiplyInterval(const KernelCall& call);

/// A point in time of the given type moved by months or by milliseconds.
int64_t MoveByMonths(int64_t value, int64_t months, const types::LogicalType& type);
int64_t MoveByMillis(int64_t value, int64_t millis, const types::LogicalType& type);

}  // namespace lakeward::expr
