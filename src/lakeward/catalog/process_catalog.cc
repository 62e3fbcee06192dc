#include "lakeward/catalog/process_catalog.h"

#include <utility>

#include "lakeward/base/similar_names.h"

namespace lakeward::catalog {

ProcessCatalog::ProcessCatalog(std::string name, std::string default_database,
                               config::OptionMap options)
    : name_(std::move(name)),
      default_database_(std::move(default_database)),
      options_(std::move(options)) {
  databases_[default_database_];
}

Result<std::vector<std::string>> ProcessCatalog::ListDatabases() {
  const MutexLock lock(&mutex_);
  std::vector<std::string> names;
  for (const auto& [name, unused] : databases_) {
    names.push_back(name);
  }
  return names;
}

Result<const ProcessCatalog::Database*> ProcessCatalog::FindDatabase(
    const std::string& database) const {
  const auto found = databases_.find(database);
  if (found != databases_.end()) {
    return &found->second;
  }
  std::vector<std::string> names;
  for (const auto& [name, unused] : databases_) {
    names.push_back(name);
  }
  const std::string near = DidYouMean(database, names);
  return MakeError(ErrorKind::kNotFound,
                   "Database " + database + " does not exist in Catalog " + name_ + ".",
                   near.empty() ? "SHOW DATABASES lists the databases that there are." : near);
}

Result<CatalogDatabase> ProcessCatalog::GetDatabase(const std::string& database) {
  const MutexLock lock(&mutex_);
  LW_ASSIGN(const Database* const found, FindDatabase(database));
  return found->definition;
}

Status ProcessCatalog::CreateDatabase(const std::string& database, CatalogDatabase definition) {
  const MutexLock lock(&mutex_);
  if (databases_.contains(database)) {
    return MakeError(ErrorKind::kAlreadyExists,
                     "Database " + database + " already exists in Catalog " + name_ + ".",
                     "Choose another name, or write CREATE DATABASE IF NOT EXISTS.");
  }
  databases_[database].definition = std::move(definition);
  return Status::OK();
}

Status ProcessCatalog::DropDatabase(const std::string& database, bool cascade) {
  const MutexLock lock(&mutex_);
  LW_ASSIGN(const Database* const found, FindDatabase(database));
  if (!found->tables.empty() && !cascade) {
    return MakeError(ErrorKind::kValidation,
                     "Database " + database + " in Catalog " + name_ + " is not empty: it holds " +
                         std::to_string(found->tables.size()) +
                         (found->tables.size() == 1 ? " table or view." : " tables or views."),
                     "Drop them first, or write DROP DATABASE " + database + " CASCADE.");
  }
  databases_.erase(database);
  return Status::OK();
}

Result<std::vector<std::string>> ProcessCatalog::ListTables(const std::string& database) {
  const MutexLock lock(&mutex_);
  LW_ASSIGN(const Database* const found, FindDatabase(database));
  std::vector<std::string> names;
  for (const auto& [name, unused] : found->tables) {
    names.push_back(name);
  }
  return names;
}

Status ProcessCatalog::TableNotFound(const std::string& database, const std::string& table) const {
  return MakeError(ErrorKind::kNotFound, "Table (or view) " + database + "." + table +
                                             " does not exist in Catalog " + name_ + ".");
}

Result<CatalogTablePtr> ProcessCatalog::GetTable(const std::string& database,
                                                 const std::string& table) {
  const MutexLock lock(&mutex_);
  LW_ASSIGN(const Database* const found, FindDatabase(database));
  const auto entry = found->tables.find(table);
  if (entry == found->tables.end()) {
    return TableNotFound(database, table);
  }
  return entry->second;
}

Status ProcessCatalog::CheckAbsentLocked(const std::string& database,
                                         const std::string& table) const {
  LW_ASSIGN(const Database* const found, FindDatabase(database));
  if (found->tables.contains(table)) {
    return MakeError(
        ErrorKind::kAlreadyExists,
        "Table (or view) " + database + "." + table + " already exists in Catalog " + name_ + ".",
        "Choose another name, drop it first, or write IF NOT EXISTS.");
  }
  return Status::OK();
}

Status ProcessCatalog::CheckAbsent(const std::string& database, const std::string& table) const {
  const MutexLock lock(&mutex_);
  return CheckAbsentLocked(database, table);
}

Status ProcessCatalog::Keep(const std::string& database, const std::string& table,
                            CatalogTablePtr definition) {
  const MutexLock lock(&mutex_);
  LW_TRY(CheckAbsentLocked(database, table));
  databases_[database].tables[table] = std::move(definition);
  return Status::OK();
}

Status ProcessCatalog::DropTable(const std::string& database, const std::string& table) {
  const MutexLock lock(&mutex_);
  LW_TRY(FindDatabase(database).status());
  if (databases_[database].tables.erase(table) == 0) {
    return TableNotFound(database, table);
  }
  return Status::OK();
}

Status ProcessCatalog::RenameTable(const std::string& database, const std::string& table,
                                   const std::string& new_name) {
  const MutexLock lock(&mutex_);
  LW_TRY(CheckAbsentLocked(database, new_name));
  auto& tables = databases_[database].tables;
  auto entry = tables.extract(table);
  if (entry.empty()) {
    return TableNotFound(database, table);
  }
  entry.key() = new_name;
  tables.insert(std::move(entry));
  return Status::OK();
}

Status ProcessCatalog::ReplaceView(const std::string& database, const std::string& view,
                                   CatalogTable definition) {
  const MutexLock lock(&mutex_);
  LW_TRY(FindDatabase(database).status());
  auto& tables = databases_[database].tables;
  const auto entry = tables.find(view);
  if (entry == tables.end() || entry->second->kind != TableKind::kView) {
    return TableNotFound(database, view);
  }
  entry->second = std::make_shared<const CatalogTable>(std::move(definition));
  return Status::OK();
}

}  // namespace lakeward::catalog
