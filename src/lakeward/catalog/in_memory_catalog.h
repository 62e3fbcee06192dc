#pragma once

#include <memory>
#include <string>

#include "lakeward/catalog/catalog.h"
#include "lakeward/catalog/table_factory.h"

namespace lakeward::catalog {

/// Keeps everything in this process: 'type' = 'generic_in_memory'. `factories`, `engine` and
/// `settings` (the session's, as they change) outlive it and serve CreateTable's preparation of
/// storage.
std::shared_ptr<Catalog> MakeInMemoryCatalog(std::string name, std::string default_database,
                                             config::OptionMap options,
                                             const TableFactories* factories,
                                             const EngineContext* engine,
                                             const config::Configuration* settings);

}  // namespace lakeward::catalog
