#include "lakeward/expr/functions/families.h"

namespace lakeward::expr {

void AddScalarFamilies(FunctionRegistry* registry) {
  AddComparisonFunctions(registry);
  AddLogicFunctions(registry);
  AddArithmeticFunctions(registry);
  AddStringFunctions(registry);
  AddStringPartFunctions(registry);
  AddTextEncodingFunctions(registry);
  AddRegexpFunctions(registry);
  AddMathFunctions(registry);
  AddConditionalFunctions(registry);
  AddNestedFunctions(registry);
  AddTimeFunctions(registry);
  AddTimeTextFunctions(registry);
  AddTimeDifferenceFunctions(registry);
}

}  // namespace lakeward::expr
