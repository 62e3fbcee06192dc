#include "lakeward/stream/operators/not_null.h"

#include <utility>

#include "arrow/array.h"
#include "arrow/array/array_primitive.h"
#include "arrow/buffer_builder.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"

namespace lakeward::stream {
namespace {

class NotNullOperator final : public Operator {
 public:
  NotNullOperator(std::vector<int> columns, NullViolation violation)
      : columns_(std::move(columns)), violation_(violation) {}

  Status Open(const TaskContext& context) override {
    pool_ = context.evaluation.memory_pool;
    return Status::OK();
  }

  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    if (!HasNull(batch)) {
      return output->Emit(batch);
    }
    if (violation_ == NullViolation::kFail) {
      LW_TRY(CheckSelected(batch));
      return output->Emit(batch);
    }
    Batch kept = batch;
    LW_ASSIGN(kept.selection, SelectComplete(batch));
    return kept.row_count() == 0 ? Status::OK() : output->Emit(std::move(kept));
  }

 private:
  bool HasNull(const Batch& batch) const {
    for (const int column : columns_) {
      if (batch.records->column(column)->null_count() > 0) {
        return true;
      }
    }
    return false;
  }

  static bool IsComplete(const Batch& batch, const std::vector<int>& columns, int64_t row) {
    for (const int column : columns) {
      if (batch.records->column(column)->IsNull(row)) {
        return false;
      }
    }
    return true;
  }

  Status CheckSelected(const Batch& batch) const {
    for (const int column : columns_) {
      for (int64_t i = 0; i < batch.row_count(); ++i) {
        const int64_t row = batch.selection == nullptr ? i : batch.selection->Value(i);
        if (batch.records->column(column)->IsNull(row)) {
          return MakeError(ErrorKind::kValidation,
                           fmt::format("Column '{}' is NOT NULL, however, a null value is being "
                                       "written into it.",
                                       batch.records->schema()->field(column)->name()),
                           "You can set job configuration "
                           "'table.exec.sink.not-null-enforcer'='DROP' to suppress this exception "
                           "and drop such records silently.");
        }
      }
    }
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::Int32Array>> SelectComplete(const Batch& batch) const {
    arrow::TypedBufferBuilder<int32_t> rows(pool_);
    LW_TRY(rows.Reserve(batch.row_count()));
    for (int64_t i = 0; i < batch.row_count(); ++i) {
      const int64_t row = batch.selection == nullptr ? i : batch.selection->Value(i);
      if (IsComplete(batch, columns_, row)) {
        rows.UnsafeAppend(static_cast<int32_t>(row));
      }
    }
    const int64_t count = rows.length();
    LW_ASSIGN(std::shared_ptr<arrow::Buffer> buffer, rows.Finish());
    return std::make_shared<arrow::Int32Array>(count, std::move(buffer));
  }

  const std::vector<int> columns_;
  const NullViolation violation_;
  arrow::MemoryPool* pool_ = nullptr;
};

}  // namespace

std::unique_ptr<Operator> MakeNotNullOperator(std::vector<int> columns, NullViolation violation) {
  return std::make_unique<NotNullOperator>(std::move(columns), violation);
}

}  // namespace lakeward::stream
