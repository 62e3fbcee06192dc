#include "lakeward/plan/explain.h"
#include "lakeward/plan/explain_node.h"
#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/limit.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/logical/sink.h"
#include "lakeward/plan/logical/sort.h"
#include "lakeward/plan/logical/values.h"

namespace lakeward::plan {
namespace {

std::string DescribeValues(const LogicalValues& values) {
  std::string tuples;
  for (const std::vector<expr::ExpressionPtr>& row : values.rows) {
    std::string fields;
    for (const expr::ExpressionPtr& value : row) {
      const bool constant = value->kind() == expr::ExpressionKind::kLiteral;
      fields += (fields.empty() ? "" : ", ") +
                (constant ? ConstantText(*value)
                          : ExpressionText(*value, ExpressionStyle::kReference, {}));
    }
    tuples += (tuples.empty() ? "{ " : ", { ") + fields + " }";
  }
  return "LogicalValues(tuples=[[" + tuples + "]])";
}

std::string DescribeProject(const LogicalProject& project) {
  std::vector<std::string> columns;
  for (int i = 0; i < project.schema.size(); ++i) {
    columns.push_back(project.schema.columns[i].name + "=[" +
                      ExpressionText(*project.expressions[i], ExpressionStyle::kReference, {}) +
                      "]");
  }
  return "LogicalProject(" + Join(columns) + ")";
}

std::string DescribeAggregate(const LogicalAggregate& aggregate) {
  std::vector<std::string> keys;
  for (const int key : aggregate.keys) {
    keys.push_back(std::to_string(key));
  }
  std::string text = "LogicalAggregate(group=[{" + Join(keys) + "}]";
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    const AggregateCall& call = aggregate.calls[i];
    std::vector<std::string> arguments;
    for (const int argument : call.arguments) {
      arguments.push_back("$" + std::to_string(argument));
    }
    text += ", " + aggregate.schema.columns[aggregate.keys.size() + i].name + "=[" +
            call.function->name + "(" + (call.distinct ? "DISTINCT " : "") + Join(arguments) + ")" +
            (call.filter.has_value() ? " FILTER $" + std::to_string(*call.filter) : "") + "]";
  }
  return text + ")";
}

std::string DescribeSort(const LogicalSort& sort) {
  std::vector<std::string> columns;
  std::vector<std::string> directions;
  for (size_t i = 0; i < sort.keys.size(); ++i) {
    const SortKey& key = sort.keys[i];
    columns.push_back("sort" + std::to_string(i) + "=[$" + std::to_string(key.column) + "]");
    directions.push_back("dir" + std::to_string(i) + "=[" + (key.ascending ? "ASC" : "DESC") +
                         (key.nulls_first ? "-nulls-first]" : "-nulls-last]"));
  }
  return "LogicalSort(" + Join(columns) + ", " + Join(directions) + ")";
}

std::string DescribeLimit(const LogicalLimit& limit) {
  std::string text = "LogicalSort(";
  if (limit.offset > 0) {
    text += "offset=[" + std::to_string(limit.offset) + "]";
  }
  if (limit.limit.has_value()) {
    text += (limit.offset > 0 ? ", fetch=[" : "fetch=[") + std::to_string(*limit.limit) + "]";
  }
  return text + ")";
}

}  // namespace

std::string DescribeLogical(const LogicalNode& node) {
  switch (node.kind) {
    case LogicalKind::kScan: {
      const catalog::ObjectPath& path = node.As<LogicalScan>().context.path;
      return "LogicalTableScan(table=[[" + path.catalog + ", " + path.database + ", " +
             path.object + "]])";
    }
    case LogicalKind::kValues:
      return DescribeValues(node.As<LogicalValues>());
    case LogicalKind::kFilter:
      return "LogicalFilter(condition=[" +
             ExpressionText(*node.As<LogicalFilter>().condition, ExpressionStyle::kReference, {}) +
             "])";
    case LogicalKind::kProject:
      return DescribeProject(node.As<LogicalProject>());
    case LogicalKind::kAggregate:
      return DescribeAggregate(node.As<LogicalAggregate>());
    case LogicalKind::kUnion:
      return "LogicalUnion(all=[true])";
    case LogicalKind::kSort:
      return DescribeSort(node.As<LogicalSort>());
    case LogicalKind::kLimit:
      return DescribeLimit(node.As<LogicalLimit>());
    case LogicalKind::kSink:
      return "LogicalSink(table=[" + node.As<LogicalSink>().context.path.ToString() +
             "], fields=[" + Join(node.schema.Names()) + "])";
  }
  return "?";
}

std::string DescribeUpdating(const LogicalNode& node) {
  const auto* aggregate = node.AsIf<LogicalAggregate>();
  if (aggregate == nullptr) {
    return DescribeLogical(node);
  }
  GroupAggregateNode physical;
  physical.schema = node.schema;
  physical.keys = aggregate->keys;
  physical.calls = aggregate->calls;
  return DescribePhysical(physical, ExpressionStyle::kInfix, /*batch_mode=*/false);
}

}  // namespace lakeward::plan
