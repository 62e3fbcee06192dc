#pragma once

#include <memory>

#include "arrow/type.h"
#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::types {

/// The one physical form of each logical type while it flows through the engine:
///
///   NULL null · BOOLEAN bool · TINYINT int8 · SMALLINT int16 · INT int32 · BIGINT int64 · FLOAT
///   float · DOUBLE double · DECIMAL decimal128 · CHAR/VARCHAR utf8 · BINARY/VARBINARY binary ·
///   DATE date32 · TIME time64[us] · TIMESTAMP(0..6) timestamp[us] · TIMESTAMP(7..9) timestamp[ns]
///   · TIMESTAMP_LTZ likewise with zone "UTC" · INTERVAL YEAR TO MONTH int32 (months) · INTERVAL
///   DAY TO SECOND int64 (milliseconds) · ARRAY list · MULTISET map<element, int32> · MAP map · ROW
///   struct
///
/// Field nullability follows the logical types; a list's item is named "element", as Parquet has
/// it.
std::shared_ptr<arrow::DataType> ToArrow(const LogicalType& type);
std::shared_ptr<arrow::Field> ToArrowField(const Column& column);
std::shared_ptr<arrow::Schema> ToArrowSchema(const RowSchema& schema);

/// The logical type that an Arrow type found in a file stands for; kUnsupported names the type.
Result<TypePtr> FromArrow(const arrow::DataType& type, bool nullable);

}  // namespace lakeward::types
