#include <utility>

#include "lakeward/expr/aggregates/families.h"
#include "lakeward/expr/aggregates/group_columns.h"

namespace lakeward::expr {

using types::TypePtr;

namespace {

/// COUNT(*) without argument, COUNT(a, b …) of the rows in which none is null.
class CountState final : public AggregateState {
 public:
  Status Resize(int64_t group_count) override {
    counts_.resize(static_cast<size_t>(group_count));
    return Status::OK();
  }

  Status Update(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                const int32_t* group_ids, const int8_t* weights, int64_t row_count) override {
    return ForEachCountedRow(arguments, row_count, [&](int64_t row) {
      counts_[static_cast<size_t>(group_ids[row])] += WeightOf(weights, row);
    });
  }

  Result<std::shared_ptr<arrow::Array>> UpdateRunning(
      const std::vector<std::shared_ptr<arrow::Array>>& arguments, const int32_t* group_ids,
      const int8_t* weights, int64_t row_count) override {
    std::vector<uint8_t> is_counted(static_cast<size_t>(row_count), 0);
    LW_TRY(ForEachCountedRow(arguments, row_count,
                             [&](int64_t row) { is_counted[static_cast<size_t>(row)] = 1; }));
    return MakeColumn<int64_t>(*types::BigInt(false), row_count, [&](int64_t row) {
      int64_t& count = counts_[static_cast<size_t>(group_ids[row])];
      count += is_counted[static_cast<size_t>(row)] * WeightOf(weights, row);
      return count;
    });
  }

  Result<std::shared_ptr<arrow::Array>> Values(const int32_t* group_ids, int64_t count) override {
    return MakeColumn<int64_t>(*types::BigInt(false), count, [&](int64_t i) {
      return counts_[static_cast<size_t>(group_ids[i])];
    });
  }

  Result<std::vector<std::shared_ptr<arrow::Array>>> Save(const int32_t* group_ids,
                                                          int64_t count) override {
    LW_ASSIGN(std::shared_ptr<arrow::Array> counts, Values(group_ids, count));
    return std::vector{std::move(counts)};
  }

  Status Merge(const std::vector<std::shared_ptr<arrow::Array>>& saved, const int32_t* group_ids,
               int64_t count) override {
    const int64_t* counts = saved[0]->data()->GetValues<int64_t>(1);
    for (int64_t i = 0; i < count; ++i) {
      counts_[static_cast<size_t>(group_ids[i])] += counts[i];
    }
    return Status::OK();
  }

 private:
  template <typename Visit>
  static Status ForEachCountedRow(const std::vector<std::shared_ptr<arrow::Array>>& arguments,
                                  int64_t row_count, Visit visit) {
    if (arguments.size() == 1) {
      ForEachValidRow(*arguments[0], row_count, visit);
      return Status::OK();
    }
    std::vector<arrow::Datum> columns(arguments.begin(), arguments.end());
    LW_ASSIGN(const std::shared_ptr<arrow::Buffer> validity,
              CombineValidity(columns, row_count, EvaluationContext()));
    for (int64_t row = 0; row < row_count; ++row) {
      if (validity == nullptr || arrow::bit_util::GetBit(validity->data(), row)) {
        visit(row);
      }
    }
    return Status::OK();
  }

  std::vector<int64_t> counts_;
};

}  // namespace

void AddCount(FunctionRegistry* registry) {
  registry->Add(AggregateFunction{
      .name = "COUNT",
      .signatures = {"COUNT(*)", "COUNT(value1, value2, …)"},
      .bind = [](const std::vector<TypePtr>& arguments) -> std::optional<BoundSignature> {
        return BoundSignature{arguments, types::BigInt(false)};
      },
      .make_state = [](const BoundSignature&) -> Result<std::unique_ptr<AggregateState>> {
        return std::make_unique<CountState>();
      },
      .saved_types =
          [](const BoundSignature&) { return std::vector<TypePtr>{types::BigInt(false)}; },
      .doc = "The number of rows, or of those in which no argument is NULL.",
      .example = "COUNT(*)",
      .example_result = "1"});
}

}  // namespace lakeward::expr
