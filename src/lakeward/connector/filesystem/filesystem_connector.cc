#include "lakeward/connector/filesystem/filesystem_connector.h"

#include <utility>

#include "lakeward/connector/filesystem/filesystem_options.h"
#include "lakeward/connector/filesystem/filesystem_sink.h"
#include "lakeward/connector/filesystem/filesystem_source.h"
#include "lakeward/connector/one_way_connector.h"

namespace lakeward::connector {
namespace {

class FilesystemConnector final : public Connector {
 public:
  std::string_view identifier() const override { return "filesystem"; }
  std::string_view doc() const override {
    return "Plain files of any format in a folder, with partition folders.";
  }
  std::vector<config::OptionInfo> options() const override {
    std::vector<config::OptionInfo> all = FilesystemOptions();
    all.push_back(SinkParallelismOption());
    return all;
  }

  Result<std::unique_ptr<catalog::ScanNegotiation>> NegotiateScan(
      const catalog::TableContext& context) const override {
    LW_TRY(ValidateTableOptions(context, *this, context.engine->file_systems->option_prefixes()));
    LW_ASSIGN(FilesystemTable table, ReadFilesystemTable(context));
    return std::make_unique<FilesystemScanNegotiation>(std::move(table),
                                                       context.table->PhysicalSchema());
  }

  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const override {
    LW_TRY(ValidateTableOptions(context, *this, context.engine->file_systems->option_prefixes()));
    LW_ASSIGN(FilesystemTable table, ReadFilesystemTable(context));
    LW_ASSIGN(const int parallelism, SinkParallelism(context));
    return std::make_unique<FilesystemSinkNegotiation>(
        std::move(table), context.table->PhysicalSchema(), parallelism);
  }

  Result<std::unique_ptr<stream::Source>> MakeSource(
      const catalog::TableContext&, const catalog::ScanNegotiation& negotiation) const override {
    return MakeFilesystemSource(static_cast<const FilesystemScanNegotiation&>(negotiation));
  }

  Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext&, const catalog::SinkNegotiation& negotiation) const override {
    return MakeFilesystemSink(static_cast<const FilesystemSinkNegotiation&>(negotiation));
  }
};

}  // namespace

std::shared_ptr<const Connector> MakeFilesystemConnector() {
  return std::make_shared<FilesystemConnector>();
}

}  // namespace lakeward::connector
