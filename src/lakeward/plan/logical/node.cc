#include "lakeward/plan/logical/node.h"

#include <utility>

#include "lakeward/plan/logical/aggregate.h"
#include "lakeward/plan/logical/filter.h"
#include "lakeward/plan/logical/limit.h"
#include "lakeward/plan/logical/project.h"
#include "lakeward/plan/logical/scan.h"
#include "lakeward/plan/logical/sink.h"
#include "lakeward/plan/logical/sort.h"
#include "lakeward/plan/logical/union.h"
#include "lakeward/plan/logical/values.h"

namespace lakeward::plan {
namespace {

std::shared_ptr<LogicalNode> Copy(const LogicalNode& node) {
  switch (node.kind) {
    case LogicalKind::kScan:
      return std::make_shared<LogicalScan>(node.As<LogicalScan>());
    case LogicalKind::kValues:
      return std::make_shared<LogicalValues>(node.As<LogicalValues>());
    case LogicalKind::kFilter:
      return std::make_shared<LogicalFilter>(node.As<LogicalFilter>());
    case LogicalKind::kProject:
      return std::make_shared<LogicalProject>(node.As<LogicalProject>());
    case LogicalKind::kAggregate:
      return std::make_shared<LogicalAggregate>(node.As<LogicalAggregate>());
    case LogicalKind::kUnion:
      return std::make_shared<LogicalUnion>(node.As<LogicalUnion>());
    case LogicalKind::kSort:
      return std::make_shared<LogicalSort>(node.As<LogicalSort>());
    case LogicalKind::kLimit:
      return std::make_shared<LogicalLimit>(node.As<LogicalLimit>());
    case LogicalKind::kSink:
      return std::make_shared<LogicalSink>(node.As<LogicalSink>());
  }
  LW_CHECK(false && "every LogicalKind is copied");
  return nullptr;
}

}  // namespace

LogicalNodePtr WithInputs(const LogicalNode& node, std::vector<LogicalNodePtr> inputs) {
  std::shared_ptr<LogicalNode> copy = Copy(node);
  copy->inputs = std::move(inputs);
  return copy;
}

LogicalNodePtr WithSchema(const LogicalNode& node, types::RowSchema schema) {
  std::shared_ptr<LogicalNode> copy = Copy(node);
  copy->schema = std::move(schema);
  return copy;
}

LogicalNodePtr MakeSingleRow() {
  auto values = std::make_shared<LogicalValues>();
  const types::TypePtr type = types::Int(/*nullable=*/false);
  values->schema.columns.push_back({"ZERO", type});
  values->rows.push_back({expr::MakeLiteral(std::make_shared<arrow::Int32Scalar>(0), type)});
  return values;
}

LogicalNodePtr MakeFilter(LogicalNodePtr input, expr::ExpressionPtr condition) {
  auto filter = std::make_shared<LogicalFilter>();
  filter->schema = input->schema;
  filter->condition = std::move(condition);
  filter->inputs.push_back(std::move(input));
  return filter;
}

LogicalNodePtr MakeProject(LogicalNodePtr input, std::vector<expr::ExpressionPtr> expressions,
                           const std::vector<std::string>& names) {
  LW_CHECK(expressions.size() == names.size());
  auto project = std::make_shared<LogicalProject>();
  for (size_t i = 0; i < names.size(); ++i) {
    project->schema.columns.push_back({names[i], expressions[i]->type()});
  }
  project->expressions = std::move(expressions);
  project->inputs.push_back(std::move(input));
  return project;
}

std::vector<expr::ExpressionPtr> ColumnsOf(const types::RowSchema& schema) {
  std::vector<expr::ExpressionPtr> columns;
  columns.reserve(schema.columns.size());
  for (int i = 0; i < schema.size(); ++i) {
    columns.push_back(expr::MakeColumn(i, schema.columns[i].name, schema.columns[i].type));
  }
  return columns;
}

bool IsIdentity(const std::vector<expr::ExpressionPtr>& expressions, int column_count) {
  if (static_cast<int>(expressions.size()) != column_count) {
    return false;
  }
  for (int i = 0; i < column_count; ++i) {
    if (expressions[i]->kind() != expr::ExpressionKind::kColumn || expressions[i]->column() != i) {
      return false;
    }
  }
  return true;
}

}  // namespace lakeward::plan
