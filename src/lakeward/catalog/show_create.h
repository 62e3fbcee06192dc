#pragma once

#include <string>
#include <vector>

#include "lakeward/catalog/catalog.h"

namespace lakeward::catalog {

/// The text of SHOW CREATE TABLE, VIEW and CATALOG, letter by letter as Flink 1.20 prints it (a
/// line's end included), but with the values of secret options hidden. Pure functions.
std::string ShowCreateTable(const ObjectPath& path, const CatalogTable& table, bool temporary);
std::string ShowCreateView(const ObjectPath& path, const CatalogTable& view, bool temporary);
std::string ShowCreateCatalog(const std::string& name, const config::OptionMap& options);

/// The name that Flink gives a PRIMARY KEY without CONSTRAINT: "PK_" and a hash of the columns.
std::string DefaultPrimaryKeyName(const std::vector<std::string>& columns);

}  // namespace lakeward::catalog
