#pragma once

#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/logical/node.h"
#include "lakeward/plan/physical_plan.h"

namespace lakeward::plan {

/// How each optimised logical plan is run, as one job: filters and projections become Calcs,
/// exchanges are put where rows must meet, row kinds are settled. A root that is no LogicalSink is
/// collected. Node ids are not set yet. kValidation when a sink cannot take what its query gives.
Result<PhysicalPlan> ToPhysical(const std::vector<LogicalNodePtr>& roots,
                                const BindContext& context);

/// The plan as the runtime gets it: rows reach each sink under the table's column names, and every
/// node has its id.
PhysicalPlan Finish(const PhysicalPlan& plan);

}  // namespace lakeward::plan
