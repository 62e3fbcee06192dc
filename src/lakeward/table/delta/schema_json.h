#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/json/json.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::delta {

/// A schema string as far as it can be understood. Tables with types that are unknown here can
/// still be opened and described; only reading and writing rows is refused.
struct ParsedSchema {
  types::RowSchema schema;  ///< an unknown type is NULL; `void` columns are left out
  /// "column `g` has the type geometry(OGC:CRS84)", one per column that cannot be read.
  std::vector<std::string> unknown_types;
};

/// kCorruptData when the text is no struct type. Source: protocol, "Schema Serialization Format".
Result<ParsedSchema> ParseSchema(std::string_view schema_json);

/// The JSON of one type: a string or an object.
Result<json::Json> TypeToJson(const types::LogicalType& type, bool timestamp_ntz,
                              std::string_view column);

/// Calls `visit` for each struct field at any depth with its dotted name and the whole field
/// object, and goes no deeper where it returns false.
void VisitFields(
    const json::Json& struct_type,
    const std::function<bool(const std::string& name, const json::Json& field)>& visit);

/// Whether a Flink column type can be what a Delta field of `table_type` holds: nullability and
/// lengths are not looked at, TIMESTAMP fits `timestamp` (the wall clock is kept as UTC) and
/// `timestamp_ntz`.
bool TypeFits(const types::LogicalType& type, const types::LogicalType& table_type);

/// kUnsupported when a column name cannot stand in a table without column mapping, kValidation when
/// two names differ only by case. Nested fields are checked too.
Status CheckColumnNames(const types::RowSchema& schema);

}  // namespace lakeward::delta
