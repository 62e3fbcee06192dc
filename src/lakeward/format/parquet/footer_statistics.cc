#include "lakeward/format/parquet/footer_statistics.h"

#include <utility>

#include "arrow/scalar.h"
#include "parquet/arrow/reader.h"
#include "parquet/statistics.h"

namespace lakeward::format {

namespace {

enum class Bound : uint8_t { kLower, kUpper };

template <typename T>
void KeepFurther(std::shared_ptr<arrow::Scalar>* kept, const std::shared_ptr<arrow::Scalar>& other,
                 Bound bound) {
  const auto& a = static_cast<const T&>(**kept).value;
  const auto& b = static_cast<const T&>(*other).value;
  if (bound == Bound::kLower ? b < a : a < b) {
    *kept = other;
  }
}

template <>
void KeepFurther<arrow::BaseBinaryScalar>(std::shared_ptr<arrow::Scalar>* kept,
                                          const std::shared_ptr<arrow::Scalar>& other,
                                          Bound bound) {
  const std::string_view a = static_cast<const arrow::BaseBinaryScalar&>(**kept).view();
  const std::string_view b = static_cast<const arrow::BaseBinaryScalar&>(*other).view();
  if (bound == Bound::kLower ? b < a : a < b) {
    *kept = other;
  }
}

/// Makes `*kept` the further of the two bounds; null when they cannot be compared.
void MergeBound(std::shared_ptr<arrow::Scalar>* kept, const std::shared_ptr<arrow::Scalar>& other,
                Bound bound) {
  if (*kept == nullptr || other == nullptr || !(*kept)->type->Equals(*other->type)) {
    *kept = nullptr;
    return;
  }
  switch (other->type->id()) {
    case arrow::Type::BOOL:
      return KeepFurther<arrow::BooleanScalar>(kept, other, bound);
    case arrow::Type::INT8:
      return KeepFurther<arrow::Int8Scalar>(kept, other, bound);
    case arrow::Type::INT16:
      return KeepFurther<arrow::Int16Scalar>(kept, other, bound);
    case arrow::Type::INT32:
      return KeepFurther<arrow::Int32Scalar>(kept, other, bound);
    case arrow::Type::INT64:
      return KeepFurther<arrow::Int64Scalar>(kept, other, bound);
    case arrow::Type::UINT8:
      return KeepFurther<arrow::UInt8Scalar>(kept, other, bound);
    case arrow::Type::UINT16:
      return KeepFurther<arrow::UInt16Scalar>(kept, other, bound);
    case arrow::Type::UINT32:
      return KeepFurther<arrow::UInt32Scalar>(kept, other, bound);
    case arrow::Type::UINT64:
      return KeepFurther<arrow::UInt64Scalar>(kept, other, bound);
    case arrow::Type::FLOAT:
      return KeepFurther<arrow::FloatScalar>(kept, other, bound);
    case arrow::Type::DOUBLE:
      return KeepFurther<arrow::DoubleScalar>(kept, other, bound);
    case arrow::Type::DATE32:
      return KeepFurther<arrow::Date32Scalar>(kept, other, bound);
    case arrow::Type::TIME32:
      return KeepFurther<arrow::Time32Scalar>(kept, other, bound);
    case arrow::Type::TIME64:
      return KeepFurther<arrow::Time64Scalar>(kept, other, bound);
    case arrow::Type::TIMESTAMP:
      return KeepFurther<arrow::TimestampScalar>(kept, other, bound);
    case arrow::Type::DECIMAL128:
      return KeepFurther<arrow::Decimal128Scalar>(kept, other, bound);
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
    case arrow::Type::FIXED_SIZE_BINARY:
      return KeepFurther<arrow::BaseBinaryScalar>(kept, other, bound);
    default:
      *kept = nullptr;
  }
}

ColumnStatistics ChunkStatistics(const ::parquet::ColumnChunkMetaData& chunk) {
  ColumnStatistics column;
  column.path = chunk.path_in_schema()->ToDotVector();
  column.value_count = chunk.num_values();
  column.compressed_bytes = chunk.total_compressed_size();
  if (!chunk.is_stats_set()) {
    column.null_count = -1;
    return column;
  }
  const std::shared_ptr<::parquet::Statistics> statistics = chunk.statistics();
  if (statistics == nullptr) {
    column.null_count = -1;
    return column;
  }
  column.null_count = statistics->HasNullCount() ? statistics->null_count() : -1;
  if (statistics->HasMinMax()) {
    std::shared_ptr<arrow::Scalar> minimum;
    std::shared_ptr<arrow::Scalar> maximum;
    if (::parquet::arrow::StatisticsAsScalars(*statistics, &minimum, &maximum).ok()) {
      column.minimum = std::move(minimum);
      column.maximum = std::move(maximum);
    }
  }
  return column;
}

/// Values of nothing but nulls say nothing against the bounds of other row groups.
bool IsAllNull(const ColumnStatistics& column) { return column.null_count == column.value_count; }

void MergeInto(ColumnStatistics* merged, const ColumnStatistics& other) {
  if (IsAllNull(*merged)) {
    merged->minimum = other.minimum;
    merged->maximum = other.maximum;
  } else if (!IsAllNull(other)) {
    MergeBound(&merged->minimum, other.minimum, Bound::kLower);
    MergeBound(&merged->maximum, other.maximum, Bound::kUpper);
  }
  merged->value_count += other.value_count;
  merged->compressed_bytes += other.compressed_bytes;
  merged->null_count =
      merged->null_count < 0 || other.null_count < 0 ? -1 : merged->null_count + other.null_count;
}

}  // namespace

std::vector<ColumnStatistics> RowGroupStatistics(const ::parquet::FileMetaData& metadata,
                                                 int row_group) {
  const std::unique_ptr<::parquet::RowGroupMetaData> group = metadata.RowGroup(row_group);
  std::vector<ColumnStatistics> columns;
  for (int i = 0; i < group->num_columns(); ++i) {
    columns.push_back(ChunkStatistics(*group->ColumnChunk(i)));
  }
  return columns;
}

FileStatistics StatisticsOfFooter(const ::parquet::FileMetaData& metadata, int64_t size_bytes) {
  FileStatistics file;
  file.row_count = metadata.num_rows();
  file.size_bytes = size_bytes;
  for (int group = 0; group < metadata.num_row_groups(); ++group) {
    std::vector<ColumnStatistics> columns = RowGroupStatistics(metadata, group);
    if (group == 0) {
      file.columns = std::move(columns);
      continue;
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      MergeInto(&file.columns[i], columns[i]);
    }
  }
  return file;
}

}  // namespace lakeward::format
