#include <utility>

#include "lakeward/expr/cast_families.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypeRoot;

namespace {

int64_t UnitsPerSecond(const LogicalType& timestamp) {
  return timestamp.precision() <= 6 ? 1'000'000 : 1'000'000'000;
}

/// The smallest difference between two values of the type, in its own unit.
int64_t StepOf(const LogicalType& type) {
  const int32_t unit_digits = type.root() == TypeRoot::kTime || type.precision() <= 6 ? 6 : 9;
  int64_t step = 1;
  for (int32_t digits = type.precision(); digits < unit_digits; ++digits) {
    step *= 10;
  }
  return step;
}

/// Where both kinds of timestamp meet: a wall clock's reading, seconds and units below.
struct WallReading {
  int64_t seconds;
  int64_t units;  ///< of the source
};

class TimeConverter {
 public:
  explicit TimeConverter(const CastCall& call)
      : call_(call),
        source_per_second_(UnitsPerSecond(call.source)),
        target_per_second_(UnitsPerSecond(call.target)),
        target_step_(StepOf(call.target)) {}

  /// Timestamp to timestamp: another unit, fewer digits, the zone where one of them is local.
  Result<int64_t> ToTimestamp(int64_t value) const {
    int64_t seconds = types::FloorDivide(value, source_per_second_);
    const int64_t below = value - seconds * source_per_second_;
    if (call_.source.root() != call_.target.root()) {
      seconds = Shift(seconds);
    }
    const int64_t target_below = source_per_second_ <= target_per_second_
                                     ? below * (target_per_second_ / source_per_second_)
                                     : below / (source_per_second_ / target_per_second_);
    return Join(seconds, target_below / target_step_ * target_step_);
  }

  int64_t WallSeconds(int64_t value, int64_t* below_micros) const {
    int64_t seconds = types::FloorDivide(value, source_per_second_);
    *below_micros = (value - seconds * source_per_second_) / (source_per_second_ / 1'000'000);
    if (call_.source.root() == TypeRoot::kTimestampLtz) {
      seconds = Shift(seconds);
    }
    return seconds;
  }

  /// From the wall clock's seconds, and units of the target below.
  Result<int64_t> FromWall(int64_t seconds, int64_t below_micros) const {
    if (call_.target.root() == TypeRoot::kTimestampLtz) {
      seconds = types::FloorDivide(call_.context.zone.ToInstant(seconds * types::kMicrosPerSecond),
                                   types::kMicrosPerSecond);
    }
    const int64_t below = below_micros * (target_per_second_ / 1'000'000);
    return Join(seconds, below / target_step_ * target_step_);
  }

  int64_t target_step() const { return target_step_; }

 private:
  /// Between instant and wall clock, whichever the source is.
  int64_t Shift(int64_t seconds) const {
    const int64_t micros = seconds * types::kMicrosPerSecond;
    const int64_t shifted = call_.source.root() == TypeRoot::kTimestampLtz
                                ? call_.context.zone.ToLocal(micros)
                                : call_.context.zone.ToInstant(micros);
    return types::FloorDivide(shifted, types::kMicrosPerSecond);
  }

  Result<int64_t> Join(int64_t seconds, int64_t below) const {
    int64_t result = 0;
    if (__builtin_mul_overflow(seconds, target_per_second_, &result) ||
        __builtin_add_overflow(result, below, &result)) {
      return MakeError(ErrorKind::kValidation,
                       "a timestamp is out of the range of " + call_.target.ToString(),
                       "Nanoseconds reach from the year 1677 to 2262; use at most 6 digits.");
    }
    return result;
  }

  const CastCall& call_;
  int64_t source_per_second_;
  int64_t target_per_second_;
  int64_t target_step_;
};

/// Converts every value that is not null by `convert`, which gives a Result<To>.
template <typename From, typename To, typename Convert>
Result<std::shared_ptr<arrow::Array>> ConvertRows(const arrow::Array& values, const CastCall& call,
                                                  Convert convert) {
  const From* from = values.data()->GetValues<From>(1);
  LW_ASSIGN(FixedOutput<To> output, FixedOutput<To>::Make(values.length(), call.context));
  for (int64_t row = 0; row < values.length(); ++row) {
    output[row] = 0;
    if (values.IsValid(row)) {
      LW_ASSIGN(output[row], convert(from[row]));
    }
  }
  LW_ASSIGN(auto validity, CopyValidity(values, call.context));
  return std::move(output).Finish(call.target, values.length(), std::move(validity)).make_array();
}

Result<std::shared_ptr<arrow::Array>> FromTimestamp(const arrow::Array& values,
                                                    const CastCall& call) {
  const TimeConverter converter(call);
  if (call.target.root() == TypeRoot::kDate) {
    return ConvertRows<int64_t, int32_t>(values, call, [&](int64_t value) -> Result<int32_t> {
      int64_t below = 0;
      return static_cast<int32_t>(types::FloorDivide(converter.WallSeconds(value, &below), 86'400));
    });
  }
  if (call.target.root() == TypeRoot::kTime) {
    return ConvertRows<int64_t, int64_t>(values, call, [&](int64_t value) -> Result<int64_t> {
      int64_t below = 0;
      const int64_t seconds = types::FloorModulo(converter.WallSeconds(value, &below), 86'400);
      // Flink keeps a TIME in milliseconds.
      const int64_t micros = seconds * types::kMicrosPerSecond + below / 1'000 * 1'000;
      return micros / converter.target_step() * converter.target_step();
    });
  }
  return ConvertRows<int64_t, int64_t>(values, call,
                                       [&](int64_t value) { return converter.ToTimestamp(value); });
}

}  // namespace

Result<std::shared_ptr<arrow::Array>> CastTimes(const std::shared_ptr<arrow::Array>& values,
                                                const CastCall& call) {
  if (call.source.IsTimestamp()) {
    return FromTimestamp(*values, call);
  }
  const TimeConverter converter(call);
  if (call.source.root() == TypeRoot::kDate) {
    return ConvertRows<int32_t, int64_t>(
        *values, call, [&](int32_t days) { return converter.FromWall(int64_t{days} * 86'400, 0); });
  }
  if (call.target.root() == TypeRoot::kTime) {
    const int64_t step = StepOf(call.target);
    return ConvertRows<int64_t, int64_t>(
        *values, call, [step](int64_t micros) -> Result<int64_t> { return micros / step * step; });
  }
  return ConvertRows<int64_t, int64_t>(*values, call, [&](int64_t micros) {
    return converter.FromWall(micros / types::kMicrosPerSecond, micros % types::kMicrosPerSecond);
  });
}

}  // namespace lakeward::expr
