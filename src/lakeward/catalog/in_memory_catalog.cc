#include "lakeward/catalog/in_memory_catalog.h"

#include <utility>

#include "lakeward/catalog/database_map.h"

namespace lakeward::catalog {
namespace {

class InMemoryCatalog final : public Catalog {
 public:
  InMemoryCatalog(std::string name, std::string default_database, config::OptionMap options,
                  const TableFactories* factories, const EngineContext* engine)
      : name_(std::move(name)),
        default_database_(std::move(default_database)),
        options_(std::move(options)),
        factories_(factories),
        engine_(engine),
        databases_(name_) {
    LW_CHECK(databases_.CreateDatabase(default_database_, {}).ok());
  }

  const std::string& name() const override { return name_; }
  const config::OptionMap& options() const override { return options_; }
  std::string default_database() const override { return default_database_; }

  Result<std::vector<std::string>> ListDatabases() override { return databases_.ListDatabases(); }
  Result<CatalogDatabase> GetDatabase(const std::string& database) override {
    return databases_.GetDatabase(database);
  }
  Status CreateDatabase(const std::string& database, CatalogDatabase definition) override {
    return databases_.CreateDatabase(database, std::move(definition));
  }
  Status DropDatabase(const std::string& database, bool cascade) override {
    return databases_.DropDatabase(database, cascade);
  }
  Result<std::vector<std::string>> ListTables(const std::string& database) override {
    return databases_.ListTables(database);
  }
  Result<CatalogTablePtr> GetTable(const std::string& database, const std::string& table) override {
    return databases_.GetTable(database, table);
  }

  Status CreateTable(const std::string& database, const std::string& table,
                     CatalogTable definition) override {
    LW_TRY(databases_.CheckAbsent(database, table));
    auto shared = std::make_shared<const CatalogTable>(std::move(definition));
    if (shared->kind == TableKind::kTable) {
      LW_TRY(PrepareStorage({name_, database, table}, shared));
    }
    return databases_.CreateTable(database, table, std::move(shared));
  }

  Status DropTable(const std::string& database, const std::string& table) override {
    return databases_.DropTable(database, table);
  }

 private:
  // As in Flink, a table may be declared before its connector is known: using it then fails.
  Status PrepareStorage(const ObjectPath& path, const CatalogTablePtr& table) {
    const auto factory = factories_->ForTable(path, table->options);
    if (!factory.ok()) {
      return Status::OK();
    }
    TableContext context;
    context.path = path;
    context.table = table;
    context.engine = engine_;
    return (*factory)->CreateStorage(context);
  }

  std::string name_;
  std::string default_database_;
  config::OptionMap options_;
  const TableFactories* factories_;
  const EngineContext* engine_;
  DatabaseMap databases_;
};

}  // namespace

std::shared_ptr<Catalog> MakeInMemoryCatalog(std::string name, std::string default_database,
                                             config::OptionMap options,
                                             const TableFactories* factories,
                                             const EngineContext* engine) {
  return std::make_shared<InMemoryCatalog>(std::move(name), std::move(default_database),
                                           std::move(options), factories, engine);
}

}  // namespace lakeward::catalog
