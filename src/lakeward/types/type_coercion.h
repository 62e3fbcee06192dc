#pragma once

#include <optional>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::types {

/// How far a conversion may go by itself or on request; Flink's LogicalTypeCasts.
enum class CastKind : uint8_t { kNone, kImplicit, kExplicit };

/// Whether and how `source` can become `target`; nullability is not looked at.
CastKind FindCast(const LogicalType& source, const LogicalType& target);

/// The type that all of them fit into (set operations, CASE, VALUES, COALESCE), as Flink's
/// LogicalTypeMerging; nothing when there is none. Nullable when any is.
std::optional<TypePtr> FindCommonType(const std::vector<TypePtr>& types);

/// Result types of decimal arithmetic, Flink's rules (1.20, LogicalTypeMerging).
TypePtr DecimalAdditionType(int32_t p1, int32_t s1, int32_t p2, int32_t s2);
TypePtr DecimalMultiplicationType(int32_t p1, int32_t s1, int32_t p2, int32_t s2);
TypePtr DecimalDivisionType(int32_t p1, int32_t s1, int32_t p2, int32_t s2);
TypePtr DecimalModuloType(int32_t p1, int32_t s1, int32_t p2, int32_t s2);
/// Of ROUND(DECIMAL(precision, scale), digits).
TypePtr DecimalRoundType(int32_t precision, int32_t scale, int32_t digits);
/// The DECIMAL that holds every value of an exact numeric type.
TypePtr AsDecimal(const LogicalType& exact_numeric);

}  // namespace lakeward::types
