#include "lakeward/connector/blackhole/blackhole_connector.h"

#include "lakeward/connector/one_way_connector.h"

namespace lakeward::connector {
namespace {

class BlackholeWriter final : public stream::Writer {
 public:
  Status Write(const stream::Batch&) override { return Status::OK(); }
  Result<std::vector<stream::Committable>> PrepareCommit(int64_t) override {
    return std::vector<stream::Committable>();
  }
};

class BlackholeSink final : public stream::Sink {
 public:
  Result<std::unique_ptr<stream::Writer>> MakeWriter(const stream::WriterContext&) override {
    return std::make_unique<BlackholeWriter>();
  }
};

class BlackholeConnector final : public SinkOnlyConnector {
 public:
  std::string_view identifier() const override { return "blackhole"; }
  std::string_view doc() const override {
    return "Takes every row and keeps none; for measuring what comes before it.";
  }
  std::vector<config::OptionInfo> options() const override { return {SinkParallelismOption()}; }

  Result<std::unique_ptr<stream::Sink>> MakeSink(const catalog::TableContext&,
                                                 const catalog::SinkNegotiation&) const override {
    return std::make_unique<BlackholeSink>();
  }
};

}  // namespace

std::shared_ptr<const Connector> MakeBlackholeConnector() {
  return std::make_shared<BlackholeConnector>();
}

}  // namespace lakeward::connector
