#include "lakeward/format/json/json_row_encoder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "arrow/array/array_nested.h"
#include "arrow/util/bit_util.h"
#include "arrow/util/decimal.h"
#include "lakeward/format/json/json_number.h"
#include "lakeward/format/json/json_string.h"
#include "lakeward/format/json/json_time.h"
#include "lakeward/types/civil_time.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/number_text.h"

namespace lakeward::format {

using types::TypeRoot;

namespace {
constexpr size_t kKeyCopy = 32;
}  // namespace

/// A column with its spelling chosen once, and where the batch at hand keeps its values. Rows count
/// from the array's own start: offsets of slices are folded into the pointers or added here.
struct JsonRowEncoder::Column {
  std::string name;
  types::TypePtr type;
  TypeRoot root = TypeRoot::kNull;
  std::string key;      ///< `,"name":` and padding up to kKeyCopy bytes
  size_t key_size = 0;  ///< without the padding
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

JsonRowEncoder::JsonRowEncoder(JsonOptions options) : options_(options) {}
JsonRowEncoder::JsonRowEncoder(JsonRowEncoder&&) noexcept = default;
JsonRowEncoder& JsonRowEncoder::operator=(JsonRowEncoder&&) noexcept = default;
JsonRowEncoder::~JsonRowEncoder() = default;

Result<JsonRowEncoder::Column> JsonRowEncoder::MakeColumn(std::string name,
                                                          const types::TypePtr& type,
                                                          const JsonOptions& options) {
  Column column;
  column.name = std::move(name);
  column.type = type;
  column.root = type->root();
  column.key = ",";
  AppendQuoted(column.name, &column.key);
  column.key += ':';
  column.key_size = column.key.size();
  column.key.resize(std::max(column.key_size, kKeyCopy));
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

void JsonRowEncoder::AppendRows(const arrow::RecordBatch& batch, TextBuffer* out) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    Bind(&columns_[i], *batch.column(static_cast<int>(i)));
  }
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    out->Append('{');
    bool first = true;
    for (const Column& column : columns_) {
      AppendField(column, row, &first, out);
    }
    out->Append("}\n");
  }
}

void JsonRowEncoder::AppendField(const Column& column, int64_t row, bool* first, TextBuffer* out) {
  const bool is_null = column.IsNull(row) || column.root == TypeRoot::kNull;
  if (is_null && options_.ignore_null_fields) {
    return;
  }
  char* p = out->Room(column.key.size() + 8);
  const size_t comma = *first ? 1 : 0;
  *first = false;
  // A copy of constant size is a few instructions.
  std::memcpy(p, column.key.data() + comma, kKeyCopy - 1);
  if (column.key_size > kKeyCopy) [[unlikely]] {
    std::memcpy(p, column.key.data() + comma, column.key_size - comma);
  }
  p += column.key_size - comma;
  if (is_null) {
    std::memcpy(p, "null", 4);
    out->Advance(p + 4);
    return;
  }
  out->Advance(p);
  AppendValue(column, row, out);
}

namespace {

constexpr std::string_view kTrue = "true";
constexpr std::string_view kFalse = "false";

/// Most doubles of data are decimal fractions of few digits; these are spelled without a search for
/// the shortest form, because a decimal of at most 15 digits that reads back as the same number is
/// the only one, and so the shortest. Null when the number is not of this kind.
char* WritePlainDouble(double value, char* out) {
  constexpr double kUnit = 1e6;
  const double magnitude = std::abs(value);
  if (!(magnitude >= 1e-3 && magnitude < 1e7)) {
    return nullptr;
  }
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): what comes out is checked below.
  const auto scaled = static_cast<int64_t>(magnitude * kUnit + 0.5);
  if (static_cast<double>(scaled) / kUnit != magnitude) {
    return nullptr;
  }
  if (value < 0) {
    *out++ = '-';
  }
  out = std::to_chars(out, out + 24, scaled / 1'000'000).ptr;
  auto fraction = static_cast<uint32_t>(scaled % 1'000'000);
  *out++ = '.';
  char* last = out;
  for (uint32_t unit = 100'000; unit > 0; unit /= 10) {
    const uint32_t digit = fraction / unit;
    fraction -= digit * unit;
    *out++ = static_cast<char>('0' + digit);
    last = digit != 0 ? out - 1 : last;
  }
  return last + 1;
}

template <typename T>
void AppendInteger(T value, char** out) {
  *out = std::to_chars(*out, *out + 24, value).ptr;
}

void AppendBytes(std::string_view bytes, TextBuffer* out) {
  char* p = out->Room(bytes.size() / 3 * 4 + 8);
  *p++ = '"';
  p = EncodeBase64(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), p);
  *p++ = '"';
  out->Advance(p);
}

}  // namespace

void JsonRowEncoder::AppendValue(const Column& column, int64_t row, TextBuffer* out) {
  char* p = out->Room(kDecimalLength);
  switch (column.root) {
    case TypeRoot::kBoolean:
      out->Append(arrow::bit_util::GetBit(column.values, column.offset + row) ? kTrue : kFalse);
      return;
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
      AppendSpelledNumber(out);
      return;
    case TypeRoot::kDouble:
      AppendDouble(column.Value<double>(row), out);
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
    case TypeRoot::kVarBinary:
      return AppendBytes(column.Bytes(row), out);
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

void JsonRowEncoder::AppendDouble(double value, TextBuffer* out) {
  char* p = out->Room(kDecimalLength);
  char* const end = WritePlainDouble(value, p);
  if (end != nullptr) {
    out->Advance(end);
    return;
  }
  number_.clear();
  types::AppendDouble(value, &number_);
  AppendSpelledNumber(out);
}

void JsonRowEncoder::AppendSpelledNumber(TextBuffer* out) {
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

void JsonRowEncoder::AppendTimestamp(const Column& column, int64_t row, TextBuffer* out) {
  const int64_t units = column.type->precision() > 6 ? 1'000'000'000 : 1'000'000;
  const auto value = column.Value<int64_t>(row);
  int64_t seconds = value / units;
  int64_t rest = value % units;
  if (rest < 0) {
    rest += units;
    --seconds;
  }
  constexpr int64_t kSecondsPerDay = 86'400;
  const int64_t days = types::FloorDivide(seconds, kSecondsPerDay);
  if (days != date_days_) {
    date_size_ = static_cast<size_t>(WriteDate(days, date_text_) - date_text_);
    date_days_ = days;
  }
  char* p = out->Room(2 * kTimestampLength);
  *p++ = '"';
  std::memcpy(p, date_text_, sizeof(date_text_));
  p += date_size_;
  *p++ = options_.timestamp_standard == TimestampStandard::kSql ? ' ' : 'T';
  const int64_t nanos_of_second = rest * (1'000'000'000 / units);
  p = WriteTime((seconds - days * kSecondsPerDay) * 1'000'000'000 + nanos_of_second, p);
  if (column.root == TypeRoot::kTimestampLtz) {
    *p++ = 'Z';
  }
  *p++ = '"';
  out->Advance(p);
}

void JsonRowEncoder::AppendList(const Column& column, int64_t row, TextBuffer* out) {
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

void JsonRowEncoder::AppendMap(const Column& column, int64_t row, TextBuffer* out) {
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

void JsonRowEncoder::AppendRow(const Column& column, int64_t row, TextBuffer* out) {
  out->Append('{');
  bool first = true;
  for (const Column& field : column.children) {
    AppendField(field, row, &first, out);
  }
  out->Append('}');
}

}  // namespace lakeward::format
