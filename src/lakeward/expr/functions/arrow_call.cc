#include "lakeward/expr/functions/arrow_call.h"

#include "arrow/compute/exec.h"
#include "lakeward/expr/column_values.h"

namespace lakeward::expr {

Result<arrow::Datum> CallArrowFunction(const char* function, const KernelCall& call) {
  arrow::compute::ExecContext context(PoolOf(call.context));
  return arrow::compute::CallFunction(function, call.arguments, &context);
}

}  // namespace lakeward::expr
