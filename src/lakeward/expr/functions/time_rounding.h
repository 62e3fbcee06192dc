#pragma once

#include "lakeward/expr/function.h"

namespace lakeward::expr {

/// FLOOR(time TO unit) and CEIL(time TO unit): a temporal argument and the unit as a constant.
Result<arrow::Datum> FloorTime(const KernelCall& call);
Result<arrow::Datum> CeilTime(const KernelCall& call);

}  // namespace lakeward::expr
