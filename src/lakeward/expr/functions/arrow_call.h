#pragma once

#include "lakeward/expr/function.h"

namespace lakeward::expr {

/// Computes a call with the Arrow kernel of that name, whose meaning must be Flink's.
Result<arrow::Datum> CallArrowFunction(const char* function, const KernelCall& call);

}  // namespace lakeward::expr
