#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/clock.h"
#include "lakeward/base/mutex.h"
#include "lakeward/fs/file_system.h"

namespace lakeward::fs {

/// The calls that can be made to fail. kOpenOutput and kWrite are those of staged files too, kRead
/// is any read of an opened file, kList both kinds of listing; a token stands for its path.
enum class Operation {
  kPut,
  kOpenOutput,
  kWrite,
  kClose,
  kStage,
  kPublish,
  kDiscard,
  kOpenInput,
  kRead,
  kStat,
  kList,
  kRemove,
  kAbortPendingWrites,
  kAny,  ///< in rules only
};

enum class Fault {
  kFail,           ///< kIo; nothing has been done
  kFailAfter,      ///< kIo although it has been done: the answer got lost
  kPermission,     ///< kPermission; nothing has been done
  kDiskFull,       ///< kIo with the operating system's text for a full disk; nothing has been done
  kThrottle,       ///< kThrottled; nothing has been done
  kAlreadyExists,  ///< kAlreadyExists; nothing has been done
  kDelay,          ///< waits `amount` milliseconds, then does it
  kCutRead,        ///< a read gives at most `amount` bytes (-1: half of those asked for)
  kShortList,      ///< a listing lacks its last `amount` files (-1: one)
  kHoleInList,     ///< a listing lacks one file, the `amount`-th before its last (-1: the first)
};

/// One thing that goes wrong: `fault` befalls calls `first` to `last` (from 1) of `operation` on
/// paths that contain `path_part`.
struct FaultRule {
  Operation operation = Operation::kAny;
  std::string path_part;
  int64_t first = 1;
  int64_t last = 1;
  Fault fault = Fault::kFail;
  int64_t amount = -1;
};

/// The faults to come, shared by any number of faulty file systems. Thread-safe.
class FaultPlan {
 public:
  FaultPlan() = default;
  explicit FaultPlan(std::vector<FaultRule> rules);

  /// Rules as text, comma-separated `operation:path part:which:fault[=amount]`, for example
  /// "put:_delta_log:2:disk-full,read:.parquet:3+:cut-read=100". Operations: put open-output write
  /// close stage publish discard open-input read stat list remove abort-pending-writes *. Which: a
  /// number, "n+" (from the n-th on) or "*" (each). Faults: fail fail-after permission disk-full
  /// throttle already-exists delay cut-read short-list hole-in-list. kConfig when malformed.
  static Result<std::shared_ptr<FaultPlan>> Parse(std::string_view text);

  void Add(FaultRule rule);
  void Clear();

  /// Counts the call for every rule that it matches and returns the first rule that strikes.
  std::optional<FaultRule> Strike(Operation operation, std::string_view path);
  /// How many faults have struck.
  int64_t strike_count() const;

 private:
  struct Counted {
    FaultRule rule;
    int64_t calls = 0;
  };

  mutable Mutex mutex_;
  std::vector<Counted> rules_;
  int64_t strike_count_ = 0;
};

/// `inner` with the faults of `plan`. `clock` is for delays and must outlive the FileSystem.
std::shared_ptr<FileSystem> MakeFaultyFileSystem(std::shared_ptr<FileSystem> inner,
                                                 std::shared_ptr<FaultPlan> plan,
                                                 Clock* clock = SystemClock());

}  // namespace lakeward::fs
