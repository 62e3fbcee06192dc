#include "lakeward/connector/one_way_connector.h"

namespace lakeward::connector {
namespace {

const config::Option<int64_t>& ParallelismOption() {
  static const config::Option<int64_t> option{
      "sink.parallelism", "How many tasks write; default: as many as the job's parallelism."};
  return option;
}

Status RefuseReading(const catalog::TableContext& context, std::string_view connector) {
  return MakeError(ErrorKind::kUnsupported,
                   "Table '" + context.path.ToString() + "' cannot be read: its connector '" +
                       std::string(connector) + "' is a sink only",
                   "Use the table as the target of INSERT INTO.");
}

Status RefuseWriting(const catalog::TableContext& context, std::string_view connector) {
  return MakeError(ErrorKind::kUnsupported,
                   "Table '" + context.path.ToString() + "' cannot be written: its connector '" +
                       std::string(connector) + "' is a source only",
                   "Use the table in FROM.");
}

}  // namespace

Result<std::unique_ptr<catalog::ScanNegotiation>> SinkOnlyConnector::NegotiateScan(
    const catalog::TableContext& context) const {
  return RefuseReading(context, identifier());
}

Result<std::unique_ptr<stream::Source>> SinkOnlyConnector::MakeSource(
    const catalog::TableContext& context, const catalog::ScanNegotiation&) const {
  return RefuseReading(context, identifier());
}

Result<std::unique_ptr<catalog::SinkNegotiation>> SinkOnlyConnector::NegotiateSink(
    const catalog::TableContext& context) const {
  LW_TRY(ValidateTableOptions(context, *this));
  LW_ASSIGN(const int parallelism, SinkParallelism(context));
  return std::make_unique<AnyChangelogSinkNegotiation>(context.table->PhysicalSchema(),
                                                       parallelism);
}

Result<std::unique_ptr<catalog::SinkNegotiation>> SourceOnlyConnector::NegotiateSink(
    const catalog::TableContext& context) const {
  return RefuseWriting(context, identifier());
}

Result<std::unique_ptr<stream::Sink>> SourceOnlyConnector::MakeSink(
    const catalog::TableContext& context, const catalog::SinkNegotiation&) const {
  return RefuseWriting(context, identifier());
}

const config::OptionInfo& SinkParallelismOption() { return ParallelismOption().info(); }

Result<int> SinkParallelism(const catalog::TableContext& context) {
  return TaskCount(context, ParallelismOption());
}

Result<int> TaskCount(const catalog::TableContext& context, const config::Option<int64_t>& option) {
  LW_ASSIGN(const std::optional<int64_t> value, config::Find(context.table->options, option));
  if (!value.has_value()) {
    return 0;
  }
  if (*value < 1 || *value > 1'024) {
    return MakeError(ErrorKind::kConfig,
                     "Table '" + context.path.ToString() + "': '" + option.key() + "' = '" +
                         std::to_string(*value) + "' is out of range",
                     "Give a number from 1 to 1024.");
  }
  return static_cast<int>(*value);
}

Status ValidateTableOptions(const catalog::TableContext& context,
                            const catalog::TableFactory& factory,
                            const std::vector<std::string>& ignore_prefixes) {
  config::OptionMap options = context.table->options;
  options.erase("connector");
  const Status status = config::ValidateOptions(
      options, factory.options(), "connector '" + std::string(factory.identifier()) + "'",
      ignore_prefixes);
  return WithContext(status, "Table '" + context.path.ToString() + "'");
}

}  // namespace lakeward::connector
