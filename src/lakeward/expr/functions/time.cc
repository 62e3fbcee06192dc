#include <utility>

#include "lakeward/base/clock.h"
#include "lakeward/expr/cast.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/calendar_fields.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/wall_clock.h"
#include "lakeward/types/civil_time.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;

namespace {

/// The instant that "now" stands for: of the query in batch mode, of the call in streaming mode.
int64_t NowMicros(const EvaluationContext& context) {
  if (context.batch_mode || context.clock == nullptr) {
    return context.query_start_us;
  }
  return context.clock->NowMicros();
}

/// One value for all rows, of the result's type, from an instant cut to milliseconds.
Result<arrow::Datum> NowAs(const KernelCall& call) {
  const types::TypePtr instant_type = types::TimestampLtz(3, false);
  LW_ASSIGN(FixedOutput<int64_t> output, FixedOutput<int64_t>::Make(1, call.context));
  output[0] = types::FloorDivide(NowMicros(call.context), 1'000) * 1'000;
  std::shared_ptr<arrow::Array> value = std::move(output).Finish(*instant_type, 1).make_array();
  LW_ASSIGN(value,
            CastArray(std::move(value), {*instant_type, *call.result_type, false, call.context}));
  LW_ASSIGN(std::shared_ptr<arrow::Scalar> scalar, value->GetScalar(0));
  return arrow::Datum(std::move(scalar));
}

Result<arrow::Datum> ExtractInto(CalendarField field, const arrow::Datum& argument,
                                 const LogicalType& type, const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(argument));
  const WallClock clock(column, type, call.context.zone);
  LW_ASSIGN(FixedOutput<int64_t> output, FixedOutput<int64_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    const int64_t micros = IsValidRow(call, row) ? clock[row] : 0;
    const int64_t days = types::FloorDivide(micros, types::kMicrosPerDay);
    output[row] = ReadField(field, days, micros - days * types::kMicrosPerDay);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

template <CalendarField kField>
Result<arrow::Datum> ExtractField(const KernelCall& call) {
  return ExtractInto(kField, call.arguments[0], *call.argument_types[0], call);
}

/// EXTRACT(unit FROM time): the binder passes the unit as a constant string.
Result<arrow::Datum> Extract(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues unit, ColumnValues::Make(call.arguments[0]));
  const std::optional<CalendarField> field =
      unit.is_scalar() ? FindCalendarField(StringValues(unit)[0]) : std::nullopt;
  if (!field) {
    return MakeError(ErrorKind::kValidation, "EXTRACT needs one of the known time units",
                     "Use YEAR, QUARTER, MONTH, WEEK, DAY, DOW, DOY, HOUR, MINUTE or SECOND.");
  }
  return ExtractInto(*field, call.arguments[1], *call.argument_types[1], call);
}

ScalarFunction Now(std::string name, TypePtr type, std::string doc) {
  return {.name = name,
          .signatures = {name},
          .bind = Bind({}, std::move(type)),
          .kernel = NowAs,
          .doc = std::move(doc),
          .example = name + " IS NULL",
          .example_result = "FALSE",
          .deterministic = false};
}

template <CalendarField kField>
ScalarFunction Field(std::string name, std::string doc, std::string example_result) {
  return {.name = name,
          .signatures = {name + "(time)"},
          .bind = Bind({{Parameter::kTemporal}}, types::BigInt()),
          .kernel = ExtractField<kField>,
          .doc = std::move(doc),
          .example = name + "(TIMESTAMP '2024-02-29 12:34:56')",
          .example_result = std::move(example_result)};
}

}  // namespace

void AddTimeFunctions(FunctionRegistry* registry) {
  const TypePtr instant = types::TimestampLtz(3, false);
  registry->Add(Now("CURRENT_TIMESTAMP", instant, "The current instant."));
  registry->Add(Now("NOW", instant, "The current instant."));
  registry->Add(Now("CURRENT_ROW_TIMESTAMP", instant, "The instant at which the row is seen."));
  registry->Add(Now("LOCALTIMESTAMP", types::Timestamp(3, false),
                    "The current wall clock time in the session's zone."));
  registry->Add(Now("CURRENT_DATE", types::Date(false), "Today in the session's zone."));
  registry->Add(
      Now("CURRENT_TIME", types::Time(0, false), "The current time of day in the session's zone."));
  registry->Add(
      Now("LOCALTIME", types::Time(0, false), "The current time of day in the session's zone."));
  registry->Add({.name = "EXTRACT",
                 .signatures = {"EXTRACT(unit FROM time)"},
                 .bind = Bind({{Parameter::kString, Parameter::kTemporal}}, types::BigInt()),
                 .kernel = Extract,
                 .doc = "One field of a point in time.",
                 .example = "EXTRACT(DAY FROM DATE '2006-06-05')",
                 .example_result = "5",
                 .may_fail = true});
  registry->Add(Field<CalendarField::kYear>("YEAR", "The year.", "2024"));
  registry->Add(Field<CalendarField::kQuarter>("QUARTER", "The quarter, 1 to 4.", "1"));
  registry->Add(Field<CalendarField::kMonth>("MONTH", "The month, 1 to 12.", "2"));
  registry->Add(Field<CalendarField::kWeek>("WEEK", "The ISO week of the year, 1 to 53.", "9"));
  registry->Add(Field<CalendarField::kDayOfYear>("DAYOFYEAR", "The day of the year.", "60"));
  registry->Add(Field<CalendarField::kDay>("DAYOFMONTH", "The day of the month.", "29"));
  registry->Add(
      Field<CalendarField::kDayOfWeek>("DAYOFWEEK", "The day of the week, Sunday is 1.", "5"));
  registry->Add(Field<CalendarField::kHour>("HOUR", "The hour, 0 to 23.", "12"));
  registry->Add(Field<CalendarField::kMinute>("MINUTE", "The minute, 0 to 59.", "34"));
  registry->Add(Field<CalendarField::kSecond>("SECOND", "The second, 0 to 59.", "56"));
}

}  // namespace lakeward::expr
