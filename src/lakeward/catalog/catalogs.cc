#include "lakeward/catalog/catalogs.h"

#include <algorithm>

#include "lakeward/base/similar_names.h"

namespace lakeward::catalog {
namespace {

std::string HintFor(const std::string& name, const std::vector<std::string>& candidates,
                    const std::string& otherwise) {
  std::string near = DidYouMean(name, candidates);
  return near.empty() ? otherwise : near;
}

}  // namespace

Status Catalogs::Add(std::shared_ptr<Catalog> catalog) {
  const std::string& name = catalog->name();
  for (const auto& [existing, unused] : catalogs_) {
    if (existing == name) {
      return MakeError(ErrorKind::kAlreadyExists, "Catalog " + name + " already exists.",
                       "Choose another name, or write CREATE CATALOG IF NOT EXISTS.");
    }
  }
  if (catalogs_.empty()) {
    current_catalog_ = name;
    current_database_ = catalog->default_database();
  }
  catalogs_.emplace_back(name, std::move(catalog));
  return Status::OK();
}

Status Catalogs::Remove(const std::string& name) {
  LW_TRY(Get(name).status());
  if (name == current_catalog_) {
    return MakeError(ErrorKind::kValidation,
                     "Cannot drop catalog " + name + ": it is the current catalog.",
                     "Switch to another one with USE CATALOG first.");
  }
  std::erase_if(catalogs_, [&](const auto& entry) { return entry.first == name; });
  const std::string prefix = name + ".";
  std::erase_if(temporary_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  return Status::OK();
}

Result<std::shared_ptr<Catalog>> Catalogs::Get(const std::string& name) const {
  for (const auto& [existing, catalog] : catalogs_) {
    if (existing == name) {
      return catalog;
    }
  }
  return MakeError(ErrorKind::kNotFound, "A catalog with name [" + name + "] does not exist.",
                   HintFor(name, List(), "SHOW CATALOGS lists the catalogs that there are."));
}

std::vector<std::string> Catalogs::List() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : catalogs_) {
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status Catalogs::UseCatalog(const std::string& name) {
  LW_ASSIGN(const std::shared_ptr<Catalog> catalog, Get(name));
  current_catalog_ = name;
  current_database_ = catalog->default_database();
  return Status::OK();
}

Status Catalogs::UseDatabase(const std::string& catalog_name, const std::string& database) {
  LW_ASSIGN(const std::shared_ptr<Catalog> catalog, Get(catalog_name));
  LW_ASSIGN(const std::vector<std::string> databases, catalog->ListDatabases());
  if (std::find(databases.begin(), databases.end(), database) == databases.end()) {
    return MakeError(
        ErrorKind::kNotFound,
        "A database with name [" + database + "] does not exist in the catalog: [" + catalog_name +
            "].",
        HintFor(database, databases, "SHOW DATABASES lists the databases that there are."));
  }
  current_catalog_ = catalog_name;
  current_database_ = database;
  return Status::OK();
}

Result<ObjectPath> Catalogs::Qualify(const std::vector<std::string>& parts) const {
  switch (parts.size()) {
    case 1:
      return ObjectPath{current_catalog_, current_database_, parts[0]};
    case 2:
      return ObjectPath{current_catalog_, parts[0], parts[1]};
    case 3:
      return ObjectPath{parts[0], parts[1], parts[2]};
    default:
      break;
  }
  std::string name;
  for (const std::string& part : parts) {
    name += (name.empty() ? "" : ".") + part;
  }
  return MakeError(ErrorKind::kValidation,
                   "'" + name + "' is not the name of a table: it has " +
                       std::to_string(parts.size()) + " parts.",
                   "A full name is catalog.database.table; put a part that holds dots into "
                   "backticks.");
}

Status Catalogs::AddTemporary(const ObjectPath& path, CatalogTable definition,
                              bool ignore_if_exists) {
  const std::string key = path.ToString();
  if (temporary_.contains(key)) {
    return ignore_if_exists ? Status::OK()
                            : MakeError(ErrorKind::kAlreadyExists,
                                        "Temporary table or view '" + key + "' already exists",
                                        "Drop it first, or write IF NOT EXISTS.");
  }
  temporary_[key] = std::make_shared<const CatalogTable>(std::move(definition));
  return Status::OK();
}

Status Catalogs::RemoveTemporary(const ObjectPath& path) {
  if (temporary_.erase(path.ToString()) == 0) {
    return MakeError(
        ErrorKind::kNotFound,
        "Temporary table or view with identifier '" + path.ToString() + "' does not exist.",
        "Leave out TEMPORARY to drop a permanent one.");
  }
  return Status::OK();
}

bool Catalogs::HasTemporary(const ObjectPath& path) const {
  return temporary_.contains(path.ToString());
}

std::vector<std::string> Catalogs::ListTemporary(const std::string& catalog,
                                                 const std::string& database) const {
  const std::string prefix = catalog + "." + database + ".";
  std::vector<std::string> names;
  for (const auto& [name, unused] : temporary_) {
    if (name.starts_with(prefix)) {
      names.push_back(name.substr(prefix.size()));
    }
  }
  return names;
}

Result<CatalogTablePtr> Catalogs::GetTable(const ObjectPath& path) const {
  if (const auto found = temporary_.find(path.ToString()); found != temporary_.end()) {
    return found->second;
  }
  LW_ASSIGN(const std::shared_ptr<Catalog> catalog, Get(path.catalog));
  Result<CatalogTablePtr> table = catalog->GetTable(path.database, path.object);
  if (table.ok() || KindOf(table.status()) != ErrorKind::kNotFound ||
      !HintOf(table.status()).empty()) {
    return table;
  }
  std::vector<std::string> candidates = ListTemporary(path.catalog, path.database);
  if (const Result<std::vector<std::string>> tables = catalog->ListTables(path.database);
      tables.ok()) {
    candidates.insert(candidates.end(), tables->begin(), tables->end());
  }
  return WithHint(table.status(),
                  HintFor(path.object, candidates, "SHOW TABLES lists the tables that there are."));
}

}  // namespace lakeward::catalog
