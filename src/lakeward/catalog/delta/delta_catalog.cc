#include "lakeward/catalog/delta/delta_catalog.h"

#include <utility>

#include "lakeward/catalog/delta/declared_types.h"
#include "lakeward/catalog/process_catalog.h"
#include "lakeward/config/option.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::catalog {
namespace {

const config::Option<std::string>& TypeOption() {
  static const auto option = config::Option<std::string>::Required("type", "'delta-catalog'.");
  return option;
}
const config::Option<std::string>& CatalogTypeOption() {
  static const auto option = config::Option<std::string>::Required(
      "catalog-type", "Where the names of tables are kept: 'in-memory'.");
  return option;
}
const config::Option<std::string>& DefaultDatabaseOption() {
  static const config::Option<std::string> option{"default-database", "default",
                                                  "The database after USE CATALOG."};
  return option;
}

constexpr std::string_view kConnector = "delta";
constexpr std::string_view kTablePath = "table-path";

class DeltaCatalog final : public ProcessCatalog {
 public:
  DeltaCatalog(std::string name, std::string default_database, config::OptionMap options,
               const TableFactories* factories, const EngineContext* engine,
               const config::Configuration* settings)
      : ProcessCatalog(std::move(name), std::move(default_database), std::move(options)),
        factories_(factories),
        engine_(engine),
        settings_(settings) {}

  Result<CatalogTablePtr> GetTable(const std::string& database, const std::string& table) override {
    LW_ASSIGN(const CatalogTablePtr declared, ProcessCatalog::GetTable(database, table));
    if (declared->kind == TableKind::kView) {
      return declared;
    }
    const ObjectPath path{name(), database, table};
    Result<CatalogTablePtr> current = ReadLog(ContextOf(path, declared));
    if (!current.ok()) {
      return WithContext(current.status(), "Table '" + path.ToString() + "'");
    }
    return current;
  }

  Status CreateTable(const std::string& database, const std::string& table,
                     CatalogTable definition) override {
    LW_TRY(CheckAbsent(database, table));
    const ObjectPath path{name(), database, table};
    auto shared = std::make_shared<const CatalogTable>(std::move(definition));
    if (shared->kind == TableKind::kTable) {
      LW_TRY(CheckIsDelta(path, *shared));
      LW_ASSIGN(const auto factory, factories_->ForTable(path, shared->options));
      LW_TRY(factory->CreateStorage(ContextOf(path, shared)));
    }
    return Keep(database, table, std::move(shared));
  }

 private:
  TableContext ContextOf(const ObjectPath& path, CatalogTablePtr table) const {
    return TableContext::Make(path, std::move(table), options(), *settings_, engine_);
  }

  static Status CheckIsDelta(const ObjectPath& path, const CatalogTable& table) {
    const auto connector = table.options.find("connector");
    if (connector == table.options.end() || connector->second != kConnector) {
      return MakeError(
          ErrorKind::kValidation,
          "Table '" + path.ToString() + "' cannot be in the Delta catalog '" + path.catalog +
              "': " +
              (connector == table.options.end()
                   ? "it has no option 'connector'."
                   : "its connector is '" + connector->second + "', not 'delta'."),
          "Write 'connector' = 'delta', or create the table in another catalog, for example "
          "default_catalog.default_database." +
              path.object + ".");
    }
    if (const auto place = table.options.find(kTablePath);
        place == table.options.end() || place->second.empty()) {
      return MakeError(
          ErrorKind::kConfig, "Table '" + path.ToString() + "' has no option 'table-path'.",
          "Add 'table-path' = '…', the folder of the Delta table, to the WITH clause.");
    }
    return Status::OK();
  }

  // The definition as the log has it now, completed by what only the declaration knows.
  Result<CatalogTablePtr> ReadLog(const TableContext& context) const {
    const CatalogTable& declared = *context.table;
    LW_ASSIGN(fs::Location root, engine_->file_systems->Resolve(
                                     declared.options.find(kTablePath)->second, context.settings));
    const auto delta_table =
        delta::DeltaTable::At(std::move(root), engine_->clock, engine_->random);
    LW_ASSIGN(const delta::SnapshotPtr snapshot, delta_table->Latest());
    auto table = std::make_shared<CatalogTable>(declared);
    table->columns = MergeColumns(snapshot->schema(), declared.columns);
    table->partition_keys = snapshot->metadata().partition_columns;
    return table;
  }

  const TableFactories* factories_;
  const EngineContext* engine_;
  const config::Configuration* settings_;
};

}  // namespace

Result<std::shared_ptr<Catalog>> MakeDeltaCatalog(std::string name, config::OptionMap options,
                                                  const TableFactories* factories,
                                                  const EngineContext* engine,
                                                  const config::Configuration* settings) {
  std::vector<std::string> passed{"hadoop-conf-dir", "hive-conf-dir", "property-version"};
  const std::vector<std::string>& storage = engine->file_systems->option_prefixes();
  passed.insert(passed.end(), storage.begin(), storage.end());
  LW_TRY(config::ValidateOptions(
      options, {TypeOption().info(), CatalogTypeOption().info(), DefaultDatabaseOption().info()},
      "'delta-catalog'", passed));
  LW_ASSIGN(const std::string catalog_type, config::Get(options, CatalogTypeOption()));
  if (catalog_type != "in-memory") {
    return MakeError(ErrorKind::kUnsupported,
                     "Catalog " + name + ": not supported yet: 'catalog-type' = '" + catalog_type +
                         "' of 'delta-catalog'.",
                     "Use 'catalog-type' = 'in-memory' and repeat the CREATE TABLE statements in "
                     "each script: the tables themselves are in their logs.");
  }
  LW_ASSIGN(std::string default_database, config::Get(options, DefaultDatabaseOption()));
  return std::make_shared<DeltaCatalog>(std::move(name), std::move(default_database),
                                        std::move(options), factories, engine, settings);
}

}  // namespace lakeward::catalog
