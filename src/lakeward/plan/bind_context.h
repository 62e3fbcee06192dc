#pragma once

#include <string>

#include "lakeward/expr/evaluator.h"
#include "lakeward/plan/planner.h"
#include "lakeward/sql/print.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::plan {

/// What every step of planning one statement shares: where names are looked up and the settings
/// that decide what an expression means.
struct BindContext {
  const PlannerContext* planner = nullptr;
  expr::EvaluationContext evaluation;  ///< for constants
  /// Takes down what the names of the statement mean, in full; null when nobody wants to know.
  sql::FullNames* full_names = nullptr;

  bool batch_mode() const { return evaluation.batch_mode; }
  const types::TimeZone& zone() const { return evaluation.zone; }
  const expr::FunctionRegistry& functions() const { return *planner->functions; }

  /// Reads the settings; kConfig when one of them is malformed.
  static Result<BindContext> Make(const PlannerContext& planner);
};

/// "not supported yet: `feature`", at its place in the statement.
Status NotSupportedYet(std::string_view feature, SqlPosition at, std::string hint = "");

}  // namespace lakeward::plan
