#pragma once

#include <memory>

#include "lakeward/format/format.h"

namespace lakeward::format {

/// Writes newline-delimited JSON, one object a row, as Flink's json format spells it. Statistics of
/// the finished file hold row and byte counts only.
Result<std::unique_ptr<FileWriter>> OpenJsonWriter(std::shared_ptr<arrow::io::OutputStream> output,
                                                   const WriteSettings& settings);

}  // namespace lakeward::format
