#pragma once

#include "lakeward/format/format.h"

namespace lakeward::format {

/// Parquet as a generic format: the filesystem connector's options on top of parquet_format.h.
Format ParquetFormat();

}  // namespace lakeward::format
