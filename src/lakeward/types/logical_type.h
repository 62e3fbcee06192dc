#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lakeward::types {

/// Flink's type roots.
enum class TypeRoot : uint8_t {
  kNull,
  kBoolean,
  kTinyInt,
  kSmallInt,
  kInteger,
  kBigInt,
  kFloat,
  kDouble,
  kDecimal,
  kChar,
  kVarChar,
  kBinary,
  kVarBinary,
  kDate,
  kTime,
  kTimestamp,
  kTimestampLtz,
  kIntervalYearMonth,
  kIntervalDayTime,
  kArray,
  kMultiset,
  kMap,
  kRow,
};

class LogicalType;
/// Types are immutable and shared between threads.
using TypePtr = std::shared_ptr<const LogicalType>;

/// One field of a ROW type.
struct RowField {
  std::string name;
  TypePtr type;
  std::string description;  ///< a COMMENT, empty when there is none
};

/// The length that VARCHAR and VARBINARY have when written STRING and BYTES.
inline constexpr int32_t kMaxLength = 2'147'483'647;
inline constexpr int32_t kMaxDecimalPrecision = 38;

/// How a type is written out.
enum class TypeSpelling : uint8_t {
  kSummary,       ///< DESCRIBE, TYPEOF, errors: STRING, BYTES, TIMESTAMP_LTZ(3)
  kSerializable,  ///< SHOW CREATE TABLE: VARCHAR(2147483647), TIMESTAMP(3) WITH LOCAL TIME ZONE
};

/// A Flink SQL type with its nullability: INT NOT NULL, DECIMAL(10, 2), ROW<a INT, b STRING>.
/// Source: Flink 1.20, "Data Types". Made by the functions below, never by hand.
class LogicalType {
 public:
  TypeRoot root() const { return root_; }
  bool nullable() const { return nullable_; }

  /// Of CHAR, VARCHAR, BINARY, VARBINARY.
  int32_t length() const { return length_; }
  /// Of DECIMAL, TIME, TIMESTAMP, TIMESTAMP_LTZ (fractional digits) and intervals (leading field).
  int32_t precision() const { return precision_; }
  /// Of DECIMAL; of day-time intervals the fractional digits.
  int32_t scale() const { return scale_; }
  /// Of ARRAY and MULTISET: the element; of MAP: key, value.
  const std::vector<TypePtr>& children() const { return children_; }
  /// Of ROW.
  const std::vector<RowField>& fields() const { return fields_; }

  /// Flink's spelling: "VARCHAR(10) NOT NULL", "STRING", "ROW<`a` INT, `b` STRING>".
  std::string ToString(TypeSpelling spelling = TypeSpelling::kSummary) const;

  /// Equal in every respect, nullability and field names included.
  bool Equals(const LogicalType& other) const;
  /// Equal but for nullability, at every depth.
  bool EqualsIgnoringNullability(const LogicalType& other) const;

  bool IsCharacterString() const { return root_ == TypeRoot::kChar || root_ == TypeRoot::kVarChar; }
  bool IsBinaryString() const {
    return root_ == TypeRoot::kBinary || root_ == TypeRoot::kVarBinary;
  }
  bool IsExactInteger() const { return root_ >= TypeRoot::kTinyInt && root_ <= TypeRoot::kBigInt; }
  bool IsApproximateNumeric() const {
    return root_ == TypeRoot::kFloat || root_ == TypeRoot::kDouble;
  }
  bool IsNumeric() const { return root_ >= TypeRoot::kTinyInt && root_ <= TypeRoot::kDecimal; }
  bool IsTimestamp() const {
    return root_ == TypeRoot::kTimestamp || root_ == TypeRoot::kTimestampLtz;
  }

 private:
  friend struct TypeBuilder;
  LogicalType() = default;

  TypeRoot root_ = TypeRoot::kNull;
  bool nullable_ = true;
  int32_t length_ = 0;
  int32_t precision_ = 0;
  int32_t scale_ = 0;
  std::vector<TypePtr> children_;
  std::vector<RowField> fields_;
};

TypePtr Null();
TypePtr Boolean(bool nullable = true);
TypePtr TinyInt(bool nullable = true);
TypePtr SmallInt(bool nullable = true);
TypePtr Int(bool nullable = true);
TypePtr BigInt(bool nullable = true);
TypePtr Float(bool nullable = true);
TypePtr Double(bool nullable = true);
/// 1 <= precision <= 38, 0 <= scale <= precision.
TypePtr Decimal(int32_t precision, int32_t scale, bool nullable = true);
TypePtr Char(int32_t length, bool nullable = true);
TypePtr VarChar(int32_t length, bool nullable = true);
TypePtr String(bool nullable = true);
TypePtr Binary(int32_t length, bool nullable = true);
TypePtr VarBinary(int32_t length, bool nullable = true);
TypePtr Bytes(bool nullable = true);
TypePtr Date(bool nullable = true);
TypePtr Time(int32_t precision = 0, bool nullable = true);
TypePtr Timestamp(int32_t precision = 6, bool nullable = true);
TypePtr TimestampLtz(int32_t precision = 6, bool nullable = true);
/// `text` is the resolution as Flink prints it; the value is a count of months.
TypePtr IntervalYearMonth(int32_t year_precision = 2, bool nullable = true);
/// The value is a count of milliseconds.
TypePtr IntervalDayTime(int32_t day_precision = 2, int32_t fractional_precision = 3,
                        bool nullable = true);
TypePtr Array(TypePtr element, bool nullable = true);
TypePtr Multiset(TypePtr element, bool nullable = true);
TypePtr Map(TypePtr key, TypePtr value, bool nullable = true);
TypePtr Row(std::vector<RowField> fields, bool nullable = true);

/// The same type with the given nullability (of the outermost level).
TypePtr WithNullability(const TypePtr& type, bool nullable);

}  // namespace lakeward::types
