#include "lakeward/format/json/json_column.h"

#include <algorithm>

#include "arrow/array/data.h"
#include "arrow/array/util.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::format {

namespace {

using types::LogicalType;
using types::TypeRoot;

struct Layout {
  JsonKind kind;
  int32_t width;
};

Layout LayoutOf(const LogicalType& type) {
  switch (type.root()) {
    case TypeRoot::kNull:
      return {JsonKind::kNull, 0};
    case TypeRoot::kBoolean:
      return {JsonKind::kBoolean, 0};
    case TypeRoot::kTinyInt:
      return {JsonKind::kInt8, 1};
    case TypeRoot::kSmallInt:
      return {JsonKind::kInt16, 2};
    case TypeRoot::kInteger:
    case TypeRoot::kIntervalYearMonth:
      return {JsonKind::kInt32, 4};
    case TypeRoot::kBigInt:
    case TypeRoot::kIntervalDayTime:
      return {JsonKind::kInt64, 8};
    case TypeRoot::kFloat:
      return {JsonKind::kFloat, 4};
    case TypeRoot::kDouble:
      return {JsonKind::kDouble, 8};
    case TypeRoot::kDecimal:
      return {JsonKind::kDecimal, 16};
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return {JsonKind::kString, 4};
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return {JsonKind::kBytes, 4};
    case TypeRoot::kDate:
      return {JsonKind::kDate, 4};
    case TypeRoot::kTime:
      return {JsonKind::kTime, 8};
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return {type.precision() > 6 ? JsonKind::kTimestampNanos : JsonKind::kTimestampMicros, 8};
    case TypeRoot::kArray:
      return {JsonKind::kArray, 4};
    case TypeRoot::kMultiset:
    case TypeRoot::kMap:
      return {JsonKind::kMap, 4};
    case TypeRoot::kRow:
      return {JsonKind::kRow, 0};
  }
  return {JsonKind::kNull, 0};
}

std::shared_ptr<arrow::ResizableBuffer> Allocate(int64_t size) {
  arrow::Result<std::unique_ptr<arrow::ResizableBuffer>> buffer =
      arrow::AllocateResizableBuffer(size, arrow::default_memory_pool());
  LW_CHECK(buffer.ok());
  return std::move(buffer).ValueUnsafe();
}

/// Makes the buffer at least `size` bytes, keeping what it holds.
void Grow(std::shared_ptr<arrow::ResizableBuffer>* buffer, int64_t size) {
  if (*buffer == nullptr) {
    *buffer = Allocate(size);
    return;
  }
  LW_CHECK((*buffer)->Resize(size, /*shrink_to_fit=*/false).ok());
}

}  // namespace

Result<JsonColumn> JsonColumn::Make(types::TypePtr type) {
  JsonColumn column(type);
  const Layout layout = LayoutOf(*type);
  column.kind_ = layout.kind;
  column.width_ = layout.width;
  column.is_instant_ = type->root() == TypeRoot::kTimestampLtz;
  column.arrow_type_ = types::ToArrow(*type);
  std::vector<types::TypePtr> child_types = type->children();
  if (type->root() == TypeRoot::kMultiset) {
    child_types.push_back(types::Int(false));
  }
  for (const types::RowField& field : type->fields()) {
    child_types.push_back(field.type);
  }
  if (layout.kind == JsonKind::kMap && !child_types.front()->IsCharacterString()) {
    return MakeError(ErrorKind::kUnsupported,
                     "JSON format doesn't support non-string as key type of map. The type is: " +
                         type->ToString(),
                     "Declare the key as STRING.");
  }
  for (types::TypePtr& child : child_types) {
    LW_ASSIGN(JsonColumn child_column, Make(std::move(child)));
    column.children_.push_back(std::move(child_column));
  }
  return column;
}

int64_t JsonColumn::ValuesSize(int64_t rows) const {
  if (kind_ == JsonKind::kBoolean) {
    return arrow::bit_util::BytesForBits(rows);
  }
  return (rows + (has_offsets() ? 1 : 0)) * width_;
}

void JsonColumn::Reserve(int64_t rows) {
  const int64_t needed = length_ + rows;
  if (needed <= capacity_) {
    return;
  }
  const int64_t capacity = arrow::bit_util::RoundUp(std::max(needed, 2 * length_), 64);
  const bool fresh = values_ == nullptr;
  Grow(&values_buffer_, std::max<int64_t>(ValuesSize(capacity), 64));
  values_ = values_buffer_->mutable_data();
  if (fresh && has_offsets()) {
    offsets()[0] = 0;
  }
  Grow(&validity_buffer_, capacity / 8);
  validity_ = validity_buffer_->mutable_data();
  std::memset(validity_ + capacity_ / 8, 0xFF, static_cast<size_t>((capacity - capacity_) / 8));
  capacity_ = capacity;
  if (kind_ == JsonKind::kRow) {
    for (JsonColumn& child : children_) {
      child.Reserve(capacity - child.length());
    }
  }
}

void JsonColumn::GrowBytes(size_t size) {
  bytes_capacity_ = std::max({size, 2 * bytes_capacity_, bytes_expected_});
  Grow(&bytes_buffer_, static_cast<int64_t>(bytes_capacity_));
  bytes_ = reinterpret_cast<char*>(bytes_buffer_->mutable_data());
}

void JsonColumn::AppendNull() {
  EnsureRoom();
  arrow::bit_util::ClearBit(validity_, length_);
  ++null_count_;
  if (has_offsets()) {
    offsets()[length_ + 1] = offsets()[length_];
  } else if (kind_ == JsonKind::kBoolean) {
    arrow::bit_util::ClearBit(values_, length_);
  } else if (width_ > 0) {
    std::memset(values_ + length_ * width_, 0, static_cast<size_t>(width_));
  } else if (kind_ == JsonKind::kRow) {
    for (JsonColumn& child : children_) {
      child.Truncate(length_);
      child.AppendNull();
    }
  }
  ++length_;
}

void JsonColumn::Truncate(int64_t length) {
  while (length_ > length) {
    --length_;
    if (!arrow::bit_util::GetBit(validity_, length_)) {
      arrow::bit_util::SetBit(validity_, length_);
      --null_count_;
    }
  }
  if (kind_ == JsonKind::kRow) {
    for (JsonColumn& child : children_) {
      child.Truncate(length_);
    }
  } else if (kind_ == JsonKind::kArray || kind_ == JsonKind::kMap) {
    const int64_t elements = values_ == nullptr ? 0 : offsets()[length_];
    for (JsonColumn& child : children_) {
      child.Truncate(elements);
    }
  }
}

std::shared_ptr<arrow::ArrayData> JsonColumn::TakeData() {
  if (kind_ == JsonKind::kNull) {
    std::shared_ptr<arrow::ArrayData> data =
        arrow::ArrayData::Make(arrow_type_, length_, {nullptr}, length_);
    length_ = 0;
    null_count_ = 0;
    return data;
  }
  if (values_ == nullptr) {
    Reserve(1);
  }
  std::shared_ptr<arrow::Buffer> validity;
  if (null_count_ > 0) {
    LW_CHECK(validity_buffer_->Resize(arrow::bit_util::BytesForBits(length_), false).ok());
    validity = std::move(validity_buffer_);
  }
  std::vector<std::shared_ptr<arrow::Buffer>> buffers = {std::move(validity)};
  std::vector<std::shared_ptr<arrow::ArrayData>> child_data;
  for (JsonColumn& child : children_) {
    child_data.push_back(child.TakeData());
  }
  if (kind_ != JsonKind::kRow) {
    LW_CHECK(values_buffer_->Resize(ValuesSize(length_), false).ok());
    buffers.push_back(std::move(values_buffer_));
  }
  if (kind_ == JsonKind::kString || kind_ == JsonKind::kBytes) {
    if (bytes_buffer_ == nullptr) {
      bytes_buffer_ = Allocate(0);
    }
    const auto* offsets = reinterpret_cast<const int32_t*>(values_);
    bytes_expected_ = static_cast<size_t>(offsets[length_]) / 8 * 9 + 1024;
    LW_CHECK(bytes_buffer_->Resize(offsets[length_], false).ok());
    buffers.push_back(std::move(bytes_buffer_));
  }
  if (kind_ == JsonKind::kMap) {
    // A map is a list of entries.
    const std::shared_ptr<arrow::DataType>& entries = arrow_type_->field(0)->type();
    const int64_t count = child_data.front()->length;
    child_data = {arrow::ArrayData::Make(entries, count, {nullptr}, std::move(child_data), 0)};
  }
  std::shared_ptr<arrow::ArrayData> data = arrow::ArrayData::Make(
      arrow_type_, length_, std::move(buffers), std::move(child_data), null_count_);
  length_ = 0;
  capacity_ = 0;
  null_count_ = 0;
  values_ = nullptr;
  validity_ = nullptr;
  bytes_ = nullptr;
  bytes_capacity_ = 0;
  values_buffer_ = nullptr;
  validity_buffer_ = nullptr;
  bytes_buffer_ = nullptr;
  return data;
}

Result<std::shared_ptr<arrow::Array>> JsonColumn::Finish() { return arrow::MakeArray(TakeData()); }

}  // namespace lakeward::format
