#pragma once

#include <cstdint>
#include <string>

#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/base/status.h"
#include "lakeward/fs/file_systems.h"

namespace lakeward::delta {

/// How the put of a log entry ended.
enum class PutOutcome : uint8_t {
  kOurs,     ///< the entry is ours
  kTaken,    ///< another writer's entry stands there; ours never will
  kUnknown,  ///< neither could be found out
};

struct PutResult {
  PutOutcome outcome = PutOutcome::kUnknown;
  Status error;  ///< for kUnknown: what the store last said
};

/// Puts a log entry of a version if there is none. An answer that got lost is resolved by putting
/// the same bytes again, which leaves the version to exactly one writer, and by comparing `txnId`
/// with `commit_id`. A Status error means that nothing was written and nothing will be.
Result<PutResult> PutEntry(const fs::Location& root, int64_t version, const std::string& bytes,
                           const std::string& commit_id, Clock* clock, Random* random);

/// Sleeps before attempt `attempt` (from 1) is repeated: a random time that grows up to about half
/// a second.
void BackOff(int attempt, Clock* clock, Random* random);

}  // namespace lakeward::delta
