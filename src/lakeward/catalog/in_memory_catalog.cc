#include "lakeward/catalog/in_memory_catalog.h"

#include <utility>

#include "lakeward/catalog/process_catalog.h"

namespace lakeward::catalog {
namespace {

class InMemoryCatalog final : public ProcessCatalog {
 public:
  InMemoryCatalog(std::string name, std::string default_database, config::OptionMap options,
                  const TableFactories* factories, const EngineContext* engine,
                  const config::Configuration* settings)
      : ProcessCatalog(std::move(name), std::move(default_database), std::move(options)),
        factories_(factories),
        engine_(engine),
        settings_(settings) {}

  Status CreateTable(const std::string& database, const std::string& table,
                     CatalogTable definition) override {
    LW_TRY(CheckAbsent(database, table));
    auto shared = std::make_shared<const CatalogTable>(std::move(definition));
    if (shared->kind == TableKind::kTable) {
      LW_TRY(PrepareStorage({name(), database, table}, shared));
    }
    return Keep(database, table, std::move(shared));
  }

 private:
  // As in Flink, a table may be declared before its connector is known: using it then fails.
  Status PrepareStorage(const ObjectPath& path, const CatalogTablePtr& table) {
    const auto factory = factories_->ForTable(path, table->options);
    if (!factory.ok()) {
      return Status::OK();
    }
    return (*factory)->CreateStorage(
        TableContext::Make(path, table, options(), *settings_, engine_));
  }

  const TableFactories* factories_;
  const EngineContext* engine_;
  const config::Configuration* settings_;
};

}  // namespace

std::shared_ptr<Catalog> MakeInMemoryCatalog(std::string name, std::string default_database,
                                             config::OptionMap options,
                                             const TableFactories* factories,
                                             const EngineContext* engine,
                                             const config::Configuration* settings) {
  return std::make_shared<InMemoryCatalog>(std::move(name), std::move(default_database),
                                           std::move(options), factories, engine, settings);
}

}  // namespace lakeward::catalog
