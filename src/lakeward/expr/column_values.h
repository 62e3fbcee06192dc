#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/array/data.h"
#include "arrow/buffer.h"
#include "arrow/datum.h"
#include "arrow/util/bit_util.h"
#include "lakeward/base/status.h"
#include "lakeward/expr/function.h"

namespace lakeward::expr {

/// How kernels read their arguments and write their results: typed pointers, no virtual call per
/// value. A scalar reads as one value that stands for every row (step 0).
class ColumnValues {
 public:
  static Result<ColumnValues> Make(const arrow::Datum& datum);

  const arrow::ArrayData& data() const { return *data_; }
  bool is_scalar() const { return step_ == 0; }
  /// 1 for an array, 0 for a scalar.
  int64_t step() const { return step_; }
  bool IsNull(int64_t row) const {
    return bitmap_ != nullptr && !arrow::bit_util::GetBit(bitmap_, data_->offset + row * step_);
  }
  bool may_have_nulls() const { return bitmap_ != nullptr; }

 private:
  std::shared_ptr<arrow::ArrayData> data_;
  const uint8_t* bitmap_ = nullptr;
  int64_t step_ = 1;
};

/// Values of a fixed width: numbers, dates, times, timestamps, decimals (16 bytes).
template <typename T>
class FixedValues {
 public:
  explicit FixedValues(const ColumnValues& column)
      : values_(column.data().GetValues<T>(1)), step_(column.step()) {}
  const T& operator[](int64_t row) const { return values_[row * step_]; }
  const T* pointer() const { return values_; }

 private:
  const T* values_;
  int64_t step_;
};

class BooleanValues {
 public:
  explicit BooleanValues(const ColumnValues& column)
      : bits_(column.data().GetValues<uint8_t>(1, 0)),
        offset_(column.data().offset),
        step_(column.step()) {}
  bool operator[](int64_t row) const {
    return arrow::bit_util::GetBit(bits_, offset_ + row * step_);
  }

 private:
  const uint8_t* bits_;
  int64_t offset_;
  int64_t step_;
};

/// UTF-8 text or bytes.
class StringValues {
 public:
  explicit StringValues(const ColumnValues& column)
      : offsets_(column.data().GetValues<int32_t>(1)),
        bytes_(column.data().GetValues<char>(2, 0)),
        step_(column.step()) {}
  std::string_view operator[](int64_t row) const {
    const int32_t begin = offsets_[row * step_];
    return {bytes_ + begin, static_cast<size_t>(offsets_[row * step_ + 1] - begin)};
  }

 private:
  const int32_t* offsets_;
  const char* bytes_;
  int64_t step_;
};

/// Room for `row_count` fixed-width results.
template <typename T>
class FixedOutput {
 public:
  static Result<FixedOutput> Make(int64_t row_count, const EvaluationContext& context);
  T* values() { return values_; }
  T& operator[](int64_t row) { return values_[row]; }
  /// The results as a column; `validity` may be null (no null).
  arrow::Datum Finish(const types::LogicalType& type, int64_t row_count,
                      std::shared_ptr<arrow::Buffer> validity = nullptr) &&;

 private:
  std::shared_ptr<arrow::Buffer> buffer_;
  T* values_ = nullptr;  ///< the buffer's bytes, at hand for loops
};

/// Result bits, all clear at first: of a BOOLEAN column or of a validity bitmap.
class BitOutput {
 public:
  static Result<BitOutput> Make(int64_t row_count, const EvaluationContext& context,
                                bool initial = false);
  uint8_t* bits() { return bits_; }
  void Set(int64_t row) { bits_[row >> 3] |= static_cast<uint8_t>(1 << (row & 7)); }
  /// Sets the bit when `value` is true; never clears it.
  void SetTo(int64_t row, bool value) {
    bits_[row >> 3] |= static_cast<uint8_t>((value ? 1 : 0) << (row & 7));
  }
  std::shared_ptr<arrow::Buffer> buffer() const { return buffer_; }
  arrow::Datum FinishBoolean(int64_t row_count,
                             std::shared_ptr<arrow::Buffer> validity = nullptr) &&;

 private:
  std::shared_ptr<arrow::Buffer> buffer_;
  uint8_t* bits_ = nullptr;
};

/// Text or byte results, appended row by row; null rows have no bytes.
class StringOutput {
 public:
  static Result<StringOutput> Make(int64_t row_count, const EvaluationContext& context);
  /// The text under construction: append to it, then End the row.
  std::string& text() { return text_; }
  void End() { offsets_[++row_] = static_cast<int32_t>(text_.size()); }
  void EndNull();
  void Append(std::string_view value) {
    text_.append(value);
    End();
  }
  /// kUnsupported when the batch's text is over 2 GiB.
  Result<arrow::Datum> Finish(const types::LogicalType& type) &&;

 private:
  std::shared_ptr<arrow::Buffer> offset_buffer_;
  int32_t* offsets_ = nullptr;
  std::string text_;
  std::string validity_;  ///< bits; empty while there is no null
  int64_t row_ = 0;
  int64_t row_count_ = 0;
  arrow::MemoryPool* pool_ = nullptr;
};

/// A bitmap with a clear bit where any of the arguments is null; null when there is no such row.
Result<std::shared_ptr<arrow::Buffer>> CombineValidity(const std::vector<arrow::Datum>& arguments,
                                                       int64_t row_count,
                                                       const EvaluationContext& context);

/// `array` with null also where `validity` has a clear bit (may be null: no such row).
Result<arrow::Datum> RestrictValidity(const arrow::Datum& array,
                                      const std::shared_ptr<arrow::Buffer>& validity,
                                      const EvaluationContext& context);

inline bool IsValidRow(const KernelCall& call, int64_t row) {
  return call.validity == nullptr || arrow::bit_util::GetBit(call.validity, row);
}

arrow::MemoryPool* PoolOf(const EvaluationContext& context);

}  // namespace lakeward::expr
