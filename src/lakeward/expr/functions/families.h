#pragma once

#include "lakeward/expr/function.h"

namespace lakeward::expr {

/// Every scalar function that comes with the program; called once for FunctionRegistry::Builtin.
void AddScalarFamilies(FunctionRegistry* registry);

/// One per file of this folder, where the functions are listed at the end.
void AddComparisonFunctions(FunctionRegistry* registry);
void AddLogicFunctions(FunctionRegistry* registry);
void AddArithmeticFunctions(FunctionRegistry* registry);
void AddStringFunctions(FunctionRegistry* registry);
void AddStringPartFunctions(FunctionRegistry* registry);
void AddTextEncodingFunctions(FunctionRegistry* registry);
void AddRegexpFunctions(FunctionRegistry* registry);
void AddMathFunctions(FunctionRegistry* registry);
void AddConditionalFunctions(FunctionRegistry* registry);
void AddNestedFunctions(FunctionRegistry* registry);
void AddTimeFunctions(FunctionRegistry* registry);
void AddTimeTextFunctions(FunctionRegistry* registry);
void AddTimeDifferenceFunctions(FunctionRegistry* registry);

}  // namespace lakeward::expr
