#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lakeward::table {

/// How a commit ended. What to do next differs for each, so callers switch over all of them.
enum class CommitOutcome : uint8_t {
  kCommitted,         ///< this call made it visible
  kAlreadyCommitted,  ///< an earlier attempt had: the table carries our mark (or commit id)
  kConflict,          ///< somebody else's commit makes ours wrong (schema, overwritten files, mark)
  kUnknown,           ///< sent, but reading the table could not tell: keep every file, stop, say so
};

constexpr std::string_view ToString(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kCommitted:
      return "committed";
    case CommitOutcome::kAlreadyCommitted:
      return "already committed";
    case CommitOutcome::kConflict:
      return "conflict";
    case CommitOutcome::kUnknown:
      return "unknown";
  }
  return "?";
}

/// Who commits and which of its checkpoints: the mark that makes a commit repeatable.
struct SinkMark {
  std::string sink_id;        ///< UUID of one sink in one state directory
  int64_t checkpoint_id = 0;  ///< only grows
};

/// The result of a commit.
struct CommitResult {
  CommitOutcome outcome = CommitOutcome::kUnknown;
  /// Delta: log version; Iceberg: snapshot id. Of our commit, or of the one found.
  std::optional<int64_t> version;
  int attempts = 0;    ///< how often the log entry was tried
  std::string detail;  ///< for kConflict and kUnknown: what stands in the way, for the person
};

}  // namespace lakeward::table
