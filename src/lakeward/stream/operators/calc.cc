#include "lakeward/stream/operators/calc.h"

#include <algorithm>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "lakeward/expr/evaluator.h"

namespace lakeward::stream {
namespace {

using expr::ExpressionKind;
using expr::ExpressionPtr;

/// The expression over only the columns `read`, which must hold all that it reads.
ExpressionPtr OverColumns(const ExpressionPtr& expression, const std::vector<int>& read,
                          int column_count) {
  std::vector<int> mapping(column_count, -1);
  for (size_t i = 0; i < read.size(); ++i) {
    mapping[read[i]] = static_cast<int>(i);
  }
  return expr::RemapColumns(expression, mapping);
}

class CalcOperator final : public Operator {
 public:
  CalcOperator(ExpressionPtr condition, std::vector<ExpressionPtr> projections,
               std::shared_ptr<arrow::Schema> schema)
      : condition_(std::move(condition)),
        projections_(std::move(projections)),
        schema_(std::move(schema)) {
    only_columns_ = std::all_of(projections_.begin(), projections_.end(),
                                [](const auto& p) { return p->kind() == ExpressionKind::kColumn; });
    for (const ExpressionPtr& projection : projections_) {
      const std::vector<int> columns = expr::ReferencedColumns(*projection);
      read_.insert(read_.end(), columns.begin(), columns.end());
    }
    std::sort(read_.begin(), read_.end());
    read_.erase(std::unique(read_.begin(), read_.end()), read_.end());
  }

  Status Open(const TaskContext& context) override {
    context_ = &context;
    return Status::OK();
  }

  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    Batch result = batch;
    if (condition_ != nullptr) {
      LW_TRY(Filter(&result));
    }
    if (!projections_.empty()) {
      LW_TRY(only_columns_ ? Reorder(&result) : Project(&result));
    }
    if (result.row_count() == 0 && result.watermarks.empty()) {
      return Status::OK();
    }
    return output->Emit(std::move(result));
  }

 private:
  Status Filter(Batch* batch) {
    // A row that an earlier filter dropped must not be looked at: it could fail.
    LW_ASSIGN(*batch, Materialize(*batch, context_->evaluation.memory_pool));
    LW_ASSIGN(batch->selection,
              expr::EvaluateSelection(*condition_, *batch->records, context_->evaluation));
    return Status::OK();
  }

  Status Reorder(Batch* batch) {
    std::vector<std::shared_ptr<arrow::Array>> columns;
    columns.reserve(projections_.size());
    for (const ExpressionPtr& projection : projections_) {
      columns.push_back(batch->records->column(projection->column()));
    }
    batch->records =
        arrow::RecordBatch::Make(schema_, batch->records->num_rows(), std::move(columns));
    return Status::OK();
  }

  Status Project(Batch* batch) {
    if (batch->selection != nullptr) {
      // Only what the projections read is worth copying.
      LW_ASSIGN(batch->records, batch->records->SelectColumns(read_));
      LW_ASSIGN(*batch, Materialize(*batch, context_->evaluation.memory_pool));
      return ProjectFrom(NarrowProjections(), batch);
    }
    return ProjectFrom(projections_, batch);
  }

  const std::vector<ExpressionPtr>& NarrowProjections() {
    if (narrow_projections_.empty()) {
      const int bound = read_.empty() ? 0 : read_.back() + 1;
      for (const ExpressionPtr& projection : projections_) {
        narrow_projections_.push_back(OverColumns(projection, read_, bound));
      }
    }
    return narrow_projections_;
  }

  Status ProjectFrom(const std::vector<ExpressionPtr>& projections, Batch* batch) {
    std::vector<std::shared_ptr<arrow::Array>> columns;
    columns.reserve(projections.size());
    for (const ExpressionPtr& projection : projections) {
      if (projection->kind() == ExpressionKind::kColumn) {
        columns.push_back(batch->records->column(projection->column()));
        continue;
      }
      LW_ASSIGN(std::shared_ptr<arrow::Array> column,
                expr::EvaluateToArray(*projection, *batch->records, context_->evaluation));
      columns.push_back(std::move(column));
    }
    batch->records =
        arrow::RecordBatch::Make(schema_, batch->records->num_rows(), std::move(columns));
    return Status::OK();
  }

  const ExpressionPtr condition_;
  const std::vector<ExpressionPtr> projections_;
  const std::shared_ptr<arrow::Schema> schema_;
  std::vector<int> read_;  // columns that the projections read, ascending
  std::vector<ExpressionPtr> narrow_projections_;
  bool only_columns_ = false;
  const TaskContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Operator> MakeCalcOperator(ExpressionPtr condition,
                                           std::vector<ExpressionPtr> projections,
                                           std::shared_ptr<arrow::Schema> schema) {
  return std::make_unique<CalcOperator>(std::move(condition), std::move(projections),
                                        std::move(schema));
}

}  // namespace lakeward::stream
