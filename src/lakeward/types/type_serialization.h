#pragma once

#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::types {

/// Types and schemas as compact text for checkpoint metadata: the type's spelling
/// (LogicalType::ToString), a schema as the ROW type of its columns. Reading gives an equal value;
/// text that nothing here wrote is kCorruptData. Interval leading precisions are not kept: they
/// have no effect on values.
std::string SerializeType(const LogicalType& type);
Result<TypePtr> DeserializeType(std::string_view text);

std::string SerializeSchema(const RowSchema& schema);
Result<RowSchema> DeserializeSchema(std::string_view text);

}  // namespace lakeward::types
