#include "lakeward/state/key_index.h"

#include <algorithm>
#include <utility>

#include "arrow/memory_pool.h"
#include "lakeward/state/key_columns.h"

namespace lakeward::state {
namespace {

constexpr int32_t kEmpty = -1;
constexpr size_t kSlotsMin = 1'024;
/// How many rows ahead a slot is fetched: about a cache miss at a few nanoseconds a row.
constexpr int64_t kPrefetchRows = 16;

struct Slot {
  uint64_t hash = 0;
  int32_t id = kEmpty;
};

/// Rows are first matched by hash alone, then all of them are compared with the stored keys column
/// by column. Only rows whose 64-bit hash collides with another key's take the slow way.
class HashKeyIndex final : public KeyIndex {
 public:
  explicit HashKeyIndex(std::vector<std::unique_ptr<KeyColumn>> columns)
      : columns_(std::move(columns)), slots_(kSlotsMin) {}

  Status FindOrInsert(const std::vector<std::shared_ptr<arrow::Array>>& key_columns,
                      const std::vector<uint64_t>& hashes, int32_t* ids) override {
    LW_DCHECK(key_columns.size() == columns_.size());
    const auto count = static_cast<int64_t>(hashes.size());
    Reserve(count);
    new_rows_.clear();
    new_ids_.clear();
    MatchByHash(hashes, ids);
    for (size_t c = 0; c < columns_.size(); ++c) {
      LW_TRY(columns_[c]->Set(*key_columns[c], new_rows_, new_ids_, id_bound()));
    }
    equal_.assign(count, 1);
    for (size_t c = 0; c < columns_.size(); ++c) {
      columns_[c]->ClearWhereDifferent(*key_columns[c], ids, equal_.data());
    }
    for (int64_t i = 0; i < count; ++i) {
      if (equal_[i] == 0) [[unlikely]] {
        LW_ASSIGN(ids[i], FindColliding(key_columns, hashes[i], i));
      }
    }
    return Status::OK();
  }

  int64_t id_bound() const override { return static_cast<int64_t>(hash_of_id_.size()); }
  int64_t key_count() const override { return key_count_; }

  void Remove(int32_t id) override {
    LW_DCHECK(live_[id] != 0);
    size_t hole = hash_of_id_[id] & mask();
    while (slots_[hole].id != id) {
      hole = (hole + 1) & mask();
    }
    // Later slots of the run move up when the hole lies on their way, so that no mark is left.
    for (size_t next = (hole + 1) & mask(); slots_[next].id != kEmpty; next = (next + 1) & mask()) {
      const size_t home = slots_[next].hash & mask();
      if (((next - home) & mask()) >= ((next - hole) & mask())) {
        slots_[hole] = slots_[next];
        hole = next;
      }
    }
    slots_[hole] = Slot{};
    for (const auto& column : columns_) {
      column->Forget(id);
    }
    live_[id] = 0;
    free_ids_.push_back(id);
    --key_count_;
  }

  std::vector<int32_t> LiveIds() const override {
    std::vector<int32_t> ids;
    ids.reserve(key_count_);
    for (size_t id = 0; id < live_.size(); ++id) {
      if (live_[id] != 0) {
        ids.push_back(static_cast<int32_t>(id));
      }
    }
    return ids;
  }

  Result<std::vector<std::shared_ptr<arrow::Array>>> Keys(const int32_t* ids,
                                                          int64_t count) const override {
    std::vector<std::shared_ptr<arrow::Array>> keys;
    for (const auto& column : columns_) {
      LW_ASSIGN(std::shared_ptr<arrow::Array> values, column->Get(ids, count));
      keys.push_back(std::move(values));
    }
    return keys;
  }

  uint64_t HashOf(int32_t id) const override { return hash_of_id_[id]; }

 private:
  size_t mask() const { return slots_.size() - 1; }

  void MatchByHash(const std::vector<uint64_t>& hashes, int32_t* ids) {
    const auto count = static_cast<int64_t>(hashes.size());
    for (int64_t i = 0; i < count; ++i) {
      if (i + kPrefetchRows < count) {
        __builtin_prefetch(&slots_[hashes[i + kPrefetchRows] & mask()]);
      }
      const uint64_t hash = hashes[i];
      size_t at = hash & mask();
      while (slots_[at].id != kEmpty && slots_[at].hash != hash) {
        at = (at + 1) & mask();
      }
      if (slots_[at].id == kEmpty) {
        slots_[at] = {hash, NewId(hash)};
        new_rows_.push_back(static_cast<int32_t>(i));
        new_ids_.push_back(slots_[at].id);
      }
      ids[i] = slots_[at].id;
    }
  }

  /// The id of a row whose key is not the first one with its hash.
  Result<int32_t> FindColliding(const std::vector<std::shared_ptr<arrow::Array>>& key_columns,
                                uint64_t hash, int64_t row) {
    size_t at = hash & mask();
    for (; slots_[at].id != kEmpty; at = (at + 1) & mask()) {
      if (slots_[at].hash == hash && Equals(key_columns, row, slots_[at].id)) {
        return slots_[at].id;
      }
    }
    const int32_t id = NewId(hash);
    slots_[at] = {hash, id};
    for (size_t c = 0; c < columns_.size(); ++c) {
      LW_TRY(columns_[c]->Set(*key_columns[c], {static_cast<int32_t>(row)}, {id}, id_bound()));
    }
    return id;
  }

  bool Equals(const std::vector<std::shared_ptr<arrow::Array>>& key_columns, int64_t row,
              int32_t id) const {
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (!columns_[c]->Equals(*key_columns[c], row, id)) {
        return false;
      }
    }
    return true;
  }

  int32_t NewId(uint64_t hash) {
    ++key_count_;
    if (free_ids_.empty()) {
      hash_of_id_.push_back(hash);
      live_.push_back(1);
      return static_cast<int32_t>(hash_of_id_.size()) - 1;
    }
    const int32_t id = free_ids_.back();
    free_ids_.pop_back();
    hash_of_id_[id] = hash;
    live_[id] = 1;
    return id;
  }

  /// Makes room for a whole batch of new keys, so that slots do not move within it: at most half of
  /// them are full.
  void Reserve(int64_t new_count) {
    const size_t needed = 2 * static_cast<size_t>(key_count_ + new_count);
    if (needed <= slots_.size()) {
      return;
    }
    size_t size = slots_.size();
    while (size < needed) {
      size *= 2;
    }
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(size));
    for (const Slot& slot : old) {
      if (slot.id == kEmpty) {
        continue;
      }
      size_t at = slot.hash & mask();
      while (slots_[at].id != kEmpty) {
        at = (at + 1) & mask();
      }
      slots_[at] = slot;
    }
  }

  const std::vector<std::unique_ptr<KeyColumn>> columns_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> hash_of_id_;
  std::vector<uint8_t> live_;
  std::vector<int32_t> free_ids_;
  int64_t key_count_ = 0;

  // Of the batch in hand; members so that their memory is used again.
  std::vector<int32_t> new_rows_;
  std::vector<int32_t> new_ids_;
  std::vector<uint8_t> equal_;
};

}  // namespace

Result<std::unique_ptr<KeyIndex>> KeyIndex::Make(
    std::vector<std::shared_ptr<arrow::DataType>> key_types, arrow::MemoryPool* pool) {
  std::vector<std::unique_ptr<KeyColumn>> columns;
  for (std::shared_ptr<arrow::DataType>& type : key_types) {
    LW_ASSIGN(std::unique_ptr<KeyColumn> column, KeyColumn::Make(std::move(type), pool));
    columns.push_back(std::move(column));
  }
  return std::make_unique<HashKeyIndex>(std::move(columns));
}

}  // namespace lakeward::state
