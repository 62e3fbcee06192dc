#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/array/array_base.h"
#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/format/json/json_options.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::format {

/// Spells rows as JSON objects, the way Flink's json format does (Flink 1.20,
/// RowDataToJsonConverters). One thread at a time.
class JsonRowEncoder {
 public:
  /// kUnsupported for a map whose key is no character string (Flink's rule).
  static Result<JsonRowEncoder> Make(const types::RowSchema& schema, const JsonOptions& options);

  JsonRowEncoder(JsonRowEncoder&&) noexcept;
  JsonRowEncoder& operator=(JsonRowEncoder&&) noexcept;
  ~JsonRowEncoder();

  /// Appends every row of `batch` and a newline after each. The batch has the arrow schema of
  /// `schema`.
  void AppendRows(const arrow::RecordBatch& batch, std::string* out);

 private:
  struct Column;
  class Output;
  explicit JsonRowEncoder(JsonOptions options);

  static Result<Column> MakeColumn(std::string name, const types::TypePtr& type,
                                   const JsonOptions& options);
  static void Bind(Column* column, const arrow::Array& array);
  void AppendField(const Column& column, int64_t row, bool* first, Output* out);
  void AppendValue(const Column& column, int64_t row, Output* out);
  void AppendFloatingPoint(Output* out);
  void AppendTimestamp(const Column& column, int64_t row, Output* out);
  void AppendList(const Column& column, int64_t row, Output* out);
  void AppendMap(const Column& column, int64_t row, Output* out);
  void AppendRow(const Column& column, int64_t row, Output* out);

  JsonOptions options_;
  std::vector<Column> columns_;
  std::string number_;  ///< the floating-point number being spelled
};

}  // namespace lakeward::format
