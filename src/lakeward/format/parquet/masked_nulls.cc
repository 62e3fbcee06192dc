#include "lakeward/format/parquet/masked_nulls.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrow/array/data.h"
#include "arrow/type.h"
#include "fmt/format.h"

namespace lakeward::format {
namespace {

using ArrayDataPtr = std::shared_ptr<arrow::ArrayData>;

/// Whether some NOT NULL field at or below has nulls.
bool NeedsWork(const arrow::ArrayData& data, const arrow::Field& field) {
  if (!field.nullable() && data.GetNullCount() > 0) {
    return true;
  }
  for (size_t i = 0; i < data.child_data.size(); ++i) {
    if (NeedsWork(*data.child_data[i], *field.type()->field(static_cast<int>(i)))) {
      return true;
    }
  }
  return false;
}

Status NullInNotNull(const std::string& path) {
  return MakeError(ErrorKind::kValidation,
                   fmt::format("column '{}' is NOT NULL, but a row has no value for it", path),
                   "Give the column a value in each row, for example with COALESCE, or declare it "
                   "without NOT NULL.");
}

Result<ArrayDataPtr> Drop(const ArrayDataPtr& data, const arrow::Field& field,
                          const std::string& path, const std::vector<bool>& live);

/// Of the children's values, those that belong to a row that is there.
std::vector<bool> LiveInChild(const arrow::ArrayData& data, const std::vector<bool>& live,
                              int64_t child_length) {
  std::vector<bool> live_in_child(static_cast<size_t>(child_length), false);
  const bool is_list = data.type->id() == arrow::Type::LIST || data.type->id() == arrow::Type::MAP;
  const int32_t* offsets = is_list ? data.GetValues<int32_t>(1) : nullptr;
  for (int64_t row = 0; row < data.length; ++row) {
    if (!live[static_cast<size_t>(row)]) {
      continue;
    }
    const int64_t begin = is_list ? offsets[row] : data.offset + row;
    const int64_t end = is_list ? offsets[row + 1] : begin + 1;
    for (int64_t i = begin; i < end; ++i) {
      live_in_child[static_cast<size_t>(i)] = true;
    }
  }
  return live_in_child;
}

Status DropInChildren(arrow::ArrayData* data, const arrow::Field& field, const std::string& path,
                      const std::vector<bool>& live) {
  for (size_t i = 0; i < data->child_data.size(); ++i) {
    const arrow::Field& child = *field.type()->field(static_cast<int>(i));
    ArrayDataPtr& child_data = data->child_data[i];
    if (NeedsWork(*child_data, child)) {
      LW_ASSIGN(child_data, Drop(child_data, child, fmt::format("{}.{}", path, child.name()),
                                 LiveInChild(*data, live, child_data->length)));
    }
  }
  return Status::OK();
}

/// `live` tells, row by row, whether all parents are there.
Result<ArrayDataPtr> Drop(const ArrayDataPtr& data, const arrow::Field& field,
                          const std::string& path, const std::vector<bool>& live) {
  ArrayDataPtr cleaned = data->Copy();
  std::vector<bool> own(live);
  for (int64_t row = 0; row < data->length; ++row) {
    if (!data->IsNull(row)) {
      continue;
    }
    if (own[static_cast<size_t>(row)] && !field.nullable()) {
      return NullInNotNull(path);
    }
    own[static_cast<size_t>(row)] = false;
  }
  if (!field.nullable()) {
    // What lies under the hidden nulls is never encoded.
    cleaned->buffers[0] = nullptr;
    cleaned->null_count = 0;
  }
  LW_TRY(DropInChildren(cleaned.get(), field, path, own));
  return cleaned;
}

}  // namespace

Result<std::shared_ptr<arrow::RecordBatch>> DropMaskedNulls(
    const arrow::RecordBatch& batch, const std::shared_ptr<arrow::Schema>& schema) {
  std::vector<ArrayDataPtr> columns;
  columns.reserve(static_cast<size_t>(batch.num_columns()));
  for (int i = 0; i < batch.num_columns(); ++i) {
    ArrayDataPtr data = batch.column_data(i);
    const arrow::Field& field = *schema->field(i);
    if (NeedsWork(*data, field)) {
      LW_ASSIGN(data, Drop(data, field, field.name(),
                           std::vector<bool>(static_cast<size_t>(data->length), true)));
    }
    columns.push_back(std::move(data));
  }
  return arrow::RecordBatch::Make(schema, batch.num_rows(), std::move(columns));
}

}  // namespace lakeward::format
