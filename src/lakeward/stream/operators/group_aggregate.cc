#include "lakeward/stream/operators/group_aggregate.h"

#include <algorithm>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/array/concatenate.h"
#include "arrow/array/util.h"
#include "arrow/buffer.h"
#include "arrow/compute/api_scalar.h"
#include "arrow/compute/api_vector.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "arrow/scalar.h"
#include "lakeward/stream/operators/aggregate_groups.h"
#include "lakeward/stream/operators/row_comparison.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::stream {
namespace {

using types::RowKind;
using Arrays = std::vector<std::shared_ptr<arrow::Array>>;

constexpr int32_t kNone = -1;

/// Something that happened to a group, by the numbers of its values before and after (kNone: the
/// group is not there) and of a row that has its key.
struct Entry {
  int32_t key_row;
  int32_t before;
  int32_t after;
};

/// The rows to emit: kind, row of the key, number of the values.
struct Emission {
  std::vector<int8_t> kinds;
  std::vector<int32_t> key_rows;
  std::vector<int32_t> value_rows;

  void Add(RowKind kind, int32_t key_row, int32_t value_row) {
    kinds.push_back(static_cast<int8_t>(kind));
    key_rows.push_back(key_row);
    value_rows.push_back(value_row);
  }
  bool only_inserts() const {
    return std::all_of(kinds.begin(), kinds.end(),
                       [](int8_t kind) { return kind == static_cast<int8_t>(RowKind::kInsert); });
  }
};

/// Arrow arrays over a vector's memory, which must outlive them.
std::shared_ptr<arrow::Int32Array> View(const std::vector<int32_t>& numbers) {
  return std::make_shared<arrow::Int32Array>(static_cast<int64_t>(numbers.size()),
                                             arrow::Buffer::Wrap(numbers.data(), numbers.size()));
}

Result<std::shared_ptr<arrow::Array>> Take(const std::shared_ptr<arrow::Array>& values,
                                           const std::vector<int32_t>& rows) {
  LW_ASSIGN(const arrow::Datum taken,
            arrow::compute::Take(values, View(rows), arrow::compute::TakeOptions::NoBoundsCheck()));
  return taken.make_array();
}

class GroupAggregateOperator final : public Operator {
 public:
  explicit GroupAggregateOperator(GroupAggregateOptions options) : options_(std::move(options)) {}

  Status Open(const TaskContext& context) override {
    pool_ = context.evaluation.memory_pool;
    std::vector<std::shared_ptr<arrow::DataType>> key_types;
    for (const types::TypePtr& type : options_.key_types) {
      key_types.push_back(types::ToArrow(*type));
    }
    std::vector<AggregateMaker> makers;
    for (const GroupAggregateCall& call : options_.calls) {
      makers.push_back({call.function, call.signature});
    }
    LW_ASSIGN(groups_, AggregateGroups::Make(std::move(key_types), std::move(makers), pool_));
    FindReadColumns();
    return Status::OK();
  }

  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    LW_ASSIGN(const Batch rows, TakeIn(batch));
    const int64_t row_count = rows.records->num_rows();
    if (row_count == 0) {
      return Status::OK();
    }
    Arrays keys;
    for (const int key : keys_) {
      keys.push_back(rows.records->column(key));
    }
    const int8_t* weights = Weights(rows);
    LW_TRY(groups_->Assign(keys, weights, row_count));
    if (options_.emit_at_end) {
      for (size_t c = 0; c < calls_.size(); ++c) {
        LW_ASSIGN(const Arrays arguments, Arguments(calls_[c], *rows.records));
        LW_TRY(
            groups_->aggregate(c)->Update(arguments, groups_->slots().data(), weights, row_count));
      }
    } else {
      LW_TRY(EmitChanges(rows, keys, weights, output));
    }
    return groups_->Tidy();
  }

  Status Finish(Output* output) override {
    if (!options_.emit_at_end) {
      return Status::OK();
    }
    LW_TRY(groups_->EnsureGlobalGroup());
    for (int64_t begin = 0; begin < groups_->group_count(); begin += kBatchRowsMax) {
      const int64_t count = std::min(kBatchRowsMax, groups_->group_count() - begin);
      LW_ASSIGN(Arrays columns, groups_->Output(begin, count));
      Batch batch;
      batch.records = arrow::RecordBatch::Make(options_.schema, count, std::move(columns));
      LW_TRY(output->Emit(std::move(batch)));
    }
    return Status::OK();
  }

  Result<state::OperatorState> Snapshot() override { return groups_->Save(); }
  Status Restore(const state::OperatorState& state) override { return groups_->Restore(state); }

 private:
  /// Only the columns that are read are copied when a selection is materialised: finds them, and
  /// the keys' and calls' places among them.
  void FindReadColumns() {
    read_ = options_.keys;
    for (const GroupAggregateCall& call : options_.calls) {
      read_.insert(read_.end(), call.arguments.begin(), call.arguments.end());
      if (call.filter.has_value()) {
        read_.push_back(*call.filter);
      }
    }
    std::sort(read_.begin(), read_.end());
    read_.erase(std::unique(read_.begin(), read_.end()), read_.end());
    const auto place = [this](int column) {
      return static_cast<int>(std::lower_bound(read_.begin(), read_.end(), column) - read_.begin());
    };
    for (const int key : options_.keys) {
      keys_.push_back(place(key));
    }
    calls_ = options_.calls;
    for (GroupAggregateCall& call : calls_) {
      std::transform(call.arguments.begin(), call.arguments.end(), call.arguments.begin(), place);
      if (call.filter.has_value()) {
        call.filter = place(*call.filter);
      }
    }
  }

  Result<Batch> TakeIn(const Batch& batch) const {
    Batch narrow = batch;
    narrow.watermarks.clear();
    LW_ASSIGN(narrow.records, batch.records->SelectColumns(read_));
    return Materialize(narrow, pool_);
  }

  const int8_t* Weights(const Batch& rows) {
    if (rows.row_kinds == nullptr) {
      return nullptr;
    }
    const int64_t row_count = rows.row_kinds->length();
    const int8_t* kinds = rows.row_kinds->raw_values();
    weights_.resize(row_count);
    for (int64_t i = 0; i < row_count; ++i) {
      weights_[i] = types::IsAdditive(static_cast<RowKind>(kinds[i])) ? 1 : -1;
    }
    return weights_.data();
  }

  /// FILTER hides a row's arguments: every aggregate passes over nulls. COUNT(*) has none to hide
  /// and counts the condition instead.
  Result<Arrays> Arguments(const GroupAggregateCall& call, const arrow::RecordBatch& rows) const {
    Arrays arguments;
    for (const int column : call.arguments) {
      arguments.push_back(rows.column(column));
    }
    if (!call.filter.has_value()) {
      return arguments;
    }
    const std::shared_ptr<arrow::Array> condition = rows.column(*call.filter);
    if (arguments.empty()) {
      arguments.push_back(condition);
    }
    for (std::shared_ptr<arrow::Array>& argument : arguments) {
      LW_ASSIGN(
          const arrow::Datum hidden,
          arrow::compute::IfElse(condition, argument, arrow::MakeNullScalar(argument->type())));
      argument = hidden.make_array();
    }
    return arguments;
  }

  Status EmitChanges(const Batch& rows, const Arrays& keys, const int8_t* weights, Output* output) {
    const int64_t row_count = rows.records->num_rows();
    FindPreviousValues(row_count);
    LW_ASSIGN(const Arrays values, UpdateAggregates(*rows.records, weights, row_count));
    std::vector<Entry> entries = options_.fold_changes ? FoldedEntries() : RowEntries();
    const Emission emission = ChooseRows(entries, values);
    if (emission.kinds.empty()) {
      return Status::OK();
    }
    return Emit(emission, keys, values, output);
  }

  /// Numbers the values: those after row r are r; those that a group had before the batch come
  /// after the rows'. Fills `previous_` (by row) and `touched_`.
  void FindPreviousValues(int64_t row_count) {
    const std::vector<int32_t>& slots = groups_->slots();
    const std::vector<GroupChange>& changes = groups_->changes();
    previous_.assign(row_count, kNone);
    touched_.clear();
    last_value_.resize(groups_->slot_bound(), kNone);
    for (int64_t row = 0; row < row_count; ++row) {
      if (changes[row] == GroupChange::kIgnored) {
        continue;
      }
      int32_t& last = last_value_[slots[row]];
      if (last == kNone && changes[row] != GroupChange::kFirst) {
        last = static_cast<int32_t>(row_count + static_cast<int64_t>(touched_.size()));
        touched_.push_back(slots[row]);
      }
      previous_[row] = last;
      last = static_cast<int32_t>(row);
    }
    for (int64_t row = 0; row < row_count; ++row) {
      last_value_[slots[row]] = kNone;
    }
  }

  /// One column a call, with the values numbered as FindPreviousValues says.
  Result<Arrays> UpdateAggregates(const arrow::RecordBatch& rows, const int8_t* weights,
                                  int64_t row_count) {
    Arrays values;
    for (size_t c = 0; c < calls_.size(); ++c) {
      expr::AggregateState* aggregate = groups_->aggregate(c);
      LW_ASSIGN(const Arrays arguments, Arguments(calls_[c], rows));
      LW_ASSIGN(std::shared_ptr<arrow::Array> before,
                aggregate->Values(touched_.data(), static_cast<int64_t>(touched_.size())));
      LW_ASSIGN(std::shared_ptr<arrow::Array> after,
                aggregate->UpdateRunning(arguments, groups_->slots().data(), weights, row_count));
      if (!touched_.empty()) {
        LW_ASSIGN(after, arrow::Concatenate({after, before}, pool_));
      }
      values.push_back(std::move(after));
    }
    return values;
  }

  std::vector<Entry> RowEntries() const {
    const std::vector<GroupChange>& changes = groups_->changes();
    std::vector<Entry> entries;
    entries.reserve(changes.size());
    for (size_t i = 0; i < changes.size(); ++i) {
      const auto row = static_cast<int32_t>(i);
      switch (changes[i]) {
        case GroupChange::kIgnored:
          break;
        case GroupChange::kFirst:
          entries.push_back({row, kNone, row});
          break;
        case GroupChange::kUpdate:
          entries.push_back({row, previous_[i], row});
          break;
        case GroupChange::kLast:
          entries.push_back({row, previous_[i], kNone});
          break;
      }
    }
    return entries;
  }

  /// One entry a key: from before its first row of the batch to after its last.
  std::vector<Entry> FoldedEntries() {
    std::vector<Entry> entries;
    entry_of_key_.resize(groups_->key_id_bound(), kNone);
    for (const Entry& entry : RowEntries()) {
      int32_t& place = entry_of_key_[groups_->key_ids()[entry.key_row]];
      if (place == kNone) {
        place = static_cast<int32_t>(entries.size());
        entries.push_back(entry);
      } else {
        entries[place].after = entry.after;
      }
    }
    for (const Entry& entry : entries) {
      entry_of_key_[groups_->key_ids()[entry.key_row]] = kNone;
    }
    return entries;
  }

  /// Leaves out updates that change nothing, as Flink does without state retention.
  Emission ChooseRows(const std::vector<Entry>& entries, const Arrays& values) const {
    std::vector<int32_t> before;
    std::vector<int32_t> after;
    for (const Entry& entry : entries) {
      if (entry.before != kNone && entry.after != kNone) {
        before.push_back(entry.before);
        after.push_back(entry.after);
      }
    }
    std::vector<uint8_t> differs(before.size(), 0);
    for (const auto& column : values) {
      MarkDifferences(*column, before.data(), after.data(), static_cast<int64_t>(before.size()),
                      differs.data());
    }
    Emission emission;
    size_t update = 0;
    for (const Entry& entry : entries) {
      if (entry.before == kNone) {
        if (entry.after != kNone) {
          emission.Add(RowKind::kInsert, entry.key_row, entry.after);
        }
      } else if (entry.after == kNone) {
        emission.Add(RowKind::kDelete, entry.key_row, entry.before);
      } else if (differs[update++] != 0) {
        if (options_.emit_update_before) {
          emission.Add(RowKind::kUpdateBefore, entry.key_row, entry.before);
        }
        emission.Add(RowKind::kUpdateAfter, entry.key_row, entry.after);
      }
    }
    return emission;
  }

  Status Emit(const Emission& emission, const Arrays& keys, const Arrays& values,
              Output* output) const {
    const auto row_count = static_cast<int64_t>(emission.kinds.size());
    Arrays columns;
    for (const auto& key : keys) {
      LW_ASSIGN(std::shared_ptr<arrow::Array> column, Take(key, emission.key_rows));
      columns.push_back(std::move(column));
    }
    for (const auto& value : values) {
      LW_ASSIGN(std::shared_ptr<arrow::Array> column, Take(value, emission.value_rows));
      columns.push_back(std::move(column));
    }
    const auto records = arrow::RecordBatch::Make(options_.schema, row_count, std::move(columns));
    std::shared_ptr<arrow::Int8Array> kinds;
    if (!emission.only_inserts()) {
      LW_ASSIGN(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(row_count, pool_));
      std::copy(emission.kinds.begin(), emission.kinds.end(),
                reinterpret_cast<int8_t*>(buffer->mutable_data()));
      kinds = std::make_shared<arrow::Int8Array>(row_count, std::move(buffer));
    }
    // A batch of updates can be twice as long as its input.
    for (int64_t begin = 0; begin < row_count; begin += kBatchRowsMax) {
      const int64_t count = std::min(kBatchRowsMax, row_count - begin);
      Batch part;
      part.records = records->Slice(begin, count);
      if (kinds != nullptr) {
        part.row_kinds = std::static_pointer_cast<arrow::Int8Array>(kinds->Slice(begin, count));
      }
      LW_TRY(output->Emit(std::move(part)));
    }
    return Status::OK();
  }

  const GroupAggregateOptions options_;
  arrow::MemoryPool* pool_ = nullptr;
  std::unique_ptr<AggregateGroups> groups_;
  std::vector<int> read_;                  // input columns, ascending
  std::vector<int> keys_;                  // among `read_`
  std::vector<GroupAggregateCall> calls_;  // with columns among `read_`

  // Of the batch in hand; members so that their memory is used again.
  std::vector<int8_t> weights_;
  std::vector<int32_t> previous_;
  std::vector<int32_t> touched_;       // slots with values from before the batch
  std::vector<int32_t> last_value_;    // by slot; kNone between batches
  std::vector<int32_t> entry_of_key_;  // by key id; kNone between batches
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeGroupAggregateOperator(GroupAggregateOptions options) {
  return std::make_unique<GroupAggregateOperator>(std::move(options));
}

}  // namespace lakeward::stream
