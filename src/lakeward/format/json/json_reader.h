#pragma once

#include <memory>

#include "lakeward/format/format.h"

namespace lakeward::format {

/// Reads newline-delimited JSON: one object a line. A line that is no record is an error that names
/// file, line and cause, or is skipped and counted with json.ignore-parse-errors. Empty lines are
/// passed over. A range owns the lines that begin in it. The position is the offset of the next
/// line.
Result<std::unique_ptr<FileReader>> OpenJsonReader(const FileRange& range,
                                                   const ReadSettings& settings);

}  // namespace lakeward::format
