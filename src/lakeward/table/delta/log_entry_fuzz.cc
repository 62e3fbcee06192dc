#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lakeward/table/delta/actions.h"
#include "lakeward/table/delta/packed_file.h"
#include "lakeward/table/delta/schema_json.h"
#include "lakeward/table/delta/statistics.h"
#include "lakeward/table/delta/table_state.h"

/// Feeds bytes as a log entry, and what of it parses on to everything that looks inside: schema,
/// statistics, partition values, replay.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lakeward;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto actions = delta::ParseLogEntry(text, "entry");
  if (!actions.ok()) {
    return 0;
  }
  if (actions->metadata.has_value()) {
    const auto schema = delta::ParseSchema(actions->metadata->metadata.schema_json);
    delta::ToLine(*actions->metadata);
  }
  const types::TypePtr types_read[] = {types::BigInt(),  types::Decimal(20, 2),  types::Date(),
                                       types::String(),  types::TimestampLtz(6), types::Float(),
                                       types::Boolean(), types::Bytes()};
  for (const delta::AddFile& file : actions->adds) {
    const auto bounds = delta::FileBounds::Parse(file.statistics_json, false);
    for (const types::TypePtr& type : types_read) {
      bounds.Column("id", *type);
      for (const auto& [column, value] : file.partition_values) {
        delta::ParsePartitionValue(value, *type).status();
      }
    }
    LW_CHECK(delta::PackedFile(file).Unpack() == file);
    const auto again = delta::ParseLogEntry(delta::ToLine(file), "line");
    LW_CHECK(again.ok());
  }
  delta::StateBuilder builder(nullptr);
  builder.Apply(*std::move(actions), 0);
  builder.Finish(0, "table").status();
  return 0;
}
