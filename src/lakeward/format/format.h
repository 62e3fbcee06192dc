#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/config/option.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/types/row_schema.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::format {

/// How a file of this format may be cut so that several readers share it.
enum class Splitting : uint8_t {
  kWholeFile,  ///< one reader a file
  kNewline,    ///< at any byte: a range owns the lines whose first byte lies in it
  kRowGroup,   ///< a range owns the row groups whose middle byte lies in it
};

/// A part of a file for one reader. The default is all of it.
struct FileRange {
  fs::Location file;
  int64_t file_size_bytes = 0;
  int64_t offset = 0;
  int64_t length = -1;  ///< -1: to the end of the file
};

/// What a reader shall make of the bytes.
struct ReadSettings {
  types::RowSchema schema;    ///< the columns wanted, in the order wanted; matched by name
  config::OptionMap options;  ///< the format's own options, without the format's prefix
  types::TimeZone zone;       ///< table.local-time-zone
  int64_t batch_rows_max = 16'384;
  int64_t batch_bytes_aim = 2 << 20;
  /// Where a former reader of this range stood (FileReader::position); nothing: from the start.
  std::optional<int64_t> resume_position;
};

/// Reads one range of one file into batches of exactly `schema`. One thread at a time. Bad records
/// are kCorruptData naming the file, the line or row, and the option that skips them.
class FileReader {
 public:
  virtual ~FileReader() = default;
  /// The next rows, null at the end. Batches hold at least one row.
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Next() = 0;
  /// Where a new reader of the same range goes on after the batches returned so far: a byte offset
  /// in the file for text, a row number within the range for row groups.
  virtual int64_t position() const = 0;
  /// Records that were skipped because the options said so.
  virtual int64_t skipped_records() const { return 0; }
};

/// What a finished file holds, column by column of the written schema (leaves of structs by dotted
/// path). Bounds are absent where the format keeps none or cannot vouch for them.
struct ColumnStatistics {
  std::vector<std::string> path;  ///< field names from the root
  int64_t value_count = 0;        ///< nulls included
  int64_t null_count = 0;         ///< -1: unknown (files of others)
  /// Of FLOAT and DOUBLE: how many NaN; the bounds leave them out. Absent: not counted.
  std::optional<int64_t> nan_count;
  int64_t compressed_bytes = 0;
  std::shared_ptr<arrow::Scalar> minimum;  ///< physical type of the column; null: unknown
  std::shared_ptr<arrow::Scalar> maximum;
};

struct FileStatistics {
  int64_t row_count = 0;
  int64_t size_bytes = 0;
  std::vector<ColumnStatistics> columns;
};

struct WriteSettings {
  types::RowSchema schema;
  config::OptionMap options;  ///< the format's own options, without the format's prefix
  types::TimeZone zone;
  /// Table formats that need them: Parquet field ids, one per top-level column (empty: none).
  std::vector<int32_t> field_ids;
};

/// Encodes batches into one file. One thread at a time.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  /// `batch` has the arrow schema of `schema` and only live rows.
  virtual Status Write(const arrow::RecordBatch& batch) = 0;
  /// What the file would weigh if it were finished now; an estimate, for rolling.
  virtual int64_t EstimatedSizeBytes() const = 0;
  /// Memory that the writer holds for rows that have not gone to the stream yet.
  virtual int64_t BufferedBytes() const { return 0; }
  /// The next Write first sends what is buffered to the stream, where the format can (Parquet: the
  /// rows so far become a row group of their own).
  virtual void FlushBeforeNextWrite() {}
  /// Writes what is buffered and the footer; does not close the stream. Last call.
  virtual Result<FileStatistics> Finish() = 0;
};

/// A file format as data: registered once in builtin.cc.
struct Format {
  std::string name;  ///< "json"
  Splitting splitting = Splitting::kWholeFile;
  std::string file_extension;  ///< with the dot, for files that we name ("" where Flink adds none)
  std::vector<config::OptionInfo> options;  ///< keys with the prefix "<name>."
  Result<std::unique_ptr<FileReader>> (*open_reader)(const FileRange&,
                                                     const ReadSettings&) = nullptr;
  Result<std::unique_ptr<FileWriter>> (*open_writer)(std::shared_ptr<arrow::io::OutputStream>,
                                                     const WriteSettings&) = nullptr;
};

/// Null when there is none.
const Format* FindFormat(std::string_view name);
const std::vector<Format>& BuiltinFormats();

/// Cuts a file into at most `parts_max` ranges of at least `part_bytes_min` (one where the format
/// or a compression forbids more).
std::vector<FileRange> SplitFile(const Format& format, const fs::Location& file,
                                 int64_t file_size_bytes, int parts_max, int64_t part_bytes_min);

}  // namespace lakeward::format
