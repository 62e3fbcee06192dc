#include "lakeward/stream/operators/aggregate_groups.h"

#include <algorithm>
#include <string>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/buffer.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "lakeward/stream/batch.h"

namespace lakeward::stream {
namespace {

constexpr int32_t kNoSlot = -1;
constexpr char kGroupsTable[] = "groups";
/// Dead slots are swept out when there are at least this many and they outnumber the living.
constexpr int64_t kDeadSlotsMin = 4'096;

template <typename ArrayType, typename T>
Result<std::shared_ptr<arrow::Array>> MakeNumbers(const std::vector<T>& numbers,
                                                  arrow::MemoryPool* pool) {
  const auto size = static_cast<int64_t>(numbers.size() * sizeof(T));
  LW_ASSIGN(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(size, pool));
  std::copy(numbers.begin(), numbers.end(), reinterpret_cast<T*>(buffer->mutable_data()));
  return std::make_shared<ArrayType>(static_cast<int64_t>(numbers.size()), std::move(buffer));
}

}  // namespace

Result<std::unique_ptr<AggregateGroups>> AggregateGroups::Make(
    std::vector<std::shared_ptr<arrow::DataType>> key_types, std::vector<AggregateMaker> makers,
    arrow::MemoryPool* pool) {
  const size_t key_count = key_types.size();
  std::unique_ptr<state::KeyIndex> index;
  if (key_count > 0) {
    LW_ASSIGN(index, state::KeyIndex::Make(std::move(key_types), pool));
  }
  std::unique_ptr<AggregateGroups> groups(
      new AggregateGroups(std::move(index), key_count, std::move(makers), pool));
  groups->counts_.push_back(0);  // the trash slot
  if (groups->index_ == nullptr) {
    groups->slot_of_key_.push_back(kNoSlot);
  }
  LW_TRY(groups->MakeAggregates());
  return groups;
}

Status AggregateGroups::MakeAggregates() {
  aggregates_.clear();
  for (const AggregateMaker& maker : makers_) {
    LW_ASSIGN(std::unique_ptr<expr::AggregateState> aggregate,
              maker.function->make_state(maker.signature));
    aggregates_.push_back(std::move(aggregate));
  }
  return ResizeAggregates();
}

Status AggregateGroups::ResizeAggregates() {
  for (const auto& aggregate : aggregates_) {
    LW_TRY(aggregate->Resize(slot_bound()));
  }
  return Status::OK();
}

int64_t AggregateGroups::key_id_bound() const { return static_cast<int64_t>(slot_of_key_.size()); }

Status AggregateGroups::FindKeys(const std::vector<std::shared_ptr<arrow::Array>>& keys,
                                 int64_t row_count) {
  if (index_ == nullptr) {
    key_ids_.assign(row_count, 0);
    return Status::OK();
  }
  key_ids_.resize(row_count);
  LW_TRY(state::HashRows(keys, row_count, &hashes_));
  LW_TRY(index_->FindOrInsert(keys, hashes_, key_ids_.data()));
  slot_of_key_.resize(index_->id_bound(), kNoSlot);
  return Status::OK();
}

int32_t AggregateGroups::NewSlot(int32_t key_id) {
  const auto slot = static_cast<int32_t>(counts_.size());
  counts_.push_back(0);
  slot_of_key_[key_id] = slot;
  return slot;
}

Status AggregateGroups::Assign(const std::vector<std::shared_ptr<arrow::Array>>& keys,
                               const int8_t* weights, int64_t row_count) {
  LW_TRY(FindKeys(keys, row_count));
  slots_.resize(row_count);
  changes_.resize(row_count);
  if (weights == nullptr) {
    AssignInsertions(row_count);
  } else {
    AssignWeighted(weights, row_count);
  }
  return ResizeAggregates();
}

void AggregateGroups::AssignInsertions(int64_t row_count) {
  for (int64_t row = 0; row < row_count; ++row) {
    const int32_t key_id = key_ids_[row];
    int32_t slot = slot_of_key_[key_id];
    changes_[row] = GroupChange::kUpdate;
    if (slot == kNoSlot) {
      slot = NewSlot(key_id);
      changes_[row] = GroupChange::kFirst;
    }
    ++counts_[slot];
    slots_[row] = slot;
  }
}

void AggregateGroups::AssignWeighted(const int8_t* weights, int64_t row_count) {
  for (int64_t row = 0; row < row_count; ++row) {
    const int32_t key_id = key_ids_[row];
    int32_t slot = slot_of_key_[key_id];
    changes_[row] = GroupChange::kUpdate;
    if (slot == kNoSlot) {
      if (weights[row] < 0) {
        changes_[row] = GroupChange::kIgnored;
        slots_[row] = kTrashSlot;
        doubtful_keys_.push_back(key_id);
        continue;
      }
      slot = NewSlot(key_id);
      changes_[row] = GroupChange::kFirst;
    }
    slots_[row] = slot;
    counts_[slot] += weights[row];
    if (counts_[slot] == 0) {
      changes_[row] = GroupChange::kLast;
      slot_of_key_[key_id] = kNoSlot;
      doubtful_keys_.push_back(key_id);
      ++dead_slots_;
    }
  }
}

Status AggregateGroups::Tidy() {
  std::sort(doubtful_keys_.begin(), doubtful_keys_.end());
  doubtful_keys_.erase(std::unique(doubtful_keys_.begin(), doubtful_keys_.end()),
                       doubtful_keys_.end());
  for (const int32_t key_id : doubtful_keys_) {
    if (index_ != nullptr && slot_of_key_[key_id] == kNoSlot) {
      index_->Remove(key_id);
    }
  }
  doubtful_keys_.clear();
  return dead_slots_ >= kDeadSlotsMin && dead_slots_ > slot_bound() / 2 ? Compact() : Status::OK();
}

Status AggregateGroups::Compact() {
  const std::vector<int32_t> live = LiveKeys();
  const std::vector<int32_t> old_slots = SlotsOf(live);
  const auto count = static_cast<int64_t>(live.size());
  std::vector<std::vector<std::shared_ptr<arrow::Array>>> saved;
  for (const auto& aggregate : aggregates_) {
    LW_ASSIGN(std::vector<std::shared_ptr<arrow::Array>> columns,
              aggregate->Save(old_slots.data(), count));
    saved.push_back(std::move(columns));
  }
  const std::vector<int64_t> old_counts = std::exchange(counts_, {0});
  for (int64_t i = 0; i < count; ++i) {
    counts_[NewSlot(live[i])] = old_counts[old_slots[i]];
  }
  dead_slots_ = 0;
  LW_TRY(MakeAggregates());
  const std::vector<int32_t> new_slots = SlotsOf(live);
  for (size_t c = 0; c < aggregates_.size(); ++c) {
    LW_TRY(aggregates_[c]->Merge(saved[c], new_slots.data(), count));
  }
  return Status::OK();
}

std::vector<int32_t> AggregateGroups::LiveKeys() const {
  std::vector<int32_t> live;
  for (int64_t key_id = 0; key_id < key_id_bound(); ++key_id) {
    if (slot_of_key_[key_id] != kNoSlot) {
      live.push_back(static_cast<int32_t>(key_id));
    }
  }
  return live;
}

std::vector<int32_t> AggregateGroups::SlotsOf(const std::vector<int32_t>& key_ids) const {
  std::vector<int32_t> slots(key_ids.size());
  for (size_t i = 0; i < key_ids.size(); ++i) {
    slots[i] = slot_of_key_[key_ids[i]];
  }
  return slots;
}

int64_t AggregateGroups::group_count() const { return slot_bound() - 1 - dead_slots_; }

Status AggregateGroups::EnsureGlobalGroup() {
  if (index_ == nullptr && slot_of_key_[0] == kNoSlot) {
    NewSlot(0);
    return ResizeAggregates();
  }
  return Status::OK();
}

Result<std::vector<std::shared_ptr<arrow::Array>>> AggregateGroups::Output(int64_t begin,
                                                                           int64_t count) {
  const std::vector<int32_t> all = LiveKeys();
  const std::vector<int32_t> key_ids(all.begin() + begin, all.begin() + begin + count);
  const std::vector<int32_t> slots = SlotsOf(key_ids);
  std::vector<std::shared_ptr<arrow::Array>> columns;
  if (index_ != nullptr) {
    LW_ASSIGN(columns, index_->Keys(key_ids.data(), count));
  }
  for (const auto& aggregate : aggregates_) {
    LW_ASSIGN(std::shared_ptr<arrow::Array> values, aggregate->Values(slots.data(), count));
    columns.push_back(std::move(values));
  }
  return columns;
}

Result<state::OperatorState> AggregateGroups::Save() {
  std::vector<int32_t> live = LiveKeys();
  if (index_ != nullptr) {
    std::stable_sort(live.begin(), live.end(), [this](int32_t a, int32_t b) {
      return state::KeyGroupOf(index_->HashOf(a)) < state::KeyGroupOf(index_->HashOf(b));
    });
  }
  state::OperatorState state;
  const auto live_count = static_cast<int64_t>(live.size());
  for (int64_t begin = 0; begin < live_count; begin += kBatchRowsMax) {
    const int64_t count = std::min(kBatchRowsMax, live_count - begin);
    LW_ASSIGN(auto rows, SaveRows(live.data() + begin, count));
    if (state.keyed.empty()) {
      state.keyed.push_back({kGroupsTable, {}});
    }
    state.keyed[0].batches.push_back(std::move(rows));
  }
  return state;
}

Result<std::shared_ptr<arrow::RecordBatch>> AggregateGroups::SaveRows(const int32_t* key_ids,
                                                                      int64_t count) {
  const std::vector<int32_t> slots = SlotsOf(std::vector<int32_t>(key_ids, key_ids + count));
  std::vector<int32_t> key_groups(count, 0);
  std::vector<int64_t> counts(count);
  for (int64_t i = 0; i < count; ++i) {
    counts[i] = counts_[slots[i]];
    if (index_ != nullptr) {
      key_groups[i] = state::KeyGroupOf(index_->HashOf(key_ids[i]));
    }
  }
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> columns;
  const auto add = [&](std::string name, std::shared_ptr<arrow::Array> column) {
    fields.push_back(arrow::field(std::move(name), column->type()));
    columns.push_back(std::move(column));
  };
  LW_ASSIGN(auto key_group_column, (MakeNumbers<arrow::Int32Array>(key_groups, pool_)));
  add("key_group", std::move(key_group_column));
  LW_ASSIGN(auto count_column, (MakeNumbers<arrow::Int64Array>(counts, pool_)));
  add("row_count", std::move(count_column));
  if (index_ != nullptr) {
    LW_ASSIGN(auto keys, index_->Keys(key_ids, count));
    for (size_t k = 0; k < keys.size(); ++k) {
      add(fmt::format("key{}", k), std::move(keys[k]));
    }
  }
  for (size_t c = 0; c < aggregates_.size(); ++c) {
    LW_ASSIGN(auto saved, aggregates_[c]->Save(slots.data(), count));
    for (size_t s = 0; s < saved.size(); ++s) {
      add(fmt::format("aggregate{}.{}", c, s), std::move(saved[s]));
    }
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), count, std::move(columns));
}

Status AggregateGroups::Restore(const state::OperatorState& state) {
  for (const state::KeyedTable& table : state.keyed) {
    for (const auto& batch : table.batches) {
      LW_TRY(RestoreRows(*batch));
    }
  }
  return Status::OK();
}

Status AggregateGroups::RestoreRows(const arrow::RecordBatch& saved) {
  const int64_t count = saved.num_rows();
  std::vector<std::shared_ptr<arrow::Array>> columns = saved.columns();
  size_t column_count = 2 + key_column_count_;
  for (const AggregateMaker& maker : makers_) {
    column_count += maker.function->saved_types(maker.signature).size();
  }
  if (columns.size() != column_count) {
    return MakeError(ErrorKind::kValidation,
                     fmt::format("the saved groups have {} columns where the statement needs {}",
                                 columns.size(), column_count),
                     "Run the statement that wrote the checkpoint.");
  }
  const auto next = columns.begin() + 2;
  const std::vector<std::shared_ptr<arrow::Array>> keys(
      next, next + static_cast<std::ptrdiff_t>(key_column_count_));
  LW_TRY(FindKeys(keys, count));
  const int64_t* row_counts = columns[1]->data()->GetValues<int64_t>(1);
  slots_.resize(count);
  for (int64_t i = 0; i < count; ++i) {
    slots_[i] = NewSlot(key_ids_[i]);
    counts_[slots_[i]] = row_counts[i];
  }
  LW_TRY(ResizeAggregates());
  size_t column = 2 + key_column_count_;
  for (size_t c = 0; c < aggregates_.size(); ++c) {
    const size_t width = makers_[c].function->saved_types(makers_[c].signature).size();
    const std::vector<std::shared_ptr<arrow::Array>> part(
        columns.begin() + static_cast<std::ptrdiff_t>(column),
        columns.begin() + static_cast<std::ptrdiff_t>(column + width));
    LW_TRY(aggregates_[c]->Merge(part, slots_.data(), count));
    column += width;
  }
  return Status::OK();
}

}  // namespace lakeward::stream
