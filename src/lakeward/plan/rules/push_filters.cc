#include <algorithm>
#include <utility>

#include "lakeward/plan/function_call.h"
#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;
using Conjuncts = std::vector<ExpressionPtr>;

Result<LogicalNodePtr> Push(const LogicalNodePtr& node, Conjuncts conditions,
                            const BindContext& context);

Result<LogicalNodePtr> FilterOf(LogicalNodePtr node, const Conjuncts& conditions,
                                const BindContext& context) {
  if (conditions.empty()) {
    return node;
  }
  ExpressionPtr all = conditions.front();
  for (size_t i = 1; i < conditions.size(); ++i) {
    LW_ASSIGN(all, CallFunction(context, "AND", {std::move(all), conditions[i]}, {}));
  }
  return MakeFilter(std::move(node), std::move(all));
}

Result<LogicalNodePtr> PushIntoInputs(const LogicalNodePtr& node, const BindContext& context) {
  std::vector<LogicalNodePtr> inputs;
  for (const LogicalNodePtr& input : node->inputs) {
    LW_ASSIGN(LogicalNodePtr pushed, Push(input, {}, context));
    inputs.push_back(std::move(pushed));
  }
  return inputs.empty() ? node : WithInputs(*node, std::move(inputs));
}

Result<LogicalNodePtr> PushThroughProject(const LogicalProject& project,
                                          const Conjuncts& conditions, const BindContext& context) {
  Conjuncts below;
  Conjuncts here;
  for (const ExpressionPtr& condition : conditions) {
    const std::vector<int> columns = expr::ReferencedColumns(*condition);
    const bool deterministic = condition->IsDeterministic() &&
                               std::all_of(columns.begin(), columns.end(), [&](int column) {
                                 return project.expressions[column]->IsDeterministic();
                               });
    if (deterministic) {
      below.push_back(expr::Substitute(condition, project.expressions));
    } else {
      here.push_back(condition);
    }
  }
  LW_ASSIGN(LogicalNodePtr input, Push(project.inputs[0], std::move(below), context));
  return FilterOf(WithInputs(project, {std::move(input)}), here, context);
}

// Conditions on keys alone may be asked before grouping; there is no row to group without keys.
Result<LogicalNodePtr> PushThroughAggregate(const LogicalAggregate& aggregate,
                                            const Conjuncts& conditions,
                                            const BindContext& context) {
  Conjuncts below;
  Conjuncts here;
  const auto key_count = static_cast<int>(aggregate.keys.size());
  for (const ExpressionPtr& condition : conditions) {
    const std::vector<int> columns = expr::ReferencedColumns(*condition);
    const bool on_keys = !columns.empty() && columns.back() < key_count;
    if (on_keys && condition->IsDeterministic()) {
      below.push_back(expr::RemapColumns(condition, aggregate.keys));
    } else {
      here.push_back(condition);
    }
  }
  LW_ASSIGN(LogicalNodePtr input, Push(aggregate.inputs[0], std::move(below), context));
  return FilterOf(WithInputs(aggregate, {std::move(input)}), here, context);
}

Result<LogicalNodePtr> Push(const LogicalNodePtr& node, Conjuncts conditions,
                            const BindContext& context) {
  switch (node->kind) {
    case LogicalKind::kFilter: {
      const Conjuncts own = expr::SplitConjunction(node->As<LogicalFilter>().condition);
      conditions.insert(conditions.begin(), own.begin(), own.end());
      return Push(node->inputs[0], std::move(conditions), context);
    }
    case LogicalKind::kProject:
      return PushThroughProject(node->As<LogicalProject>(), conditions, context);
    case LogicalKind::kAggregate:
      return PushThroughAggregate(node->As<LogicalAggregate>(), conditions, context);
    case LogicalKind::kUnion: {
      std::vector<LogicalNodePtr> inputs;
      for (const LogicalNodePtr& input : node->inputs) {
        LW_ASSIGN(LogicalNodePtr pushed, Push(input, conditions, context));
        inputs.push_back(std::move(pushed));
      }
      return WithInputs(*node, std::move(inputs));
    }
    case LogicalKind::kScan: {
      const auto& scan = node->As<LogicalScan>();
      if (!conditions.empty()) {
        conditions = scan.negotiation->ApplyFilters(std::move(conditions));
      }
      return FilterOf(node, conditions, context);
    }
    default: {
      LW_ASSIGN(LogicalNodePtr pushed, PushIntoInputs(node, context));
      return FilterOf(std::move(pushed), conditions, context);
    }
  }
}

}  // namespace

Result<LogicalNodePtr> PushFilters(const LogicalNodePtr& root, const BindContext& context) {
  return Push(root, {}, context);
}

}  // namespace lakeward::plan
