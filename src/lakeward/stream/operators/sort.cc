#include "lakeward/stream/operators/sort.h"

#include <algorithm>
#include <utility>

#include "arrow/array/util.h"
#include "arrow/compute/api_scalar.h"
#include "arrow/compute/api_vector.h"
#include "arrow/record_batch.h"
#include "arrow/scalar.h"
#include "arrow/table.h"
#include "lakeward/base/status.h"

namespace lakeward::stream {
namespace {

using arrow::compute::NullPlacement;
using arrow::compute::SortKey;
using arrow::compute::SortOrder;

constexpr char kRowsTable[] = "rows";

/// Adds the columns and keys that order `keys` as Java would: nulls by their own key, NaN last.
Status AddKey(const SortColumn& key, const std::shared_ptr<arrow::ChunkedArray>& column,
              std::vector<std::shared_ptr<arrow::ChunkedArray>>* columns,
              std::vector<SortKey>* sort_keys) {
  const SortOrder order = key.ascending ? SortOrder::Ascending : SortOrder::Descending;
  const auto add = [&](std::shared_ptr<arrow::ChunkedArray> values, SortOrder value_order) {
    sort_keys->emplace_back(arrow::FieldRef(static_cast<int>(columns->size())), value_order,
                            key.nulls_first ? NullPlacement::AtStart : NullPlacement::AtEnd);
    columns->push_back(std::move(values));
  };
  if (arrow::is_floating(column->type()->id())) {
    // Arrow puts NaN beside the nulls: "is it NaN" comes first, null where the value is.
    LW_ASSIGN(const arrow::Datum is_nan, arrow::compute::IsNan(column));
    add(is_nan.chunked_array(), order);
  }
  add(column, order);
  return Status::OK();
}

class SortOperator final : public Operator {
 public:
  SortOperator(std::vector<SortColumn> columns, std::shared_ptr<arrow::Schema> schema)
      : columns_(std::move(columns)), schema_(std::move(schema)) {}

  Status Open(const TaskContext& context) override {
    pool_ = context.evaluation.memory_pool;
    return Status::OK();
  }

  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    LW_ASSIGN(const Batch dense, Materialize(batch, pool_));
    if (dense.records->num_rows() > 0) {
      rows_.push_back(
          arrow::RecordBatch::Make(schema_, dense.records->num_rows(), dense.records->columns()));
    }
    return Status::OK();
  }

  Status Finish(Output* output) override {
    if (rows_.empty()) {
      return Status::OK();
    }
    LW_ASSIGN(const auto table, arrow::Table::FromRecordBatches(schema_, rows_));
    rows_.clear();
    LW_ASSIGN(const auto order, SortedOrder(*table));
    for (int64_t begin = 0; begin < table->num_rows(); begin += kBatchRowsAim) {
      const int64_t count = std::min(kBatchRowsAim, table->num_rows() - begin);
      LW_ASSIGN(const arrow::Datum sorted,
                arrow::compute::Take(arrow::Datum(table), arrow::Datum(order->Slice(begin, count)),
                                     arrow::compute::TakeOptions::NoBoundsCheck()));
      Batch batch;
      LW_ASSIGN(batch.records, sorted.table()->CombineChunksToBatch(pool_));
      LW_TRY(output->Emit(std::move(batch)));
    }
    return Status::OK();
  }

  /// All rows belong to key group 0, which the only task owns.
  Result<state::OperatorState> Snapshot() override {
    state::OperatorState state;
    if (rows_.empty()) {
      return state;
    }
    state::KeyedTable table;
    table.name = kRowsTable;
    for (const auto& batch : rows_) {
      LW_ASSIGN(const auto groups,
                arrow::MakeArrayFromScalar(arrow::Int32Scalar(0), batch->num_rows(), pool_));
      LW_ASSIGN(auto saved, batch->AddColumn(0, "key_group", groups));
      table.batches.push_back(std::move(saved));
    }
    state.keyed.push_back(std::move(table));
    return state;
  }

  Status Restore(const state::OperatorState& state) override {
    for (const state::KeyedTable& table : state.keyed) {
      for (const auto& saved : table.batches) {
        LW_ASSIGN(const auto batch, saved->RemoveColumn(0));
        rows_.push_back(arrow::RecordBatch::Make(schema_, batch->num_rows(), batch->columns()));
      }
    }
    return Status::OK();
  }

 private:
  Result<std::shared_ptr<arrow::Array>> SortedOrder(const arrow::Table& table) const {
    std::vector<std::shared_ptr<arrow::ChunkedArray>> columns;
    std::vector<SortKey> keys;
    for (const SortColumn& key : columns_) {
      LW_TRY(AddKey(key, table.column(key.column), &columns, &keys));
    }
    std::vector<std::shared_ptr<arrow::Field>> fields;
    for (const auto& column : columns) {
      fields.push_back(arrow::field("", column->type()));
    }
    const auto key_table = arrow::Table::Make(arrow::schema(std::move(fields)), columns);
    return arrow::compute::SortIndices(arrow::Datum(key_table), arrow::compute::SortOptions(keys));
  }

  const std::vector<SortColumn> columns_;
  const std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::shared_ptr<arrow::RecordBatch>> rows_;
  arrow::MemoryPool* pool_ = nullptr;
};

}  // namespace

std::unique_ptr<Operator> MakeSortOperator(std::vector<SortColumn> columns,
                                           std::shared_ptr<arrow::Schema> schema) {
  return std::make_unique<SortOperator>(std::move(columns), std::move(schema));
}

}  // namespace lakeward::stream
