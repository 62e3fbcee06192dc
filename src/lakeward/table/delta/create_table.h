#pragma once

#include <cstdint>
#include <string>

#include "lakeward/base/status.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::delta {

/// The bytes of log entry 0: commitInfo, protocol, metaData, as the Flink Delta connector orders
/// them. kUnsupported, kValidation or kConfig when the table cannot be.
Result<std::string> FirstEntry(const CreateTableSpec& spec, const std::string& table_id,
                               int64_t now_ms, const std::string& commit_id);

}  // namespace lakeward::delta
