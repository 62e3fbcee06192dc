#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/catalog/catalog.h"

namespace lakeward::catalog {

/// The catalogs of a session, by name, in the order of creation. Not thread-safe: a session runs
/// one statement at a time.
class Catalogs {
 public:
  Status Add(std::shared_ptr<Catalog> catalog);  ///< kAlreadyExists
  Status Remove(const std::string& name);        ///< kNotFound
  /// kNotFound with near misses.
  Result<std::shared_ptr<Catalog>> Get(const std::string& name) const;
  std::vector<std::string> List() const;  ///< sorted

  const std::string& current_catalog() const { return current_catalog_; }
  const std::string& current_database() const { return current_database_; }
  Status UseCatalog(const std::string& name);
  Status UseDatabase(const std::string& catalog, const std::string& database);

  /// Completes a name of one to three parts with the current catalog and database.
  Result<ObjectPath> Qualify(const std::vector<std::string>& parts) const;

  /// Tables and views that exist only in this session; they hide permanent ones.
  Status AddTemporary(const ObjectPath& path, CatalogTable definition, bool ignore_if_exists);
  Status RemoveTemporary(const ObjectPath& path);
  bool HasTemporary(const ObjectPath& path) const;
  /// Names of the temporary tables and views of a database, sorted.
  std::vector<std::string> ListTemporary(const std::string& catalog,
                                         const std::string& database) const;

  /// A table or view by full name, temporary ones first; kNotFound names what is there that is
  /// near.
  Result<CatalogTablePtr> GetTable(const ObjectPath& path) const;

 private:
  std::vector<std::pair<std::string, std::shared_ptr<Catalog>>> catalogs_;
  std::map<std::string, CatalogTablePtr> temporary_;  ///< by ObjectPath::ToString()
  std::string current_catalog_;
  std::string current_database_;
};

}  // namespace lakeward::catalog
