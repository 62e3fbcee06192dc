#include "lakeward/state/key_columns.h"

#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "arrow/array/array_primitive.h"
#include "arrow/array/data.h"
#include "arrow/array/util.h"
#include "arrow/buffer.h"
#include "arrow/buffer_builder.h"
#include "arrow/memory_pool.h"
#include "arrow/type_traits.h"
#include "arrow/util/bit_util.h"
#include "arrow/util/checked_cast.h"
#include "fmt/format.h"

namespace lakeward::state {
namespace {

using arrow::internal::checked_cast;

/// Flink's equality of keys, which are bytes there: -0.0 is another key than 0.0, NaN equals NaN.
template <typename T>
bool SameKey(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
  } else {
    return a == b;
  }
}

/// 16 bytes, compared as they are.
struct Wide {
  uint64_t halves[2];
  bool operator==(const Wide&) const = default;
};

/// Null flags and fixed-width values side by side.
template <typename T>
class FixedColumn final : public KeyColumn {
 public:
  FixedColumn(std::shared_ptr<arrow::DataType> type, arrow::MemoryPool* pool)
      : type_(std::move(type)), pool_(pool), values_(pool), nulls_(pool) {}

  Status Set(const arrow::Array& column, const std::vector<int32_t>& rows,
             const std::vector<int32_t>& ids, int64_t id_bound) override {
    const int64_t missing = id_bound - values_.length();
    if (missing > 0) {
      LW_TRY(values_.Append(missing, T{}));
      LW_TRY(nulls_.Append(missing, 0));
    }
    const Reader read(column);
    T* values = values_.mutable_data();
    uint8_t* nulls = nulls_.mutable_data();
    for (size_t i = 0; i < rows.size(); ++i) {
      const bool is_null = column.IsNull(rows[i]);
      nulls[ids[i]] = is_null ? 1 : 0;
      values[ids[i]] = is_null ? T{} : read(rows[i]);
    }
    return Status::OK();
  }

  void ClearWhereDifferent(const arrow::Array& column, const int32_t* ids,
                           uint8_t* equal) const override {
    const Reader read(column);
    const T* values = values_.data();
    const uint8_t* nulls = nulls_.data();
    const int64_t count = column.length();
    if (column.null_count() == 0) {
      for (int64_t i = 0; i < count; ++i) {
        const int32_t id = ids[i];
        equal[i] &= static_cast<uint8_t>(SameKey<T>(read(i), values[id]) & (nulls[id] == 0));
      }
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      equal[i] &= static_cast<uint8_t>(Equals(column, i, ids[i]));
    }
  }

  bool Equals(const arrow::Array& column, int64_t row, int32_t id) const override {
    const bool is_null = column.IsNull(row);
    if (is_null || nulls_.data()[id] != 0) {
      return is_null && nulls_.data()[id] != 0;
    }
    return SameKey<T>(Reader(column)(row), values_.data()[id]);
  }

  void Forget(int32_t id) override {}

  Result<std::shared_ptr<arrow::Array>> Get(const int32_t* ids, int64_t count) const override {
    LW_ASSIGN(std::shared_ptr<arrow::Buffer> data, MakeData(ids, count));
    std::shared_ptr<arrow::Buffer> validity;
    int64_t null_count = 0;
    for (int64_t i = 0; i < count; ++i) {
      null_count += nulls_.data()[ids[i]];
    }
    if (null_count > 0) {
      LW_ASSIGN(validity, arrow::AllocateBitmap(count, pool_));
      for (int64_t i = 0; i < count; ++i) {
        arrow::bit_util::SetBitTo(validity->mutable_data(), i, nulls_.data()[ids[i]] == 0);
      }
    }
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, count, {std::move(validity), std::move(data)}, null_count));
  }

 private:
  /// Reads values of an Arrow column; booleans are bits there and bytes here.
  class Reader {
   public:
    explicit Reader(const arrow::Array& column) {
      if constexpr (std::is_same_v<T, bool>) {
        bits_ = column.data()->buffers[1]->data();
        offset_ = column.offset();
      } else if constexpr (std::is_same_v<T, Wide>) {
        values_ = reinterpret_cast<const Wide*>(
            checked_cast<const arrow::FixedSizeBinaryArray&>(column).raw_values());
      } else {
        values_ = column.data()->GetValues<T>(1);
      }
    }
    T operator()(int64_t row) const {
      if constexpr (std::is_same_v<T, bool>) {
        return arrow::bit_util::GetBit(bits_, row + offset_);
      } else {
        return values_[row];
      }
    }

   private:
    const T* values_ = nullptr;
    const uint8_t* bits_ = nullptr;
    int64_t offset_ = 0;
  };

  Result<std::shared_ptr<arrow::Buffer>> MakeData(const int32_t* ids, int64_t count) const {
    if constexpr (std::is_same_v<T, bool>) {
      LW_ASSIGN(std::shared_ptr<arrow::Buffer> bits, arrow::AllocateBitmap(count, pool_));
      for (int64_t i = 0; i < count; ++i) {
        arrow::bit_util::SetBitTo(bits->mutable_data(), i, values_.data()[ids[i]]);
      }
      return bits;
    } else {
      LW_ASSIGN(std::shared_ptr<arrow::Buffer> data,
                arrow::AllocateBuffer(count * static_cast<int64_t>(sizeof(T)), pool_));
      T* out = reinterpret_cast<T*>(data->mutable_data());
      for (int64_t i = 0; i < count; ++i) {
        out[i] = values_.data()[ids[i]];
      }
      return data;
    }
  }

  /// Like TypedBufferBuilder<T>, which has no Wide and packs bool.
  class Values {
   public:
    explicit Values(arrow::MemoryPool* pool) : bytes_(pool) {}
    int64_t length() const { return bytes_.length() / static_cast<int64_t>(sizeof(T)); }
    Status Append(int64_t count, const T& value) {
      LW_TRY(bytes_.Reserve(count * static_cast<int64_t>(sizeof(T))));
      for (int64_t i = 0; i < count; ++i) {
        bytes_.UnsafeAppend(&value, sizeof(T));
      }
      return Status::OK();
    }
    const T* data() const { return reinterpret_cast<const T*>(bytes_.data()); }
    T* mutable_data() { return reinterpret_cast<T*>(bytes_.mutable_data()); }

   private:
    arrow::BufferBuilder bytes_;
  };

  const std::shared_ptr<arrow::DataType> type_;
  arrow::MemoryPool* const pool_;
  Values values_;
  arrow::TypedBufferBuilder<uint8_t> nulls_;
};

/// Texts one after another in one buffer; where each begins and how long it is, by id.
class TextColumn final : public KeyColumn {
 public:
  TextColumn(std::shared_ptr<arrow::DataType> type, arrow::MemoryPool* pool)
      : type_(std::move(type)), pool_(pool), bytes_(std::make_unique<arrow::BufferBuilder>(pool)) {}

  Status Set(const arrow::Array& column, const std::vector<int32_t>& rows,
             const std::vector<int32_t>& ids, int64_t id_bound) override {
    const auto& texts = checked_cast<const arrow::BinaryArray&>(column);
    places_.resize(id_bound);
    for (size_t i = 0; i < rows.size(); ++i) {
      Place& place = places_[ids[i]];
      if (texts.IsNull(rows[i])) {
        place = {0, kNull};
        continue;
      }
      const std::string_view text = texts.GetView(rows[i]);
      place = {bytes_->length(), static_cast<int32_t>(text.size())};
      LW_TRY(bytes_->Append(text));
    }
    return forgotten_bytes_ > kForgottenBytesMin && forgotten_bytes_ > bytes_->length() / 2
               ? Compact()
               : Status::OK();
  }

  void ClearWhereDifferent(const arrow::Array& column, const int32_t* ids,
                           uint8_t* equal) const override {
    if (column.null_count() > 0) {
      for (int64_t i = 0; i < column.length(); ++i) {
        equal[i] &= static_cast<uint8_t>(Equals(column, i, ids[i]));
      }
      return;
    }
    const auto& texts = checked_cast<const arrow::BinaryArray&>(column);
    const int32_t* offsets = texts.raw_value_offsets();
    const uint8_t* given = texts.raw_data();
    const uint8_t* stored = bytes_->data();
    for (int64_t i = 0; i < column.length(); ++i) {
      const Place& place = places_[ids[i]];
      const int32_t length = offsets[i + 1] - offsets[i];
      const bool is_equal = length == place.length &&
                            (length == 0 || std::memcmp(given + offsets[i], stored + place.begin,
                                                        static_cast<size_t>(length)) == 0);
      equal[i] &= static_cast<uint8_t>(is_equal);
    }
  }

  bool Equals(const arrow::Array& column, int64_t row, int32_t id) const override {
    const auto& texts = checked_cast<const arrow::BinaryArray&>(column);
    const Place& place = places_[id];
    if (texts.IsNull(row)) {
      return place.length == kNull;
    }
    return place.length != kNull && texts.GetView(row) == TextOf(place);
  }

  void Forget(int32_t id) override {
    if (places_[id].length > 0) {
      forgotten_bytes_ += places_[id].length;
    }
    places_[id] = {0, kNull};
  }

  Result<std::shared_ptr<arrow::Array>> Get(const int32_t* ids, int64_t count) const override {
    arrow::BufferBuilder bytes(pool_);
    arrow::TypedBufferBuilder<int32_t> offsets(pool_);
    arrow::TypedBufferBuilder<bool> validity(pool_);
    LW_TRY(offsets.Reserve(count + 1));
    LW_TRY(validity.Reserve(count));
    offsets.UnsafeAppend(0);
    for (int64_t i = 0; i < count; ++i) {
      const Place& place = places_[ids[i]];
      validity.UnsafeAppend(place.length != kNull);
      if (place.length != kNull) {
        LW_TRY(bytes.Append(TextOf(place)));
      }
      offsets.UnsafeAppend(static_cast<int32_t>(bytes.length()));
    }
    const int64_t null_count = validity.false_count();
    LW_ASSIGN(std::shared_ptr<arrow::Buffer> validity_buffer, validity.Finish());
    LW_ASSIGN(std::shared_ptr<arrow::Buffer> offset_buffer, offsets.Finish());
    LW_ASSIGN(std::shared_ptr<arrow::Buffer> byte_buffer, bytes.Finish());
    return arrow::MakeArray(
        arrow::ArrayData::Make(type_, count,
                               {null_count > 0 ? validity_buffer : nullptr,
                                std::move(offset_buffer), std::move(byte_buffer)},
                               null_count));
  }

 private:
  struct Place {
    int64_t begin = 0;
    int32_t length = kNull;
  };
  static constexpr int32_t kNull = -1;
  static constexpr int64_t kForgottenBytesMin = 1 << 16;

  std::string_view TextOf(const Place& place) const {
    return {reinterpret_cast<const char*>(bytes_->data()) + place.begin,
            static_cast<size_t>(place.length)};
  }

  Status Compact() {
    auto kept = std::make_unique<arrow::BufferBuilder>(pool_);
    LW_TRY(kept->Reserve(bytes_->length() - forgotten_bytes_));
    for (Place& place : places_) {
      if (place.length > 0) {
        const int64_t begin = kept->length();
        LW_TRY(kept->Append(TextOf(place)));
        place.begin = begin;
      }
    }
    bytes_ = std::move(kept);
    forgotten_bytes_ = 0;
    return Status::OK();
  }

  const std::shared_ptr<arrow::DataType> type_;
  arrow::MemoryPool* const pool_;
  std::vector<Place> places_;
  std::unique_ptr<arrow::BufferBuilder> bytes_;
  int64_t forgotten_bytes_ = 0;
};

/// A column of type NULL: every value is the same.
class NullColumn final : public KeyColumn {
 public:
  Status Set(const arrow::Array& values, const std::vector<int32_t>& rows,
             const std::vector<int32_t>& ids, int64_t id_bound) override {
    return Status::OK();
  }
  void ClearWhereDifferent(const arrow::Array& values, const int32_t* ids,
                           uint8_t* equal) const override {}
  bool Equals(const arrow::Array& values, int64_t row, int32_t id) const override { return true; }
  void Forget(int32_t id) override {}
  Result<std::shared_ptr<arrow::Array>> Get(const int32_t* ids, int64_t count) const override {
    return std::make_shared<arrow::NullArray>(count);
  }
};

}  // namespace

Result<std::unique_ptr<KeyColumn>> KeyColumn::Make(std::shared_ptr<arrow::DataType> type,
                                                   arrow::MemoryPool* pool) {
  switch (type->id()) {
    case arrow::Type::NA:
      return std::make_unique<NullColumn>();
    case arrow::Type::BOOL:
      return std::make_unique<FixedColumn<bool>>(std::move(type), pool);
    case arrow::Type::INT8:
      return std::make_unique<FixedColumn<int8_t>>(std::move(type), pool);
    case arrow::Type::INT16:
      return std::make_unique<FixedColumn<int16_t>>(std::move(type), pool);
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      return std::make_unique<FixedColumn<int32_t>>(std::move(type), pool);
    case arrow::Type::INT64:
    case arrow::Type::TIME64:
    case arrow::Type::TIMESTAMP:
      return std::make_unique<FixedColumn<int64_t>>(std::move(type), pool);
    case arrow::Type::FLOAT:
      return std::make_unique<FixedColumn<float>>(std::move(type), pool);
    case arrow::Type::DOUBLE:
      return std::make_unique<FixedColumn<double>>(std::move(type), pool);
    case arrow::Type::DECIMAL128:
      return std::make_unique<FixedColumn<Wide>>(std::move(type), pool);
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return std::make_unique<TextColumn>(std::move(type), pool);
    default:
      return MakeError(ErrorKind::kUnsupported,
                       fmt::format("grouping by a column of the type {} is not supported yet",
                                   type->ToString()));
  }
}

}  // namespace lakeward::state
