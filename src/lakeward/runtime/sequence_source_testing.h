#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "arrow/array/builder_primitive.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "lakeward/config/option.h"
#include "lakeward/stream/source.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::runtime {

/// Rows (id, key, value): split s has the ids s * 1'000'000 + 0, 1, 2 …; key and value follow from
/// the id, so that a test can compute what must come out.
struct SequenceOptions {
  int splits = 4;
  int64_t rows_per_split = 500;
  int64_t rows_per_batch = 7;
  int64_t idle_us = 0;        ///< pause after each batch
  bool bounded = true;        ///< otherwise it pauses for ever after the last row
  int64_t fail_at_row = -1;   ///< of split 1
  int64_t pause_at_row = -1;  ///< every split pauses here until `*released`
  std::shared_ptr<std::atomic<bool>> released;
};

inline int64_t SequenceKey(int64_t id) { return id * 7919 % 23; }
inline int64_t SequenceValue(int64_t id) { return id * 31 % 101; }

inline types::RowSchema SequenceSchema() {
  return {{{"id", types::BigInt(false)}, {"k", types::BigInt(false)}, {"v", types::BigInt(false)}}};
}

class SequenceSource final : public stream::Source {
 public:
  explicit SequenceSource(SequenceOptions options) : options_(std::move(options)) {}

  bool bounded() const override { return options_.bounded; }

  Result<std::vector<stream::Split>> Enumerate(int parallelism) override {
    std::vector<stream::Split> splits;
    for (int s = 0; s < options_.splits; ++s) {
      splits.push_back({fmt::format("part-{}", s), std::to_string(s), ""});
    }
    return splits;
  }

  Result<std::unique_ptr<stream::SplitReader>> OpenSplit(
      const stream::Split& split, const stream::TaskContext& context) override {
    LW_ASSIGN(const int64_t number, config::ParseInt64(split.spec));
    int64_t next = 0;
    if (!split.position.empty()) {
      LW_ASSIGN(next, config::ParseInt64(split.position));
    }
    return std::make_unique<Reader>(options_, number, next);
  }

 private:
  class Reader final : public stream::SplitReader {
   public:
    Reader(const SequenceOptions& options, int64_t split, int64_t next)
        : options_(options), split_(split), next_(next) {}

    Result<stream::PollResult> Poll() override {
      stream::PollResult result;
      result.wait_us = options_.idle_us;
      if (next_ == options_.pause_at_row && !options_.released->load()) {
        result.wait_us = 500;
        return result;
      }
      if (options_.idle_us > 0 && !std::exchange(has_paused_, true)) {
        return result;
      }
      has_paused_ = false;
      int64_t end = std::min(next_ + options_.rows_per_batch, options_.rows_per_split);
      if (options_.pause_at_row > next_) {
        end = std::min(end, options_.pause_at_row);
      }
      if (split_ == 1 && options_.fail_at_row >= next_ && options_.fail_at_row < end) {
        return MakeError(ErrorKind::kIo,
                         fmt::format("row {} cannot be read", options_.fail_at_row));
      }
      if (next_ >= options_.rows_per_split) {
        result.kind = options_.bounded ? stream::PollKind::kSplitEnd : stream::PollKind::kIdle;
        result.wait_us = 500;
        return result;
      }
      result.kind = stream::PollKind::kBatch;
      LW_ASSIGN(result.batch.records, MakeRows(split_ * 1'000'000 + next_, end - next_));
      next_ = end;
      return result;
    }

    std::string Position() const override { return std::to_string(next_); }

   private:
    static Result<std::shared_ptr<arrow::RecordBatch>> MakeRows(int64_t first, int64_t count) {
      arrow::Int64Builder ids;
      arrow::Int64Builder keys;
      arrow::Int64Builder values;
      for (int64_t id = first; id < first + count; ++id) {
        LW_TRY(ids.Append(id));
        LW_TRY(keys.Append(SequenceKey(id)));
        LW_TRY(values.Append(SequenceValue(id)));
      }
      LW_ASSIGN(auto id_column, ids.Finish());
      LW_ASSIGN(auto key_column, keys.Finish());
      LW_ASSIGN(auto value_column, values.Finish());
      return arrow::RecordBatch::Make(types::ToArrowSchema(SequenceSchema()), count,
                                      {id_column, key_column, value_column});
    }

    const SequenceOptions options_;
    const int64_t split_;
    int64_t next_;
    bool has_paused_ = false;
  };

  const SequenceOptions options_;
};

}  // namespace lakeward::runtime
