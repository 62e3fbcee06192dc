#include "lakeward/expr/column_values.h"

#include <limits>
#include <utility>

#include "arrow/array/util.h"
#include "arrow/memory_pool.h"
#include "arrow/scalar.h"
#include "arrow/util/bitmap_ops.h"
#include "lakeward/expr/int128.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::expr {

arrow::MemoryPool* PoolOf(const EvaluationContext& context) {
  return context.memory_pool == nullptr ? arrow::default_memory_pool() : context.memory_pool;
}

Result<ColumnValues> ColumnValues::Make(const arrow::Datum& datum) {
  ColumnValues column;
  if (datum.is_scalar()) {
    LW_ASSIGN(const std::shared_ptr<arrow::Array> array,
              arrow::MakeArrayFromScalar(*datum.scalar(), 1));
    column.data_ = array->data();
    column.step_ = 0;
  } else {
    column.data_ = datum.array();
  }
  if (column.data_->GetNullCount() > 0 && column.data_->buffers[0] != nullptr) {
    column.bitmap_ = column.data_->buffers[0]->data();
  }
  return column;
}

template <typename T>
Result<FixedOutput<T>> FixedOutput<T>::Make(int64_t row_count, const EvaluationContext& context) {
  FixedOutput output;
  LW_ASSIGN(output.buffer_,
            arrow::AllocateBuffer(row_count * static_cast<int64_t>(sizeof(T)), PoolOf(context)));
  output.values_ = reinterpret_cast<T*>(output.buffer_->mutable_data());
  return output;
}

template <typename T>
arrow::Datum FixedOutput<T>::Finish(const types::LogicalType& type, int64_t row_count,
                                    std::shared_ptr<arrow::Buffer> validity) && {
  return arrow::ArrayData::Make(types::ToArrow(type), row_count,
                                {std::move(validity), std::move(buffer_)});
}

template class FixedOutput<int8_t>;
template class FixedOutput<int16_t>;
template class FixedOutput<int32_t>;
template class FixedOutput<int64_t>;
template class FixedOutput<float>;
template class FixedOutput<double>;
template class FixedOutput<Int128>;

Result<BitOutput> BitOutput::Make(int64_t row_count, const EvaluationContext& context,
                                  bool initial) {
  BitOutput output;
  const int64_t size = arrow::bit_util::BytesForBits(row_count);
  LW_ASSIGN(output.buffer_, arrow::AllocateBuffer(size, PoolOf(context)));
  output.bits_ = output.buffer_->mutable_data();
  std::memset(output.bits_, initial ? 0xFF : 0, static_cast<size_t>(size));
  return output;
}

arrow::Datum BitOutput::FinishBoolean(int64_t row_count,
                                      std::shared_ptr<arrow::Buffer> validity) && {
  return arrow::ArrayData::Make(arrow::boolean(), row_count,
                                {std::move(validity), std::move(buffer_)});
}

Result<StringOutput> StringOutput::Make(int64_t row_count, const EvaluationContext& context) {
  StringOutput output;
  output.pool_ = PoolOf(context);
  output.row_count_ = row_count;
  LW_ASSIGN(
      output.offset_buffer_,
      arrow::AllocateBuffer((row_count + 1) * static_cast<int64_t>(sizeof(int32_t)), output.pool_));
  output.offsets_ = reinterpret_cast<int32_t*>(output.offset_buffer_->mutable_data());
  output.offsets_[0] = 0;
  return output;
}

void StringOutput::EndNull() {
  if (validity_.empty()) {
    validity_.assign(static_cast<size_t>(arrow::bit_util::BytesForBits(row_count_)), '\xFF');
  }
  text_.resize(static_cast<size_t>(offsets_[row_]));
  arrow::bit_util::ClearBit(reinterpret_cast<uint8_t*>(validity_.data()), row_);
  End();
}

Result<arrow::Datum> StringOutput::Finish(const types::LogicalType& type) && {
  LW_CHECK(row_ == row_count_);
  if (text_.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return MakeError(ErrorKind::kUnsupported, "the text of one batch of rows is over 2 GiB",
                     "Shorten the values that the expression makes.");
  }
  std::shared_ptr<arrow::Buffer> validity =
      validity_.empty() ? nullptr : arrow::Buffer::FromString(std::move(validity_));
  return arrow::Datum(arrow::ArrayData::Make(types::ToArrow(type), row_count_,
                                             {std::move(validity), std::move(offset_buffer_),
                                              arrow::Buffer::FromString(std::move(text_))}));
}

Result<std::shared_ptr<arrow::Buffer>> CombineValidity(const std::vector<arrow::Datum>& arguments,
                                                       int64_t row_count,
                                                       const EvaluationContext& context) {
  std::shared_ptr<arrow::Buffer> combined;
  for (const arrow::Datum& argument : arguments) {
    if (argument.is_scalar()) {
      if (!argument.scalar()->is_valid) {
        LW_ASSIGN(BitOutput none, BitOutput::Make(row_count, context));
        return none.buffer();
      }
      continue;
    }
    const arrow::ArrayData& data = *argument.array();
    if (data.GetNullCount() == 0) {
      continue;
    }
    if (data.type->id() == arrow::Type::NA) {
      LW_ASSIGN(BitOutput none, BitOutput::Make(row_count, context));
      return none.buffer();
    }
    const uint8_t* bitmap = data.buffers[0]->data();
    if (combined == nullptr && data.offset == 0) {
      combined = data.buffers[0];
    } else if (combined == nullptr) {
      LW_ASSIGN(combined,
                arrow::internal::CopyBitmap(PoolOf(context), bitmap, data.offset, row_count));
    } else {
      LW_ASSIGN(combined, arrow::internal::BitmapAnd(PoolOf(context), combined->data(), 0, bitmap,
                                                     data.offset, row_count, 0));
    }
  }
  return combined;
}

Result<arrow::Datum> RestrictValidity(const arrow::Datum& array,
                                      const std::shared_ptr<arrow::Buffer>& validity,
                                      const EvaluationContext& context) {
  if (validity == nullptr || array.type()->id() == arrow::Type::NA) {
    return array;
  }
  std::shared_ptr<arrow::ArrayData> data = array.array()->Copy();
  if (data->GetNullCount() > 0) {
    LW_ASSIGN(data->buffers[0],
              arrow::internal::BitmapAnd(PoolOf(context), data->buffers[0]->data(), data->offset,
                                         validity->data(), 0, data->length, data->offset));
  } else if (data->offset == 0) {
    data->buffers[0] = validity;
  } else {
    LW_ASSIGN(BitOutput shifted, BitOutput::Make(data->offset + data->length, context));
    arrow::internal::CopyBitmap(validity->data(), 0, data->length, shifted.bits(), data->offset);
    data->buffers[0] = shifted.buffer();
  }
  data->null_count = arrow::kUnknownNullCount;
  return arrow::Datum(std::move(data));
}

}  // namespace lakeward::expr
