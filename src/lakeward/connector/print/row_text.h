#pragma once

#include <string>

#include "arrow/array.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::connector {

/// Appends a value as Flink's print sink writes it, which is the toString() of its external Java
/// object: dates and timestamps in ISO form without trailing zero seconds (2024-01-01T00:00), null
/// as "null", strings as they are, rows as +I[a, b].
void AppendRowText(const arrow::Array& array, int64_t row, const types::LogicalType& type,
                   const types::TimeZone& zone, std::string* text);

}  // namespace lakeward::connector
