#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lakeward::delta {

/// The table properties that matter to log keeping, with Delta's defaults where they are missing or
/// malformed.
struct LogProperties {
  int64_t checkpoint_interval = 10;                   ///< delta.checkpointInterval
  int64_t tombstone_retention_ms = 7 * 86'400'000LL;  ///< delta.deletedFileRetentionDuration
  bool writes_plain_checkpoints = true;  ///< statistics in checkpoints as JSON and only so

  static LogProperties From(const std::map<std::string, std::string>& configuration);
};

/// "interval 1 week", "interval 3 days 4 hours", "7 days" as milliseconds; -1 when it is neither.
int64_t ParseInterval(std::string_view text);

}  // namespace lakeward::delta
