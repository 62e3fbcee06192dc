#include <utility>

#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/sink.h"
#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionKind;
using expr::ExpressionPtr;

void CountColumns(const expr::Expression& expression, std::vector<int>* counts) {
  if (expression.kind() == ExpressionKind::kColumn) {
    ++(*counts)[expression.column()];
  }
  for (const ExpressionPtr& argument : expression.arguments()) {
    CountColumns(*argument, counts);
  }
}

// Whether computing the lower expressions inside of the upper ones neither repeats work nor changes
// how often something random is drawn.
bool MayMerge(const LogicalProject& upper, const LogicalProject& lower) {
  std::vector<int> counts(lower.expressions.size(), 0);
  for (const ExpressionPtr& expression : upper.expressions) {
    CountColumns(*expression, &counts);
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    const expr::Expression& expression = *lower.expressions[i];
    const bool trivial = expression.kind() == ExpressionKind::kColumn ||
                         expression.kind() == ExpressionKind::kLiteral;
    if (!trivial && (counts[i] > 1 || !expression.IsDeterministic())) {
      return false;
    }
  }
  return true;
}

// Nodes whose column names are theirs to choose.
bool TakesNames(LogicalKind kind) {
  return kind == LogicalKind::kValues || kind == LogicalKind::kUnion;
}

Result<LogicalNodePtr> Merge(const LogicalNodePtr& node) {
  const auto* upper = node->AsIf<LogicalProject>();
  if (upper == nullptr) {
    return node;
  }
  const LogicalNodePtr& input = node->inputs[0];
  const auto* lower = input->AsIf<LogicalProject>();
  if (lower != nullptr && MayMerge(*upper, *lower)) {
    std::vector<ExpressionPtr> expressions;
    for (const ExpressionPtr& expression : upper->expressions) {
      expressions.push_back(expr::Substitute(expression, lower->expressions));
    }
    return Merge(MakeProject(input->inputs[0], std::move(expressions), node->schema.Names()));
  }
  if (!IsIdentity(upper->expressions, input->schema.size())) {
    return node;
  }
  if (node->schema.Equals(input->schema)) {
    return input;
  }
  return TakesNames(input->kind) ? WithSchema(*input, node->schema) : node;
}

}  // namespace

Result<LogicalNodePtr> MergeProjections(const LogicalNodePtr& root, const BindContext& context) {
  return TransformUp(root, Merge);
}

}  // namespace lakeward::plan
