#include "lakeward/plan/explain.h"

#include <functional>
#include <utility>

#include "fmt/format.h"
#include "lakeward/plan/explain_node.h"

namespace lakeward::plan {
namespace {

// Flink's tree: "+- " before the last child, ":- " before the others.
template <typename Node>
void AppendTree(const Node& node, const std::function<std::string(const Node&)>& describe,
                const std::string& first_indent, const std::string& indent, std::string* out) {
  *out += first_indent + describe(node) + "\n";
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const bool last = i + 1 == node.inputs.size();
    AppendTree<Node>(*node.inputs[i], describe, indent + (last ? "+- " : ":- "),
                     indent + (last ? "   " : ":  "), out);
  }
}

std::string PhysicalSection(const PhysicalPlan& plan, ExpressionStyle style) {
  std::string text;
  for (const PhysicalNodePtr& root : plan.roots) {
    const PhysicalNode& shown = root->kind == PhysicalKind::kCollect ? *root->inputs[0] : *root;
    AppendTree<PhysicalNode>(
        shown,
        [&](const PhysicalNode& node) { return DescribePhysical(node, style, plan.batch_mode); },
        "", "", &text);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string Join(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Explain(const std::vector<LogicalNodePtr>& bound, const PhysicalPlan& plan) {
  std::string text = "== Abstract Syntax Tree ==\n";
  for (const LogicalNodePtr& root : bound) {
    AppendTree<LogicalNode>(*root, DescribeLogical, "", "", &text);
    text += "\n";
  }
  text += "== Optimized Physical Plan ==\n" + PhysicalSection(plan, ExpressionStyle::kPrefix);
  text += "== Optimized Execution Plan ==\n" + PhysicalSection(plan, ExpressionStyle::kInfix);
  text.pop_back();
  return text;
}

}  // namespace lakeward::plan
