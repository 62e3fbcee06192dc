#pragma once

#include <map>
#include <string>
#include <vector>

#include "lakeward/base/mutex.h"
#include "lakeward/base/status.h"
#include "lakeward/catalog/catalog.h"

namespace lakeward::catalog {

/// Base of the catalogs whose databases and definitions live in this process only; what a table
/// holds may lie elsewhere. Thread-safe. Errors are worded as Flink words them.
class ProcessCatalog : public Catalog {
 public:
  const std::string& name() const override { return name_; }
  const config::OptionMap& options() const override { return options_; }
  std::string default_database() const override { return default_database_; }

  Result<std::vector<std::string>> ListDatabases() override;
  Result<CatalogDatabase> GetDatabase(const std::string& database) override;
  Status CreateDatabase(const std::string& database, CatalogDatabase definition) override;
  Status DropDatabase(const std::string& database, bool cascade) override;

  Result<std::vector<std::string>> ListTables(const std::string& database) override;
  Result<CatalogTablePtr> GetTable(const std::string& database, const std::string& table) override;
  Status DropTable(const std::string& database, const std::string& table) override;
  Status RenameTable(const std::string& database, const std::string& table,
                     const std::string& new_name) override;
  Status ReplaceView(const std::string& database, const std::string& view,
                     CatalogTable definition) override;

 protected:
  /// Begins with the default database.
  ProcessCatalog(std::string name, std::string default_database, config::OptionMap options);

  /// kAlreadyExists when the name is taken, kNotFound when there is no such database.
  Status CheckAbsent(const std::string& database, const std::string& table) const;
  /// Keeps a new definition; fails as CheckAbsent does.
  Status Keep(const std::string& database, const std::string& table, CatalogTablePtr definition);

 private:
  struct Database {
    CatalogDatabase definition;
    std::map<std::string, CatalogTablePtr> tables;
  };

  Result<const Database*> FindDatabase(const std::string& database) const;
  Status CheckAbsentLocked(const std::string& database, const std::string& table) const;
  Status TableNotFound(const std::string& database, const std::string& table) const;

  const std::string name_;
  const std::string default_database_;
  const config::OptionMap options_;
  mutable Mutex mutex_;
  std::map<std::string, Database> databases_;
};

}  // namespace lakeward::catalog
