#pragma once

#include <cstdint>

#include "lakeward/expr/int128.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::expr {

/// Calls `visit.template operator()<T>()` with the fixed-width physical type of a number:
/// int8_t … int64_t, float, double, Int128 for DECIMAL.
template <typename Visit>
auto DispatchNumber(const types::LogicalType& type, Visit visit) {
  switch (type.root()) {
    case types::TypeRoot::kTinyInt:
      return visit.template operator()<int8_t>();
    case types::TypeRoot::kSmallInt:
      return visit.template operator()<int16_t>();
    case types::TypeRoot::kInteger:
      return visit.template operator()<int32_t>();
    case types::TypeRoot::kFloat:
      return visit.template operator()<float>();
    case types::TypeRoot::kDouble:
      return visit.template operator()<double>();
    case types::TypeRoot::kDecimal:
      return visit.template operator()<Int128>();
    default:
      return visit.template operator()<int64_t>();
  }
}

}  // namespace lakeward::expr
