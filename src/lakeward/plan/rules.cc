#include "lakeward/plan/rules.h"

#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> rules{
      {"fold constants", FoldConstantExpressions},
      {"group distinct arguments first", SplitDistinct},
      {"push filters down", PushFilters},
      {"merge projections", MergeProjections},
      {"fold constants of merged projections", FoldConstantExpressions},
      {"prune columns", PruneColumns},
      {"drop projections that pruning made needless", MergeProjections},
      {"push limits down", PushLimits},
  };
  return rules;
}

Result<LogicalNodePtr> Optimize(LogicalNodePtr root, const BindContext& context) {
  for (const Rule& rule : Rules()) {
    LW_ASSIGN(root, rule.apply(root, context));
  }
  return root;
}

}  // namespace lakeward::plan
