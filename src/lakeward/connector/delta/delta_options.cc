#include "lakeward/connector/delta/delta_options.h"

namespace lakeward::connector {

const config::Option<std::string>& DeltaTablePath() {
  static const auto option = config::Option<std::string>::Required(
      "table-path", "The folder of the table, the parent of _delta_log: a path or URI.");
  return option;
}

const config::Option<int64_t>& DeltaVersionAsOf() {
  static const config::Option<int64_t> option{
      "versionAsOf", "The version of the table to read; default: the newest."};
  return option;
}

const config::Option<std::string>& DeltaSchemaEvolution() {
  static const auto option =
      config::Option<std::string>("sink.schema-evolution", "fail",
                                  "What INSERT does with columns that the table does not have: "
                                  "fail.")
          .Allowed({"fail", "add-columns"});
  return option;
}

std::map<std::string, std::string> DeltaTableProperties(const config::OptionMap& options) {
  std::map<std::string, std::string> properties;
  for (const auto& [key, value] : options) {
    if (key.starts_with(kDeltaPropertyPrefix)) {
      properties[key] = value;
    }
  }
  return properties;
}

}  // namespace lakeward::connector
