#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lakeward/json/json.h"
#include "lakeward/table/delta/actions.h"

namespace lakeward::delta {

/// The `commitInfo` of an append. `commit_id` becomes `txnId`, by which a writer knows its own
/// entry again.
json::Json AppendCommitInfo(const AppendCommit& commit,
                            const std::vector<std::string>& partition_columns, int64_t read_version,
                            int64_t now_ms, const std::string& commit_id);

/// The `commitInfo` of a new table.
json::Json CreateCommitInfo(const Metadata& metadata, int64_t now_ms, const std::string& commit_id);

/// The `txnId` of a log entry, empty when it has none.
std::string CommitIdOf(const Actions& actions);

}  // namespace lakeward::delta
