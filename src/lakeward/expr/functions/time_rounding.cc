#include "lakeward/expr/functions/time_rounding.h"

#include <optional>
#include <utility>

#include "fmt/format.h"
#include "lakeward/expr/functions/calendar_fields.h"
#include "lakeward/expr/functions/wall_clock.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypeRoot;

namespace {

Status CannotRoundTo(std::string_view unit) {
  return MakeError(ErrorKind::kValidation,
                   fmt::format("a point in time cannot be rounded to '{}'", unit),
                   "Use YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND or MILLISECOND.");
}

int64_t RoundWall(int64_t micros, CalendarField field, bool up, const LogicalType& type) {
  if (const int64_t step = MicrosOf(field); step > 0) {
    return types::FloorDivide(up ? micros + step - 1 : micros, step) * step;
  }
  const int64_t days = types::FloorDivide(micros, types::kMicrosPerDay);
  if (field != CalendarField::kDay) {
    return (up ? CeilDays(field, days) : FloorDays(field, days)) * types::kMicrosPerDay;
  }
  if (!up) {
    return days * types::kMicrosPerDay;
  }
  // A DATE always goes on to the next day, a timestamp at midnight does not.
  const bool stays = type.root() != TypeRoot::kDate && days * types::kMicrosPerDay == micros;
  return (stays ? days : days + 1) * types::kMicrosPerDay;
}

Result<arrow::Datum> RoundTime(const KernelCall& call, bool up) {
  const LogicalType& type = *call.argument_types[0];
  LW_ASSIGN(const ColumnValues unit, ColumnValues::Make(call.arguments[1]));
  const std::string_view keyword = unit.is_scalar() ? StringValues(unit)[0] : std::string_view();
  const std::optional<CalendarField> field = FindCalendarField(keyword);
  const bool is_time_of_day = type.root() == TypeRoot::kTime;
  if (!field || (is_time_of_day && MicrosOf(*field) == 0) || *field == CalendarField::kEpoch) {
    return CannotRoundTo(keyword);
  }
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const WallClock clock(column, type, call.context.zone);
  const auto rounded = [&](int64_t row) {
    const int64_t wall = IsValidRow(call, row) ? RoundWall(clock[row], *field, up, type) : 0;
    return FromWall(wall, type, call.context.zone);
  };
  if (type.root() == TypeRoot::kDate) {
    LW_ASSIGN(auto output, FixedOutput<int32_t>::Make(call.row_count, call.context));
    for (int64_t row = 0; row < call.row_count; ++row) {
      output[row] = static_cast<int32_t>(rounded(row));
    }
    return std::move(output).Finish(*call.result_type, call.row_count);
  }
  LW_ASSIGN(auto output, FixedOutput<int64_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = rounded(row);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

}  // namespace

Result<arrow::Datum> FloorTime(const KernelCall& call) { return RoundTime(call, /*up=*/false); }
Result<arrow::Datum> CeilTime(const KernelCall& call) { return RoundTime(call, /*up=*/true); }

}  // namespace lakeward::expr
