#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/record_batch.h"
#include "lakeward/base/status.h"

namespace lakeward::state {

/// Keyed state is divided into this many groups by the key hash's top bits; a group is the unit
/// that moves between subtasks when the parallelism changes.
inline constexpr int kKeyGroupCount = 128;

/// The key groups [begin, end) that one subtask owns.
struct KeyGroupRange {
  int begin = 0;
  int end = kKeyGroupCount;
  bool Contains(int key_group) const { return key_group >= begin && key_group < end; }
};
KeyGroupRange KeyGroupsOf(int subtask, int parallelism);
/// The subtask that owns a key group.
int SubtaskOf(int key_group, int parallelism);
inline int KeyGroupOf(uint64_t key_hash) { return static_cast<int>(key_hash >> 57); }

/// A keyed table as saved: its batches' first column is `key_group` (int32, not null).
struct KeyedTable {
  std::string name;
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
};

/// What one subtask of one operator puts into a checkpoint.
struct OperatorState {
  std::vector<KeyedTable> keyed;
  /// Opaque items without a key; at a restore each goes to exactly one subtask.
  std::vector<std::string> items;

  bool empty() const { return keyed.empty() && items.empty(); }
};

/// Bytes for a checkpoint (Arrow IPC inside, versioned, checksummed; docs/formats/checkpoint.md).
Result<std::string> SerializeState(const OperatorState& state);
/// kCorruptData when the bytes are damaged.
Result<OperatorState> ParseState(const std::string& bytes);

/// What subtask `subtask` of `parallelism` gets of the states that all former subtasks saved: the
/// rows of its key groups, and every parallelism-th item.
Result<OperatorState> Redistribute(const std::vector<OperatorState>& saved, int subtask,
                                   int parallelism);

}  // namespace lakeward::state
