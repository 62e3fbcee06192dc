#include "lakeward/format/json/json_format.h"
#include "lakeward/format/parquet/parquet_file_format.h"

#include "lakeward/format/format.h"

namespace lakeward::format {

const std::vector<Format>& BuiltinFormats() {
  static const std::vector<Format> formats = {
      JsonFormat(),
      ParquetFormat(),
  };
  return formats;
}

const Format* FindFormat(std::string_view name) {
  for (const Format& format : BuiltinFormats()) {
    if (format.name == name) {
      return &format;
    }
  }
  return nullptr;
}

}  // namespace lakeward::format
