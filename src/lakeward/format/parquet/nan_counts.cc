#include "lakeward/format/parquet/nan_counts.h"

#include <algorithm>

#include "arrow/array/array_nested.h"
#include "arrow/util/checked_cast.h"

namespace lakeward::format {
namespace {

template <typename T>
int64_t CountNan(const arrow::Array& values) {
  const T* numbers = values.data()->GetValues<T>(1);
  const int64_t length = values.length();
  int64_t count = 0;
  for (int64_t i = 0; i < length; ++i) {
    count += numbers[i] != numbers[i] ? 1 : 0;
  }
  if (count == 0 || values.null_count() == 0) {
    return count;
  }
  // What stands in the place of a null says nothing.
  count = 0;
  for (int64_t i = 0; i < length; ++i) {
    count += numbers[i] != numbers[i] && values.IsValid(i) ? 1 : 0;
  }
  return count;
}

size_t LeafCount(const arrow::DataType& type) {
  size_t count = 0;
  for (const std::shared_ptr<arrow::Field>& field : type.fields()) {
    count += LeafCount(*field->type());
  }
  return std::max<size_t>(count, 1);
}

/// One entry a leaf; nothing for leaves that are not counted.
void Append(const arrow::Array& values, std::vector<std::optional<int64_t>>* counts) {
  switch (values.type_id()) {
    case arrow::Type::FLOAT:
      counts->emplace_back(CountNan<float>(values));
      return;
    case arrow::Type::DOUBLE:
      counts->emplace_back(CountNan<double>(values));
      return;
    case arrow::Type::STRUCT: {
      const auto& rows = arrow::internal::checked_cast<const arrow::StructArray&>(values);
      for (int i = 0; i < rows.num_fields(); ++i) {
        Append(*rows.field(i), counts);
      }
      return;
    }
    default:
      counts->insert(counts->end(), LeafCount(*values.type()), std::nullopt);
  }
}

}  // namespace

void NanCounts::Add(const arrow::RecordBatch& batch) {
  std::vector<std::optional<int64_t>> added;
  for (int i = 0; i < batch.num_columns(); ++i) {
    Append(*batch.column(i), &added);
  }
  counts_.resize(added.size(), int64_t{0});
  for (size_t i = 0; i < added.size(); ++i) {
    counts_[i] = counts_[i].has_value() && added[i].has_value()
                     ? std::optional(*counts_[i] + *added[i])
                     : std::nullopt;
  }
}

void NanCounts::SetIn(std::vector<ColumnStatistics>* leaves) const {
  for (size_t i = 0; i < std::min(leaves->size(), counts_.size()); ++i) {
    (*leaves)[i].nan_count = counts_[i];
  }
}

}  // namespace lakeward::format
