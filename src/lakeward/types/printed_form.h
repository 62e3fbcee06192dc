#pragma once

#include <string>

#include "arrow/array.h"
#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::types {

/// A value as Flink's SQL client prints it and as CAST(… AS STRING) gives it: TRUE, 1.0E10,
/// 2024-01-01 00:00:00.000, [1, 2], {k=v}, (1, a). Null is "<NULL>" at the top level, "NULL"
/// inside.
std::string PrintedForm(const arrow::Array& array, int64_t row, const LogicalType& type,
                        const TimeZone& zone);

/// The width that Flink's tableau mode gives a column of this type in a streaming result, header
/// not counted (BIGINT 20, INT 11, STRING 30 …).
int TableauWidth(const LogicalType& type);

}  // namespace lakeward::types
