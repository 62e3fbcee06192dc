#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/format/json/json_column.h"
#include "lakeward/format/json/json_field_table.h"
#include "lakeward/format/json/json_options.h"
#include "lakeward/types/row_schema.h"

namespace lakeward::format {

/// Reads JSON objects into columns, with the conversions that Flink's json format makes (Flink
/// 1.20, JsonParserToRowDataConverters). One thread at a time.
class JsonRowDecoder {
 public:
  static Result<JsonRowDecoder> Make(const types::RowSchema& schema, const JsonOptions& options);

  JsonRowDecoder(JsonRowDecoder&&) noexcept = default;
  JsonRowDecoder& operator=(JsonRowDecoder&&) noexcept = default;

  /// Appends the object at index entry `next` of an indexed text as one row, see StructuralIndex.
  /// Returns the entry after it; null when it is not a valid record, then nothing is appended and
  /// failure() tells why. `text` may be read StructuralIndex::kPadding bytes beyond its end.
  const uint32_t* AppendRow(const char* text, const uint32_t* next);

  /// Takes the last row back.
  void RemoveLastRow();

  int64_t row_count() const { return row_count_; }
  void Reserve(int64_t rows);
  /// The rows appended so far as arrays of the schema's Arrow types; starts anew.
  Result<std::vector<std::shared_ptr<arrow::Array>>> Finish();

  /// Why the last AppendRow gave null: "field `v`: 'x' is no INT".
  std::string failure() const;

 private:
  /// How the keys of an object are found, for every object that the type tree describes.
  struct Shape {
    JsonFieldTable fields;
    std::vector<Shape> children;  ///< one per field or element
  };

  /// How a value was refused.
  enum class Refusal : uint8_t {
    kMalformed,   ///< not JSON
    kMismatch,    ///< JSON, but not of the column's type
    kMissing,     ///< no value for a column (fail-on-missing-field)
    kNotAnObject  ///< the record is another kind of value
  };

  explicit JsonRowDecoder(JsonOptions options) : options_(options) {}
  static Shape MakeShape(const types::LogicalType& type);

  const uint32_t* AppendObject(const uint32_t* next, std::vector<JsonColumn>* columns, int64_t row,
                               Shape* shape);
  const uint32_t* AppendField(const uint32_t* next, JsonColumn* column, Shape* shape);
  const uint32_t* AppendValue(const uint32_t* next, JsonColumn* column, Shape* shape);
  const uint32_t* AppendBoolean(const uint32_t* next, JsonColumn* column);
  template <typename T>
  const uint32_t* AppendInteger(const uint32_t* next, JsonColumn* column);
  bool ConvertToInteger(const uint32_t* next, const JsonColumn& column, int64_t* value);
  template <typename T>
  const uint32_t* AppendFloatingPoint(const uint32_t* next, JsonColumn* column);
  bool ConvertToDouble(const uint32_t* next, double* value);
  const uint32_t* AppendDecimal(const uint32_t* next, JsonColumn* column);
  const uint32_t* AppendString(const uint32_t* next, JsonColumn* column);
  const uint32_t* AppendBytes(const uint32_t* next, JsonColumn* column);
  const uint32_t* AppendTemporal(const uint32_t* next, JsonColumn* column);
  bool AppendPlainTimestamp(const uint32_t* next, JsonColumn* column);
  bool AppendTimestamp(std::string_view text, JsonColumn* column);
  const uint32_t* AppendArray(const uint32_t* next, JsonColumn* column, Shape* shape);
  const uint32_t* AppendMap(const uint32_t* next, JsonColumn* column, Shape* shape);
  /// Without the entries of the ordinals in `dropped`.
  const uint32_t* AppendMapEntries(const uint32_t* next, JsonColumn* column, Shape* shape,
                                   const std::vector<bool>& dropped);
  const uint32_t* AppendRowValue(const uint32_t* next, JsonColumn* column, Shape* shape);

  /// The unescaped text of the string or scalar at `next`, valid until the next call; false when it
  /// is neither.
  bool ReadText(const uint32_t* next, std::string_view* text);
  /// Both note what failed and return null.
  const uint32_t* Malformed(const uint32_t* at);
  const uint32_t* Mismatch(const uint32_t* at, const JsonColumn& column);

  JsonOptions options_;
  std::vector<JsonColumn> columns_;
  std::unique_ptr<Shape> shape_;
  int64_t row_count_ = 0;
  const char* text_ = nullptr;
  std::string scratch_;
  // Of the last refusal.
  Refusal refusal_ = Refusal::kMalformed;
  const uint32_t* refused_at_ = nullptr;
  const types::LogicalType* refused_type_ = nullptr;
  std::vector<std::string_view> refused_path_;  ///< field names, innermost first
};

}  // namespace lakeward::format
