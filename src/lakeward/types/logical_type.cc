#include "lakeward/types/logical_type.h"

#include <utility>

#include "fmt/format.h"
#include "lakeward/base/quoted_text.h"
#include "lakeward/base/status.h"

namespace lakeward::types {

/// The only maker of LogicalType: fills in what the functions of the header ask for.
struct TypeBuilder {
  explicit TypeBuilder(TypeRoot root, bool nullable) {
    type.root_ = root;
    type.nullable_ = nullable;
  }

  TypeBuilder& Length(int32_t length) {
    type.length_ = length;
    return *this;
  }
  TypeBuilder& Digits(int32_t precision, int32_t scale = 0) {
    type.precision_ = precision;
    type.scale_ = scale;
    return *this;
  }
  TypeBuilder& Children(std::vector<TypePtr> children) {
    type.children_ = std::move(children);
    return *this;
  }
  TypeBuilder& Fields(std::vector<RowField> fields) {
    type.fields_ = std::move(fields);
    return *this;
  }
  TypePtr Finish() { return std::shared_ptr<const LogicalType>(new LogicalType(std::move(type))); }

  static TypePtr CopyWithNullability(const LogicalType& source, bool nullable) {
    TypeBuilder builder(source.root_, nullable);
    builder.type = source;
    builder.type.nullable_ = nullable;
    return builder.Finish();
  }

  LogicalType type;
};

namespace {

TypePtr Simple(TypeRoot root, bool nullable) { return TypeBuilder(root, nullable).Finish(); }

std::string QuoteIdentifier(const std::string& name) { return QuotedText(name, '`'); }

std::string QuoteText(const std::string& text) { return QuotedText(text, '\''); }

std::string FieldsToString(const std::vector<RowField>& fields, TypeSpelling spelling) {
  std::string text;
  for (const RowField& field : fields) {
    if (!text.empty()) {
      text += ", ";
    }
    text += QuoteIdentifier(field.name) + " " + field.type->ToString(spelling);
    if (!field.description.empty()) {
      text += " " + QuoteText(field.description);
    }
  }
  return text;
}

std::string Sized(std::string_view name, int32_t length) {
  return fmt::format("{}({})", name, length);
}

std::string NameWithoutNullability(const LogicalType& type, TypeSpelling spelling) {
  const bool is_summary = spelling == TypeSpelling::kSummary;
  switch (type.root()) {
    case TypeRoot::kNull:
      return "NULL";
    case TypeRoot::kBoolean:
      return "BOOLEAN";
    case TypeRoot::kTinyInt:
      return "TINYINT";
    case TypeRoot::kSmallInt:
      return "SMALLINT";
    case TypeRoot::kInteger:
      return "INT";
    case TypeRoot::kBigInt:
      return "BIGINT";
    case TypeRoot::kFloat:
      return "FLOAT";
    case TypeRoot::kDouble:
      return "DOUBLE";
    case TypeRoot::kDecimal:
      return fmt::format("DECIMAL({}, {})", type.precision(), type.scale());
    case TypeRoot::kChar:
      return Sized("CHAR", type.length());
    case TypeRoot::kVarChar:
      return is_summary && type.length() == kMaxLength ? "STRING" : Sized("VARCHAR", type.length());
    case TypeRoot::kBinary:
      return Sized("BINARY", type.length());
    case TypeRoot::kVarBinary:
      return is_summary && type.length() == kMaxLength ? "BYTES"
                                                       : Sized("VARBINARY", type.length());
    case TypeRoot::kDate:
      return "DATE";
    case TypeRoot::kTime:
      return Sized("TIME", type.precision());
    case TypeRoot::kTimestamp:
      return Sized("TIMESTAMP", type.precision());
    case TypeRoot::kTimestampLtz:
      return is_summary ? Sized("TIMESTAMP_LTZ", type.precision())
                        : Sized("TIMESTAMP", type.precision()) + " WITH LOCAL TIME ZONE";
    case TypeRoot::kIntervalYearMonth:
      return "INTERVAL MONTH";
    case TypeRoot::kIntervalDayTime:
      return Sized("INTERVAL SECOND", type.scale());
    case TypeRoot::kArray:
      return fmt::format("ARRAY<{}>", type.children()[0]->ToString(spelling));
    case TypeRoot::kMultiset:
      return fmt::format("MULTISET<{}>", type.children()[0]->ToString(spelling));
    case TypeRoot::kMap:
      return fmt::format("MAP<{}, {}>", type.children()[0]->ToString(spelling),
                         type.children()[1]->ToString(spelling));
    case TypeRoot::kRow:
      return fmt::format("ROW<{}>", FieldsToString(type.fields(), spelling));
  }
  return "?";
}

bool SameButForNullability(const LogicalType& left, const LogicalType& right,
                           bool compare_nullability) {
  if (left.root() != right.root() || left.length() != right.length() ||
      left.precision() != right.precision() || left.scale() != right.scale() ||
      left.children().size() != right.children().size() ||
      left.fields().size() != right.fields().size()) {
    return false;
  }
  if (compare_nullability && left.nullable() != right.nullable()) {
    return false;
  }
  for (size_t i = 0; i < left.children().size(); ++i) {
    if (!SameButForNullability(*left.children()[i], *right.children()[i], compare_nullability)) {
      return false;
    }
  }
  for (size_t i = 0; i < left.fields().size(); ++i) {
    if (left.fields()[i].name != right.fields()[i].name ||
        !SameButForNullability(*left.fields()[i].type, *right.fields()[i].type,
                               compare_nullability)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string LogicalType::ToString(TypeSpelling spelling) const {
  std::string text = NameWithoutNullability(*this, spelling);
  if (!nullable_) {
    text += " NOT NULL";
  }
  return text;
}

bool LogicalType::Equals(const LogicalType& other) const {
  return this == &other || SameButForNullability(*this, other, true);
}

bool LogicalType::EqualsIgnoringNullability(const LogicalType& other) const {
  return this == &other || SameButForNullability(*this, other, false);
}

TypePtr Null() { return Simple(TypeRoot::kNull, true); }
TypePtr Boolean(bool nullable) { return Simple(TypeRoot::kBoolean, nullable); }
TypePtr TinyInt(bool nullable) { return Simple(TypeRoot::kTinyInt, nullable); }
TypePtr SmallInt(bool nullable) { return Simple(TypeRoot::kSmallInt, nullable); }
TypePtr Int(bool nullable) { return Simple(TypeRoot::kInteger, nullable); }
TypePtr BigInt(bool nullable) { return Simple(TypeRoot::kBigInt, nullable); }
TypePtr Float(bool nullable) { return Simple(TypeRoot::kFloat, nullable); }
TypePtr Double(bool nullable) { return Simple(TypeRoot::kDouble, nullable); }
TypePtr Date(bool nullable) { return Simple(TypeRoot::kDate, nullable); }

TypePtr Decimal(int32_t precision, int32_t scale, bool nullable) {
  LW_CHECK(precision >= 1 && precision <= kMaxDecimalPrecision && scale >= 0 && scale <= precision);
  return TypeBuilder(TypeRoot::kDecimal, nullable).Digits(precision, scale).Finish();
}

TypePtr Char(int32_t length, bool nullable) {
  return TypeBuilder(TypeRoot::kChar, nullable).Length(length).Finish();
}
TypePtr VarChar(int32_t length, bool nullable) {
  return TypeBuilder(TypeRoot::kVarChar, nullable).Length(length).Finish();
}
TypePtr String(bool nullable) { return VarChar(kMaxLength, nullable); }
TypePtr Binary(int32_t length, bool nullable) {
  return TypeBuilder(TypeRoot::kBinary, nullable).Length(length).Finish();
}
TypePtr VarBinary(int32_t length, bool nullable) {
  return TypeBuilder(TypeRoot::kVarBinary, nullable).Length(length).Finish();
}
TypePtr Bytes(bool nullable) { return VarBinary(kMaxLength, nullable); }

TypePtr Time(int32_t precision, bool nullable) {
  return TypeBuilder(TypeRoot::kTime, nullable).Digits(precision).Finish();
}
TypePtr Timestamp(int32_t precision, bool nullable) {
  return TypeBuilder(TypeRoot::kTimestamp, nullable).Digits(precision).Finish();
}
TypePtr TimestampLtz(int32_t precision, bool nullable) {
  return TypeBuilder(TypeRoot::kTimestampLtz, nullable).Digits(precision).Finish();
}
TypePtr IntervalYearMonth(int32_t year_precision, bool nullable) {
  return TypeBuilder(TypeRoot::kIntervalYearMonth, nullable).Digits(year_precision).Finish();
}
TypePtr IntervalDayTime(int32_t day_precision, int32_t fractional_precision, bool nullable) {
  return TypeBuilder(TypeRoot::kIntervalDayTime, nullable)
      .Digits(day_precision, fractional_precision)
      .Finish();
}

TypePtr Array(TypePtr element, bool nullable) {
  return TypeBuilder(TypeRoot::kArray, nullable).Children({std::move(element)}).Finish();
}
TypePtr Multiset(TypePtr element, bool nullable) {
  return TypeBuilder(TypeRoot::kMultiset, nullable).Children({std::move(element)}).Finish();
}
TypePtr Map(TypePtr key, TypePtr value, bool nullable) {
  return TypeBuilder(TypeRoot::kMap, nullable)
      .Children({std::move(key), std::move(value)})
      .Finish();
}
TypePtr Row(std::vector<RowField> fields, bool nullable) {
  return TypeBuilder(TypeRoot::kRow, nullable).Fields(std::move(fields)).Finish();
}

TypePtr WithNullability(const TypePtr& type, bool nullable) {
  if (type->nullable() == nullable || type->root() == TypeRoot::kNull) {
    return type;
  }
  return TypeBuilder::CopyWithNullability(*type, nullable);
}

}  // namespace lakeward::types
