#include "lakeward/connector/delta/delta_connector.h"

#include <utility>

#include "lakeward/connector/delta/delta_columns.h"
#include "lakeward/connector/delta/delta_options.h"
#include "lakeward/connector/delta/delta_sink.h"
#include "lakeward/connector/delta/delta_source.h"
#include "lakeward/connector/one_way_connector.h"

namespace lakeward::connector {
namespace {

constexpr std::string_view kFail = "fail";

Status WithTable(const Status& status, const catalog::TableContext& context) {
  return WithContext(status, "Table '" + context.path.ToString() + "'");
}

Result<std::shared_ptr<delta::DeltaTable>> TableOf(const catalog::TableContext& context) {
  LW_ASSIGN(const std::string path, config::Get(context.table->options, DeltaTablePath()));
  LW_ASSIGN(fs::Location root, context.engine->file_systems->Resolve(path, context.settings));
  return delta::DeltaTable::At(std::move(root), context.engine->clock, context.engine->random);
}

class DeltaConnector final : public Connector {
 public:
  std::string_view identifier() const override { return "delta"; }
  std::string_view doc() const override {
    return "Delta Lake tables: reads the newest version, appends exactly once.";
  }
  std::vector<config::OptionInfo> options() const override {
    return {DeltaTablePath().info(), DeltaVersionAsOf().info(), DeltaSchemaEvolution().info(),
            SinkParallelismOption()};
  }

  Status CreateStorage(const catalog::TableContext& context) const override {
    LW_TRY(Validate(context));
    LW_ASSIGN(const std::shared_ptr<delta::DeltaTable> table, TableOf(context));
    LW_ASSIGN(const std::optional<int64_t> version,
              config::Find(context.table->options, DeltaVersionAsOf()));
    if (version.has_value()) {  // a past version cannot be of a table that is made now
      LW_TRY(WithTable(table->AtVersion(*version).status(), context));
    }
    delta::CreateTableSpec spec;
    spec.schema = context.table->PhysicalSchema();
    spec.partition_columns = context.table->partition_keys;
    spec.configuration = DeltaTableProperties(context.table->options);
    spec.description = context.table->comment;
    return WithTable(table->CreateOrCheck(spec).status(), context);
  }

  Result<std::unique_ptr<catalog::ScanNegotiation>> NegotiateScan(
      const catalog::TableContext& context) const override {
    LW_TRY(Validate(context));
    LW_ASSIGN(const std::shared_ptr<delta::DeltaTable> table, TableOf(context));
    LW_ASSIGN(const std::optional<int64_t> version,
              config::Find(context.table->options, DeltaVersionAsOf()));
    auto opened = version.has_value() ? table->AtVersion(*version) : table->Latest();
    LW_TRY(WithTable(opened.status(), context));
    const delta::SnapshotPtr snapshot = opened.MoveValueUnsafe();
    LW_TRY(WithTable(snapshot->CheckReadable(), context));
    types::RowSchema declared = context.table->PhysicalSchema();
    LW_TRY(WithTable(StoredSchema(declared, snapshot->schema()).status(), context));
    return std::make_unique<DeltaScanNegotiation>(std::move(declared), table->root(), snapshot);
  }

  Result<std::unique_ptr<catalog::SinkNegotiation>> NegotiateSink(
      const catalog::TableContext& context) const override {
    LW_TRY(Validate(context));
    LW_ASSIGN(const int parallelism, SinkParallelism(context));
    LW_ASSIGN(const delta::SnapshotPtr snapshot, WritableSnapshot(context));
    types::RowSchema declared = context.table->PhysicalSchema();
    LW_TRY(WithTable(StoredSchema(declared, snapshot->schema()).status(), context));
    return std::make_unique<DeltaSinkNegotiation>(std::move(declared), parallelism);
  }

  Result<std::unique_ptr<stream::Source>> MakeSource(
      const catalog::TableContext&, const catalog::ScanNegotiation& negotiation) const override {
    return MakeDeltaSource(static_cast<const DeltaScanNegotiation&>(negotiation));
  }

  Result<std::unique_ptr<stream::Sink>> MakeSink(
      const catalog::TableContext& context,
      const catalog::SinkNegotiation& negotiation) const override {
    DeltaSinkSettings settings;
    settings.table_name = context.path.ToString();
    LW_ASSIGN(settings.table, TableOf(context));
    LW_ASSIGN(settings.snapshot, settings.table->Latest());
    settings.declared = negotiation.schema();
    settings.clock = context.engine->clock;
    return MakeDeltaSink(std::move(settings));
  }

 private:
  Status Validate(const catalog::TableContext& context) const {
    std::vector<std::string> passed = context.engine->file_systems->option_prefixes();
    passed.emplace_back(kDeltaPropertyPrefix);
    LW_TRY(ValidateTableOptions(context, *this, passed));
    LW_ASSIGN(const std::string evolution,
              config::Get(context.table->options, DeltaSchemaEvolution()));
    return evolution == kFail
               ? Status::OK()
               : WithTable(MakeError(ErrorKind::kUnsupported,
                                     "not supported yet: '" + DeltaSchemaEvolution().key() +
                                         "' = '" + evolution + "'",
                                     "Leave it at 'fail', and add the columns to the table first."),
                           context);
  }

  static Result<delta::SnapshotPtr> WritableSnapshot(const catalog::TableContext& context) {
    LW_ASSIGN(const std::shared_ptr<delta::DeltaTable> table, TableOf(context));
    auto opened = table->Latest();
    LW_TRY(WithTable(opened.status(), context));
    LW_TRY(WithTable((*opened)->CheckWritable(), context));
    return *opened;
  }
};

}  // namespace

std::shared_ptr<const Connector> MakeDeltaConnector() { return std::make_shared<DeltaConnector>(); }

}  // namespace lakeward::connector
