#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/stream/batch.h"
#include "lakeward/stream/operator.h"

namespace lakeward::stream {

/// A part of a source that one reader reads at a time: a byte range of a file, a partition of a
/// topic, a range of a sequence. A value that checkpoints keep.
struct Split {
  std::string id;        ///< unique within the source and stable: names the part
  std::string spec;      ///< what to read, in the source's own text
  std::string position;  ///< where to go on, in the source's own text; empty: from its start
};

enum class PollKind : uint8_t {
  kBatch,     ///< rows were read
  kSplitEnd,  ///< the split is exhausted (bounded splits only)
  kIdle,      ///< nothing now; poll again after `wait_us`
};

struct PollResult {
  PollKind kind = PollKind::kIdle;
  Batch batch;          ///< of kBatch: at least one row
  int64_t wait_us = 0;  ///< of kIdle
};

/// Reads one split. One thread. Poll never blocks for longer than about 100 ms.
class SplitReader {
 public:
  virtual ~SplitReader() = default;
  virtual Result<PollResult> Poll() = 0;
  /// The position after every batch that Poll has returned.
  virtual std::string Position() const = 0;
};

/// Where rows come from. Made once per job; Enumerate is called by the coordinator, OpenSplit from
/// the tasks' threads, concurrently.
class Source {
 public:
  virtual ~Source() = default;

  virtual bool bounded() const = 0;

  /// All splits of a bounded source, or those known at the start of an unbounded one. `parallelism`
  /// is a wish for how many to make at least. Called once when a job starts without a checkpoint: a
  /// checkpoint keeps the list, so that a restored job reads what the first start saw.
  virtual Result<std::vector<Split>> Enumerate(int parallelism) = 0;

  /// Opens a split at its position.
  virtual Result<std::unique_ptr<SplitReader>> OpenSplit(const Split& split,
                                                         const TaskContext& context) = 0;
};

}  // namespace lakeward::stream
