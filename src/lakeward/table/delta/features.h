#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/table/delta/schema_json.h"
#include "lakeward/table/delta/table_state.h"

namespace lakeward::delta {

/// Whether rows of a table may be read here: kUnsupported names every feature that stands against
/// it. `table` is what the person calls it. Source: protocol, "Table Features", "Reader Version
/// Requirements".
Status CheckReadable(const TableState& state, const ParsedSchema& schema, std::string_view table);

/// Whether rows may be appended here. A feature that the table only supports but does not use is no
/// obstacle. Source: "Writer Version Requirements" and the features' own sections.
Status CheckWritable(const TableState& state, const ParsedSchema& schema, std::string_view table);

/// The protocol of a new table with these properties, which are stripped of `delta.feature.*` and
/// the two version keys. kUnsupported when they ask for a feature that is not written here.
Result<Protocol> ProtocolFor(std::map<std::string, std::string>* configuration);

}  // namespace lakeward::delta
