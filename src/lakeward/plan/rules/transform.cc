#include <utility>

#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {

Result<LogicalNodePtr> TransformUp(
    const LogicalNodePtr& root,
    const std::function<Result<LogicalNodePtr>(const LogicalNodePtr& node)>& change) {
  std::vector<LogicalNodePtr> inputs;
  bool changed = false;
  for (const LogicalNodePtr& input : root->inputs) {
    LW_ASSIGN(LogicalNodePtr transformed, TransformUp(input, change));
    changed = changed || transformed != input;
    inputs.push_back(std::move(transformed));
  }
  return change(changed ? WithInputs(*root, std::move(inputs)) : root);
}

}  // namespace lakeward::plan
