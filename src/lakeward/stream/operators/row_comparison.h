#pragma once

#include <cstdint>

#include "arrow/array.h"

namespace lakeward::stream {

/// Sets `differs[i]` where the values at `left[i]` and `right[i]` of one column are not the same:
/// null equals null; NaN equals nothing, as Java's == has it.
void MarkDifferences(const arrow::Array& column, const int32_t* left, const int32_t* right,
                     int64_t count, uint8_t* differs);

}  // namespace lakeward::stream
