#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/sql/node.h"

namespace lakeward::sql {

enum class TimeUnit : uint8_t {
  kYear,
  kQuarter,
  kMonth,
  kWeek,
  kDay,
  kHour,
  kMinute,
  kSecond,
  kMillisecond,
  kMicrosecond,
  kNanosecond,
  kEpoch,
  kDayOfWeek,
  kDayOfYear,
  kIsoDayOfWeek,
  kIsoYear,
  kDecade,
  kCentury,
  kMillennium,
};

/// The keyword: "YEAR", "DOW" …
std::string_view NameOf(TimeUnit unit);

/// `DAY(3) TO SECOND(6)`, `MONTH` …
struct IntervalQualifier {
  TimeUnit from = TimeUnit::kDay;
  std::optional<TimeUnit> to;
  std::optional<int> leading_precision;
  std::optional<int> fractional_precision;
};

enum class TypeNameKind : uint8_t {
  kBoolean,
  kTinyInt,
  kSmallInt,
  kInt,
  kBigInt,
  kFloat,
  kDouble,
  kDecimal,  ///< also DEC, NUMERIC
  kChar,
  kVarChar,
  kString,  ///< STRING, the longest VARCHAR
  kBinary,
  kVarBinary,
  kBytes,  ///< BYTES, the longest VARBINARY
  kDate,
  kTime,
  kTimestamp,     ///< without zone
  kTimestampLtz,  ///< TIMESTAMP_LTZ or TIMESTAMP WITH LOCAL TIME ZONE
  kInterval,
  kArray,
  kMultiset,
  kMap,
  kRow,
  kRaw,
  kNull,
  kUserDefined,  ///< a structured type known to the catalog
};

struct TypeName;
using TypeNamePtr = std::shared_ptr<const TypeName>;

/// A field of ROW<…>.
struct TypeNameField {
  Identifier name;
  TypeNamePtr type;
  std::optional<std::string> comment;
};

/// A data type as written. Lengths and precisions that the text leaves out are absent here: their
/// defaults are the binder's affair (VARCHAR is VARCHAR(1), DECIMAL is DECIMAL(10, 0) …).
struct TypeName final : Node {
  TypeName(SqlPosition at, TypeNameKind the_kind) : Node(at), kind(the_kind) {}

  TypeNameKind kind;
  /// False after NOT NULL. NULL, which is the default, may be written too.
  bool nullable = true;
  std::optional<int> precision;       ///< of DECIMAL, TIME, TIMESTAMP; length of CHAR …
  std::optional<int> scale;           ///< of DECIMAL
  TypeNamePtr element;                ///< of ARRAY and MULTISET; the value of MAP
  TypeNamePtr key;                    ///< of MAP
  std::vector<TypeNameField> fields;  ///< of ROW
  std::optional<IntervalQualifier> interval;
  std::string raw_class;  ///< of RAW('class', 'snapshot')
  std::string raw_snapshot;
  QualifiedName user_defined;
};

}  // namespace lakeward::sql
