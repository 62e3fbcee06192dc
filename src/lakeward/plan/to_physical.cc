#include "lakeward/plan/to_physical.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lakeward/plan/changelog.h"
#include "lakeward/plan/explain.h"
#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/limit.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/logical/sink.h"
#include "lakeward/plan/logical/sort.h"
#include "lakeward/plan/options.h"
#include "lakeward/plan/physical_values.h"

namespace lakeward::plan {
namespace {

template <typename Node>
std::shared_ptr<Node> MakePhysical(const types::RowSchema& schema) {
  auto node = std::make_shared<Node>();
  node->schema = schema;
  return node;
}

PhysicalNodePtr MakeExchange(PhysicalNodePtr input, Distribution distribution,
                             std::vector<int> keys = {}) {
  auto exchange = MakePhysical<ExchangeNode>(input->schema);
  exchange->distribution = distribution;
  exchange->keys = std::move(keys);
  exchange->changelog = input->changelog;
  exchange->inputs.push_back(std::move(input));
  return exchange;
}

// Builds the nodes of one plan from the inputs up; `need_update_before` comes down from the sink.
class PhysicalBuilder {
 public:
  PhysicalBuilder(const BindContext& context, PhysicalPlan* plan)
      : context_(context), plan_(plan) {}

  Result<PhysicalNodePtr> BuildRoot(const LogicalNode& root) {
    if (const auto* sink = root.AsIf<LogicalSink>()) {
      return BuildSink(*sink);
    }
    LW_ASSIGN(PhysicalNodePtr input, Build(root, /*need_update_before=*/true));
    auto collect = MakePhysical<CollectNode>(root.schema);
    collect->changelog = input->changelog;
    collect->inputs.push_back(std::move(input));
    return collect;
  }

 private:
  Result<PhysicalNodePtr> Build(const LogicalNode& node, bool need_update_before) {
    const bool input_needs = NeedsUpdateBefore(node, need_update_before);
    switch (node.kind) {
      case LogicalKind::kScan:
        return BuildScan(node.As<LogicalScan>());
      case LogicalKind::kValues:
        return BuildValues(node.As<LogicalValues>(), context_.evaluation);
      case LogicalKind::kFilter:
      case LogicalKind::kProject:
        return BuildCalc(node, need_update_before);
      case LogicalKind::kAggregate:
        return BuildAggregate(node.As<LogicalAggregate>(), need_update_before);
      case LogicalKind::kUnion:
        return BuildUnion(node, input_needs);
      case LogicalKind::kSort: {
        LW_ASSIGN(PhysicalNodePtr input, Build(*node.inputs[0], input_needs));
        auto sort = MakePhysical<SortNode>(node.schema);
        sort->keys = node.As<LogicalSort>().keys;
        return OnOneTask(std::move(sort), std::move(input));
      }
      case LogicalKind::kLimit:
        return BuildLimit(node.As<LogicalLimit>(), input_needs);
      case LogicalKind::kSink:
        break;
    }
    return MakeError(ErrorKind::kInternal, "A sink inside of a query");
  }

  template <typename Node>
  static PhysicalNodePtr OnOneTask(std::shared_ptr<Node> node, PhysicalNodePtr input) {
    node->changelog = input->changelog;
    const bool single = input->kind == PhysicalKind::kSort || input->kind == PhysicalKind::kLimit;
    node->inputs.push_back(single ? std::move(input)
                                  : MakeExchange(std::move(input), Distribution::kSingle));
    return node;
  }

  Result<PhysicalNodePtr> BuildScan(const LogicalScan& scan) {
    auto node = MakePhysical<TableScanNode>(scan.schema);
    node->context = scan.context;
    node->factory = scan.factory;
    node->negotiation = scan.negotiation;
    node->changelog = scan.negotiation->changelog_mode();
    if (!scan.negotiation->bounded()) {
      plan_->bounded = false;
      if (context_.batch_mode()) {
        return MakeError(
            ErrorKind::kValidation,
            "Table '" + scan.context.path.ToString() +
                "' is unbounded and cannot be queried in batch mode.",
            "SET 'execution.runtime-mode' = 'streaming', or give the table's source an "
            "end.");
      }
    }
    return node;
  }

  Result<PhysicalNodePtr> BuildCalc(const LogicalNode& node, bool need_update_before) {
    const auto* project = node.AsIf<LogicalProject>();
    const LogicalNode* below = project == nullptr ? &node : node.inputs[0].get();
    const auto* filter = below->AsIf<LogicalFilter>();
    const LogicalNode& source = filter != nullptr ? *filter->inputs[0] : *below;
    LW_ASSIGN(PhysicalNodePtr input, Build(source, filter != nullptr ? true : need_update_before));
    auto calc = MakePhysical<CalcNode>(node.schema);
    calc->changelog = input->changelog;
    if (filter != nullptr) {
      calc->condition = filter->condition;
    }
    if (project != nullptr) {
      calc->projections = project->expressions;
    }
    calc->inputs.push_back(std::move(input));
    return calc;
  }

  Result<PhysicalNodePtr> BuildAggregate(const LogicalAggregate& aggregate,
                                         bool need_update_before) {
    LW_ASSIGN(PhysicalNodePtr input, Build(*aggregate.inputs[0], /*need_update_before=*/true));
    auto node = MakePhysical<GroupAggregateNode>(aggregate.schema);
    node->keys = aggregate.keys;
    node->calls = aggregate.calls;
    node->changelog = InferChangelog(aggregate, context_.batch_mode());
    node->emission =
        context_.batch_mode() ? AggregateEmission::kAtEnd : AggregateEmission::kChangelog;
    LW_ASSIGN(node->fold_changes, context_.planner->settings->Get(MiniBatchOption()));
    if (!need_update_before) {
      node->emit_update_before = false;
      node->changelog.update_before = false;
    }
    node->inputs.push_back(
        aggregate.keys.empty()
            ? MakeExchange(std::move(input), Distribution::kSingle)
            : MakeExchange(std::move(input), Distribution::kHash, aggregate.keys));
    return node;
  }

  Result<PhysicalNodePtr> BuildUnion(const LogicalNode& node, bool input_needs) {
    auto result = MakePhysical<UnionNode>(node.schema);
    for (const LogicalNodePtr& input : node.inputs) {
      LW_ASSIGN(PhysicalNodePtr built, Build(*input, input_needs));
      result->changelog.update_before |= built->changelog.update_before;
      result->changelog.update_after |= built->changelog.update_after;
      result->changelog.deletes |= built->changelog.deletes;
      result->inputs.push_back(std::move(built));
    }
    return result;
  }

  Result<PhysicalNodePtr> BuildLimit(const LogicalLimit& limit, bool input_needs) {
    LW_ASSIGN(PhysicalNodePtr input, Build(*limit.inputs[0], input_needs));
    if (!input->changelog.append_only()) {
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: LIMIT over a query whose rows change",
                       "SET 'execution.runtime-mode' = 'batch' where the sources are bounded.");
    }
    auto node = MakePhysical<LimitNode>(limit.schema);
    node->offset = limit.offset;
    node->limit = limit.limit;
    return OnOneTask(std::move(node), std::move(input));
  }

  Status CheckAccepted(const LogicalSink& sink, const catalog::ChangelogMode& query,
                       const catalog::ChangelogMode& accepted) const {
    const bool refuses_updates = query.update_after && !accepted.update_after;
    const bool refuses_deletes = query.deletes && !accepted.deletes;
    if (!refuses_updates && !refuses_deletes) {
      return Status::OK();
    }
    const LogicalNode* updating = FindUpdatingNode(*sink.inputs[0], context_.batch_mode());
    const std::string changes = refuses_updates && refuses_deletes ? "update and delete"
                                : refuses_updates                  ? "update"
                                                                   : "delete";
    return MakeError(ErrorKind::kValidation,
                     "Table sink '" + sink.context.path.ToString() +
                         "' doesn't support consuming " + changes +
                         " changes which is produced by node " +
                         (updating == nullptr ? "?" : DescribeUpdating(*updating)),
                     "Rows of this table can only be added. Run the query to its end with SET "
                     "'execution.runtime-mode' = 'batch', which writes each result once, or write "
                     "into a table that takes changes.");
  }

  Result<PhysicalNodePtr> BuildSink(const LogicalSink& sink) {
    const catalog::ChangelogMode query = InferChangelog(*sink.inputs[0], context_.batch_mode());
    const catalog::ChangelogMode accepted = sink.negotiation->AcceptedChangelog(query);
    LW_TRY(CheckAccepted(sink, query, accepted));
    LW_ASSIGN(PhysicalNodePtr input, Build(*sink.inputs[0], accepted.update_before));
    auto node = MakePhysical<TableSinkNode>(sink.negotiation->schema());
    node->context = sink.context;
    node->factory = sink.factory;
    node->negotiation = sink.negotiation;
    node->changelog = input->changelog;
    node->query_columns = input->schema.Names();
    LW_ASSIGN(const std::string enforcer, context_.planner->settings->Get(NotNullEnforcerOption()));
    node->drop_null_violations = enforcer == "DROP";
    // Whatever the query's type says: a source may declare a column NOT NULL and deliver nulls.
    for (int i = 0; i < node->schema.size(); ++i) {
      if (!node->schema.columns[i].type->nullable()) {
        node->not_null_columns.push_back(i);
      }
    }
    node->inputs.push_back(std::move(input));
    return node;
  }

  const BindContext& context_;
  PhysicalPlan* plan_;
};

}  // namespace

Result<PhysicalPlan> ToPhysical(const std::vector<LogicalNodePtr>& roots,
                                const BindContext& context) {
  PhysicalPlan plan;
  plan.batch_mode = context.batch_mode();
  PhysicalBuilder builder(context, &plan);
  for (const LogicalNodePtr& root : roots) {
    LW_ASSIGN(PhysicalNodePtr node, builder.BuildRoot(*root));
    plan.roots.push_back(std::move(node));
  }
  return plan;
}

}  // namespace lakeward::plan
