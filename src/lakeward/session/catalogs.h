#pragma once

#include <memory>
#include <string>

#include "lakeward/catalog/catalog.h"
#include "lakeward/session/engine.h"

namespace lakeward::session {

/// Makes the catalog that CREATE CATALOG … WITH ('type' = …) asks for; kValidation lists the types
/// that there are. `engine` and `settings`
/// outlive the catalog.
Result<std::shared_ptr<catalog::Catalog>> MakeCatalog(const std::string& name,
                                                      const config::OptionMap& options,
                                                      const Engine& engine,
                                                      const config::Configuration* settings);

/// Flink's default_catalog with default_database.
std::shared_ptr<catalog::Catalog> MakeDefaultCatalog(const Engine& engine,
                                                     const config::Configuration* settings);

}  // namespace lakeward::session
