#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/array/array_base.h"
#include "arrow/record_batch.h"
#include "lakeward/base/status.h"
#include "lakeward/format/json/json_options.h"
#include "lakeward/format/json/text_buffer.h"
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
  void AppendRows(const arrow::RecordBatch& batch, TextBuffer* out);

 private:
  struct Column;
  explicit JsonRowEncoder(JsonOptions options);

  static Result<Column> MakeColumn(std::string name, const types::TypePtr& type,
                                   const JsonOptions& options);
  static void Bind(Column* column, const arrow::Array& array);
  void AppendField(const Column& column, int64_t row, bool* first, TextBuffer* out);
  void AppendValue(const Column& column, int64_t row, TextBuffer* out);
  void AppendDouble(double value, TextBuffer* out);
  void AppendSpelledNumber(TextBuffer* out);
  void AppendTimestamp(const Column& column, int64_t row, TextBuffer* out);
  void AppendList(const Column& column, int64_t row, TextBuffer* out);
  void AppendMap(const Column& column, int64_t row, TextBuffer* out);
  void AppendRow(const Column& column, int64_t row, TextBuffer* out);

  JsonOptions options_;
  std::vector<Column> columns_;
  std::string number_;  ///< the floating-point number being spelled
  // The date spelled last: neighbouring rows mostly share it.
  int64_t date_days_ = 0;
  char date_text_[kTimestampLength] = "1970-01-01";
  size_t date_size_ = 10;
};

}  // namespace lakeward::format
