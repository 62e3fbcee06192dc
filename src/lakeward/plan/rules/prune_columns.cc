#include <numeric>
#include <set>
#include <utility>

#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/logical/sort.h"
#include "lakeward/plan/rules/rule_list.h"

namespace lakeward::plan {
namespace {

using expr::ExpressionPtr;

// A node that gives fewer columns, and where each former one is now (-1: gone).
struct Pruned {
  LogicalNodePtr node;
  std::vector<int> mapping;
};

std::vector<int> Identity(int count) {
  std::vector<int> mapping(static_cast<size_t>(count));
  std::iota(mapping.begin(), mapping.end(), 0);
  return mapping;
}

void AddColumns(const expr::Expression& expression, std::set<int>* needed) {
  for (const int column : expr::ReferencedColumns(expression)) {
    needed->insert(column);
  }
}

Result<Pruned> Prune(const LogicalNodePtr& node, const std::set<int>& needed);

types::RowSchema KeptColumns(const types::RowSchema& schema, const std::vector<int>& mapping) {
  types::RowSchema kept;
  for (int i = 0; i < schema.size(); ++i) {
    if (mapping[i] >= 0) {
      kept.columns.push_back(schema.columns[i]);
    }
  }
  return kept;
}

Result<Pruned> PruneProject(const LogicalProject& project, const std::set<int>& needed) {
  if (needed.empty()) {
    LW_ASSIGN(Pruned input, Prune(project.inputs[0], {}));
    return Pruned{std::move(input.node), std::vector<int>(project.expressions.size(), -1)};
  }
  std::set<int> below;
  for (const int column : needed) {
    AddColumns(*project.expressions[column], &below);
  }
  LW_ASSIGN(Pruned input, Prune(project.inputs[0], below));
  Pruned result;
  result.mapping.assign(project.expressions.size(), -1);
  std::vector<ExpressionPtr> expressions;
  std::vector<std::string> names;
  for (const int column : needed) {
    result.mapping[column] = static_cast<int>(expressions.size());
    expressions.push_back(expr::RemapColumns(project.expressions[column], input.mapping));
    names.push_back(project.schema.columns[column].name);
  }
  result.node = MakeProject(std::move(input.node), std::move(expressions), names);
  return result;
}

Result<Pruned> PruneAggregate(const LogicalAggregate& aggregate) {
  std::set<int> below(aggregate.keys.begin(), aggregate.keys.end());
  for (const AggregateCall& call : aggregate.calls) {
    below.insert(call.arguments.begin(), call.arguments.end());
    if (call.filter.has_value()) {
      below.insert(*call.filter);
    }
  }
  LW_ASSIGN(Pruned input, Prune(aggregate.inputs[0], below));
  auto copy = std::make_shared<LogicalAggregate>(aggregate);
  for (int& key : copy->keys) {
    key = input.mapping[key];
  }
  for (AggregateCall& call : copy->calls) {
    for (int& argument : call.arguments) {
      argument = input.mapping[argument];
    }
    if (call.filter.has_value()) {
      call.filter = input.mapping[*call.filter];
    }
  }
  copy->inputs = {std::move(input.node)};
  return Pruned{std::move(copy), Identity(aggregate.schema.size())};
}

// Rows that are only counted still need a column to come in: the first one of a fixed width.
int CheapestColumn(const types::RowSchema& schema) {
  for (int i = 0; i < schema.size(); ++i) {
    const types::LogicalType& type = *schema.columns[i].type;
    if (type.IsNumeric() || type.root() == types::TypeRoot::kBoolean ||
        type.root() == types::TypeRoot::kDate || type.IsTimestamp()) {
      return i;
    }
  }
  return 0;
}

Result<Pruned> PruneScan(const LogicalNodePtr& node, const std::set<int>& needed) {
  const auto& scan = node->As<LogicalScan>();
  std::vector<int> columns(needed.begin(), needed.end());
  if (columns.empty()) {
    columns.push_back(CheapestColumn(scan.schema));
  }
  if (static_cast<int>(columns.size()) == scan.schema.size() ||
      !scan.negotiation->ApplyProjection(columns)) {
    return Pruned{node, Identity(scan.schema.size())};
  }
  Pruned result;
  result.mapping.assign(scan.schema.columns.size(), -1);
  for (size_t i = 0; i < columns.size(); ++i) {
    result.mapping[columns[i]] = static_cast<int>(i);
  }
  result.node = WithSchema(scan, scan.negotiation->schema());
  return result;
}

// Nodes that hand rows on: what is needed above is needed below, and what they look at besides.
Result<Pruned> PrunePassing(const LogicalNodePtr& node, std::set<int> needed) {
  const auto* filter = node->AsIf<LogicalFilter>();
  const auto* sort = node->AsIf<LogicalSort>();
  if (filter != nullptr) {
    AddColumns(*filter->condition, &needed);
  }
  if (sort != nullptr) {
    for (const SortKey& key : sort->keys) {
      needed.insert(key.column);
    }
  }
  LW_ASSIGN(Pruned input, Prune(node->inputs[0], needed));
  if (filter != nullptr) {
    return Pruned{
        MakeFilter(std::move(input.node), expr::RemapColumns(filter->condition, input.mapping)),
        std::move(input.mapping)};
  }
  const LogicalNodePtr over = WithInputs(*node, {input.node});
  if (sort == nullptr) {
    return Pruned{WithSchema(*over, input.node->schema), std::move(input.mapping)};
  }
  auto copy = std::make_shared<LogicalSort>(over->As<LogicalSort>());
  copy->schema = input.node->schema;
  for (SortKey& key : copy->keys) {
    key.column = input.mapping[key.column];
  }
  return Pruned{std::move(copy), std::move(input.mapping)};
}

// Every input must come out alike, so an input that kept more gets a projection.
Result<Pruned> PruneUnion(const LogicalNodePtr& node, std::set<int> needed) {
  if (needed.empty()) {
    needed.insert(0);
  }
  std::vector<int> mapping(node->schema.columns.size(), -1);
  int count = 0;
  for (const int column : needed) {
    mapping[column] = count++;
  }
  const types::RowSchema kept = KeptColumns(node->schema, mapping);
  std::vector<LogicalNodePtr> inputs;
  for (const LogicalNodePtr& input : node->inputs) {
    LW_ASSIGN(Pruned pruned, Prune(input, needed));
    if (pruned.node->schema.size() != count) {
      const std::vector<ExpressionPtr> all = ColumnsOf(pruned.node->schema);
      std::vector<ExpressionPtr> expressions;
      for (const int column : needed) {
        expressions.push_back(all[pruned.mapping[column]]);
      }
      pruned.node = MakeProject(std::move(pruned.node), std::move(expressions), kept.Names());
    }
    inputs.push_back(std::move(pruned.node));
  }
  return Pruned{WithSchema(*WithInputs(*node, std::move(inputs)), kept), std::move(mapping)};
}

Result<Pruned> Prune(const LogicalNodePtr& node, const std::set<int>& needed) {
  switch (node->kind) {
    case LogicalKind::kScan:
      return PruneScan(node, needed);
    case LogicalKind::kProject:
      return PruneProject(node->As<LogicalProject>(), needed);
    case LogicalKind::kAggregate:
      return PruneAggregate(node->As<LogicalAggregate>());
    case LogicalKind::kUnion:
      return PruneUnion(node, needed);
    case LogicalKind::kFilter:
    case LogicalKind::kSort:
    case LogicalKind::kLimit:
      return PrunePassing(node, needed);
    case LogicalKind::kValues:
    case LogicalKind::kSink:
      break;
  }
  return Pruned{node, Identity(node->schema.size())};
}

}  // namespace

Result<LogicalNodePtr> PruneColumns(const LogicalNodePtr& root, const BindContext& context) {
  const LogicalNodePtr& query = root->kind == LogicalKind::kSink ? root->inputs[0] : root;
  std::set<int> all;
  for (int i = 0; i < query->schema.size(); ++i) {
    all.insert(i);
  }
  LW_ASSIGN(Pruned pruned, Prune(query, all));
  return root->kind == LogicalKind::kSink ? WithInputs(*root, {std::move(pruned.node)})
                                          : std::move(pruned.node);
}

}  // namespace lakeward::plan
