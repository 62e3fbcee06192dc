#pragma once

#include "lakeward/expr/column_values.h"
#include "lakeward/types/civil_time.h"
#include "lakeward/types/logical_type.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::expr {

/// Any temporal column read as a wall clock: microseconds since 1970-01-01 00:00:00 that the clock
/// shows in the session's zone. A DATE is its midnight, a TIME is on the first day.
class WallClock {
 public:
  /// All three outlive this.
  WallClock(const ColumnValues& column, const types::LogicalType& type, const types::TimeZone& zone)
      : column_(column), type_(type), zone_(zone) {}

  int64_t operator[](int64_t row) const {
    const int64_t at = row * column_.step();
    if (type_.root() == types::TypeRoot::kDate) {
      return column_.data().GetValues<int32_t>(1)[at] * types::kMicrosPerDay;
    }
    const int64_t value = column_.data().GetValues<int64_t>(1)[at];
    const bool is_nanos = type_.IsTimestamp() && type_.precision() > 6;
    const int64_t micros = is_nanos ? types::FloorDivide(value, 1'000) : value;
    return type_.root() == types::TypeRoot::kTimestampLtz ? zone_.ToLocal(micros) : micros;
  }

  /// Nanoseconds below the microsecond.
  int32_t Nanos(int64_t row) const {
    if (!type_.IsTimestamp() || type_.precision() <= 6) {
      return 0;
    }
    return static_cast<int32_t>(
        types::FloorModulo(column_.data().GetValues<int64_t>(1)[row * column_.step()], 1'000));
  }

 private:
  const ColumnValues& column_;
  const types::LogicalType& type_;
  const types::TimeZone& zone_;
};

/// A wall clock's microseconds as a value of a temporal type.
inline int64_t FromWall(int64_t micros, const types::LogicalType& type,
                        const types::TimeZone& zone) {
  switch (type.root()) {
    case types::TypeRoot::kDate:
      return types::FloorDivide(micros, types::kMicrosPerDay);
    case types::TypeRoot::kTime:
      return types::FloorModulo(micros, types::kMicrosPerDay);
    case types::TypeRoot::kTimestampLtz:
      micros = zone.ToInstant(micros);
      break;
    default:
      break;
  }
  return type.precision() > 6 ? micros * 1'000 : micros;
}

}  // namespace lakeward::expr
