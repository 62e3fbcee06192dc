#include <cstdint>
#include <string>

#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/fs/memory.h"

namespace {

/// Columns that the corpus has, asked for by types that fit, widen and do not fit.
lakeward::types::RowSchema Columns() {
  namespace types = lakeward::types;
  return {{{"id", types::BigInt()},
           {"a", types::Array(types::Int())},
           {"m", types::Map(types::String(false), types::Int())},
           {"s", types::String()},
           {"d", types::Decimal(20, 5)},
           {"ts", types::Timestamp(6)},
           {"r", types::Row({{"x", types::Int(), ""}, {"y", types::String(), ""}})},
           {"missing", types::Double()}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const lakeward::types::RowSchema schema = Columns();
  lakeward::format::FileRange range;
  range.file.file_system = lakeward::fs::MakeMemoryFileSystem();
  range.file.path = "/fuzz";
  LW_CHECK(
      range.file.file_system->Put("/fuzz", {reinterpret_cast<const char*>(data), size}, {}).ok());
  lakeward::format::ParquetReadSettings settings{.schema = schema};
  settings.row_group_filter = [](const auto& columns) { return columns.size() < 100; };
  const auto reader = lakeward::format::OpenParquetReader(range, settings);
  if (!reader.ok()) {
    return 0;
  }
  for (int batches = 0; batches < 100; ++batches) {
    const auto batch = (*reader)->Next();
    if (!batch.ok() || *batch == nullptr) {
      break;
    }
    LW_CHECK((*batch)->Validate().ok());
  }
  return 0;
}
