#include "lakeward/session/catalogs.h"

#include <string_view>
#include <vector>

#include "lakeward/base/similar_names.h"
#include "lakeward/catalog/delta/delta_catalog.h"
#include "lakeward/catalog/in_memory_catalog.h"

namespace lakeward::session {
namespace {

constexpr char kDefaultDatabase[] = "default";

using CatalogMaker = Result<std::shared_ptr<catalog::Catalog>> (*)(
    const std::string& name, const config::OptionMap& options, const Engine& engine,
    const config::Configuration* settings);

struct CatalogType {
  std::string_view type;  ///< the value of 'type'
  CatalogMaker make;
};

Result<std::shared_ptr<catalog::Catalog>> MakeGenericInMemory(
    const std::string& name, const config::OptionMap& options, const Engine& engine,
    const config::Configuration* settings) {
  const auto database = options.find("default-database");
  return catalog::MakeInMemoryCatalog(
      name, database == options.end() ? kDefaultDatabase : database->second, options,
      &engine.factories, &engine.context, settings);
}

Result<std::shared_ptr<catalog::Catalog>> MakeDelta(const std::string& name,
                                                    const config::OptionMap& options,
                                                    const Engine& engine,
                                                    const config::Configuration* settings) {
  return catalog::MakeDeltaCatalog(name, options, &engine.factories, &engine.context, settings);
}

// A new kind of catalog is one line here.
constexpr CatalogType kCatalogTypes[] = {
    {"delta-catalog", &MakeDelta},
    {"generic_in_memory", &MakeGenericInMemory},
};

}  // namespace

Result<std::shared_ptr<catalog::Catalog>> MakeCatalog(const std::string& name,
                                                      const config::OptionMap& options,
                                                      const Engine& engine,
                                                      const config::Configuration* settings) {
  std::vector<std::string> known;
  std::string list;
  for (const CatalogType& type : kCatalogTypes) {
    known.emplace_back(type.type);
    list += (list.empty() ? "'" : ", '") + std::string(type.type) + "'";
  }
  const auto wanted = options.find("type");
  if (wanted == options.end()) {
    return MakeError(ErrorKind::kValidation, "Catalog '" + name + "' has no option 'type'",
                     "Add 'type' = … to the WITH clause. Types: " + list + ".");
  }
  for (const CatalogType& type : kCatalogTypes) {
    if (type.type == wanted->second) {
      return type.make(name, options, engine, settings);
    }
  }
  const std::string near = DidYouMean(wanted->second, known);
  return MakeError(ErrorKind::kValidation,
                   "Catalog '" + name + "': there is no catalog type '" + wanted->second + "'",
                   near.empty() ? "Types: " + list + "." : near);
}

std::shared_ptr<catalog::Catalog> MakeDefaultCatalog(const Engine& engine,
                                                     const config::Configuration* settings) {
  return catalog::MakeInMemoryCatalog("default_catalog", "default_database", {}, &engine.factories,
                                      &engine.context, settings);
}

}  // namespace lakeward::session
