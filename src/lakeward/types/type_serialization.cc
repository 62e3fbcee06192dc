#include "lakeward/types/type_serialization.h"

#include <charconv>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace lakeward::types {

namespace {

/// A recursive-descent reader of what LogicalType::ToString writes.
class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text), rest_(text) {}

  Result<TypePtr> ReadAll() {
    LW_ASSIGN(TypePtr type, Read());
    if (!rest_.empty()) {
      return Broken();
    }
    return type;
  }

 private:
  Status Broken() const {
    return MakeError(ErrorKind::kCorruptData,
                     fmt::format("'{}' is not a type: cannot read '{}'", text_, rest_));
  }

  bool Take(std::string_view expected) {
    if (!rest_.starts_with(expected)) {
      return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::string_view TakeWord() {
    size_t length = 0;
    while (length < rest_.size() &&
           ((rest_[length] >= 'A' && rest_[length] <= 'Z') || rest_[length] == '_')) {
      ++length;
    }
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

  Result<int32_t> TakeNumber() {
    int32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) {
      return Broken();
    }
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }

  /// "(n)" or "(n, m)".
  Result<std::pair<int32_t, int32_t>> TakeDigits() {
    if (!Take("(")) {
      return Broken();
    }
    LW_ASSIGN(const int32_t first, TakeNumber());
    int32_t second = 0;
    if (Take(", ")) {
      LW_ASSIGN(second, TakeNumber());
    }
    if (!Take(")")) {
      return Broken();
    }
    return std::pair(first, second);
  }

  Result<std::string> TakeQuoted(char quote) {
    std::string text;
    rest_.remove_prefix(1);
    while (true) {
      const size_t at = rest_.find(quote);
      if (at == std::string_view::npos) {
        return Broken();
      }
      text += rest_.substr(0, at);
      rest_.remove_prefix(at + 1);
      if (rest_.empty() || rest_.front() != quote) {
        return text;
      }
      text += quote;
      rest_.remove_prefix(1);
    }
  }

  Result<TypePtr> Read() {
    LW_ASSIGN(TypePtr type, ReadNullable());
    return Take(" NOT NULL") ? WithNullability(type, false) : type;
  }

  Result<TypePtr> ReadNullable() {
    const std::string_view word = TakeWord();
    if (TypePtr simple = SimpleType(word)) {
      return simple;
    }
    if (word == "INTERVAL") {
      return ReadInterval();
    }
    if (word == "ARRAY" || word == "MULTISET" || word == "MAP" || word == "ROW") {
      return ReadConstructed(word);
    }
    LW_ASSIGN(const auto digits, TakeDigits());
    return SizedType(word, digits.first, digits.second);
  }

  static TypePtr SimpleType(std::string_view word) {
    using Maker = TypePtr (*)(bool nullable);
    static constexpr std::pair<std::string_view, Maker> kMakers[] = {
        {"BOOLEAN", Boolean}, {"TINYINT", TinyInt}, {"SMALLINT", SmallInt}, {"INT", Int},
        {"BIGINT", BigInt},   {"FLOAT", Float},     {"DOUBLE", Double},     {"DATE", Date},
        {"STRING", String},   {"BYTES", Bytes}};
    for (const auto& [name, maker] : kMakers) {
      if (word == name) {
        return maker(true);
      }
    }
    return word == "NULL" ? Null() : nullptr;
  }

  Result<TypePtr> SizedType(std::string_view word, int32_t first, int32_t second) const {
    if (word == "DECIMAL") {
      if (first < 1 || first > kMaxDecimalPrecision || second < 0 || second > first) {
        return Broken();
      }
      return Decimal(first, second);
    }
    using Maker = TypePtr (*)(int32_t size, bool nullable);
    static constexpr std::pair<std::string_view, Maker> kMakers[] = {
        {"CHAR", Char},
        {"VARCHAR", VarChar},
        {"BINARY", Binary},
        {"TIME", Time},
        {"VARBINARY", VarBinary},
        {"TIMESTAMP", Timestamp},
        {"TIMESTAMP_LTZ", TimestampLtz}};
    for (const auto& [name, maker] : kMakers) {
      if (word == name) {
        return maker(first, true);
      }
    }
    return Broken();
  }

  Result<TypePtr> ReadInterval() {
    if (Take(" MONTH")) {
      return IntervalYearMonth();
    }
    if (!Take(" SECOND")) {
      return Broken();
    }
    LW_ASSIGN(const auto digits, TakeDigits());
    return IntervalDayTime(2, digits.first);
  }

  Result<TypePtr> ReadConstructed(std::string_view word) {
    if (!Take("<")) {
      return Broken();
    }
    if (word == "ROW") {
      return ReadRow();
    }
    LW_ASSIGN(TypePtr first, Read());
    TypePtr second;
    if (word == "MAP") {
      if (!Take(", ")) {
        return Broken();
      }
      LW_ASSIGN(second, Read());
    }
    if (!Take(">")) {
      return Broken();
    }
    if (word == "MAP") {
      return Map(std::move(first), std::move(second));
    }
    return word == "ARRAY" ? Array(std::move(first)) : Multiset(std::move(first));
  }

  Result<TypePtr> ReadRow() {
    std::vector<RowField> fields;
    while (!Take(">")) {
      if ((!fields.empty() && !Take(", ")) || rest_.empty() || rest_.front() != '`') {
        return Broken();
      }
      RowField field;
      LW_ASSIGN(field.name, TakeQuoted('`'));
      if (!Take(" ")) {
        return Broken();
      }
      LW_ASSIGN(field.type, Read());
      if (rest_.starts_with(" '")) {
        rest_.remove_prefix(1);
        LW_ASSIGN(field.description, TakeQuoted('\''));
      }
      fields.push_back(std::move(field));
    }
    return Row(std::move(fields));
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

std::string SerializeType(const LogicalType& type) { return type.ToString(); }

Result<TypePtr> DeserializeType(std::string_view text) { return TypeReader(text).ReadAll(); }

std::string SerializeSchema(const RowSchema& schema) {
  std::vector<RowField> fields;
  fields.reserve(schema.columns.size());
  for (const Column& column : schema.columns) {
    fields.push_back({column.name, column.type, ""});
  }
  return SerializeType(*Row(std::move(fields)));
}

Result<RowSchema> DeserializeSchema(std::string_view text) {
  LW_ASSIGN(const TypePtr type, DeserializeType(text));
  if (type->root() != TypeRoot::kRow) {
    return MakeError(ErrorKind::kCorruptData, fmt::format("'{}' is not a schema", text));
  }
  RowSchema schema;
  for (const RowField& field : type->fields()) {
    schema.columns.push_back({field.name, field.type});
  }
  return schema;
}

}  // namespace lakeward::types
