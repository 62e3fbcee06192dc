#pragma once

#include <map>
#include <string>
#include <vector>

#include "lakeward/base/mutex.h"
#include "lakeward/base/status.h"
#include "lakeward/catalog/catalog.h"

namespace lakeward::catalog {

/// Databases and the definitions of their tables by name, in this process only: the memory of the
/// catalogs that keep nothing elsewhere. Thread-safe. Errors are worded as Flink words them.
class DatabaseMap {
 public:
  explicit DatabaseMap(std::string catalog_name) : catalog_name_(std::move(catalog_name)) {}

  std::vector<std::string> ListDatabases() const;
  Result<CatalogDatabase> GetDatabase(const std::string& database) const;
  Status CreateDatabase(const std::string& database, CatalogDatabase definition);
  Status DropDatabase(const std::string& database, bool cascade);

  Result<std::vector<std::string>> ListTables(const std::string& database) const;
  Result<CatalogTablePtr> GetTable(const std::string& database, const std::string& table) const;
  /// kAlreadyExists when the name is taken, kNotFound when there is no such database.
  Status CheckAbsent(const std::string& database, const std::string& table) const;
  Status CreateTable(const std::string& database, const std::string& table,
                     CatalogTablePtr definition);
  Status DropTable(const std::string& database, const std::string& table);

 private:
  struct Database {
    CatalogDatabase definition;
    std::map<std::string, CatalogTablePtr> tables;
  };

  Result<const Database*> FindDatabase(const std::string& database) const;
  Status CheckAbsentLocked(const std::string& database, const std::string& table) const;
  Status TableNotFound(const std::string& database, const std::string& table) const;

  const std::string catalog_name_;
  mutable Mutex mutex_;
  std::map<std::string, Database> databases_;
};

}  // namespace lakeward::catalog
