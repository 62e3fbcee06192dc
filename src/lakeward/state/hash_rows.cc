#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "arrow/array.h"
#include "arrow/type.h"
#include "arrow/util/bit_util.h"
#include "arrow/util/checked_cast.h"
#include "fmt/format.h"
#include "lakeward/base/hash.h"
#include "lakeward/state/key_index.h"

// The numbers made here are in every checkpoint: changing them makes old checkpoints unreadable.

namespace lakeward::state {
namespace {

using arrow::internal::checked_cast;

constexpr uint64_t kNullHash = 0x6A09E667F3BCC908ULL;
constexpr uint64_t kTrueHash = HashInt64(1);
constexpr uint64_t kFalseHash = HashInt64(0);

/// Writes the first column's hashes, combines the later ones'.
class HashSink {
 public:
  HashSink(uint64_t* hashes, bool first) : hashes_(hashes), first_(first) {}

  template <typename HashOfRow>
  void Fill(const arrow::Array& column, HashOfRow&& hash_of_row) {
    const int64_t count = column.length();
    if (column.null_count() == 0) {
      if (first_) {
        for (int64_t i = 0; i < count; ++i) {
          hashes_[i] = hash_of_row(i);
        }
      } else {
        for (int64_t i = 0; i < count; ++i) {
          hashes_[i] = CombineHashes(hashes_[i], hash_of_row(i));
        }
      }
      return;
    }
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t hash = column.IsNull(i) ? kNullHash : hash_of_row(i);
      hashes_[i] = first_ ? hash : CombineHashes(hashes_[i], hash);
    }
  }

 private:
  uint64_t* hashes_;
  bool first_;
};

template <typename T>
const T* ValuesOf(const arrow::Array& column) {
  return column.data()->GetValues<T>(1);
}

template <typename Integer>
void HashIntegers(const arrow::Array& column, HashSink* sink) {
  const Integer* values = ValuesOf<Integer>(column);
  sink->Fill(column, [values](int64_t i) { return HashInt64(values[i]); });
}

template <typename Float, typename Bits>
void HashFloats(const arrow::Array& column, HashSink* sink) {
  const Float* values = ValuesOf<Float>(column);
  sink->Fill(column, [values](int64_t i) {
    Float value = values[i];
    if (std::isnan(value)) {
      value = std::numeric_limits<Float>::quiet_NaN();
    }
    return HashInt64(static_cast<int64_t>(std::bit_cast<Bits>(value)));
  });
}

void HashDecimals(const arrow::Array& column, HashSink* sink) {
  const uint8_t* values = checked_cast<const arrow::FixedSizeBinaryArray&>(column).raw_values();
  sink->Fill(column, [values](int64_t i) {
    int64_t halves[2];
    std::memcpy(halves, values + i * 16, sizeof(halves));
    return CombineHashes(HashInt64(halves[0]), HashInt64(halves[1]));
  });
}

void HashTexts(const arrow::Array& column, HashSink* sink) {
  const auto& texts = checked_cast<const arrow::BinaryArray&>(column);
  sink->Fill(column, [&texts](int64_t i) { return HashBytes(texts.GetView(i)); });
}

void HashBooleans(const arrow::Array& column, HashSink* sink) {
  const auto& booleans = checked_cast<const arrow::BooleanArray&>(column);
  sink->Fill(column, [&booleans](int64_t i) { return booleans.Value(i) ? kTrueHash : kFalseHash; });
}

Status HashColumn(const arrow::Array& column, HashSink* sink);

/// The values' hashes of a nested column's child rows.
Result<std::vector<uint64_t>> HashChild(const arrow::Array& child) {
  std::vector<uint64_t> hashes(child.length());
  HashSink sink(hashes.data(), /*first=*/true);
  LW_TRY(HashColumn(child, &sink));
  return hashes;
}

Status HashStructs(const arrow::Array& column, HashSink* sink) {
  const auto& rows = checked_cast<const arrow::StructArray&>(column);
  std::vector<uint64_t> hashes(column.length(), kTrueHash);
  for (int f = 0; f < rows.num_fields(); ++f) {
    LW_ASSIGN(const std::vector<uint64_t> child, HashChild(*rows.field(f)));
    for (int64_t i = 0; i < column.length(); ++i) {
      hashes[i] = CombineHashes(hashes[i], child[i]);
    }
  }
  sink->Fill(column, [&hashes](int64_t i) { return hashes[i]; });
  return Status::OK();
}

Status HashLists(const arrow::Array& column, HashSink* sink) {
  const auto& lists = checked_cast<const arrow::ListArray&>(column);
  LW_ASSIGN(const std::vector<uint64_t> items, HashChild(*lists.values()));
  sink->Fill(column, [&lists, &items](int64_t i) {
    uint64_t hash = HashInt64(lists.value_length(i));
    for (int64_t k = lists.value_offset(i); k < lists.value_offset(i + 1); ++k) {
      hash = CombineHashes(hash, items[k]);
    }
    return hash;
  });
  return Status::OK();
}

Status HashColumn(const arrow::Array& column, HashSink* sink) {
  switch (column.type_id()) {
    case arrow::Type::NA:
      sink->Fill(column, [](int64_t) { return kNullHash; });
      return Status::OK();
    case arrow::Type::BOOL:
      HashBooleans(column, sink);
      return Status::OK();
    case arrow::Type::INT8:
      HashIntegers<int8_t>(column, sink);
      return Status::OK();
    case arrow::Type::INT16:
      HashIntegers<int16_t>(column, sink);
      return Status::OK();
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      HashIntegers<int32_t>(column, sink);
      return Status::OK();
    case arrow::Type::INT64:
    case arrow::Type::TIME64:
    case arrow::Type::TIMESTAMP:
      HashIntegers<int64_t>(column, sink);
      return Status::OK();
    case arrow::Type::FLOAT:
      HashFloats<float, uint32_t>(column, sink);
      return Status::OK();
    case arrow::Type::DOUBLE:
      HashFloats<double, uint64_t>(column, sink);
      return Status::OK();
    case arrow::Type::DECIMAL128:
      HashDecimals(column, sink);
      return Status::OK();
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      HashTexts(column, sink);
      return Status::OK();
    case arrow::Type::STRUCT:
      return HashStructs(column, sink);
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      return HashLists(column, sink);
    default:
      return MakeError(ErrorKind::kInternal,
                       fmt::format("no hash for the physical type {}", column.type()->ToString()));
  }
}

}  // namespace

Status HashRows(const std::vector<std::shared_ptr<arrow::Array>>& key_columns, int64_t row_count,
                std::vector<uint64_t>* hashes) {
  hashes->resize(row_count);
  if (key_columns.empty()) {
    hashes->assign(row_count, 0);
    return Status::OK();
  }
  bool first = true;
  for (const auto& column : key_columns) {
    LW_DCHECK(column->length() == row_count);
    HashSink sink(hashes->data(), first);
    LW_TRY(HashColumn(*column, &sink));
    first = false;
  }
  return Status::OK();
}

}  // namespace lakeward::state
