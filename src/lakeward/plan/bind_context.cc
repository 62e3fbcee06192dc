#include "lakeward/plan/bind_context.h"

#include <utility>

#include "lakeward/plan/options.h"

namespace lakeward::plan {

Result<BindContext> BindContext::Make(const PlannerContext& planner) {
  BindContext context;
  context.planner = &planner;
  LW_ASSIGN(context.evaluation.batch_mode, IsBatchMode(*planner.settings));
  LW_ASSIGN(context.evaluation.zone, LocalTimeZone(*planner.settings));
  if (planner.engine != nullptr) {
    context.evaluation.clock = planner.engine->clock;
    context.evaluation.random = planner.engine->random;
  }
  context.evaluation.query_start_us = planner.statement_start_us;
  return context;
}

Status NotSupportedYet(std::string_view feature, SqlPosition at, std::string hint) {
  return MakeError(ErrorKind::kUnsupported, "not supported yet: " + std::string(feature),
                   std::move(hint), at);
}

}  // namespace lakeward::plan
