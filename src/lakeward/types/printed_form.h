#pragma once

#include <string>

#include "arrow/array.h"
#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::types {

/// For whom a value is written out.
enum class PrintStyle : uint8_t {
  kClient,  ///< the SQL client's tables: bytes as x'616263'
  kCast,    ///< CAST(… AS STRING): bytes as the UTF-8 text that they are
};

/// A value as Flink's SQL client prints it or as CAST(… AS STRING) gives it: TRUE, 1.0E10,
/// 2024-01-01 00:00:00.000, [1, 2], {k=v}, (1, a). Null is "<NULL>" at the top level, "NULL"
/// inside. `array` has the physical form of `type`.
std::string PrintedForm(const arrow::Array& array, int64_t row, const LogicalType& type,
                        const TimeZone& zone, PrintStyle style = PrintStyle::kClient);

/// As PrintedForm, appending; null is "NULL".
void AppendPrintedForm(const arrow::Array& array, int64_t row, const LogicalType& type,
                       const TimeZone& zone, PrintStyle style, std::string* out);

/// The width that Flink's tableau mode gives a column of this type in a streaming result, header
/// not counted (BIGINT 20, INT 11, STRING 30 …).
int TableauWidth(const LogicalType& type);

}  // namespace lakeward::types
