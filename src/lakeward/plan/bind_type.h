#pragma once

#include "lakeward/base/status.h"
#include "lakeward/sql/type_name.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::plan {

/// The interval type of a qualifier; kUnsupported for mixtures that Flink does not have.
Result<types::TypePtr> BindIntervalType(const sql::IntervalQualifier& qualifier, SqlPosition at);

}  // namespace lakeward::plan
