#include "lakeward/runtime/translate.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/connector/connector.h"
#include "lakeward/stream/operators/calc.h"
#include "lakeward/stream/operators/group_aggregate.h"
#include "lakeward/stream/operators/limit.h"
#include "lakeward/stream/operators/not_null.h"
#include "lakeward/stream/operators/relabel.h"
#include "lakeward/stream/operators/sort.h"
#include "lakeward/stream/operators/values.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::runtime {
namespace {

using plan::PhysicalKind;
using plan::PhysicalNode;

template <typename Node>
const Node& As(const PhysicalNode& node) {
  return static_cast<const Node&>(node);
}

Result<const connector::Connector*> ConnectorOf(const catalog::TableFactory* factory) {
  const auto* connector = dynamic_cast<const connector::Connector*>(factory);
  if (connector == nullptr) {
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("tables of the connector '{}' can be declared, but not run",
                                 factory->identifier()));
  }
  return connector;
}

std::vector<types::TypePtr> TypesOf(const types::RowSchema& schema,
                                    const std::vector<int>& columns) {
  std::vector<types::TypePtr> types;
  types.reserve(columns.size());
  for (const int column : columns) {
    types.push_back(schema.columns[column].type);
  }
  return types;
}

class Translator {
 public:
  explicit Translator(const TranslateOptions& options) : options_(options) {}

  Result<JobGraph> Run(const plan::PhysicalPlan& plan) {
    graph_.bounded = plan.bounded;
    for (const plan::PhysicalNodePtr& root : plan.roots) {
      LW_TRY(Visit(*root).status());
    }
    return std::move(graph_);
  }

 private:
  /// Gives the number of the vertex whose chain ends with this node.
  Result<int> Visit(const PhysicalNode& node) {
    switch (node.kind) {
      case PhysicalKind::kTableScan:
        return VisitScan(As<plan::TableScanNode>(node));
      case PhysicalKind::kValues:
        return AddSource(node, "Values", stream::MakeValuesSource(As<plan::ValuesNode>(node).rows),
                         /*parallelism_max=*/1);
      case PhysicalKind::kUnion:
        return VisitUnion(node);
      default:
        break;
    }
    LW_ASSIGN(const int input, Visit(*node.inputs[0]));
    switch (node.kind) {
      case PhysicalKind::kCalc:
        return VisitCalc(As<plan::CalcNode>(node), input);
      case PhysicalKind::kExchange:
        return VisitExchange(As<plan::ExchangeNode>(node), input);
      case PhysicalKind::kGroupAggregate:
        return VisitAggregate(As<plan::GroupAggregateNode>(node), input);
      case PhysicalKind::kSort:
        return VisitSort(As<plan::SortNode>(node), Gather(input));
      case PhysicalKind::kLimit:
        return VisitLimit(As<plan::LimitNode>(node), Gather(input));
      case PhysicalKind::kTableSink:
        return VisitSink(As<plan::TableSinkNode>(node), input);
      case PhysicalKind::kCollect:
        return AddSink(node, "Collect", options_.collect_sink, Gather(input));
      default:
        return MakeError(ErrorKind::kInternal, "a physical node without a translation");
    }
  }

  Result<int> VisitScan(const plan::TableScanNode& node) {
    LW_ASSIGN(const connector::Connector* connector, ConnectorOf(node.factory.get()));
    LW_ASSIGN(std::unique_ptr<stream::Source> source,
              connector->MakeSource(node.context, *node.negotiation));
    return AddSource(node, node.context.path.ToString(), std::move(source),
                     node.negotiation->parallelism_max());
  }

  Result<int> AddSource(const PhysicalNode& node, std::string name,
                        std::unique_ptr<stream::Source> source, int parallelism_max) {
    SourceSpec spec;
    spec.id = UniqueId(node.id);
    spec.name = std::move(name);
    spec.bounded = source->bounded();
    LW_ASSIGN(spec.start, options_.find_splits(spec.id, source.get()));
    spec.source = std::move(source);
    const int unread = static_cast<int>(spec.start.Unread().size());
    JobVertex vertex;
    vertex.name = fmt::format("Source: {}", spec.name);
    vertex.parallelism = std::clamp(unread, 1, options_.parallelism);
    if (parallelism_max > 0) {
      vertex.parallelism = std::min(vertex.parallelism, parallelism_max);
    }
    vertex.source = std::move(spec);
    return AddVertex(std::move(vertex));
  }

  Result<int> VisitUnion(const PhysicalNode& node) {
    std::vector<int> inputs;
    int parallelism = 1;
    for (const plan::PhysicalNodePtr& input : node.inputs) {
      LW_ASSIGN(const int vertex, Visit(*input));
      inputs.push_back(vertex);
      parallelism = std::max(parallelism, graph_.vertices[vertex].parallelism);
    }
    JobVertex vertex;
    vertex.parallelism = parallelism;
    const int number = AddVertex(std::move(vertex));
    for (size_t i = 0; i < inputs.size(); ++i) {
      Connect(inputs[i], number, SpreadingOver(inputs[i], parallelism, *node.inputs[i]), {});
    }
    auto schema = types::ToArrowSchema(node.schema);
    return Append(number, node, "Union", [schema] { return stream::MakeRelabelOperator(schema); });
  }

  Result<int> VisitCalc(const plan::CalcNode& node, int input) {
    auto schema = types::ToArrowSchema(node.schema);
    return Append(input, node, "Calc",
                  [condition = node.condition, projections = node.projections, schema] {
                    return stream::MakeCalcOperator(condition, projections, schema);
                  });
  }

  Result<int> VisitExchange(const plan::ExchangeNode& node, int input) {
    const int senders = graph_.vertices[input].parallelism;
    switch (node.distribution) {
      case plan::Distribution::kSingle:
        return Gather(input);
      case plan::Distribution::kHash:
        if (senders == 1 && options_.parallelism == 1) {
          return input;
        }
        return Exchange(input, options_.parallelism, EdgeRouting::kHash, node.keys);
      case plan::Distribution::kRebalance:
        if (senders == options_.parallelism) {
          return input;
        }
        return Exchange(input, options_.parallelism,
                        SpreadingOver(input, options_.parallelism, node), {});
    }
    return MakeError(ErrorKind::kInternal, "a distribution without a translation");
  }

  Result<int> VisitAggregate(const plan::GroupAggregateNode& node, int input) {
    stream::GroupAggregateOptions options;
    options.keys = node.keys;
    options.key_types = TypesOf(node.inputs[0]->schema, node.keys);
    for (const plan::AggregateCall& call : node.calls) {
      if (call.distinct) {
        return MakeError(ErrorKind::kUnsupported,
                         fmt::format("{}: DISTINCT aggregates are not supported yet", call.name),
                         "Aggregate over a subquery with SELECT DISTINCT instead.");
      }
      options.calls.push_back({call.function, call.signature, call.arguments, call.filter});
    }
    options.emit_at_end = node.emission == plan::AggregateEmission::kAtEnd;
    options.emit_update_before = node.emit_update_before;
    options.fold_changes = node.fold_changes;
    options.schema = types::ToArrowSchema(node.schema);
    const int vertex = node.keys.empty() ? Gather(input) : input;
    return Append(vertex, node, "GroupAggregate",
                  [options] { return stream::MakeGroupAggregateOperator(options); });
  }

  Result<int> VisitSort(const plan::SortNode& node, int input) {
    std::vector<stream::SortColumn> columns;
    for (const plan::SortKey& key : node.keys) {
      columns.push_back({key.column, key.ascending, key.nulls_first});
    }
    auto schema = types::ToArrowSchema(node.schema);
    return Append(input, node, "Sort",
                  [columns, schema] { return stream::MakeSortOperator(columns, schema); });
  }

  Result<int> VisitLimit(const plan::LimitNode& node, int input) {
    return Append(input, node, "Limit", [offset = node.offset, limit = node.limit] {
      return stream::MakeLimitOperator(offset, limit);
    });
  }

  Result<int> VisitSink(const plan::TableSinkNode& node, int input) {
    LW_ASSIGN(const connector::Connector* connector, ConnectorOf(node.factory.get()));
    LW_ASSIGN(std::shared_ptr<stream::Sink> sink,
              connector->MakeSink(node.context, *node.negotiation));
    if (!node.not_null_columns.empty()) {
      const auto violation =
          node.drop_null_violations ? stream::NullViolation::kDrop : stream::NullViolation::kFail;
      LW_TRY(AppendNamed(input, node.id + "-not-null", "ConstraintEnforcer",
                         [columns = node.not_null_columns, violation] {
                           return stream::MakeNotNullOperator(columns, violation);
                         })
                 .status());
    }
    const int senders = graph_.vertices[input].parallelism;
    const int writers =
        node.negotiation->parallelism() > 0 ? node.negotiation->parallelism() : senders;
    const std::vector<int> keys = node.negotiation->DistributionColumns();
    int vertex = input;
    if (writers > 1 && !keys.empty()) {
      vertex = Exchange(input, writers, EdgeRouting::kHash, keys);
    } else if (writers != senders) {
      vertex = Exchange(input, writers, SpreadingOver(input, writers, *node.inputs[0]), {});
    }
    LW_ASSIGN(vertex, AddSink(node, node.context.path.ToString(), std::move(sink), vertex));
    graph_.vertices[vertex].sink->writes_tables = node.negotiation->writes_tables();
    return vertex;
  }

  Result<int> AddSink(const PhysicalNode& node, std::string name,
                      std::shared_ptr<stream::Sink> sink, int vertex_number) {
    LW_CHECK(sink != nullptr);
    JobVertex& vertex = graph_.vertices[vertex_number];
    ExtendName(&vertex, fmt::format("Sink: {}", name));
    SinkSpec spec;
    spec.id = UniqueId(node.id);
    spec.name = std::move(name);
    spec.sink = std::move(sink);
    vertex.sink = std::move(spec);
    return vertex_number;
  }

  template <typename Make>
  Result<int> Append(int vertex, const PhysicalNode& node, std::string name, Make make) {
    return AppendNamed(vertex, node.id, std::move(name), std::move(make));
  }

  template <typename Make>
  Result<int> AppendNamed(int vertex_number, const std::string& id, std::string name, Make make) {
    JobVertex& vertex = graph_.vertices[vertex_number];
    ExtendName(&vertex, name);
    vertex.operators.push_back({UniqueId(id), std::move(name), std::move(make)});
    return vertex_number;
  }

  /// One task that gets everything.
  int Gather(int input) {
    return graph_.vertices[input].parallelism == 1 ? input
                                                   : Exchange(input, 1, EdgeRouting::kForward, {});
  }

  /// Rows of a changelog must stay in order, so that a later change of a key is not overtaken.
  EdgeRouting SpreadingOver(int input, int receivers, const PhysicalNode& node) const {
    if (graph_.vertices[input].parallelism == receivers || receivers == 1 ||
        !node.changelog.append_only()) {
      return EdgeRouting::kForward;
    }
    return EdgeRouting::kRebalance;
  }

  int Exchange(int input, int parallelism, EdgeRouting routing, std::vector<int> keys) {
    JobVertex vertex;
    vertex.parallelism = parallelism;
    const int number = AddVertex(std::move(vertex));
    Connect(input, number, routing, std::move(keys));
    return number;
  }

  void Connect(int from, int to, EdgeRouting routing, std::vector<int> keys) {
    graph_.edges.push_back({from, to, routing, std::move(keys)});
  }

  int AddVertex(JobVertex vertex) {
    graph_.vertices.push_back(std::move(vertex));
    return static_cast<int>(graph_.vertices.size()) - 1;
  }

  static void ExtendName(JobVertex* vertex, std::string_view name) {
    vertex->name += vertex->name.empty() ? std::string(name) : fmt::format(" -> {}", name);
  }

  /// State is found by id, so two nodes must never share one.
  std::string UniqueId(const std::string& id) {
    std::string unique = id;
    for (int copy = 2; !ids_.insert(unique).second; ++copy) {
      unique = fmt::format("{}-{}", id, copy);
    }
    return unique;
  }

  const TranslateOptions& options_;
  JobGraph graph_;
  std::set<std::string> ids_;
};

}  // namespace

Result<JobGraph> Translate(const plan::PhysicalPlan& plan, const TranslateOptions& options) {
  return Translator(options).Run(plan);
}

}  // namespace lakeward::runtime
