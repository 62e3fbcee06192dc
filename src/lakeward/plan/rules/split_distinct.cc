#include <algorithm>
#include <utility>

#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {
namespace {

// MIN and MAX give the same with and without DISTINCT.
bool IsBlindToRepetition(const AggregateCall& call) {
  return call.function->name == "MIN" || call.function->name == "MAX";
}

Status NotAlike(const AggregateCall& call) {
  return MakeError(ErrorKind::kUnsupported,
                   "not supported yet: " + call.name + " beside aggregates of other arguments",
                   "Compute it in a query of its own, over SELECT DISTINCT behind FROM.");
}

// The arguments that all calls share; an error when they are not alike.
Result<std::vector<int>> SharedArguments(const LogicalAggregate& aggregate) {
  const auto distinct = std::find_if(
      aggregate.calls.begin(), aggregate.calls.end(),
      [](const AggregateCall& call) { return call.distinct && !IsBlindToRepetition(call); });
  for (const AggregateCall& call : aggregate.calls) {
    const bool alike = call.arguments == distinct->arguments && !call.filter.has_value() &&
                       (call.distinct || IsBlindToRepetition(call));
    if (!alike) {
      return NotAlike(*distinct);
    }
  }
  return distinct->arguments;
}

Result<LogicalNodePtr> Split(const LogicalNodePtr& node) {
  const auto* aggregate = node->AsIf<LogicalAggregate>();
  if (aggregate == nullptr) {
    return node;
  }
  auto upper = std::make_shared<LogicalAggregate>(*aggregate);
  bool needs_grouping = false;
  for (AggregateCall& call : upper->calls) {
    needs_grouping = needs_grouping || (call.distinct && !IsBlindToRepetition(call));
    call.distinct = false;
    if (const size_t at = call.name.find("DISTINCT "); at != std::string::npos) {
      call.name.erase(at, std::string_view("DISTINCT ").size());
    }
  }
  if (!needs_grouping) {
    return upper;
  }
  LW_ASSIGN(const std::vector<int> arguments, SharedArguments(*aggregate));
  auto lower = std::make_shared<LogicalAggregate>();
  lower->keys = aggregate->keys;
  const types::RowSchema& input = aggregate->inputs[0]->schema;
  std::vector<int> places;
  for (const int argument : arguments) {
    const auto found = std::find(lower->keys.begin(), lower->keys.end(), argument);
    places.push_back(static_cast<int>(found - lower->keys.begin()));
    if (found == lower->keys.end()) {
      lower->keys.push_back(argument);
    }
  }
  for (const int key : lower->keys) {
    lower->schema.columns.push_back(input.columns[key]);
  }
  lower->inputs = aggregate->inputs;
  for (size_t i = 0; i < upper->keys.size(); ++i) {
    upper->keys[i] = static_cast<int>(i);
  }
  for (AggregateCall& call : upper->calls) {
    call.arguments = places;
  }
  upper->inputs = {std::move(lower)};
  return upper;
}

}  // namespace

Result<LogicalNodePtr> SplitDistinct(const LogicalNodePtr& root, const BindContext& context) {
  return TransformUp(root, Split);
}

}  // namespace lakeward::plan
