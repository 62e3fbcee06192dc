#pragma once

#include <memory>
#include <string>

#include "lakeward/catalog/catalog.h"
#include "lakeward/catalog/table_factory.h"

namespace lakeward::catalog {

/// Keeps everything in this process: 'type' = 'generic_in_memory'. `factories` and `engine` outlive
/// it and serve CreateTable's preparation of storage.
std::shared_ptr<Catalog> MakeInMemoryCatalog(std::string name, std::string default_database,
                                             config::OptionMap options,
                                             const TableFactories* factories,
                                             const EngineContext* engine);

}  // namespace lakeward::catalog
