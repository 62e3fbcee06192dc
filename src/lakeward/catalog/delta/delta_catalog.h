#pragma once

#include <memory>
#include <string>

#include "lakeward/catalog/catalog.h"
#include "lakeward/catalog/table_factory.h"

namespace lakeward::catalog {

/// A catalog of Delta tables: 'type' = 'delta-catalog'. With 'catalog-type' = 'in-memory' the names
/// and places of the tables live in this process and each table's schema in its log, which is read
/// anew for every GetTable. Only tables of the connector 'delta' (and views) are taken. CREATE
/// TABLE begins the log or checks the table that is there; DROP TABLE forgets the name and keeps
/// the files.
///
/// kConfig for a missing or malformed option, kUnsupported for another 'catalog-type'. `factories`,
/// `engine` and `settings` (the session's, as they change) outlive the catalog.
Result<std::shared_ptr<Catalog>> MakeDeltaCatalog(std::string name, config::OptionMap options,
                                                  const TableFactories* factories,
                                                  const EngineContext* engine,
                                                  const config::Configuration* settings);

}  // namespace lakeward::catalog
