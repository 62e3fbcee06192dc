#include "lakeward/expr/evaluation_input.h"

#include <utility>

#include "arrow/compute/api_vector.h"
#include "arrow/scalar.h"
#include "arrow/util/bit_run_reader.h"
#include "arrow/util/checked_cast.h"
#include "lakeward/expr/cast.h"
#include "lakeward/expr/function.h"

namespace lakeward::expr {

EvaluationInput::EvaluationInput(const arrow::RecordBatch& batch)
    : batch_(&batch), row_count_(batch.num_rows()) {}

EvaluationInput::EvaluationInput(EvaluationInput* whole, std::shared_ptr<arrow::Int32Array> rows)
    : whole_(whole), rows_(std::move(rows)), row_count_(rows_->length()) {}

Result<std::shared_ptr<arrow::Array>> EvaluationInput::Column(int number) {
  if (batch_ != nullptr) {
    LW_CHECK(number >= 0 && number < batch_->num_columns());
    return batch_->column(number);
  }
  const auto index = static_cast<size_t>(number);
  if (gathered_.size() <= index) {
    gathered_.resize(index + 1);
  }
  if (gathered_[index] == nullptr) {
    LW_ASSIGN(const std::shared_ptr<arrow::Array> column, whole_->Column(number));
    LW_ASSIGN(gathered_[index],
              arrow::compute::Take(*column, *rows_, arrow::compute::TakeOptions::NoBoundsCheck()));
  }
  return gathered_[index];
}

Status AppendTrueRows(const arrow::Datum& condition, int64_t row_count,
                      std::vector<int32_t>* rows) {
  if (condition.is_scalar()) {
    const auto& scalar =
        arrow::internal::checked_cast<const arrow::BooleanScalar&>(*condition.scalar());
    if (scalar.is_valid && scalar.value) {
      rows->reserve(rows->size() + static_cast<size_t>(row_count));
      for (int64_t row = 0; row < row_count; ++row) {
        rows->push_back(static_cast<int32_t>(row));
      }
    }
    return Status::OK();
  }
  const arrow::ArrayData& data = *condition.array();
  const uint8_t* bits = data.GetValues<uint8_t>(1, 0);
  const uint8_t* valid = data.GetNullCount() == 0 ? nullptr : data.buffers[0]->data();
  arrow::internal::VisitSetBitRunsVoid(
      bits, data.offset, data.length, [&](int64_t begin, int64_t length) {
        for (int64_t row = begin; row < begin + length; ++row) {
          if (valid == nullptr || arrow::bit_util::GetBit(valid, data.offset + row)) {
            rows->push_back(static_cast<int32_t>(row));
          }
        }
      });
  return Status::OK();
}

bool MayFail(const Expression& expression) {
  if (expression.kind() == ExpressionKind::kCall && expression.function()->may_fail) {
    return true;
  }
  if (expression.kind() == ExpressionKind::kCast && !expression.null_on_failure() &&
      CastMayFail(*expression.arguments()[0]->type(), *expression.type())) {
    return true;
  }
  for (const ExpressionPtr& argument : expression.arguments()) {
    if (MayFail(*argument)) {
      return true;
    }
  }
  return false;
}

std::shared_ptr<arrow::Int32Array> ToInt32Array(std::vector<int32_t> values) {
  const auto length = static_cast<int64_t>(values.size());
  return std::make_shared<arrow::Int32Array>(length, arrow::Buffer::FromVector(std::move(values)));
}

}  // namespace lakeward::expr
