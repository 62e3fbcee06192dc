#include "lakeward/format/json/json_row_decoder.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "fmt/format.h"
#include "lakeward/format/json/json_number.h"
#include "lakeward/format/json/json_string.h"
#include "lakeward/format/json/json_time.h"
#include "lakeward/format/json/json_value.h"

namespace lakeward::format {

namespace {

constexpr int64_t kMicrosPerDay = 86'400'000'000;
constexpr int64_t kNanosPerDay = kMicrosPerDay * 1000;
constexpr size_t kExcerptMax = 60;

bool BeginsNumber(char c) { return IsDigit(c) || c == '-'; }

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) {
    return false;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) {
      return false;
    }
  }
  return true;
}

std::string_view TrimJavaSpace(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') {
    text.remove_suffix(1);
  }
  return text;
}

/// The front of a text, cut between characters, for an error.
std::string Excerpt(std::string_view text) {
  if (text.size() <= kExcerptMax) {
    return std::string(text);
  }
  size_t size = kExcerptMax;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
    --size;
  }
  return std::string(text.substr(0, size)) + "…";
}

}  // namespace

JsonRowDecoder::Shape JsonRowDecoder::MakeShape(const types::LogicalType& type) {
  std::vector<std::string> names;
  for (const types::RowField& field : type.fields()) {
    names.push_back(field.name);
  }
  Shape shape{.fields = JsonFieldTable(std::move(names)), .children = {}};
  for (const types::RowField& field : type.fields()) {
    shape.children.push_back(MakeShape(*field.type));
  }
  for (const types::TypePtr& child : type.children()) {
    shape.children.push_back(MakeShape(*child));
  }
  if (type.root() == types::TypeRoot::kMultiset) {
    shape.children.push_back(MakeShape(*types::Int()));
  }
  return shape;
}

Result<JsonRowDecoder> JsonRowDecoder::Make(const types::RowSchema& schema,
                                            const JsonOptions& options) {
  JsonRowDecoder decoder(options);
  std::vector<types::RowField> fields;
  for (const types::Column& column : schema.columns) {
    LW_ASSIGN(JsonColumn json_column, JsonColumn::Make(column.type));
    decoder.columns_.push_back(std::move(json_column));
    fields.push_back({column.name, column.type, ""});
  }
  decoder.shape_ = std::make_unique<Shape>(MakeShape(*types::Row(std::move(fields))));
  return decoder;
}

void JsonRowDecoder::Reserve(int64_t rows) {
  for (JsonColumn& column : columns_) {
    column.Reserve(rows);
  }
}

Result<std::vector<std::shared_ptr<arrow::Array>>> JsonRowDecoder::Finish() {
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (JsonColumn& column : columns_) {
    LW_ASSIGN(std::shared_ptr<arrow::Array> array, column.Finish());
    arrays.push_back(std::move(array));
  }
  row_count_ = 0;
  return arrays;
}

const uint32_t* JsonRowDecoder::Malformed(const uint32_t* at) {
  refusal_ = Refusal::kMalformed;
  refused_at_ = at;
  refused_path_.clear();
  return nullptr;
}

const uint32_t* JsonRowDecoder::Mismatch(const uint32_t* at, const JsonColumn& column) {
  refusal_ = Refusal::kMismatch;
  refused_at_ = at;
  refused_type_ = &column.type();
  refused_path_.clear();
  return nullptr;
}

std::string JsonRowDecoder::failure() const {
  std::string path;
  for (auto name = refused_path_.rbegin(); name != refused_path_.rend(); ++name) {
    path += path.empty() ? "" : ".";
    path += *name;
  }
  const std::string field = path.empty() ? "" : fmt::format("field '{}': ", path);
  switch (refusal_) {
    case Refusal::kNotAnObject:
      return "the record is not a JSON object";
    case Refusal::kMissing:
      return field + "it is missing in the record";
    case Refusal::kMismatch: {
      const char first = text_[*refused_at_];
      if (first == '{' || first == '[') {
        return fmt::format("{}{} cannot be read as {}", field,
                           first == '{' ? "an object" : "an array", refused_type_->ToString());
      }
      return fmt::format("{}{} cannot be read as {}", field,
                         Excerpt(ScalarText(text_, refused_at_)), refused_type_->ToString());
    }
    case Refusal::kMalformed:
      break;
  }
  return field + "not valid JSON";
}

const uint32_t* JsonRowDecoder::AppendRow(const char* text, const uint32_t* next) {
  text_ = text;
  if (text[*next] != '{') [[unlikely]] {
    refusal_ = SkipValue(text, next) == nullptr ? Refusal::kMalformed : Refusal::kNotAnObject;
    refused_path_.clear();
    return nullptr;
  }
  next = AppendObject(next, &columns_, row_count_, shape_.get());
  ++row_count_;
  if (next == nullptr) [[unlikely]] {
    RemoveLastRow();
  }
  return next;
}

void JsonRowDecoder::RemoveLastRow() {
  --row_count_;
  for (JsonColumn& column : columns_) {
    column.Truncate(row_count_);
  }
}

const uint32_t* JsonRowDecoder::AppendObject(const uint32_t* next, std::vector<JsonColumn>* columns,
                                             int64_t row, Shape* shape) {
  const char* const text = text_;
  size_t appended = 0;
  ++next;
  if (text[*next] == '}') {
    ++next;
  } else {
    for (size_t ordinal = 0;; ++ordinal) {
      if (text[next[0]] != '"' || text[next[1]] != ':') [[unlikely]] {
        return Malformed(next);
      }
      const int found = shape->fields.Find(ordinal, text + next[0] + 1, text + next[1],
                                           [&] { return RawString(text, next).size(); });
      if (found < 0) {
        const uint32_t* after =
            found == JsonFieldTable::kUnknown ? SkipValue(text, next + 2) : nullptr;
        if (after == nullptr) [[unlikely]] {
          return Malformed(next);
        }
        next = after;
      } else {
        const auto index = static_cast<size_t>(found);
        JsonColumn& column = (*columns)[index];
        if (column.length() != row) [[unlikely]] {
          // A key that repeats: the last value counts.
          column.Truncate(row);
          --appended;
        }
        next = AppendField(next + 2, &column, &shape->children[index]);
        if (next == nullptr) [[unlikely]] {
          refused_path_.push_back(shape->fields.name(found));
          return nullptr;
        }
        ++appended;
      }
      const char separator = text[*next++];
      if (separator == ',') {
        continue;
      }
      if (separator == '}') {
        break;
      }
      return Malformed(next - 1);
    }
  }
  if (appended != columns->size()) {
    for (size_t i = 0; i < columns->size(); ++i) {
      JsonColumn& column = (*columns)[i];
      if (column.length() != row) {
        continue;
      }
      if (options_.fail_on_missing_field) {
        refusal_ = Refusal::kMissing;
        refused_path_.assign(1, shape->fields.name(static_cast<int>(i)));
        return nullptr;
      }
      column.AppendNull();
    }
  }
  return next;
}

const uint32_t* JsonRowDecoder::AppendField(const uint32_t* next, JsonColumn* column,
                                            Shape* shape) {
  if (text_[*next] == 'n') [[unlikely]] {
    if (!IsLiteral(text_, next, "null")) {
      return Malformed(next);
    }
    column->AppendNull();
    return next + 1;
  }
  const int64_t row = column->length();
  const uint32_t* after = AppendValue(next, column, shape);
  if (after != nullptr) [[likely]] {
    return after;
  }
  if (refusal_ != Refusal::kMismatch) {
    return nullptr;
  }
  after = SkipValue(text_, next);
  if (after == nullptr) {
    return Malformed(next);
  }
  if (!options_.ignore_parse_errors) {
    return nullptr;
  }
  column->Truncate(row);
  column->AppendNull();
  return after;
}

const uint32_t* JsonRowDecoder::AppendValue(const uint32_t* next, JsonColumn* column,
                                            Shape* shape) {
  switch (column->kind()) {
    case JsonKind::kInt32:
      return AppendInteger<int32_t>(next, column);
    case JsonKind::kInt64:
      return AppendInteger<int64_t>(next, column);
    case JsonKind::kString:
      return AppendString(next, column);
    case JsonKind::kDouble:
      return AppendFloatingPoint<double>(next, column);
    case JsonKind::kTimestampMicros:
    case JsonKind::kTimestampNanos:
    case JsonKind::kDate:
    case JsonKind::kTime:
      return AppendTemporal(next, column);
    case JsonKind::kBoolean:
      return AppendBoolean(next, column);
    case JsonKind::kDecimal:
      return AppendDecimal(next, column);
    case JsonKind::kInt8:
      return AppendInteger<int8_t>(next, column);
    case JsonKind::kInt16:
      return AppendInteger<int16_t>(next, column);
    case JsonKind::kFloat:
      return AppendFloatingPoint<float>(next, column);
    case JsonKind::kBytes:
      return AppendBytes(next, column);
    case JsonKind::kArray:
      return AppendArray(next, column, shape);
    case JsonKind::kMap:
      return AppendMap(next, column, shape);
    case JsonKind::kRow:
      return AppendRowValue(next, column, shape);
    case JsonKind::kNull: {
      const uint32_t* after = SkipValue(text_, next);
      if (after == nullptr) {
        return Malformed(next);
      }
      column->AppendNull();
      return after;
    }
  }
  return nullptr;
}

bool JsonRowDecoder::ReadText(const uint32_t* next, std::string_view* text) {
  const char first = text_[*next];
  if (first == '{' || first == '[') {
    return false;
  }
  if (first != '"') {
    *text = ScalarText(text_, next);
    return SkipValue(text_, next) != nullptr;
  }
  const std::string_view raw = RawString(text_, next);
  if (std::memchr(raw.data(), '\\', raw.size()) == nullptr) {
    *text = raw;
    return true;
  }
  scratch_.resize(raw.size() + 16);
  const char* end = Unescape(raw, scratch_.data());
  if (end == nullptr) {
    return false;
  }
  *text = std::string_view(scratch_.data(), static_cast<size_t>(end - scratch_.data()));
  return true;
}

const uint32_t* JsonRowDecoder::AppendBoolean(const uint32_t* next, JsonColumn* column) {
  const char first = text_[*next];
  if (first == 't' ? IsLiteral(text_, next, "true")
                   : first == 'f' && IsLiteral(text_, next, "false")) {
    column->AppendBoolean(first == 't');
    return next + 1;
  }
  std::string_view text;
  if (!ReadText(next, &text)) {
    return Mismatch(next, *column);
  }
  // Java's Boolean.parseBoolean: whatever is not "true" is false.
  column->AppendBoolean(EqualsIgnoringCase(TrimJavaSpace(text), "true"));
  return next + 1;
}

template <typename T>
const uint32_t* JsonRowDecoder::AppendInteger(const uint32_t* next, JsonColumn* column) {
  int64_t value;
  if (!ReadPlainInteger(text_ + next[0], text_ + next[1], &value) &&
      !ConvertToInteger(next, *column, &value)) [[unlikely]] {
    return Mismatch(next, *column);
  }
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) [[unlikely]] {
    return Mismatch(next, *column);
  }
  column->Append(static_cast<T>(value));
  return next + 1;
}

bool JsonRowDecoder::ConvertToInteger(const uint32_t* next, const JsonColumn& column,
                                      int64_t* value) {
  std::string_view text;
  if (!ReadText(next, &text)) {
    return false;
  }
  if (ParseJavaLong(text, value)) {
    return true;
  }
  // Flink truncates fractions of numbers (not of texts) for INT and BIGINT only.
  const bool truncates = column.kind() == JsonKind::kInt32 || column.kind() == JsonKind::kInt64;
  double number;
  bool is_integer;
  if (!truncates || !BeginsNumber(text_[*next]) ||
      FindNumberEnd(text_ + *next, &is_integer) == nullptr || is_integer ||
      !ParseJavaDouble(text, &number) || !(number >= -0x1p63 && number < 0x1p63)) {
    return false;
  }
  *value = static_cast<int64_t>(number);
  return true;
}

template <typename T>
const uint32_t* JsonRowDecoder::AppendFloatingPoint(const uint32_t* next, JsonColumn* column) {
  double value;
  if (!ReadPlainDouble(text_ + next[0], text_ + next[1], &value) && !ConvertToDouble(next, &value))
      [[unlikely]] {
    return Mismatch(next, *column);
  }
  column->Append(static_cast<T>(value));
  return next + 1;
}

bool JsonRowDecoder::ConvertToDouble(const uint32_t* next, double* value) {
  std::string_view text;
  return ReadText(next, &text) && ParseJavaDouble(text, value);
}

const uint32_t* JsonRowDecoder::AppendDecimal(const uint32_t* next, JsonColumn* column) {
  const char first = text_[*next];
  std::string_view text;
  if ((first != '"' && !BeginsNumber(first)) || !ReadText(next, &text)) {
    return Mismatch(next, *column);
  }
  arrow::Decimal128 value;
  switch (ParseDecimal(text, column->type().precision(), column->type().scale(), &value)) {
    case DecimalOutcome::kOk:
      column->Append(value);
      return next + 1;
    case DecimalOutcome::kTooLarge:
      // As Flink's DecimalData.fromBigDecimal.
      column->AppendNull();
      return next + 1;
    case DecimalOutcome::kNotANumber:
      break;
  }
  return Mismatch(next, *column);
}

const uint32_t* JsonRowDecoder::AppendString(const uint32_t* next, JsonColumn* column) {
  const char first = text_[*next];
  if (first == '"') [[likely]] {
    const std::string_view raw = RawString(text_, next);
    char* const target = column->StartBytes(raw.size());
    const char* end = target + raw.size();
    if (!CopyUnlessEscaped(raw.data(), raw.size(), target)) [[unlikely]] {
      end = Unescape(raw, target);
      if (end == nullptr) {
        return Malformed(next);
      }
    }
    column->FinishBytes(end);
    return next + 1;
  }
  const uint32_t* after = SkipValue(text_, next);
  if (after == nullptr) {
    return Malformed(next);
  }
  if (first == '{' || first == '[') {
    char* const target = column->StartBytes(CompactLengthMax(*after - *next));
    column->FinishBytes(WriteCompact(text_, next, after, target));
    return after;
  }
  const std::string_view text = ScalarText(text_, next);
  char* const target = column->StartBytes(text.size());
  std::memcpy(target, text.data(), text.size());
  column->FinishBytes(target + text.size());
  return after;
}

const uint32_t* JsonRowDecoder::AppendBytes(const uint32_t* next, JsonColumn* column) {
  std::string_view text;
  if (text_[*next] != '"' || !ReadText(next, &text)) {
    return Mismatch(next, *column);
  }
  const char* end = DecodeBase64(text, column->StartBytes(text.size()));
  if (end == nullptr) {
    return Mismatch(next, *column);
  }
  column->FinishBytes(end);
  return next + 1;
}

const uint32_t* JsonRowDecoder::AppendTemporal(const uint32_t* next, JsonColumn* column) {
  if (column->kind() == JsonKind::kTimestampMicros && AppendPlainTimestamp(next, column))
      [[likely]] {
    return next + 1;
  }
  std::string_view text;
  if (text_[*next] != '"' || !ReadText(next, &text)) {
    return Mismatch(next, *column);
  }
  switch (column->kind()) {
    case JsonKind::kDate: {
      int32_t days;
      if (!ParseDate(text, &days)) {
        return Mismatch(next, *column);
      }
      column->Append(days);
      return next + 1;
    }
    case JsonKind::kTime: {
      int64_t nanos;
      if (!ParseTime(text, &nanos)) {
        return Mismatch(next, *column);
      }
      // Flink keeps milliseconds.
      column->Append<int64_t>(nanos / 1'000'000 * 1000);
      return next + 1;
    }
    default:
      return AppendTimestamp(text, column) ? next + 1 : Mismatch(next, *column);
  }
}

/// The plain case: a date like the one before, and a time of day to the second or millisecond.
bool JsonRowDecoder::AppendPlainTimestamp(const uint32_t* next, JsonColumn* column) {
  const char* const p = text_ + *next + 1;
  const JsonColumn::DateMemory& memory = column->date_memory();
  const bool has_millis = p[19] == '.';
  const char* end = has_millis ? p + 23 : p + 19;
  const char separator = options_.timestamp_standard == TimestampStandard::kSql ? ' ' : 'T';
  if (text_ + next[1] - end < 1 || std::memcmp(p, memory.text, sizeof(memory.text)) != 0 ||
      p[10] != separator || p[13] != ':' || p[16] != ':') {
    return false;
  }
  const auto digit = [&](int i) { return static_cast<unsigned>(p[i] - '0'); };
  const unsigned hour = digit(11) * 10 + digit(12);
  const unsigned minute = digit(14) * 10 + digit(15);
  const unsigned second = digit(17) * 10 + digit(18);
  unsigned millis = 0;
  unsigned worst = std::max({digit(12), digit(15), digit(18), digit(11), digit(14), digit(17)});
  if (has_millis) {
    millis = digit(20) * 100 + digit(21) * 10 + digit(22);
    worst = std::max({worst, digit(20), digit(21), digit(22)});
  }
  if (column->is_instant()) {
    worst = *end++ == 'Z' ? worst : 10;
  }
  if (worst > 9 || hour > 23 || minute > 59 || second > 59 || *end != '"') {
    return false;
  }
  column->Append(memory.days * kMicrosPerDay +
                 (int64_t{hour * 3600 + minute * 60 + second} * 1000 + millis) * 1000);
  return true;
}

bool JsonRowDecoder::AppendTimestamp(std::string_view text, JsonColumn* column) {
  WallClock clock;
  if (!ParseTimestamp(text, options_.timestamp_standard, column->is_instant(), &clock)) {
    return false;
  }
  const bool micros = column->kind() == JsonKind::kTimestampMicros;
  int64_t value;
  if (__builtin_mul_overflow(static_cast<int64_t>(clock.days_since_epoch),
                             micros ? kMicrosPerDay : kNanosPerDay, &value) ||
      __builtin_add_overflow(value, micros ? clock.nanos_of_day / 1000 : clock.nanos_of_day,
                             &value)) {
    return false;
  }
  column->Append(value);
  JsonColumn::DateMemory& memory = column->date_memory();
  if (micros && text[4] == '-') {
    std::memcpy(memory.text, text.data(), sizeof(memory.text));
    memory.days = clock.days_since_epoch;
  }
  return true;
}

const uint32_t* JsonRowDecoder::AppendArray(const uint32_t* next, JsonColumn* column,
                                            Shape* shape) {
  if (text_[*next] != '[') {
    return Mismatch(next, *column);
  }
  JsonColumn& element = column->children()[0];
  element.Truncate(column->list_start());
  ++next;
  if (text_[*next] == ']') {
    column->FinishList();
    return next + 1;
  }
  for (;;) {
    next = AppendField(next, &element, &shape->children[0]);
    if (next == nullptr) {
      return nullptr;
    }
    const char separator = text_[*next++];
    if (separator == ']') {
      column->FinishList();
      return next;
    }
    if (separator != ',') {
      return Malformed(next - 1);
    }
  }
}

const uint32_t* JsonRowDecoder::AppendMap(const uint32_t* next, JsonColumn* column, Shape* shape) {
  if (text_[*next] != '{') {
    return Mismatch(next, *column);
  }
  const uint32_t* after = AppendMapEntries(next, column, shape, {});
  if (after == nullptr) {
    return nullptr;
  }
  const JsonColumn& keys = column->children()[0];
  const int64_t start = column->list_start();
  std::unordered_map<std::string_view, int64_t> last_ordinals;
  std::vector<bool> dropped(static_cast<size_t>(keys.length() - start));
  bool repeats = false;
  for (int64_t i = start; i < keys.length() && keys.length() - start > 1; ++i) {
    const auto [entry, is_new] = last_ordinals.try_emplace(keys.StringAt(i), i - start);
    if (!is_new) {
      repeats = true;
      dropped[static_cast<size_t>(entry->second)] = true;
      entry->second = i - start;
    }
  }
  if (repeats) {
    after = AppendMapEntries(next, column, shape, dropped);
    if (after == nullptr) {
      return nullptr;
    }
  }
  column->FinishList();
  return after;
}

const uint32_t* JsonRowDecoder::AppendMapEntries(const uint32_t* next, JsonColumn* column,
                                                 Shape* shape, const std::vector<bool>& dropped) {
  JsonColumn& keys = column->children()[0];
  JsonColumn& values = column->children()[1];
  keys.Truncate(column->list_start());
  values.Truncate(column->list_start());
  ++next;
  if (text_[*next] == '}') {
    return next + 1;
  }
  for (size_t ordinal = 0;; ++ordinal) {
    if (text_[next[0]] != '"' || text_[next[1]] != ':') {
      return Malformed(next);
    }
    if (ordinal < dropped.size() && dropped[ordinal]) {
      next = SkipValue(text_, next + 2);
    } else {
      if (AppendString(next, &keys) == nullptr) {
        return nullptr;
      }
      next = AppendField(next + 2, &values, &shape->children[1]);
    }
    if (next == nullptr) {
      return nullptr;
    }
    const char separator = text_[*next++];
    if (separator == '}') {
      return next;
    }
    if (separator != ',') {
      return Malformed(next - 1);
    }
  }
}

const uint32_t* JsonRowDecoder::AppendRowValue(const uint32_t* next, JsonColumn* column,
                                               Shape* shape) {
  if (text_[*next] != '{') {
    return Mismatch(next, *column);
  }
  const int64_t row = column->length();
  for (JsonColumn& child : column->children()) {
    child.Truncate(row);
  }
  next = AppendObject(next, &column->children(), row, shape);
  if (next != nullptr) {
    column->FinishRow();
  }
  return next;
}

}  // namespace lakeward::format
