#include "lakeward/expr/aggregates/families.h"

namespace lakeward::expr {

void AddAggregateFamilies(FunctionRegistry* registry) {
  AddCount(registry);
  AddSum(registry);
  AddAverage(registry);
  AddMinMax(registry);
}

}  // namespace lakeward::expr
