// The common type of several types; after Flink 1.20's LogicalTypeMerging.
#include <algorithm>

#include "lakeward/types/type_coercion.h"

namespace lakeward::types {

namespace {

bool IsDateTime(const LogicalType& type) {
  return type.root() >= TypeRoot::kDate && type.root() <= TypeRoot::kTimestampLtz;
}
bool IsInterval(const LogicalType& type) {
  return type.root() == TypeRoot::kIntervalYearMonth || type.root() == TypeRoot::kIntervalDayTime;
}
bool IsExactNumeric(const LogicalType& type) {
  return type.IsExactInteger() || type.root() == TypeRoot::kDecimal;
}
bool IsConstructed(const LogicalType& type) { return type.root() >= TypeRoot::kArray; }

bool AreSimilar(const LogicalType& left, const LogicalType& right) {
  return (left.IsCharacterString() && right.IsCharacterString()) ||
         (left.IsBinaryString() && right.IsBinaryString()) ||
         (left.IsNumeric() && right.IsNumeric()) || (left.IsTimestamp() && right.IsTimestamp()) ||
         left.root() == right.root();
}

/// A point in time and a distance (an interval, or a number of days) give a point in time.
TypePtr MergeTimeWithDistance(const TypePtr& left, const TypePtr& right) {
  const auto is_distance_of = [](const LogicalType& distance, const LogicalType& time) {
    return (IsDateTime(time) && IsInterval(distance)) ||
           ((time.IsTimestamp() || time.root() == TypeRoot::kDate) && IsExactNumeric(distance));
  };
  if (is_distance_of(*right, *left)) {
    return left;
  }
  return is_distance_of(*left, *right) ? right : nullptr;
}

TypePtr MergeStrings(const LogicalType& left, const LogicalType& right) {
  const int32_t length = std::max(left.length(), right.length());
  const bool is_fixed = left.root() == right.root() && left.length() == right.length() &&
                        (left.root() == TypeRoot::kChar || left.root() == TypeRoot::kBinary);
  if (left.IsCharacterString()) {
    return is_fixed ? Char(length) : VarChar(length);
  }
  return is_fixed ? Binary(length) : VarBinary(length);
}

TypePtr MergeExactNumerics(const TypePtr& left, const TypePtr& right) {
  if (left->IsExactInteger() && right->IsExactInteger()) {
    return left->root() < right->root() ? right : left;
  }
  const TypePtr a = AsDecimal(*left);
  const TypePtr b = AsDecimal(*right);
  const int32_t whole_digits = std::max(a->precision() - a->scale(), b->precision() - b->scale());
  const int32_t scale =
      std::min(std::max(a->scale(), b->scale()), kMaxDecimalPrecision - whole_digits);
  return Decimal(whole_digits + scale, scale);
}

TypePtr MergeNumerics(const TypePtr& left, const TypePtr& right) {
  if (IsExactNumeric(*left) && IsExactNumeric(*right)) {
    return MergeExactNumerics(left, right);
  }
  // Flink depends on the order here: FLOAT, DECIMAL gives DOUBLE but DECIMAL, FLOAT gives FLOAT.
  const bool needs_double = left->root() == TypeRoot::kDouble ||
                            right->root() == TypeRoot::kDouble ||
                            right->root() == TypeRoot::kDecimal;
  return needs_double ? Double() : Float();
}

TypePtr MergeTimestamps(const LogicalType& left, const LogicalType& right) {
  const int32_t precision = std::max(left.precision(), right.precision());
  const bool is_local_zoned =
      left.root() == TypeRoot::kTimestampLtz || right.root() == TypeRoot::kTimestampLtz;
  return is_local_zoned ? TimestampLtz(precision) : Timestamp(precision);
}

/// Two types that are not constructed; nullptr when they have no common type of their own.
TypePtr MergeSimple(const TypePtr& left, const TypePtr& right) {
  if (TypePtr time = MergeTimeWithDistance(left, right)) {
    return time;
  }
  if (!AreSimilar(*left, *right)) {
    return nullptr;
  }
  if (left->IsCharacterString() || left->IsBinaryString()) {
    return MergeStrings(*left, *right);
  }
  if (left->IsNumeric()) {
    return MergeNumerics(left, right);
  }
  if (left->IsTimestamp()) {
    return MergeTimestamps(*left, *right);
  }
  switch (left->root()) {
    case TypeRoot::kDate:
      return Date();
    case TypeRoot::kTime:
      return Time(std::max(left->precision(), right->precision()));
    case TypeRoot::kIntervalDayTime:
      return IntervalDayTime(std::max(left->precision(), right->precision()),
                             std::max(left->scale(), right->scale()));
    case TypeRoot::kIntervalYearMonth:
      return IntervalYearMonth(std::max(left->precision(), right->precision()));
    default:
      return nullptr;
  }
}

size_t ChildCount(const LogicalType& type) { return type.children().size() + type.fields().size(); }

const TypePtr& Child(const LogicalType& type, size_t i) {
  return type.root() == TypeRoot::kRow ? type.fields()[i].type : type.children()[i];
}

TypePtr MergeConstructed(const std::vector<TypePtr>& types) {
  const LogicalType& first = *types[0];
  for (const TypePtr& type : types) {
    if (type->root() != first.root() || ChildCount(*type) != ChildCount(first)) {
      return nullptr;
    }
  }
  std::vector<TypePtr> children;
  for (size_t i = 0; i < ChildCount(first); ++i) {
    std::vector<TypePtr> candidates;
    for (const TypePtr& type : types) {
      candidates.push_back(Child(*type, i));
    }
    std::optional<TypePtr> child = FindCommonType(candidates);
    if (!child) {
      return nullptr;
    }
    children.push_back(*std::move(child));
  }
  switch (first.root()) {
    case TypeRoot::kArray:
      return Array(children[0]);
    case TypeRoot::kMultiset:
      return Multiset(children[0]);
    case TypeRoot::kMap:
      return Map(children[0], children[1]);
    default: {
      std::vector<RowField> fields = first.fields();
      for (size_t i = 0; i < fields.size(); ++i) {
        fields[i].type = children[i];
      }
      return Row(std::move(fields));
    }
  }
}

TypePtr MergeBySimilarity(const std::vector<TypePtr>& types) {
  TypePtr merged;
  for (const TypePtr& type : types) {
    if (merged == nullptr) {
      merged = type;
    }
    if (IsConstructed(*type)) {
      return MergeConstructed(types);
    }
    merged = MergeSimple(merged, type);
    if (merged == nullptr) {
      return nullptr;
    }
  }
  return merged;
}

TypePtr MergeByImplicitCast(const std::vector<TypePtr>& types) {
  TypePtr merged = types[0];
  for (const TypePtr& type : types) {
    if (FindCast(*merged, *type) == CastKind::kImplicit) {
      merged = type;
    } else if (FindCast(*type, *merged) != CastKind::kImplicit) {
      return nullptr;
    }
  }
  return merged;
}

}  // namespace

std::optional<TypePtr> FindCommonType(const std::vector<TypePtr>& types) {
  bool nullable = false;
  std::vector<TypePtr> typed;  // without the untyped NULL, which fits everywhere
  for (const TypePtr& type : types) {
    nullable = nullable || type->nullable();
    if (type->root() != TypeRoot::kNull) {
      typed.push_back(WithNullability(type, true));
    }
  }
  if (typed.empty()) {
    return std::nullopt;
  }
  TypePtr common = MergeBySimilarity(typed);
  if (common == nullptr) {
    common = MergeByImplicitCast(typed);
  }
  if (common == nullptr) {
    return std::nullopt;
  }
  return WithNullability(common, nullable);
}

}  // namespace lakeward::types
