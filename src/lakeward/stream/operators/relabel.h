#pragma once

#include <memory>

#include "arrow/type.h"
#include "lakeward/stream/operator.h"

namespace lakeward::stream {

/// Gives rows of several origins (UNION ALL) one schema: the columns pass through under its names.
std::unique_ptr<Operator> MakeRelabelOperator(std::shared_ptr<arrow::Schema> schema);

}  // namespace lakeward::stream
