#pragma once

#include "lakeward/format/format.h"

namespace lakeward::format {

/// Flink's json format: newline-delimited records.
Format JsonFormat();

}  // namespace lakeward::format
