#include "lakeward/stream/operators/row_comparison.h"

#include "arrow/array/array_binary.h"
#include "arrow/array/array_primitive.h"
#include "arrow/type_traits.h"
#include "arrow/util/checked_cast.h"

namespace lakeward::stream {
namespace {

using arrow::internal::checked_cast;

template <typename Same>
void Mark(const arrow::Array& column, const int32_t* left, const int32_t* right, int64_t count,
          uint8_t* differs, Same same) {
  if (column.null_count() == 0) {
    for (int64_t i = 0; i < count; ++i) {
      differs[i] |= static_cast<uint8_t>(!same(left[i], right[i]));
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const bool left_null = column.IsNull(left[i]);
    const bool right_null = column.IsNull(right[i]);
    const bool is_same = left_null == right_null && (left_null || same(left[i], right[i]));
    differs[i] |= static_cast<uint8_t>(!is_same);
  }
}

template <typename T>
void MarkFixed(const arrow::Array& column, const int32_t* left, const int32_t* right, int64_t count,
               uint8_t* differs) {
  const T* values = column.data()->GetValues<T>(1);
  Mark(column, left, right, count, differs,
       [values](int32_t a, int32_t b) { return values[a] == values[b]; });
}

}  // namespace

void MarkDifferences(const arrow::Array& column, const int32_t* left, const int32_t* right,
                     int64_t count, uint8_t* differs) {
  switch (column.type_id()) {
    case arrow::Type::INT8:
      return MarkFixed<int8_t>(column, left, right, count, differs);
    case arrow::Type::INT16:
      return MarkFixed<int16_t>(column, left, right, count, differs);
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      return MarkFixed<int32_t>(column, left, right, count, differs);
    case arrow::Type::INT64:
    case arrow::Type::TIME64:
    case arrow::Type::TIMESTAMP:
      return MarkFixed<int64_t>(column, left, right, count, differs);
    case arrow::Type::FLOAT:
      return MarkFixed<float>(column, left, right, count, differs);
    case arrow::Type::DOUBLE:
      return MarkFixed<double>(column, left, right, count, differs);
    case arrow::Type::STRING:
    case arrow::Type::BINARY: {
      const auto& texts = checked_cast<const arrow::BinaryArray&>(column);
      return Mark(column, left, right, count, differs,
                  [&texts](int32_t a, int32_t b) { return texts.GetView(a) == texts.GetView(b); });
    }
    case arrow::Type::DECIMAL128: {
      const auto& decimals = checked_cast<const arrow::FixedSizeBinaryArray&>(column);
      return Mark(column, left, right, count, differs, [&decimals](int32_t a, int32_t b) {
        return decimals.GetView(a) == decimals.GetView(b);
      });
    }
    default:
      return Mark(column, left, right, count, differs, [&column](int32_t a, int32_t b) {
        return column.RangeEquals(a, a + 1, b, column);
      });
  }
}

}  // namespace lakeward::stream
