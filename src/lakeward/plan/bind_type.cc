#include "lakeward/plan/bind_type.h"

#include <string>
#include <utility>
#include <vector>

#include "lakeward/plan/planner.h"
#include "lakeward/sql/print.h"
#include "lakeward/sql/type_name.h"

namespace lakeward::plan {
namespace {

using sql::TypeName;
using sql::TypeNameKind;

constexpr int kTimestampPrecisionMax = 9;

Result<int> BoundedNumber(const TypeName& type_name, std::optional<int> number, int otherwise,
                          int lowest, int highest, std::string_view what) {
  const int value = number.value_or(otherwise);
  if (value < lowest || value > highest) {
    return MakeError(ErrorKind::kValidation,
                     "The " + std::string(what) + " of " + sql::ToSql(type_name) +
                         " must be between " + std::to_string(lowest) + " and " +
                         std::to_string(highest) + " (both inclusive).",
                     "", type_name.position);
  }
  return value;
}

Result<types::TypePtr> BindLengthType(const TypeName& type_name) {
  // Without a length CHAR and BINARY have 1, VARCHAR and VARBINARY all that there is (Flink 1.20's
  // SQL parser, whatever the documentation of its types says).
  const bool varying =
      type_name.kind == TypeNameKind::kVarChar || type_name.kind == TypeNameKind::kVarBinary;
  LW_ASSIGN(const int length,
            BoundedNumber(type_name, type_name.precision, varying ? types::kMaxLength : 1, 1,
                          types::kMaxLength, "length"));
  switch (type_name.kind) {
    case TypeNameKind::kChar:
      return types::Char(length, type_name.nullable);
    case TypeNameKind::kVarChar:
      return types::VarChar(length, type_name.nullable);
    case TypeNameKind::kBinary:
      return types::Binary(length, type_name.nullable);
    default:
      return types::VarBinary(length, type_name.nullable);
  }
}

Result<types::TypePtr> BindDecimal(const TypeName& type_name) {
  LW_ASSIGN(const int precision, BoundedNumber(type_name, type_name.precision, 10, 1,
                                               types::kMaxDecimalPrecision, "precision"));
  LW_ASSIGN(const int scale, BoundedNumber(type_name, type_name.scale, 0, 0, precision, "scale"));
  return types::Decimal(precision, scale, type_name.nullable);
}

Result<types::TypePtr> BindTimeType(const TypeName& type_name) {
  const bool is_time = type_name.kind == TypeNameKind::kTime;
  LW_ASSIGN(const int precision, BoundedNumber(type_name, type_name.precision, is_time ? 0 : 6, 0,
                                               kTimestampPrecisionMax, "precision"));
  if (is_time) {
    return types::Time(precision, type_name.nullable);
  }
  return type_name.kind == TypeNameKind::kTimestamp
             ? types::Timestamp(precision, type_name.nullable)
             : types::TimestampLtz(precision, type_name.nullable);
}

Result<types::TypePtr> BindConstructed(const TypeName& type_name) {
  if (type_name.kind == TypeNameKind::kRow) {
    std::vector<types::RowField> fields;
    for (const sql::TypeNameField& field : type_name.fields) {
      for (const types::RowField& other : fields) {
        if (other.name == field.name.text) {
          return MakeError(ErrorKind::kValidation,
                           "Field '" + other.name + "' of a ROW type is declared twice.",
                           "Field names must be unique.", field.name.position);
        }
      }
      LW_ASSIGN(types::TypePtr type, BindType(*field.type));
      fields.push_back({field.name.text, std::move(type), field.comment.value_or("")});
    }
    return types::Row(std::move(fields), type_name.nullable);
  }
  LW_ASSIGN(types::TypePtr element, BindType(*type_name.element));
  if (type_name.kind == TypeNameKind::kArray) {
    return types::Array(std::move(element), type_name.nullable);
  }
  if (type_name.kind == TypeNameKind::kMultiset) {
    return types::Multiset(std::move(element), type_name.nullable);
  }
  LW_ASSIGN(types::TypePtr key, BindType(*type_name.key));
  return types::Map(std::move(key), std::move(element), type_name.nullable);
}

}  // namespace

Result<types::TypePtr> BindIntervalType(const sql::IntervalQualifier& qualifier, SqlPosition at) {
  const sql::TimeUnit last = qualifier.to.value_or(qualifier.from);
  const int leading = qualifier.leading_precision.value_or(2);
  switch (last) {
    case sql::TimeUnit::kYear:
    case sql::TimeUnit::kMonth:
    case sql::TimeUnit::kQuarter:
      return types::IntervalYearMonth(leading, /*nullable=*/false);
    case sql::TimeUnit::kWeek:
    case sql::TimeUnit::kDay:
    case sql::TimeUnit::kHour:
    case sql::TimeUnit::kMinute:
      return types::IntervalDayTime(leading, qualifier.fractional_precision.value_or(3),
                                    /*nullable=*/false);
    case sql::TimeUnit::kSecond:
      return types::IntervalDayTime(leading, qualifier.fractional_precision.value_or(3),
                                    /*nullable=*/false);
    default:
      return MakeError(ErrorKind::kUnsupported,
                       "not supported yet: intervals of " + std::string(sql::NameOf(last)),
                       "Use YEAR, MONTH, DAY, HOUR, MINUTE or SECOND.", at);
  }
}

Result<types::TypePtr> BindType(const TypeName& type_name) {
  const bool nullable = type_name.nullable;
  switch (type_name.kind) {
    case TypeNameKind::kBoolean:
      return types::Boolean(nullable);
    case TypeNameKind::kTinyInt:
      return types::TinyInt(nullable);
    case TypeNameKind::kSmallInt:
      return types::SmallInt(nullable);
    case TypeNameKind::kInt:
      return types::Int(nullable);
    case TypeNameKind::kBigInt:
      return types::BigInt(nullable);
    case TypeNameKind::kFloat:
      return types::Float(nullable);
    case TypeNameKind::kDouble:
      return types::Double(nullable);
    case TypeNameKind::kDecimal:
      return BindDecimal(type_name);
    case TypeNameKind::kChar:
    case TypeNameKind::kVarChar:
    case TypeNameKind::kBinary:
    case TypeNameKind::kVarBinary:
      return BindLengthType(type_name);
    case TypeNameKind::kString:
      return types::String(nullable);
    case TypeNameKind::kBytes:
      return types::Bytes(nullable);
    case TypeNameKind::kDate:
      return types::Date(nullable);
    case TypeNameKind::kTime:
    case TypeNameKind::kTimestamp:
    case TypeNameKind::kTimestampLtz:
      return BindTimeType(type_name);
    case TypeNameKind::kInterval: {
      LW_ASSIGN(const types::TypePtr type,
                BindIntervalType(type_name.interval.value(), type_name.position));
      return types::WithNullability(type, nullable);
    }
    case TypeNameKind::kArray:
    case TypeNameKind::kMultiset:
    case TypeNameKind::kMap:
    case TypeNameKind::kRow:
      return BindConstructed(type_name);
    case TypeNameKind::kNull:
      return types::Null();
    case TypeNameKind::kRaw:
      return MakeError(ErrorKind::kUnsupported, "not supported yet: the type RAW",
                       "RAW holds serialised Java objects; use BYTES.", type_name.position);
    case TypeNameKind::kUserDefined:
      return MakeError(
          ErrorKind::kValidation,
          "Unknown identifier '" + type_name.user_defined.ToString() + "' for a data type.",
          "User-defined types are not supported yet; write a ROW<…> type.", type_name.position);
  }
  return MakeError(ErrorKind::kInternal, "A type name of unknown kind", "", type_name.position);
}

}  // namespace lakeward::plan
