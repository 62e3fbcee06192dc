#include <utility>

#include "arrow/scalar.h"
#include "lakeward/expr/evaluator.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {
namespace {

bool IsAlwaysTrue(const expr::Expression& condition) {
  return condition.kind() == expr::ExpressionKind::kLiteral && condition.literal()->is_valid &&
         static_cast<const arrow::BooleanScalar&>(*condition.literal()).value;
}

}  // namespace

Result<LogicalNodePtr> FoldConstantExpressions(const LogicalNodePtr& root,
                                               const BindContext& context) {
  return TransformUp(root, [&](const LogicalNodePtr& node) -> Result<LogicalNodePtr> {
    if (const auto* filter = node->AsIf<LogicalFilter>()) {
      expr::ExpressionPtr condition = expr::FoldConstants(filter->condition, context.evaluation);
      if (IsAlwaysTrue(*condition)) {
        return node->inputs[0];
      }
      return MakeFilter(node->inputs[0], std::move(condition));
    }
    if (const auto* project = node->AsIf<LogicalProject>()) {
      std::vector<expr::ExpressionPtr> expressions;
      for (const expr::ExpressionPtr& expression : project->expressions) {
        expressions.push_back(expr::FoldConstants(expression, context.evaluation));
      }
      return MakeProject(node->inputs[0], std::move(expressions), node->schema.Names());
    }
    return node;
  });
}

}  // namespace lakeward::plan
