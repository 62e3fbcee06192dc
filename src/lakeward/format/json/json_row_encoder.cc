#include "lakeward/format/json/json_row_encoder.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "arrow/array/array_nested.h"
#include "arrow/util/bit_util.h"
#include "arrow/util/decimal.h"
#include "lakeward/format/json/json_number.h"
#include "lakeward/format/json/json_string.h"
#include "lakeward/format/json/json_time.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/number_text.h"

namespace lakeward::format {

using types::TypeRoot;

/// A growing text with room guaranteed ahead, so that most appends check nothing.
class JsonRowEncoder::Output {
 public:
  explicit Output(std::string* text) : text_(text), size_(text->size()) {}
  ~Output() { text_->resize(size_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// A place for `size` bytes; Advance tells how many were used.
  char* Room(size_t size) {
    if (text_->size() - size_ < size) [[unlikely]] {
      text_->resize(std::max(size_ + size, 2 * text_->size()));
    }
    return text_->data() + size_;
  }
  void Advance(const char* end) { size_ = static_cast<size_t>(end - text_->data()); }

  void Append(std::string_view bytes) {
    char* out = Room(bytes.size());
    std::memcpy(out, bytes.data(), bytes.size());
    Advance(out + bytes.size());
  }
  void Append(char c) {
    char* out = Room(1);
    *out = c;
    Advance(out + 1);
  }
  size_t size() const { return size_; }
  void Truncate(size_t size) { size_ = size; }

 private:
  std::string* text_;
  size_t size_;
};

/// A column with its spelling chosen once, and where the batch at hand keeps its values. Rows count
/// from the array's own start: offsets of slices are folded into the pointers or added here.
struct JsonRowEncoder::Column {
  std::string name;
  types::TypePtr type;
  std::string key;  ///< `"name":`
  std::vector<Column> children;

  int64_t offset = 0;
  const uint8_t* validity = nullptr;  ///< null: no nulls
  const uint8_t* values = nullptr;
  const char* bytes = nullptr;

  bool IsNull(int64_t row) const {
    return validity != nullptr && !arrow::bit_util::GetBit(validity, offset + row);
  }
  template <typename T>
  T Value(int64_t row) const {
    T value;
    std::memcpy(&value, values + (offset + row) * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
  std::string_view Bytes(int64_t row) const {
    const auto start = Value<int32_t>(row);
    return {bytes + start, static_cast<size_t>(Value<int32_t>(row + 1) - start)};
  }
};

JsonRowEncoder::JsonRowEncoder(JsonOptions options) : options_(std::move(options)) {}
JsonRowEncoder::JsonRowEncoder(JsonRowEncoder&&) noexcept = default;
JsonRowEncoder& JsonRowEncoder::operator=(JsonRowEncoder&&) noexcept = default;
JsonRowEncoder::~JsonRowEncoder() = default;

Result<JsonRowEncoder::Column> JsonRowEncoder::MakeColumn(std::string name,
                                                          const types::TypePtr& type,
                                                          const JsonOptions& options) {
  Column column;
  column.name = std::move(name);
  column.type = type;
  AppendQuoted(column.name, &column.key);
  column.key += ':';
  const bool is_map = type->root() == TypeRoot::kMap || type->root() == TypeRoot::kMultiset;
  if (is_map && !type->children()[0]->IsCharacterString()) {
    return MakeError(ErrorKind::kUnsupported,
                     "column '" + column.name +
                         "': JSON format doesn't support non-string as key type of map. The type "
                         "is: " +
                         type->ToString(),
                     "CAST the keys to STRING.");
  }
  std::vector<std::pair<std::string, types::TypePtr>> children;
  for (const types::TypePtr& child : type->children()) {
    children.emplace_back("", child);
  }
  if (type->root() == TypeRoot::kMultiset) {
    children.emplace_back("", types::Int(false));
  }
  for (const types::RowField& field : type->fields()) {
    children.emplace_back(field.name, field.type);
  }
  for (auto& [child_name, child_type] : children) {
    LW_ASSIGN(Column child, MakeColumn(std::move(child_name), child_type, options));
    column.children.push_back(std::move(child));
  }
  return column;
}

Result<JsonRowEncoder> JsonRowEncoder::Make(const types::RowSchema& schema,
                                            const JsonOptions& options) {
  JsonRowEncoder encoder(options);
  for (const types::Column& column : schema.columns) {
    LW_ASSIGN(Column made, MakeColumn(column.name, column.type, options));
    encoder.columns_.push_back(std::move(made));
  }
  return encoder;
}

void JsonRowEncoder::Bind(Column* column, const arrow::Array& array) {
  const arrow::ArrayData& data = *array.data();
  column->offset = data.offset;
  column->validity = array.null_count() == 0 || data.buffers.empty() || data.buffers[0] == nullptr
                         ? nullptr
                         : data.buffers[0]->data();
  column->values =
      data.buffers.size() > 1 && data.buffers[1] != nullptr ? data.buffers[1]->data() : nullptr;
  column->bytes = data.buffers.size() > 2 && data.buffers[2] != nullptr
                      ? reinterpret_cast<const char*>(data.buffers[2]->data())
                      : nullptr;
  switch (column->type->root()) {
    case TypeRoot::kArray:
      return Bind(&column->children[0], *static_cast<const arrow::ListArray&>(array).values());
    case TypeRoot::kMap:
    case TypeRoot::kMultiset: {
      const auto& map = static_cast<const arrow::MapArray&>(array);
      Bind(&column->children[0], *map.keys());
      return Bind(&column->children[1], *map.items());
    }
    case TypeRoot::kRow: {
      const auto& row = static_cast<const arrow::StructArray&>(array);
      for (size_t i = 0; i < column->children.size(); ++i) {
        // field() carries the parent's offset over.
        Bind(&column->children[i], *row.field(static_cast<int>(i)));
      }
      return;
    }
    default:
      return;
  }
}

void JsonRowEncoder::AppendRows(const arrow::RecordBatch& batch, std::string* out) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    Bind(&columns_[i], *batch.column(static_cast<int>(i)));
  }
  Output output(out);
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    output.Append('{');
    bool first = true;
    for (const Column& column : columns_) {
      AppendField(column, row, &first, &output);
    }
    output.Append("}\n");
  }
}

void JsonRowEncoder::AppendField(const Column& column, int64_t row, bool* first, Output* out) {
  const bool is_null = column.IsNull(row) || column.type->root() == TypeRoot::kNull;
  if (is_null && options_.ignore_null_fields) {
    return;
  }
  char* p = out->Room(column.key.size() + 8);
  if (!*first) {
    *p++ = ',';
  }
  *first = false;
  std::memcpy(p, column.key.data(), column.key.size());
  p += column.key.size();
  if (is_null) {
    std::memcpy(p, "null", 4);
    out->Advance(p + 4);
    return;
  }
  out->Advance(p);
  return AppendValue(column, row, out);
}

namespace {

template <typename T>
void AppendInteger(T value, char** out) {
  *out = std::to_chars(*out, *out + 24, value).ptr;
}

}  // namespace

void JsonRowEncoder::AppendValue(const Column& column, int64_t row, Output* out) {
  char* p = out->Room(kDecimalLength);
  switch (column.type->root()) {
    case TypeRoot::kBoolean: {
      const bool value = arrow::bit_util::GetBit(column.values, column.offset + row);
      out->Append(value ? std::string_view("true") : std::string_view("false"));
      return;
    }
    case TypeRoot::kTinyInt:
      AppendInteger<int>(column.Value<int8_t>(row), &p);
      break;
    case TypeRoot::kSmallInt:
      AppendInteger<int>(column.Value<int16_t>(row), &p);
      break;
    case TypeRoot::kInteger:
    case TypeRoot::kIntervalYearMonth:
      AppendInteger(column.Value<int32_t>(row), &p);
      break;
    case TypeRoot::kBigInt:
    case TypeRoot::kIntervalDayTime:
      AppendInteger(column.Value<int64_t>(row), &p);
      break;
    case TypeRoot::kFloat:
      number_.clear();
      types::AppendFloat(column.Value<float>(row), &number_);
      AppendFloatingPoint(out);
      return;
    case TypeRoot::kDouble:
      number_.clear();
      types::AppendDouble(column.Value<double>(row), &number_);
      AppendFloatingPoint(out);
      return;
    case TypeRoot::kDecimal:
      p = WriteDecimal(column.Value<arrow::Decimal128>(row), column.type->scale(),
                       options_.decimal_as_plain_number, p);
      break;
    case TypeRoot::kChar:
    case TypeRoot::kVarChar: {
      const std::string_view text = column.Bytes(row);
      p = WriteQuoted(text.data(), text.size(), out->Room(QuotedLengthMax(text.size())));
      break;
    }
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary: {
      const std::string_view bytes = column.Bytes(row);
      p = out->Room(bytes.size() / 3 * 4 + 8);
      *p++ = '"';
      p = EncodeBase64(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), p);
      *p++ = '"';
      break;
    }
    case TypeRoot::kDate:
      *p++ = '"';
      p = WriteDate(column.Value<int32_t>(row), p);
      *p++ = '"';
      break;
    case TypeRoot::kTime:
      // Flink writes whole seconds.
      *p++ = '"';
      p = WriteTime(column.Value<int64_t>(row) / 1'000'000 * 1'000'000'000, p);
      *p++ = '"';
      break;
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      AppendTimestamp(column, row, out);
      return;
    case TypeRoot::kArray:
      return AppendList(column, row, out);
    case TypeRoot::kMap:
    case TypeRoot::kMultiset:
      return AppendMap(column, row, out);
    case TypeRoot::kRow:
      return AppendRow(column, row, out);
    case TypeRoot::kNull:
      out->Append("null");
      return;
  }
  out->Advance(p);
}

void JsonRowEncoder::AppendFloatingPoint(Output* out) {
  // Jackson quotes what JSON has no number for: NaN and the infinities.
  const bool quoted = !IsDigit(number_.back());
  if (quoted) {
    out->Append('"');
  }
  out->Append(number_);
  if (quoted) {
    out->Append('"');
  }
}

void JsonRowEncoder::AppendTimestamp(const Column& column, int64_t row, Output* out) {
  const int64_t units = column.type->precision() > 6 ? 1'000'000'000 : 1'000'000;
  const auto value = column.Value<int64_t>(row);
  int64_t seconds = value / units;
  int64_t rest = value % units;
  if (rest < 0) {
    rest += units;
    --seconds;
  }
  char* p = out->Room(kTimestampLength + 2);
  *p++ = '"';
  p = WriteTimestamp(seconds, static_cast<int32_t>(rest * (1'000'000'000 / units)),
                     options_.timestamp_standard, column.type->root() == TypeRoot::kTimestampLtz,
                     p);
  *p++ = '"';
  out->Advance(p);
}

void JsonRowEncoder::AppendList(const Column& column, int64_t row, Output* out) {
  const Column& element = column.children[0];
  const auto start = column.Value<int32_t>(row);
  const auto end = column.Value<int32_t>(row + 1);
  out->Append('[');
  for (int32_t i = start; i < end; ++i) {
    if (i > start) {
      out->Append(',');
    }
    if (element.IsNull(i)) {
      out->Append("null");
    } else {
      AppendValue(element, i, out);
    }
  }
  out->Append(']');
}

void JsonRowEncoder::AppendMap(const Column& column, int64_t row, Output* out) {
  const Column& keys = column.children[0];
  const Column& values = column.children[1];
  const auto start = column.Value<int32_t>(row);
  const auto end = column.Value<int32_t>(row + 1);
  out->Append('{');
  for (int32_t i = start; i < end; ++i) {
    if (i > start) {
      out->Append(',');
    }
    const std::string_view key = keys.Bytes(i);
    char* p = out->Room(QuotedLengthMax(key.size()) + 8);
    p = WriteQuoted(key.data(), key.size(), p);
    *p++ = ':';
    out->Advance(p);
    if (values.IsNull(i)) {
      out->Append("null");
    } else {
      AppendValue(values, i, out);
    }
  }
  out->Append('}');
}

void JsonRowEncoder::AppendRow(const Column& column, int64_t row, Output* out) {
  out->Append('{');
  bool first = true;
  for (const Column& field : column.children) {
    AppendField(field, row, &first, out);
  }
  out->Append('}');
}

}  // namespace lakeward::format
