#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/format/format.h"

namespace lakeward::format {

/// The codec and encodings of a Parquet file; see docs/design/002-parquet-encodings.md. PLAIN and
/// RLE_DICTIONARY, data page v1, unless a column asks for more.
struct ParquetWriteSettings {
  types::RowSchema schema;
  std::vector<int32_t> field_ids;  ///< one per top-level column; empty: none
  std::string codec = "zstd";      ///< uncompressed | snappy | gzip | zstd | lz4
  int codec_level = -1;            ///< -1: the codec's own default (zstd: 1)
  int64_t row_group_rows = 1'048'576;
  int64_t row_group_bytes = 128 << 20;
  int64_t page_bytes = 1 << 20;
  bool dictionary = true;  ///< false: no column gets one
  /// Rows that are buffered before each column's dictionary is decided (distinct under 10 %).
  int64_t dictionary_sample_rows = 16'384;
  bool use_threads = false;  ///< encode columns side by side
};

/// Writes one Parquet file; the statistics come from its footer (no second pass). Timestamps are
/// INT64 microseconds, adjusted-to-UTC for TIMESTAMP_LTZ; decimals INT32/INT64/FIXED by precision.
Result<std::unique_ptr<FileWriter>> OpenParquetWriter(
    std::shared_ptr<arrow::io::OutputStream> output, const ParquetWriteSettings& settings);

/// What a reader of one Parquet file may skip: given a row group's statistics (by top-level column
/// name), false when no row of it can matter.
using RowGroupFilter = std::function<bool(const std::vector<ColumnStatistics>&)>;

struct ParquetReadSettings {
  types::RowSchema schema;  ///< columns wanted; those that the file lacks come as null
  int64_t batch_rows_max = 16'384;
  std::optional<int64_t> resume_position;  ///< row number within the range
  RowGroupFilter row_group_filter;         ///< may be empty
};

/// Reads the row groups of a range. Columns are matched by name; physical types are widened to the
/// wanted type where no value can be lost (INT32 → BIGINT, INT96 → TIMESTAMP, ms/ns → µs …), else
/// kCorruptData naming file, column and both types.
Result<std::unique_ptr<FileReader>> OpenParquetReader(const FileRange& range,
                                                      const ParquetReadSettings& settings);

}  // namespace lakeward::format
