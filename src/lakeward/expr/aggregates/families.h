#pragma once

#include "lakeward/expr/function.h"

namespace lakeward::expr {

/// Every aggregate function that comes with the program.
void AddAggregateFamilies(FunctionRegistry* registry);

/// One per file of this folder.
void AddCount(FunctionRegistry* registry);
void AddSum(FunctionRegistry* registry);
void AddAverage(FunctionRegistry* registry);
void AddMinMax(FunctionRegistry* registry);

}  // namespace lakeward::expr
