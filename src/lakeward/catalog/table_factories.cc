#include <algorithm>

#include "lakeward/base/similar_names.h"
#include "lakeward/catalog/table_factory.h"

namespace lakeward::catalog {

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
