#include "lakeward/table/delta/log_writer.h"

#include <algorithm>

#include "lakeward/base/crash_point.h"
#include "lakeward/base/log.h"
#include "lakeward/table/delta/commit_info.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/table/delta/log_listing.h"
#include "lakeward/table/delta/log_loader.h"

// Source: protocol, "Creation of New Log Entries".

namespace lakeward::delta {
namespace {

constexpr int kPutAttemptsMax = 8;
constexpr int64_t kBackoffMinMicros = 2'000;
constexpr int64_t kBackoffMaxMicros = 512'000;

/// Whether the store refused before anything could be written.
bool IsFinal(ErrorKind kind) {
  return kind == ErrorKind::kPermission || kind == ErrorKind::kConfig ||
         kind == ErrorKind::kUnsupported || kind == ErrorKind::kNotFound ||
         kind == ErrorKind::kValidation;
}

/// Whether a write that was answered with an error cannot appear later: true without a network.
bool IsWithoutNetwork(const fs::FileSystem& file_system) {
  return file_system.type_name() == "local" || file_system.type_name() == "memory";
}

/// Whose entry stands at the version, of which the store says that it is taken.
Result<PutOutcome> OwnerOf(const fs::Location& root, int64_t version,
                           const std::string& commit_id) {
  LW_ASSIGN(const Actions actions, ReadEntry(root, version));
  return CommitIdOf(actions) == commit_id ? PutOutcome::kOurs : PutOutcome::kTaken;
}

}  // namespace

Result<PutResult> PutEntry(const fs::Location& root, int64_t version, const std::string& bytes,
                           const std::string& commit_id, Clock* clock, Random* random) {
  const std::string path = LogPath(root, EntryName(version));
  bool may_have_been_written = false;
  Status last_error;
  for (int attempt = 1; attempt <= kPutAttemptsMax; ++attempt) {
    CrashPoint("delta.before-log-put");
    const Status status = root.file_system->Put(path, bytes, {.if_absent = true});
    CrashPoint("delta.after-log-put");
    if (status.ok()) {
      return PutResult{PutOutcome::kOurs, Status::OK()};
    }
    last_error = status;
    if (KindOf(status) == ErrorKind::kAlreadyExists) {
      const Result<PutOutcome> owner = OwnerOf(root, version, commit_id);
      if (owner.ok()) {
        return PutResult{*owner, Status::OK()};
      }
      // An entry that nobody can read: ours only if one of our puts may have arrived. A store that
      // repeats a put by itself may hide that, so it is asked again before that is decided.
      last_error = owner.status();
      if (KindOf(last_error) == ErrorKind::kCorruptData) {
        return PutResult{PutOutcome::kTaken, Status::OK()};
      }
      may_have_been_written = true;
    } else if (IsFinal(KindOf(status)) && !may_have_been_written) {
      return status;
    } else {
      may_have_been_written = true;
      Log(LogLevel::kWarn, "table/delta",
          "table " + root.uri + ": the answer to putting " + EntryName(version) +
              " is not clear (" + status.message() + "); asking again");
    }
    if (attempt < kPutAttemptsMax) {
      BackOff(attempt, clock, random);
    }
  }
  const Result<PutOutcome> owner = OwnerOf(root, version, commit_id);
  if (owner.ok()) {
    return PutResult{*owner, Status::OK()};
  }
  if (KindOf(owner.status()) == ErrorKind::kNotFound && IsWithoutNetwork(*root.file_system)) {
    return last_error;
  }
  return PutResult{PutOutcome::kUnknown, last_error};
}

void BackOff(int attempt, Clock* clock, Random* random) {
  const int64_t longest = std::min(kBackoffMaxMicros, kBackoffMinMicros << std::min(attempt, 16));
  clock->SleepForMicros(
      static_cast<int64_t>(random->NextBelow(static_cast<uint64_t>(longest)) + 1));
}

}  // namespace lakeward::delta
