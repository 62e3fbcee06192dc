#include <algorithm>
#include <utility>

#include "lakeward/base/similar_names.h"
#include "lakeward/catalog/table_factory.h"

namespace lakeward::catalog {

TableContext TableContext::Make(ObjectPath path, CatalogTablePtr table,
                                const config::OptionMap& catalog_options,
                                config::Configuration settings, const EngineContext* engine) {
  TableContext context;
  engine->file_systems->AddStorageOptions(catalog_options, config::Level::kCatalog,
                                          "WITH of catalog " + path.catalog, &settings);
  engine->file_systems->AddStorageOptions(table->options, config::Level::kTable,
                                          "WITH of table " + path.ToString(), &settings);
  context.path = std::move(path);
  context.table = std::move(table);
  context.settings = std::move(settings);
  context.engine = engine;
  return context;
}

Status SinkNegotiation::ApplyOverwrite() {
  return MakeError(ErrorKind::kUnsupported,
                   "INSERT OVERWRITE requires a table whose connector can replace its contents.",
                   "Use INSERT INTO.");
}

void TableFactories::Add(std::shared_ptr<const TableFactory> factory) {
  factories_.push_back(std::move(factory));
}

std::vector<std::string> TableFactories::Identifiers() const {
  std::vector<std::string> identifiers;
  for (const auto& factory : factories_) {
    identifiers.emplace_back(factory->identifier());
  }
  std::sort(identifiers.begin(), identifiers.end());
  return identifiers;
}

Result<std::shared_ptr<const TableFactory>> TableFactories::ForTable(
    const ObjectPath& path, const config::OptionMap& options) const {
  std::string available;
  for (const std::string& identifier : Identifiers()) {
    available += "\n" + identifier;
  }
  const auto connector = options.find("connector");
  if (connector == options.end()) {
    return MakeError(
        ErrorKind::kValidation,
        "Table '" + path.ToString() +
            "' has no option 'connector', so that nothing says where its rows are.",
        "Put 'connector' = '…' into the WITH clause. Available connectors:" + available);
  }
  for (const auto& factory : factories_) {
    if (factory->identifier() == connector->second) {
      return factory;
    }
  }
  return MakeError(ErrorKind::kValidation,
                   "Could not find any connector for identifier '" + connector->second +
                       "' (table '" + path.ToString() +
                       "').\n\nAvailable connector identifiers are:\n" + available,
                   DidYouMean(connector->second, Identifiers()));
}

}  // namespace lakeward::catalog
