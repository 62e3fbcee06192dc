#include "lakeward/types/arrow_mapping.h"

#include <utility>
#include <vector>

#include "arrow/type_traits.h"
#include "arrow/util/checked_cast.h"
#include "fmt/format.h"

namespace lakeward::types {

namespace {

using arrow::internal::checked_cast;

constexpr int32_t kMicrosecondPrecision = 6;

arrow::TimeUnit::type UnitOf(const LogicalType& type) {
  return type.precision() <= kMicrosecondPrecision ? arrow::TimeUnit::MICRO : arrow::TimeUnit::NANO;
}

std::shared_ptr<arrow::Field> NamedField(std::string name, const LogicalType& type) {
  return arrow::field(std::move(name), ToArrow(type), type.nullable());
}

std::shared_ptr<arrow::DataType> RowToArrow(const LogicalType& type) {
  arrow::FieldVector fields;
  fields.reserve(type.fields().size());
  for (const RowField& field : type.fields()) {
    fields.push_back(NamedField(field.name, *field.type));
  }
  return arrow::struct_(std::move(fields));
}

}  // namespace

std::shared_ptr<arrow::DataType> ToArrow(const LogicalType& type) {
  switch (type.root()) {
    case TypeRoot::kNull:
      return arrow::null();
    case TypeRoot::kBoolean:
      return arrow::boolean();
    case TypeRoot::kTinyInt:
      return arrow::int8();
    case TypeRoot::kSmallInt:
      return arrow::int16();
    case TypeRoot::kInteger:
    case TypeRoot::kIntervalYearMonth:
      return arrow::int32();
    case TypeRoot::kBigInt:
    case TypeRoot::kIntervalDayTime:
      return arrow::int64();
    case TypeRoot::kFloat:
      return arrow::float32();
    case TypeRoot::kDouble:
      return arrow::float64();
    case TypeRoot::kDecimal:
      return arrow::decimal128(type.precision(), type.scale());
    case TypeRoot::kChar:
    case TypeRoot::kVarChar:
      return arrow::utf8();
    case TypeRoot::kBinary:
    case TypeRoot::kVarBinary:
      return arrow::binary();
    case TypeRoot::kDate:
      return arrow::date32();
    case TypeRoot::kTime:
      return arrow::time64(arrow::TimeUnit::MICRO);
    case TypeRoot::kTimestamp:
      return arrow::timestamp(UnitOf(type));
    case TypeRoot::kTimestampLtz:
      return arrow::timestamp(UnitOf(type), "UTC");
    case TypeRoot::kArray:
      return arrow::list(NamedField("element", *type.children()[0]));
    case TypeRoot::kMultiset:
      return arrow::map(ToArrow(*type.children()[0]),
                        arrow::field("value", arrow::int32(), /*nullable=*/false));
    case TypeRoot::kMap:
      return arrow::map(ToArrow(*type.children()[0]), NamedField("value", *type.children()[1]));
    case TypeRoot::kRow:
      return RowToArrow(type);
  }
  return arrow::null();
}

std::shared_ptr<arrow::Field> ToArrowField(const Column& column) {
  return NamedField(column.name, *column.type);
}

std::shared_ptr<arrow::Schema> ToArrowSchema(const RowSchema& schema) {
  arrow::FieldVector fields;
  fields.reserve(schema.columns.size());
  for (const Column& column : schema.columns) {
    fields.push_back(ToArrowField(column));
  }
  return arrow::schema(std::move(fields));
}

namespace {

int32_t PrecisionOf(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 0;
    case arrow::TimeUnit::MILLI:
      return 3;
    case arrow::TimeUnit::MICRO:
      return 6;
    case arrow::TimeUnit::NANO:
      return 9;
  }
  return 9;
}

Status UnsupportedArrowType(const arrow::DataType& type) {
  return MakeError(ErrorKind::kUnsupported,
                   fmt::format("no SQL type corresponds to the file's type '{}'", type.ToString()),
                   "Leave this column out or rewrite the file with another type.");
}

Result<TypePtr> DecimalFromArrow(const arrow::DataType& type, bool nullable) {
  const auto& decimal = checked_cast<const arrow::DecimalType&>(type);
  if (decimal.precision() > kMaxDecimalPrecision || decimal.scale() < 0 ||
      decimal.scale() > decimal.precision()) {
    return UnsupportedArrowType(type);
  }
  return Decimal(decimal.precision(), decimal.scale(), nullable);
}

Result<TypePtr> FromArrowField(const arrow::Field& field) {
  return FromArrow(*field.type(), field.nullable());
}

Result<TypePtr> NestedFromArrow(const arrow::DataType& type, bool nullable) {
  switch (type.id()) {
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST: {
      LW_ASSIGN(TypePtr element, FromArrowField(*type.field(0)));
      return Array(std::move(element), nullable);
    }
    case arrow::Type::MAP: {
      const auto& map = checked_cast<const arrow::MapType&>(type);
      LW_ASSIGN(TypePtr key, FromArrowField(*map.key_field()));
      LW_ASSIGN(TypePtr value, FromArrowField(*map.item_field()));
      return Map(std::move(key), std::move(value), nullable);
    }
    case arrow::Type::STRUCT: {
      std::vector<RowField> fields;
      fields.reserve(type.num_fields());
      for (const auto& field : type.fields()) {
        LW_ASSIGN(TypePtr field_type, FromArrowField(*field));
        fields.push_back({field->name(), std::move(field_type), ""});
      }
      return Row(std::move(fields), nullable);
    }
    default:
      return UnsupportedArrowType(type);
  }
}

TypePtr TimestampFromArrow(const arrow::TimestampType& type, bool nullable) {
  const int32_t precision = PrecisionOf(type.unit());
  return type.timezone().empty() ? Timestamp(precision, nullable)
                                 : TimestampLtz(precision, nullable);
}

}  // namespace

Result<TypePtr> FromArrow(const arrow::DataType& type, bool nullable) {
  switch (type.id()) {
    case arrow::Type::NA:
      return Null();
    case arrow::Type::BOOL:
      return Boolean(nullable);
    case arrow::Type::INT8:
      return TinyInt(nullable);
    case arrow::Type::INT16:
    case arrow::Type::UINT8:
      return SmallInt(nullable);
    case arrow::Type::INT32:
    case arrow::Type::UINT16:
      return Int(nullable);
    case arrow::Type::INT64:
    case arrow::Type::UINT32:
      return BigInt(nullable);
    case arrow::Type::UINT64:
      return Decimal(20, 0, nullable);
    case arrow::Type::HALF_FLOAT:
    case arrow::Type::FLOAT:
      return Float(nullable);
    case arrow::Type::DOUBLE:
      return Double(nullable);
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
      return String(nullable);
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
      return Bytes(nullable);
    case arrow::Type::FIXED_SIZE_BINARY:
      return Binary(checked_cast<const arrow::FixedSizeBinaryType&>(type).byte_width(), nullable);
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
      return Date(nullable);
    case arrow::Type::TIME32:
    case arrow::Type::TIME64:
      return Time(PrecisionOf(checked_cast<const arrow::TimeType&>(type).unit()), nullable);
    case arrow::Type::TIMESTAMP:
      return TimestampFromArrow(checked_cast<const arrow::TimestampType&>(type), nullable);
    case arrow::Type::DECIMAL32:
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
    case arrow::Type::DECIMAL256:
      return DecimalFromArrow(type, nullable);
    case arrow::Type::DICTIONARY:
      return FromArrow(*checked_cast<const arrow::DictionaryType&>(type).value_type(), nullable);
    default:
      return NestedFromArrow(type, nullable);
  }
}

}  // namespace lakeward::types
