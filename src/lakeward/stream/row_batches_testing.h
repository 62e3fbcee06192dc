#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/memory_pool.h"
#include "arrow/record_batch.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "lakeward/base/clock.h"
#include "lakeward/stream/operator.h"
#include "lakeward/types/row_kind.h"

namespace lakeward::stream {

/// A row of the tests: kind, a nullable number "n" and a nullable text "t".
struct TestRow {
  types::RowKind kind = types::RowKind::kInsert;
  std::optional<int64_t> number;
  std::optional<std::string> text;
};

inline std::shared_ptr<arrow::Schema> TestSchema() {
  return arrow::schema({arrow::field("n", arrow::int64()), arrow::field("t", arrow::utf8())});
}

inline Batch MakeBatch(const std::vector<TestRow>& rows) {
  arrow::Int64Builder numbers;
  arrow::StringBuilder texts;
  arrow::Int8Builder kinds;
  for (const TestRow& row : rows) {
    EXPECT_TRUE((row.number ? numbers.Append(*row.number) : numbers.AppendNull()).ok());
    EXPECT_TRUE((row.text ? texts.Append(*row.text) : texts.AppendNull()).ok());
    EXPECT_TRUE(kinds.Append(static_cast<int8_t>(row.kind)).ok());
  }
  Batch batch;
  batch.records = arrow::RecordBatch::Make(TestSchema(), static_cast<int64_t>(rows.size()),
                                           {*numbers.Finish(), *texts.Finish()});
  batch.row_kinds = std::static_pointer_cast<arrow::Int8Array>(*kinds.Finish());
  return batch;
}

/// The rows that count, as "+I 1 a".
inline std::vector<std::string> ToLines(const Batch& batch) {
  std::vector<std::string> lines;
  for (int64_t i = 0; i < batch.row_count(); ++i) {
    const int64_t row = batch.selection == nullptr ? i : batch.selection->Value(i);
    const auto kind = batch.row_kinds == nullptr
                          ? types::RowKind::kInsert
                          : static_cast<types::RowKind>(batch.row_kinds->Value(row));
    std::string line(types::ToShortString(kind));
    for (const auto& column : batch.records->columns()) {
      const auto value = column->GetScalar(row);
      line += " " + (value.ok() ? (*value)->ToString() : value.status().ToString());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Takes what an operator emits.
class CollectingOutput final : public Output {
 public:
  Status Emit(Batch batch) override {
    EXPECT_TRUE(batch.records->ValidateFull().ok());
    for (std::string& line : ToLines(batch)) {
      lines.push_back(std::move(line));
    }
    batches.push_back(std::move(batch));
    return Status::OK();
  }

  std::vector<std::string> TakeLines() { return std::exchange(lines, {}); }

  std::vector<std::string> lines;
  std::vector<Batch> batches;
};

inline TaskContext TestContext() {
  TaskContext context;
  context.operator_name = "Test";
  context.operator_id = "test";
  context.evaluation.memory_pool = arrow::default_memory_pool();
  context.clock = SystemClock();
  return context;
}

}  // namespace lakeward::stream
