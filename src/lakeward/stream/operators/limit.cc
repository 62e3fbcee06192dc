#include "lakeward/stream/operators/limit.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/record_batch.h"
#include "lakeward/config/option.h"

namespace lakeward::stream {
namespace {

class LimitOperator final : public Operator {
 public:
  LimitOperator(int64_t offset, std::optional<int64_t> limit)
      : begin_(offset),
        end_(limit.has_value() && *limit < std::numeric_limits<int64_t>::max() - offset
                 ? offset + *limit
                 : std::numeric_limits<int64_t>::max()) {}

  Status Open(const TaskContext& context) override {
    pool_ = context.evaluation.memory_pool;
    return Status::OK();
  }

  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    const int64_t row_count = batch.row_count();
    const int64_t first = std::clamp<int64_t>(begin_ - seen_, 0, row_count);
    const int64_t last = std::clamp<int64_t>(end_ - seen_, 0, row_count);
    seen_ += row_count;
    if (first == 0 && last == row_count) {
      return output->Emit(batch);
    }
    if (first == last) {
      return Status::OK();
    }
    LW_ASSIGN(Batch dense, Materialize(batch, pool_));
    Batch slice;
    slice.records = dense.records->Slice(first, last - first);
    if (dense.row_kinds != nullptr) {
      slice.row_kinds =
          std::static_pointer_cast<arrow::Int8Array>(dense.row_kinds->Slice(first, last - first));
    }
    return output->Emit(std::move(slice));
  }

  Result<state::OperatorState> Snapshot() override {
    state::OperatorState state;
    state.items.push_back(std::to_string(seen_));
    return state;
  }

  Status Restore(const state::OperatorState& state) override {
    for (const std::string& item : state.items) {
      LW_ASSIGN(const int64_t seen, config::ParseInt64(item));
      seen_ += seen;
    }
    return Status::OK();
  }

 private:
  // Rows with these numbers pass.
  const int64_t begin_;
  const int64_t end_;
  int64_t seen_ = 0;
  arrow::MemoryPool* pool_ = nullptr;
};

}  // namespace

std::unique_ptr<Operator> MakeLimitOperator(int64_t offset, std::optional<int64_t> limit) {
  return std::make_unique<LimitOperator>(offset, limit);
}

}  // namespace lakeward::stream
