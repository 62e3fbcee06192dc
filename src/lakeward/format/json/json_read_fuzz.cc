#include <cstdint>
#include <string>

#include "lakeward/format/json/json_format.h"
#include "lakeward/fs/memory.h"

namespace {

using lakeward::format::FileRange;
using lakeward::format::ReadSettings;

lakeward::types::RowSchema EveryType() {
  namespace types = lakeward::types;
  return {{{"b", types::Boolean()},
           {"t", types::TinyInt()},
           {"i", types::Int()},
           {"l", types::BigInt()},
           {"f", types::Float()},
           {"d", types::Double()},
           {"n", types::Decimal(20, 5)},
           {"s", types::String()},
           {"y", types::Bytes()},
           {"day", types::Date()},
           {"time", types::Time(3)},
           {"ts", types::Timestamp(6)},
           {"tz", types::TimestampLtz(9)},
           {"a", types::Array(types::Array(types::Int()))},
           {"m", types::Map(types::String(false), types::Row({{"x", types::String(), ""}}))},
           {"r", types::Row({{"i", types::Int(), ""}, {"r", types::Array(types::String()), ""}})}}};
}

/// Reads all; the arrays must be sound whatever the bytes are.
void Read(const FileRange& range, const char* ignore_errors) {
  static const lakeward::types::RowSchema schema = EveryType();
  ReadSettings settings{.schema = schema, .options = {{"ignore-parse-errors", ignore_errors}}};
  settings.batch_rows_max = 7;
  const auto reader = lakeward::format::JsonFormat().open_reader(range, settings);
  if (!reader.ok()) {
    return;
  }
  for (;;) {
    const auto batch = (*reader)->Next();
    if (!batch.ok() || *batch == nullptr) {
      return;
    }
    LW_CHECK((*batch)->ValidateFull().ok());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FileRange range;
  range.file.file_system = lakeward::fs::MakeMemoryFileSystem();
  range.file.path = "/fuzz";
  LW_CHECK(
      range.file.file_system->Put("/fuzz", {reinterpret_cast<const char*>(data), size}, {}).ok());
  Read(range, "false");
  Read(range, "true");
  range.offset = static_cast<int64_t>(size / 2);
  Read(range, "true");
  return 0;
}
