#include "lakeward/plan/explain_node.h"

#include <utility>

#include "arrow/scalar.h"

namespace lakeward::plan {
namespace {

std::string NamesOf(const std::vector<int>& columns, const types::RowSchema& schema) {
  std::vector<std::string> names;
  for (const int column : columns) {
    names.push_back(schema.columns[column].name);
  }
  return Join(names);
}

std::string DescribeScan(const TableScanNode& scan) {
  const catalog::ObjectPath& path = scan.context.path;
  const std::string pushed = scan.negotiation->Describe();
  return "TableSourceScan(table=[[" + path.catalog + ", " + path.database + ", " + path.object +
         (pushed.empty() ? "" : ", " + pushed) + "]], fields=[" + Join(scan.schema.Names()) + "])";
}

std::string DescribeValues(const ValuesNode& values, ExpressionStyle style, bool batch_mode) {
  std::vector<std::string> rows;
  for (int64_t row = 0; row < values.rows->num_rows(); ++row) {
    std::vector<std::string> fields;
    for (int i = 0; i < values.schema.size(); ++i) {
      const auto scalar = values.rows->column(i)->GetScalar(row);
      fields.push_back(
          scalar.ok() ? ConstantText(*expr::MakeLiteral(*scalar, values.schema.columns[i].type))
                      : "?");
    }
    rows.push_back("{ " + Join(fields) + " }");
  }
  std::string text = "Values(";
  if (style == ExpressionStyle::kPrefix && !batch_mode) {
    std::vector<std::string> types;
    for (const types::Column& column : values.schema.columns) {
      types.push_back(StandardTypeText(*column.type) + " " + column.name);
    }
    text += "type=[RecordType(" + Join(types) + ")], ";
  }
  text += "tuples=[[" + Join(rows) + "]]";
  return text + (batch_mode ? ", values=[" + Join(values.schema.Names()) + "])" : ")");
}

std::string DescribeCalc(const CalcNode& calc, ExpressionStyle style) {
  const std::vector<std::string> columns = calc.inputs[0]->schema.Names();
  std::vector<std::string> selected;
  for (int i = 0; i < calc.schema.size(); ++i) {
    const std::string& name = calc.schema.columns[i].name;
    std::string text =
        calc.projections.empty() ? name : ExpressionText(*calc.projections[i], style, columns);
    if (text != name) {
      text += " AS ";
      text += name;
    }
    selected.push_back(std::move(text));
  }
  std::string text = "Calc(select=[" + Join(selected) + "]";
  if (calc.condition != nullptr) {
    text += ", where=[" + ExpressionText(*calc.condition, style, columns) + "]";
  }
  return text + ")";
}

std::string DescribeAggregate(const GroupAggregateNode& aggregate, bool batch_mode) {
  std::vector<std::string> keys;
  std::vector<std::string> selected;
  for (size_t i = 0; i < aggregate.keys.size(); ++i) {
    keys.push_back(aggregate.schema.columns[i].name);
    selected.push_back(keys.back());
  }
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    selected.push_back(aggregate.calls[i].name + " AS " +
                       aggregate.schema.columns[keys.size() + i].name);
  }
  std::string text = batch_mode ? "HashAggregate(isMerge=[false], " : "GroupAggregate(";
  if (!keys.empty()) {
    text += "groupBy=[" + Join(keys) + "], ";
  }
  return text + "select=[" + Join(selected) + "])";
}

std::string DescribeExchange(const ExchangeNode& exchange) {
  switch (exchange.distribution) {
    case Distribution::kSingle:
      return "Exchange(distribution=[single])";
    case Distribution::kHash:
      return "Exchange(distribution=[hash[" + NamesOf(exchange.keys, exchange.schema) + "]])";
    case Distribution::kRebalance:
      return "Exchange(distribution=[rebalance])";
  }
  return "?";
}

std::string DescribeSort(const SortNode& sort) {
  std::vector<std::string> keys;
  for (const SortKey& key : sort.keys) {
    std::string text = sort.schema.columns[key.column].name + (key.ascending ? " ASC" : " DESC");
    if (key.nulls_first != key.ascending) {
      text += key.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    }
    keys.push_back(std::move(text));
  }
  return "Sort(orderBy=[" + Join(keys) + "])";
}

std::string DescribeLimit(const LimitNode& limit) {
  return "Limit(offset=[" + std::to_string(limit.offset) + "]" +
         (limit.limit.has_value() ? ", fetch=[" + std::to_string(*limit.limit) + "]" : "") + ")";
}

}  // namespace

std::string DescribePhysical(const PhysicalNode& node, ExpressionStyle style, bool batch_mode) {
  switch (node.kind) {
    case PhysicalKind::kTableScan:
      return DescribeScan(static_cast<const TableScanNode&>(node));
    case PhysicalKind::kValues:
      return DescribeValues(static_cast<const ValuesNode&>(node), style, batch_mode);
    case PhysicalKind::kCalc:
      return DescribeCalc(static_cast<const CalcNode&>(node), style);
    case PhysicalKind::kExchange:
      return DescribeExchange(static_cast<const ExchangeNode&>(node));
    case PhysicalKind::kGroupAggregate:
      return DescribeAggregate(static_cast<const GroupAggregateNode&>(node), batch_mode);
    case PhysicalKind::kUnion:
      return "Union(all=[true], union=[" + Join(node.schema.Names()) + "])";
    case PhysicalKind::kSort:
      return DescribeSort(static_cast<const SortNode&>(node));
    case PhysicalKind::kLimit:
      return DescribeLimit(static_cast<const LimitNode&>(node));
    case PhysicalKind::kTableSink: {
      const auto& sink = static_cast<const TableSinkNode&>(node);
      return "Sink(table=[" + sink.context.path.ToString() + "], fields=[" +
             Join(sink.query_columns) + "])";
    }
    case PhysicalKind::kCollect:
      return "Collect()";
  }
  return "?";
}

}  // namespace lakeward::plan
