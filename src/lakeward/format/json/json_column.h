#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "arrow/array/array_base.h"
#include "arrow/buffer.h"
#include "arrow/util/bit_util.h"
#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::format {

/// How a column's values are read from JSON and laid out in memory.
enum class JsonKind : uint8_t {
  kNull,
  kBoolean,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat,
  kDouble,
  kDecimal,
  kString,
  kBytes,
  kDate,
  kTime,
  kTimestampMicros,
  kTimestampNanos,
  kArray,
  kMap,
  kRow,
};

/// A column under construction: Arrow's buffers, grown by doubling, appended to by position without
/// a virtual call or an allocation per value. Values can be taken back from the end, which undoes a
/// record that turned out bad. One thread at a time. Running out of memory ends the process.
class JsonColumn {
 public:
  /// kUnsupported for a map whose key is no character string (Flink's rule) and for types that JSON
  /// cannot hold.
  static Result<JsonColumn> Make(types::TypePtr type);

  JsonColumn(JsonColumn&&) noexcept = default;
  JsonColumn& operator=(JsonColumn&&) noexcept = default;

  JsonKind kind() const { return kind_; }
  const types::LogicalType& type() const { return *type_; }
  /// TIMESTAMP_LTZ: texts end with "Z".
  bool is_instant() const { return is_instant_; }
  int64_t length() const { return length_; }
  /// ARRAY: the element; MAP: key and value; ROW: its fields.
  std::vector<JsonColumn>& children() { return children_; }

  /// Makes room for `rows` more values.
  void Reserve(int64_t rows);

  void AppendNull();

  template <typename T>
  void Append(T value) {
    EnsureRoom();
    std::memcpy(values_ + length_ * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
    ++length_;
  }

  void AppendBoolean(bool value) {
    EnsureRoom();
    arrow::bit_util::SetBitTo(values_, length_, value);
    ++length_;
  }

  /// A place for a string of up to `size_max` bytes (16 more may be scribbled on); FinishBytes
  /// tells how many it became.
  char* StartBytes(size_t size_max) {
    EnsureRoom();
    const size_t size = static_cast<size_t>(offsets()[length_]);
    if (size + size_max + kSlack > bytes_capacity_) [[unlikely]] {
      GrowBytes(size + size_max + kSlack);
    }
    return bytes_ + size;
  }
  void FinishBytes(const char* end) {
    offsets()[length_ + 1] = static_cast<int32_t>(end - bytes_);
    ++length_;
  }

  /// ARRAY and MAP: closes the value whose elements were appended to the children.
  void FinishList() {
    EnsureRoom();
    offsets()[length_ + 1] = static_cast<int32_t>(children_[0].length());
    ++length_;
  }
  /// Where the elements of the value under construction begin in the children.
  int64_t list_start() {
    EnsureRoom();
    return offsets()[length_];
  }
  /// ROW: closes the value whose fields were appended to the children.
  void FinishRow() {
    EnsureRoom();
    ++length_;
  }

  /// Takes values back until `length` are left, elements and fields included.
  void Truncate(int64_t length);

  /// The string at `row`, for comparing map keys.
  std::string_view StringAt(int64_t row) const {
    const int32_t start = offsets()[row];
    return {bytes_ + start, static_cast<size_t>(offsets()[row + 1] - start)};
  }

  /// Hands the values over as an array of the type's Arrow type and starts anew.
  Result<std::shared_ptr<arrow::Array>> Finish();

  /// The date that a timestamp column met last, as text and as a number: neighbouring rows mostly
  /// share it.
  struct DateMemory {
    char text[10] = {};
    int32_t days = 0;
  };
  DateMemory& date_memory() { return date_memory_; }

 private:
  static constexpr size_t kSlack = 32;

  explicit JsonColumn(types::TypePtr type) : type_(std::move(type)) {}

  int32_t* offsets() { return reinterpret_cast<int32_t*>(values_); }
  const int32_t* offsets() const { return reinterpret_cast<const int32_t*>(values_); }
  bool has_offsets() const {
    return kind_ == JsonKind::kString || kind_ == JsonKind::kBytes || kind_ == JsonKind::kArray ||
           kind_ == JsonKind::kMap;
  }

  void EnsureRoom() {
    if (length_ == capacity_) [[unlikely]] {
      Reserve(capacity_ + 64);
    }
  }
  int64_t ValuesSize(int64_t rows) const;
  void GrowBytes(size_t size);
  std::shared_ptr<arrow::ArrayData> TakeData();

  types::TypePtr type_;
  std::shared_ptr<arrow::DataType> arrow_type_;
  JsonKind kind_ = JsonKind::kNull;
  bool is_instant_ = false;
  int32_t width_ = 0;  ///< bytes of a value of fixed width

  int64_t length_ = 0;
  int64_t capacity_ = 0;
  int64_t null_count_ = 0;
  uint8_t* values_ = nullptr;
  uint8_t* validity_ = nullptr;  ///< all set beyond length_
  char* bytes_ = nullptr;
  size_t bytes_capacity_ = 0;
  size_t bytes_expected_ = 1024;  ///< what the last array needed, so that the next grows once
  std::shared_ptr<arrow::ResizableBuffer> values_buffer_;
  std::shared_ptr<arrow::ResizableBuffer> validity_buffer_;
  std::shared_ptr<arrow::ResizableBuffer> bytes_buffer_;
  std::vector<JsonColumn> children_;
  DateMemory date_memory_;
};

}  // namespace lakeward::format
