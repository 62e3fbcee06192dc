#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lakeward/connector/connector.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/plan/physical_plan.h"
#include "lakeward/runtime/job.h"
#include "lakeward/runtime/sequence_source_testing.h"
#include "lakeward/runtime/transactional_table_testing.h"

namespace lakeward::runtime {

/// A connector whose source and sink a test supplies.
class TestConnector final : public connector::Connector {
 public:
  std::function<std::unique_ptr<stream::Source>()> make_source;
  std::function<std::unique_ptr<stream::Sink>()> make_sink;
  types::RowSchema sink_schema;
  int sink_parallelism = 0;
  std::vector<int> distribution;
  bool writes_tables = true;

  std::string_view identifier() const override { return "test"; }
  std::string_view doc() const override { return "For tests."; }
  std::vector<config::OptionInfo> options() const override { return {}; }

  Result<std::unique_ptr<catalog::ScanNegotiation>> NegotiateScan(
      const catalog::TableContext& context) const override {
    return std::make_unique<Scan>(make_source()->bounded());
  }
  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const override {
    return std::make_unique<Sink>(*this);
  }
  Result<std::unique_ptr<stream::Source>> MakeSource(
      const catalog::TableContext& context,
      const catalog::ScanNegotiation& negotiation) const override {
    return make_source();
  }
  Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext& context,
      const catalog::SinkNegotiation& negotiation) const override {
    return make_sink();
  }

 private:
  class Scan final : public catalog::ScanNegotiation {
   public:
    explicit Scan(bool is_bounded) : is_bounded_(is_bounded) {}
    const types::RowSchema& schema() const override { return schema_; }
    bool bounded() const override { return is_bounded_; }

   private:
    const types::RowSchema schema_ = SequenceSchema();
    const bool is_bounded_;
  };

  class Sink final : public catalog::SinkNegotiation {
   public:
    explicit Sink(const TestConnector& connector)
        : schema_(connector.sink_schema),
          parallelism_(connector.sink_parallelism),
          distribution_(connector.distribution),
          writes_tables_(connector.writes_tables) {}
    const types::RowSchema& schema() const override { return schema_; }
    int parallelism() const override { return parallelism_; }
    std::vector<int> DistributionColumns() const override { return distribution_; }
    bool writes_tables() const override { return writes_tables_; }

   private:
    const types::RowSchema schema_;
    const int parallelism_;
    const std::vector<int> distribution_;
    const bool writes_tables_;
  };
};

/// Builds plans by hand, node on node.
class PlanBuilder {
 public:
  plan::PhysicalNodePtr Scan(const std::shared_ptr<TestConnector>& connector) {
    auto node = std::make_shared<plan::TableScanNode>();
    Prepare(node.get(), SequenceSchema());
    node->context.path = {"c", "d", "numbers"};
    node->factory = connector;
    node->negotiation = *connector->NegotiateScan(node->context);
    return node;
  }

  plan::PhysicalNodePtr Values(std::shared_ptr<arrow::RecordBatch> rows, types::RowSchema schema) {
    auto node = std::make_shared<plan::ValuesNode>();
    Prepare(node.get(), std::move(schema));
    node->rows = std::move(rows);
    return node;
  }

  plan::PhysicalNodePtr Exchange(plan::PhysicalNodePtr input, plan::Distribution distribution,
                                 std::vector<int> keys = {}) {
    auto node = std::make_shared<plan::ExchangeNode>();
    Prepare(node.get(), input->schema);
    node->changelog = input->changelog;
    node->distribution = distribution;
    node->keys = std::move(keys);
    node->inputs = {std::move(input)};
    return node;
  }

  /// SELECT k, COUNT(*), SUM(v) … GROUP BY k over a sequence, hash exchange included.
  plan::PhysicalNodePtr CountAndSum(plan::PhysicalNodePtr input, plan::AggregateEmission emission) {
    auto node = std::make_shared<plan::GroupAggregateNode>();
    Prepare(node.get(),
            {{{"k", types::BigInt(false)}, {"n", types::BigInt(false)}, {"s", types::BigInt()}}});
    node->keys = {1};
    node->emission = emission;
    node->calls = {Call("COUNT", {}), Call("SUM", {2})};
    if (emission == plan::AggregateEmission::kChangelog) {
      node->changelog = {true, true, true, false};
    }
    node->inputs = {Exchange(std::move(input), plan::Distribution::kHash, {1})};
    return node;
  }

  plan::PhysicalNodePtr Union(std::vector<plan::PhysicalNodePtr> inputs) {
    auto node = std::make_shared<plan::UnionNode>();
    Prepare(node.get(), inputs[0]->schema);
    node->inputs = std::move(inputs);
    return node;
  }

  plan::PhysicalNodePtr Sink(plan::PhysicalNodePtr input,
                             const std::shared_ptr<TestConnector>& connector) {
    auto node = std::make_shared<plan::TableSinkNode>();
    Prepare(node.get(), input->schema);
    node->context.path = {"c", "d", "copy"};
    node->factory = connector;
    connector->sink_schema = input->schema;
    node->negotiation = *connector->NegotiateSink(node->context);
    node->inputs = {std::move(input)};
    return node;
  }

  plan::PhysicalNodePtr Collect(plan::PhysicalNodePtr input) {
    auto node = std::make_shared<plan::CollectNode>();
    Prepare(node.get(), input->schema);
    node->inputs = {std::move(input)};
    return node;
  }

 private:
  void Prepare(plan::PhysicalNode* node, types::RowSchema schema) {
    node->schema = std::move(schema);
    node->id = fmt::format("node-{}", next_id_++);
  }

  static plan::AggregateCall Call(const char* name, std::vector<int> arguments) {
    plan::AggregateCall call;
    call.function = expr::FunctionRegistry::Builtin()->FindAggregate(name);
    const std::vector<types::TypePtr> types(arguments.size(), types::BigInt(false));
    call.signature = *call.function->bind(types);
    call.arguments = std::move(arguments);
    return call;
  }

  int next_id_ = 0;
};

/// An engine over one memory file system, which a test may wrap in a faulty one.
class TestEngine {
 public:
  explicit TestEngine(std::shared_ptr<fs::FileSystem> file_system) {
    context_.file_systems = std::make_shared<fs::FileSystems>();
    context_.file_systems->Register(
        "memory",
        [file_system](std::string_view, const auto&) -> Result<std::shared_ptr<fs::FileSystem>> {
          return file_system;
        });
    context_.clock = SystemClock();
    context_.random = SystemRandom();
  }
  const catalog::EngineContext* context() const { return &context_; }

 private:
  catalog::EngineContext context_;
};

inline JobDescription Describe(std::vector<plan::PhysicalNodePtr> roots, bool bounded,
                               const std::map<std::string, std::string>& settings,
                               std::string checkpoint_uri = "") {
  JobDescription description;
  description.name = "test";
  description.plan.roots = std::move(roots);
  description.plan.bounded = bounded;
  description.checkpoint_uri = std::move(checkpoint_uri);
  for (const auto& [key, value] : settings) {
    description.settings.Set(key, value, config::Level::kSession, "test");
  }
  return description;
}

}  // namespace lakeward::runtime
