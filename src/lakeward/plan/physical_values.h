#pragma once

#include "lakeward/expr/evaluator.h"
#include "lakeward/plan/logical/values.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// The rows of VALUES: constants in batches; a row that holds anything that must be computed while
/// the job runs (it fails, or differs each time) becomes a Calc over a row of its own.
Result<PhysicalNodePtr> BuildValues(const LogicalValues& values,
                                    const expr::EvaluationContext& evaluation);

}  // namespace lakeward::plan
