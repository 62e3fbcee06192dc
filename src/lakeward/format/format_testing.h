#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/format/format.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::format::testing {

/// A file in memory with these bytes.
FileRange FileOf(std::string_view bytes, std::string name = "/in/data");

/// Every row that a reader gives, as one text each: values as Flink prints them, joined by "|".
Result<std::vector<std::string>> ReadRows(FileReader* reader, const types::RowSchema& schema);
Result<std::vector<std::string>> ReadRows(const Format& format, const FileRange& range,
                                          const ReadSettings& settings);

/// One row's values, as Flink prints them, joined by "|".
std::string RowText(const arrow::RecordBatch& batch, int64_t row, const types::RowSchema& schema);

/// The bytes of a file with these batches.
Result<std::string> WriteBytes(const Format& format, const WriteSettings& settings,
                               const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                               FileStatistics* statistics = nullptr);

/// The folder of reference data that others wrote: $LAKEWARD_SHARED, else "shared" beside the
/// repository; empty when `name` is not in it.
std::string ReferenceFolder(const std::string& name);
/// Names of the files in a folder, in order.
std::vector<std::string> FilesIn(const std::string& folder);

}  // namespace lakeward::format::testing
