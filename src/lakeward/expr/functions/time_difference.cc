#include <optional>
#include <utility>

#include "arrow/scalar.h"
#include "arrow/util/checked_cast.h"
#include "fmt/format.h"
#include "lakeward/expr/functions/calendar_fields.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/time_arithmetic.h"
#include "lakeward/expr/functions/wall_clock.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

/// A unit as a number of months or of microseconds; the other is 0.
struct UnitLength {
  int64_t months = 0;
  int64_t micros = 0;
};

std::optional<UnitLength> FindUnitLength(std::string_view keyword) {
  const std::optional<CalendarField> field = FindCalendarField(keyword);
  if (!field) {
    return std::nullopt;
  }
  switch (*field) {
    case CalendarField::kYear:
      return UnitLength{12, 0};
    case CalendarField::kQuarter:
      return UnitLength{3, 0};
    case CalendarField::kMonth:
      return UnitLength{1, 0};
    case CalendarField::kWeek:
      return UnitLength{0, 7 * types::kMicrosPerDay};
    case CalendarField::kDay:
      return UnitLength{0, types::kMicrosPerDay};
    default:
      break;
  }
  const int64_t micros = MicrosOf(*field);
  return micros > 0 ? std::optional(UnitLength{0, micros}) : std::nullopt;
}

Result<UnitLength> UnitOf(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues unit, ColumnValues::Make(call.arguments[0]));
  const std::string_view keyword = unit.is_scalar() ? StringValues(unit)[0] : std::string_view();
  const std::optional<UnitLength> length = FindUnitLength(keyword);
  if (!length) {
    return MakeError(ErrorKind::kValidation, fmt::format("'{}' is not a unit of time", keyword),
                     "Use YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE or SECOND.");
  }
  return *length;
}

/// Whole months from one wall clock time to a later one; the last day of a month completes it.
int64_t MonthsUpTo(int64_t from, int64_t to) {
  if (to < from) {
    return -MonthsUpTo(to, from);
  }
  const int64_t from_days = types::FloorDivide(from, types::kMicrosPerDay);
  const int64_t to_days = types::FloorDivide(to, types::kMicrosPerDay);
  int64_t months = (to_days - from_days) / 31;
  while (types::AddMonthsToDays(from_days, months + 1) <= to_days) {
    ++months;
  }
  const bool is_last_day_incomplete =
      types::AddMonthsToDays(from_days, months) == to_days &&
      to - to_days * types::kMicrosPerDay < from - from_days * types::kMicrosPerDay;
  return months > 0 && is_last_day_incomplete ? months - 1 : months;
}

/// TIMESTAMPDIFF(unit, from, to).
Result<arrow::Datum> TimestampDifference(const KernelCall& call) {
  LW_ASSIGN(const UnitLength unit, UnitOf(call));
  LW_ASSIGN(const ColumnValues from_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues to_column, ColumnValues::Make(call.arguments[2]));
  const WallClock from(from_column, *call.argument_types[1], call.context.zone);
  const WallClock to(to_column, *call.argument_types[2], call.context.zone);
  LW_ASSIGN(auto output, FixedOutput<int32_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = 0;
    if (IsValidRow(call, row)) {
      const int64_t difference = unit.months > 0 ? MonthsUpTo(from[row], to[row]) / unit.months
                                                 : (to[row] - from[row]) / unit.micros;
      output[row] = static_cast<int32_t>(difference);
    }
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

/// An instant can only be compared with an instant.
std::optional<BoundSignature> BindDifference(const std::vector<TypePtr>& arguments) {
  static const SignatureBinder kBind =
      Bind({{Parameter::kString, Parameter::kTemporal, Parameter::kTemporal}}, types::Int());
  const auto is_instant = [](const LogicalType& type) {
    return type.root() == TypeRoot::kTimestampLtz;
  };
  std::optional<BoundSignature> bound = kBind(arguments);
  if (bound && is_instant(*bound->argument_types[1]) != is_instant(*bound->argument_types[2])) {
    return std::nullopt;
  }
  return bound;
}

/// TIMESTAMPADD of hours and less to a DATE gives a timestamp.
TypePtr RefineSum(const BoundSignature& signature,
                  const std::vector<const arrow::Scalar*>& literals) {
  if (signature.argument_types[2]->root() != TypeRoot::kDate || literals[0] == nullptr ||
      !literals[0]->is_valid || literals[0]->type->id() != arrow::Type::STRING) {
    return signature.result_type;
  }
  const auto unit = FindUnitLength(
      arrow::internal::checked_cast<const arrow::StringScalar&>(*literals[0]).view());
  const bool is_below_day = unit && unit->months == 0 && unit->micros < types::kMicrosPerDay;
  return is_below_day ? types::Timestamp(6, signature.result_type->nullable())
                      : signature.result_type;
}

/// TIMESTAMPADD(unit, count, time).
Result<arrow::Datum> TimestampSum(const KernelCall& call) {
  LW_ASSIGN(const UnitLength unit, UnitOf(call));
  LW_ASSIGN(const ColumnValues count_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues time_column, ColumnValues::Make(call.arguments[2]));
  const FixedValues<int64_t> counts(count_column);
  const LogicalType& type = *call.result_type;
  const auto moved = [&](int64_t value, int64_t count) {
    return unit.months > 0 ? MoveByMonths(value, count * unit.months, type)
                           : MoveByMillis(value, count * (unit.micros / 1'000), type);
  };
  if (type.root() == TypeRoot::kDate) {
    const FixedValues<int32_t> days(time_column);
    LW_ASSIGN(auto output, FixedOutput<int32_t>::Make(call.row_count, call.context));
    for (int64_t row = 0; row < call.row_count; ++row) {
      output[row] = static_cast<int32_t>(moved(days[row], counts[row]));
    }
    return std::move(output).Finish(*call.result_type, call.row_count);
  }
  const bool is_from_date = call.argument_types[2]->root() == TypeRoot::kDate;
  const WallClock dates(time_column, *call.argument_types[2], call.context.zone);
  const FixedValues<int64_t> times(time_column);
  LW_ASSIGN(auto output, FixedOutput<int64_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = moved(is_from_date ? dates[row] : times[row], counts[row]);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

}  // namespace

void AddTimeDifferenceFunctions(FunctionRegistry* registry) {
  constexpr Parameter kString = Parameter::kString;
  constexpr Parameter kTemporal = Parameter::kTemporal;
  registry->Add({.name = "TIMESTAMPDIFF",
                 .signatures = {"TIMESTAMPDIFF(unit, from, to)"},
                 .bind = BindDifference,
                 .kernel = TimestampDifference,
                 .doc = "The number of whole units between two points in time.",
                 .example = "TIMESTAMPDIFF(DAY, DATE '2024-01-01', DATE '2024-03-01')",
                 .example_result = "60",
                 .may_fail = true});
  registry->Add({.name = "TIMESTAMPADD",
                 .signatures = {"TIMESTAMPADD(unit, count, time)"},
                 .bind = BindWith({{kString, Parameter::kLong, kTemporal}},
                                  [](const std::vector<TypePtr>& arguments) {
                                    return NullableIfAny(arguments[2], arguments);
                                  }),
                 .kernel = TimestampSum,
                 .doc = "The point in time so many units later.",
                 .example = "TIMESTAMPADD(DAY, 3, DATE '2024-02-27')",
                 .example_result = "2024-03-01",
                 .may_fail = true,
                 .refine = RefineSum});
}

}  // namespace lakeward::expr
