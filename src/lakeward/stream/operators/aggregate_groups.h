#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/array.h"
#include "arrow/type.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/function.h"
#include "lakeward/state/key_index.h"
#include "lakeward/state/operator_state.h"

namespace arrow {
class MemoryPool;
}

namespace lakeward::stream {

/// What a row does to its group.
enum class GroupChange : uint8_t {
  kIgnored,  ///< a retraction of something that is not there
  kFirst,    ///< the group comes into being
  kUpdate,
  kLast,  ///< the group's last row is retracted: it ceases to be
};

/// The aggregate functions of one operator, made anew when slots are renumbered.
struct AggregateMaker {
  const expr::AggregateFunction* function = nullptr;
  expr::BoundSignature signature;
};

/// The groups of an aggregation: their keys, how many rows each stands for, and the state of the
/// aggregate functions. A group lives in a slot; a slot is never used for a second group, so that a
/// group that dies and comes back within one batch starts afresh. Single-threaded.
class AggregateGroups {
 public:
  /// Rows that must not count go to this slot.
  static constexpr int32_t kTrashSlot = 0;

  static Result<std::unique_ptr<AggregateGroups>> Make(
      std::vector<std::shared_ptr<arrow::DataType>> key_types, std::vector<AggregateMaker> makers,
      arrow::MemoryPool* pool);

  /// Finds each row's slot and what the row does there. `weights` (+1 or -1) may be null: all +1.
  /// Afterwards the aggregates have room for all slots.
  Status Assign(const std::vector<std::shared_ptr<arrow::Array>>& keys, const int8_t* weights,
                int64_t row_count);
  /// Of the last Assign, one per row.
  const std::vector<int32_t>& slots() const { return slots_; }
  const std::vector<int32_t>& key_ids() const { return key_ids_; }
  const std::vector<GroupChange>& changes() const { return changes_; }
  int64_t key_id_bound() const;
  int64_t slot_bound() const { return static_cast<int64_t>(counts_.size()); }

  expr::AggregateState* aggregate(size_t call) { return aggregates_[call].get(); }

  /// Forgets groups that have died; slots may change. Ends the work on a batch.
  Status Tidy();

  /// Living groups in order of their first appearance, as the output's columns: keys, then values.
  int64_t group_count() const;
  Result<std::vector<std::shared_ptr<arrow::Array>>> Output(int64_t begin, int64_t count);
  /// Makes the one group of an aggregation without keys, when no row has.
  Status EnsureGlobalGroup();

  Result<state::OperatorState> Save();
  /// Into empty groups.
  Status Restore(const state::OperatorState& state);

 private:
  AggregateGroups(std::unique_ptr<state::KeyIndex> index, size_t key_count,
                  std::vector<AggregateMaker> makers, arrow::MemoryPool* pool)
      : index_(std::move(index)),
        key_column_count_(key_count),
        makers_(std::move(makers)),
        pool_(pool) {}

  Status FindKeys(const std::vector<std::shared_ptr<arrow::Array>>& keys, int64_t row_count);
  void AssignInsertions(int64_t row_count);
  void AssignWeighted(const int8_t* weights, int64_t row_count);
  int32_t NewSlot(int32_t key_id);
  Status MakeAggregates();
  Status ResizeAggregates();
  Status Compact();
  std::vector<int32_t> LiveKeys() const;
  std::vector<int32_t> SlotsOf(const std::vector<int32_t>& key_ids) const;
  Result<std::shared_ptr<arrow::RecordBatch>> SaveRows(const int32_t* key_ids, int64_t count);
  Status RestoreRows(const arrow::RecordBatch& saved);

  const std::unique_ptr<state::KeyIndex> index_;  // null: no keys, key id 0 is the only one
  const size_t key_column_count_;
  const std::vector<AggregateMaker> makers_;
  arrow::MemoryPool* const pool_;
  std::vector<std::unique_ptr<expr::AggregateState>> aggregates_;
  std::vector<int32_t> slot_of_key_;  // -1: no living group
  std::vector<int64_t> counts_;       // rows by slot
  int64_t dead_slots_ = 0;
  std::vector<int32_t> doubtful_keys_;  // may have no living group at the end of the batch

  // Of the batch in hand.
  std::vector<uint64_t> hashes_;
  std::vector<int32_t> key_ids_;
  std::vector<int32_t> slots_;
  std::vector<GroupChange> changes_;
};

}  // namespace lakeward::stream
