#include "lakeward/format/parquet/parquet_file_format.h"

#include "lakeward/format/parquet/parquet_format.h"

namespace lakeward::format {

namespace {

using config::MemorySize;
using config::Option;

const Option<std::string>& Compression() {
  static const Option<std::string> option =
      Option<std::string>{"compression", "ZSTD",
                          "The codec of written files: ZSTD (level 1), SNAPPY, GZIP, LZ4 or "
                          "UNCOMPRESSED."}
          .Allowed({"ZSTD", "SNAPPY", "GZIP", "LZ4", "LZ4_RAW", "UNCOMPRESSED"});
  return option;
}
const Option<MemorySize>& BlockSize() {
  static const Option<MemorySize> option{"block.size", MemorySize{128 << 20},
                                         "How large a row group of a written file grows."};
  return option;
}
const Option<MemorySize>& PageSize() {
  static const Option<MemorySize> option{"page.size", MemorySize{1 << 20},
                                         "How large a page of a written file grows."};
  return option;
}
const Option<bool>& EnableDictionary() {
  static const Option<bool> option{
      "enable.dictionary", true,
      "Whether columns that repeat are written with a dictionary; which ones is decided by the "
      "values."};
  return option;
}
const Option<bool>& UtcTimezone() {
  static const Option<bool> option{
      "utc-timezone", true,
      "Accepted for compatibility; TIMESTAMP is stored as the wall clock it is."};
  return option;
}

std::string ToLower(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
  return text;
}

Result<std::unique_ptr<FileReader>> OpenReader(const FileRange& range,
                                               const ReadSettings& settings) {
  return OpenParquetReader(range, {.schema = settings.schema,
                                   .batch_rows_max = settings.batch_rows_max,
                                   .resume_position = settings.resume_position});
}

Result<std::unique_ptr<FileWriter>> OpenWriter(std::shared_ptr<arrow::io::OutputStream> output,
                                               const WriteSettings& settings) {
  ParquetWriteSettings parquet{.schema = settings.schema, .field_ids = settings.field_ids};
  LW_ASSIGN(const std::string codec, config::Get(settings.options, Compression()));
  parquet.codec = ToLower(codec);
  LW_ASSIGN(const MemorySize block_size, config::Get(settings.options, BlockSize()));
  parquet.row_group_bytes = block_size.bytes;
  LW_ASSIGN(const MemorySize page_size, config::Get(settings.options, PageSize()));
  parquet.page_bytes = page_size.bytes;
  LW_ASSIGN(parquet.dictionary, config::Get(settings.options, EnableDictionary()));
  LW_ASSIGN(const bool utc, config::Get(settings.options, UtcTimezone()));
  if (!utc) {
    return MakeError(ErrorKind::kUnsupported,
                     "option 'parquet.utc-timezone' = 'false': converting TIMESTAMP by the local "
                     "time zone when it is stored is not supported",
                     "Remove the option, or use TIMESTAMP_LTZ for instants.");
  }
  return OpenParquetWriter(std::move(output), parquet);
}

}  // namespace

Format ParquetFormat() {
  Format format{.name = "parquet",
                .splitting = Splitting::kRowGroup,
                .file_extension = "",
                .options = {Compression().info(), BlockSize().info(), PageSize().info(),
                            EnableDictionary().info(), UtcTimezone().info()},
                .open_reader = OpenReader,
                .open_writer = OpenWriter};
  for (config::OptionInfo& option : format.options) {
    option.key = "parquet." + option.key;
  }
  return format;
}

}  // namespace lakeward::format
