#include "lakeward/types/type_coercion.h"

#include <algorithm>

namespace lakeward::types {

namespace {

/// A set of type roots, one bit each.
using RootSet = uint32_t;

constexpr RootSet Roots(TypeRoot root) { return RootSet{1} << static_cast<int>(root); }
template <typename... More>
constexpr RootSet Roots(TypeRoot first, More... more) {
  return Roots(first) | Roots(more...);
}

constexpr RootSet kCharacterStrings = Roots(TypeRoot::kChar, TypeRoot::kVarChar);
constexpr RootSet kBinaryStrings = Roots(TypeRoot::kBinary, TypeRoot::kVarBinary);
constexpr RootSet kIntegers =
    Roots(TypeRoot::kTinyInt, TypeRoot::kSmallInt, TypeRoot::kInteger, TypeRoot::kBigInt);
constexpr RootSet kExactNumerics = kIntegers | Roots(TypeRoot::kDecimal);
constexpr RootSet kNumerics = kExactNumerics | Roots(TypeRoot::kFloat, TypeRoot::kDouble);
constexpr RootSet kTimestamps = Roots(TypeRoot::kTimestamp, TypeRoot::kTimestampLtz);
constexpr RootSet kDateTimes = kTimestamps | Roots(TypeRoot::kDate, TypeRoot::kTime);
constexpr RootSet kIntervals = Roots(TypeRoot::kIntervalYearMonth, TypeRoot::kIntervalDayTime);
constexpr RootSet kConstructed =
    Roots(TypeRoot::kArray, TypeRoot::kMultiset, TypeRoot::kMap, TypeRoot::kRow);
constexpr RootSet kEverything = ~RootSet{0};

bool IsIn(const LogicalType& type, RootSet set) { return (Roots(type.root()) & set) != 0; }

/// The roots from which a target may be reached: by itself, and only on request.
struct CastSources {
  RootSet implicit = 0;
  RootSet on_request = 0;
};

CastSources SourcesOf(TypeRoot target) {
  // Between numbers and timestamps Flink's planner refuses what its table would allow: people are
  // to say which unit they mean (TO_TIMESTAMP_LTZ, UNIX_TIMESTAMP).
  constexpr RootSet kToNumber = kCharacterStrings | Roots(TypeRoot::kBoolean);
  switch (target) {
    case TypeRoot::kChar:
      return {Roots(TypeRoot::kChar), kEverything};
    case TypeRoot::kVarChar:
      return {kCharacterStrings, kEverything};
    case TypeRoot::kBoolean:
      return {Roots(TypeRoot::kBoolean), kCharacterStrings | kIntegers};
    case TypeRoot::kBinary:
      return {Roots(TypeRoot::kBinary), kCharacterStrings | Roots(TypeRoot::kVarBinary)};
    case TypeRoot::kVarBinary:
      return {kBinaryStrings, kCharacterStrings};
    case TypeRoot::kTinyInt:
      return {Roots(TypeRoot::kTinyInt), kToNumber | kNumerics | kIntervals};
    case TypeRoot::kSmallInt:
      return {Roots(TypeRoot::kTinyInt, TypeRoot::kSmallInt), kToNumber | kNumerics | kIntervals};
    case TypeRoot::kInteger:
      return {Roots(TypeRoot::kTinyInt, TypeRoot::kSmallInt, TypeRoot::kInteger),
              kToNumber | kNumerics | kIntervals};
    case TypeRoot::kBigInt:
      return {kIntegers, kToNumber | kNumerics | kIntervals};
    case TypeRoot::kFloat:
      return {kExactNumerics | Roots(TypeRoot::kFloat), kToNumber | kNumerics};
    case TypeRoot::kDouble:
      return {kNumerics, kToNumber};
    case TypeRoot::kDecimal:
      return {kNumerics, kToNumber | kIntervals};
    case TypeRoot::kDate:
      return {Roots(TypeRoot::kDate, TypeRoot::kTimestamp), kTimestamps | kCharacterStrings};
    case TypeRoot::kTime:
      return {Roots(TypeRoot::kTime, TypeRoot::kTimestamp), kTimestamps | kCharacterStrings};
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return {kTimestamps, kDateTimes | kCharacterStrings};
    case TypeRoot::kIntervalYearMonth:
    case TypeRoot::kIntervalDayTime:
      return {Roots(target), kExactNumerics | kCharacterStrings};
    default:
      return {Roots(target), 0};
  }
}

CastKind FindConstructedCast(const LogicalType& source, const LogicalType& target) {
  if (source.root() != target.root() || source.children().size() != target.children().size() ||
      source.fields().size() != target.fields().size()) {
    return CastKind::kNone;
  }
  CastKind weakest = CastKind::kImplicit;
  const auto add = [&weakest](const LogicalType& from, const LogicalType& to) {
    const CastKind kind = FindCast(from, to);
    if (kind == CastKind::kNone || weakest == CastKind::kNone) {
      weakest = CastKind::kNone;
    } else if (kind == CastKind::kExplicit) {
      weakest = CastKind::kExplicit;
    }
  };
  for (size_t i = 0; i < source.children().size(); ++i) {
    add(*source.children()[i], *target.children()[i]);
  }
  for (size_t i = 0; i < source.fields().size(); ++i) {
    add(*source.fields()[i].type, *target.fields()[i].type);
  }
  return weakest;
}

}  // namespace

CastKind FindCast(const LogicalType& source, const LogicalType& target) {
  if (source.root() == TypeRoot::kNull || source.EqualsIgnoringNullability(target)) {
    return CastKind::kImplicit;
  }
  if (IsIn(source, kConstructed) && IsIn(target, kConstructed)) {
    return FindConstructedCast(source, target);
  }
  const CastSources sources = SourcesOf(target.root());
  if (IsIn(source, sources.implicit)) {
    return CastKind::kImplicit;
  }
  return IsIn(source, sources.on_request) ? CastKind::kExplicit : CastKind::kNone;
}

namespace {

constexpr int32_t kMinAdjustedScale = 6;

/// Over 38 digits the scale gives way, down to 6 digits, so that the whole digits stay.
TypePtr AdjustedDecimal(int32_t precision, int32_t scale) {
  if (precision <= kMaxDecimalPrecision) {
    return Decimal(precision, scale, /*nullable=*/false);
  }
  const int32_t whole_digits = precision - scale;
  const int32_t scale_min = std::min(scale, kMinAdjustedScale);
  return Decimal(kMaxDecimalPrecision, std::max(kMaxDecimalPrecision - whole_digits, scale_min),
                 /*nullable=*/false);
}

}  // namespace

TypePtr DecimalAdditionType(int32_t p1, int32_t s1, int32_t p2, int32_t s2) {
  const int32_t scale = std::max(s1, s2);
  return AdjustedDecimal(std::max(p1 - s1, p2 - s2) + scale + 1, scale);
}

TypePtr DecimalMultiplicationType(int32_t p1, int32_t s1, int32_t p2, int32_t s2) {
  return AdjustedDecimal(p1 + p2 + 1, s1 + s2);
}

TypePtr DecimalDivisionType(int32_t p1, int32_t s1, int32_t p2, int32_t s2) {
  const int32_t scale = std::max(6, s1 + p2 + 1);
  return AdjustedDecimal(p1 - s1 + s2 + scale, scale);
}

TypePtr DecimalModuloType(int32_t p1, int32_t s1, int32_t p2, int32_t s2) {
  const int32_t scale = std::max(s1, s2);
  return AdjustedDecimal(std::min(p1 - s1, p2 - s2) + scale, scale);
}

TypePtr DecimalRoundType(int32_t precision, int32_t scale, int32_t digits) {
  if (digits >= scale) {
    return Decimal(precision, scale, /*nullable=*/false);
  }
  const int32_t whole_digits = std::min(kMaxDecimalPrecision, 1 + precision - scale);
  if (digits < 0) {
    return Decimal(whole_digits, 0, /*nullable=*/false);
  }
  return Decimal(std::min(kMaxDecimalPrecision, whole_digits + digits), digits,
                 /*nullable=*/false);
}

TypePtr AsDecimal(const LogicalType& exact_numeric) {
  const bool nullable = exact_numeric.nullable();
  switch (exact_numeric.root()) {
    case TypeRoot::kTinyInt:
      return Decimal(3, 0, nullable);
    case TypeRoot::kSmallInt:
      return Decimal(5, 0, nullable);
    case TypeRoot::kInteger:
      return Decimal(10, 0, nullable);
    case TypeRoot::kBigInt:
      return Decimal(19, 0, nullable);
    default:
      LW_CHECK(exact_numeric.root() == TypeRoot::kDecimal);
      return Decimal(exact_numeric.precision(), exact_numeric.scale(), nullable);
  }
}

}  // namespace lakeward::types
