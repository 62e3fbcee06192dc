#include "lakeward/stream/exchange.h"

#include <algorithm>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/buffer.h"
#include "arrow/memory_pool.h"
#include "lakeward/state/key_index.h"
#include "lakeward/state/operator_state.h"

namespace lakeward::stream {
namespace {

/// Waiting rows leave when a receiver has this many.
constexpr int64_t kCoalescedRowsMin = 4'096;

Status Send(const ChannelEnd& target, StreamElement element) {
  if (!target.gate->Push(target.channel, std::move(element))) {
    return MakeError(ErrorKind::kCancelled, "the receiving task has ended");
  }
  return Status::OK();
}

/// Whole batches, to one target or to each in turn.
class BatchExchange final : public Exchange {
 public:
  BatchExchange(ExchangeOptions options, std::vector<ChannelEnd> targets)
      : options_(std::move(options)), targets_(std::move(targets)) {}

  Status Emit(Batch batch) override {
    LW_ASSIGN(batch, MaterializeIfSparse(batch, options_.pool));
    const ChannelEnd& target = targets_[next_];
    next_ = (next_ + 1) % targets_.size();
    return Send(target, std::move(batch));
  }

  Status SendBarrier(int64_t checkpoint_id) override { return SendToAll(Barrier{checkpoint_id}); }
  Status SendEnd() override { return SendToAll(EndOfInput{}); }

 private:
  Status SendToAll(const StreamElement& element) {
    for (const ChannelEnd& target : targets_) {
      LW_TRY(Send(target, element));
    }
    return Status::OK();
  }

  const ExchangeOptions options_;
  const std::vector<ChannelEnd> targets_;
  size_t next_ = 0;
};

/// Rows by their keys' hash: one pass of hashing, one counting sort, one take, whose slices go to
/// the targets. Small slices wait for company.
class HashExchange final : public Exchange {
 public:
  HashExchange(ExchangeOptions options, std::vector<ChannelEnd> targets)
      : options_(std::move(options)), targets_(std::move(targets)), waiting_(targets_.size()) {
    for (int group = 0; group < state::kKeyGroupCount; ++group) {
      target_of_group_.push_back(state::SubtaskOf(group, static_cast<int>(targets_.size())));
    }
  }

  Status Emit(Batch batch) override {
    LW_ASSIGN(batch, Materialize(batch, options_.pool));
    const int64_t row_count = batch.records->num_rows();
    if (row_count > 0) {
      LW_TRY(ComputeOrder(batch));
    }
    Batch sorted = batch;
    if (row_count > 0 && targets_.size() > 1) {
      auto order = std::make_shared<arrow::Int32Array>(row_count, order_);
      LW_ASSIGN(sorted, TakeRows(batch, order, options_.pool));
    }
    for (size_t t = 0; t < targets_.size(); ++t) {
      const int64_t begin = row_count == 0 ? 0 : begin_[t];
      const int64_t end = row_count == 0 ? 0 : begin_[t + 1];
      LW_TRY(Accept(t, batch, sorted, begin, end));
    }
    return Status::OK();
  }

  Status SendBarrier(int64_t checkpoint_id) override {
    LW_TRY(Flush());
    for (const ChannelEnd& target : targets_) {
      LW_TRY(Send(target, Barrier{checkpoint_id}));
    }
    return Status::OK();
  }

  Status SendEnd() override {
    LW_TRY(Flush());
    for (const ChannelEnd& target : targets_) {
      LW_TRY(Send(target, EndOfInput{}));
    }
    return Status::OK();
  }

  int64_t FlushDeadlineMicros() const override { return deadline_us_; }

  Status Flush() override {
    deadline_us_ = -1;
    for (size_t t = 0; t < targets_.size(); ++t) {
      LW_TRY(FlushTarget(t));
    }
    return Status::OK();
  }

 private:
  struct Waiting {
    std::vector<Batch> batches;
    int64_t row_count = 0;
  };

  /// Fills `order_` with the row numbers sorted by target (stable) and `begin_` with where each
  /// target's rows begin.
  Status ComputeOrder(const Batch& batch) {
    const int64_t row_count = batch.records->num_rows();
    std::vector<std::shared_ptr<arrow::Array>> keys;
    keys.reserve(options_.key_columns.size());
    for (const int column : options_.key_columns) {
      keys.push_back(batch.records->column(column));
    }
    LW_TRY(state::HashRows(keys, row_count, &hashes_));
    target_of_row_.resize(row_count);
    begin_.assign(targets_.size() + 1, 0);
    for (int64_t i = 0; i < row_count; ++i) {
      const int target = target_of_group_[state::KeyGroupOf(hashes_[i])];
      target_of_row_[i] = target;
      ++begin_[target + 1];
    }
    for (size_t t = 0; t < targets_.size(); ++t) {
      begin_[t + 1] += begin_[t];
    }
    LW_ASSIGN(order_, arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(int32_t)),
                                            options_.pool));
    auto* order = reinterpret_cast<int32_t*>(order_->mutable_data());
    std::vector<int64_t> next(begin_.begin(), begin_.end() - 1);
    for (int64_t i = 0; i < row_count; ++i) {
      order[next[target_of_row_[i]]++] = static_cast<int32_t>(i);
    }
    return Status::OK();
  }

  Status Accept(size_t t, const Batch& batch, const Batch& sorted, int64_t begin, int64_t end) {
    if (begin == end && batch.watermarks.empty()) {
      return Status::OK();
    }
    Batch slice;
    slice.records = sorted.records->Slice(begin, end - begin);
    if (sorted.row_kinds != nullptr) {
      slice.row_kinds =
          std::static_pointer_cast<arrow::Int8Array>(sorted.row_kinds->Slice(begin, end - begin));
    }
    for (const WatermarkEntry& entry : batch.watermarks) {
      slice.watermarks.push_back({RowsBefore(entry.row_offset, begin, end), entry.watermark_ms});
    }
    Waiting& waiting = waiting_[t];
    if (waiting.row_count + slice.records->num_rows() > kBatchRowsMax) {
      LW_TRY(FlushTarget(t));
    }
    waiting.row_count += slice.records->num_rows();
    waiting.batches.push_back(std::move(slice));
    if (waiting.row_count >= kCoalescedRowsMin || options_.buffer_timeout_us == 0) {
      return FlushTarget(t);
    }
    if (deadline_us_ < 0) {
      deadline_us_ = options_.clock->MonotonicMicros() + options_.buffer_timeout_us;
    }
    return Status::OK();
  }

  /// How many of the sorted rows [begin, end) have a number below `row_offset`.
  int64_t RowsBefore(int64_t row_offset, int64_t begin, int64_t end) const {
    if (begin == end) {
      return 0;
    }
    const auto* order = reinterpret_cast<const int32_t*>(order_->data());
    return std::lower_bound(order + begin, order + end, row_offset) - (order + begin);
  }

  Status FlushTarget(size_t t) {
    Waiting& waiting = waiting_[t];
    if (waiting.batches.empty()) {
      return Status::OK();
    }
    LW_ASSIGN(Batch whole, Concatenate(waiting.batches, options_.pool));
    waiting.batches.clear();
    waiting.row_count = 0;
    return Send(targets_[t], std::move(whole));
  }

  const ExchangeOptions options_;
  const std::vector<ChannelEnd> targets_;
  std::vector<int> target_of_group_;
  std::vector<Waiting> waiting_;
  int64_t deadline_us_ = -1;

  // Of the batch in hand; members so that their memory is used again.
  std::vector<uint64_t> hashes_;
  std::vector<int> target_of_row_;
  std::vector<int64_t> begin_;
  std::shared_ptr<arrow::Buffer> order_;
};

}  // namespace

std::unique_ptr<Exchange> Exchange::Make(ExchangeOptions options, std::vector<ChannelEnd> targets) {
  LW_CHECK(!targets.empty());
  if (options.routing == Routing::kHash) {
    return std::make_unique<HashExchange>(std::move(options), std::move(targets));
  }
  LW_CHECK(options.routing == Routing::kRebalance || targets.size() == 1);
  return std::make_unique<BatchExchange>(std::move(options), std::move(targets));
}

}  // namespace lakeward::stream
