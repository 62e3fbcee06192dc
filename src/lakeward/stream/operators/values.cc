#include "lakeward/stream/operators/values.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lakeward/config/option.h"

namespace lakeward::stream {
namespace {

class ValuesReader final : public SplitReader {
 public:
  ValuesReader(std::shared_ptr<arrow::RecordBatch> rows, int64_t next)
      : rows_(std::move(rows)), next_(next) {}

  Result<PollResult> Poll() override {
    PollResult result;
    const int64_t count = std::min(rows_->num_rows() - next_, kBatchRowsAim);
    if (count <= 0) {
      result.kind = PollKind::kSplitEnd;
      return result;
    }
    result.kind = PollKind::kBatch;
    result.batch.records = rows_->Slice(next_, count);
    next_ += count;
    return result;
  }

  std::string Position() const override { return std::to_string(next_); }

 private:
  const std::shared_ptr<arrow::RecordBatch> rows_;
  int64_t next_;
};

class ValuesSource final : public Source {
 public:
  explicit ValuesSource(std::shared_ptr<arrow::RecordBatch> rows) : rows_(std::move(rows)) {}

  bool bounded() const override { return true; }

  Result<std::vector<Split>> Enumerate(int parallelism) override {
    return std::vector<Split>{{"values", "", ""}};
  }

  Result<std::unique_ptr<SplitReader>> OpenSplit(const Split& split,
                                                 const TaskContext& context) override {
    int64_t next = 0;
    if (!split.position.empty()) {
      LW_ASSIGN(next, config::ParseInt64(split.position));
    }
    return std::make_unique<ValuesReader>(rows_, next);
  }

 private:
  const std::shared_ptr<arrow::RecordBatch> rows_;
};

}  // namespace

std::unique_ptr<Source> MakeValuesSource(std::shared_ptr<arrow::RecordBatch> rows) {
  return std::make_unique<ValuesSource>(std::move(rows));
}

}  // namespace lakeward::stream
