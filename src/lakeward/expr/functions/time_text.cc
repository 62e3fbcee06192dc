// Functions between points in time and their text.
#include <utility>

#include "arrow/scalar.h"
#include "lakeward/base/clock.h"
#include "lakeward/expr/functions/date_time_pattern.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/wall_clock.h"
#include "lakeward/types/date_time_text.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

constexpr std::string_view kDefaultPattern = "yyyy-MM-dd HH:mm:ss";

/// The pattern argument of a call: compiled once when it is a constant, as it almost always is.
class PatternArgument {
 public:
  /// `position` may be beyond the last argument: then the default pattern holds.
  static Result<PatternArgument> Make(const KernelCall& call, size_t position) {
    PatternArgument argument;
    if (call.arguments.size() <= position) {
      LW_ASSIGN(argument.compiled_, DateTimePattern::Make(kDefaultPattern));
      return argument;
    }
    LW_ASSIGN(ColumnValues column, ColumnValues::Make(call.arguments[position]));
    argument.texts_.emplace(column);
    argument.is_constant_ = column.is_scalar();
    argument.column_ = std::move(column);
    if (argument.is_constant_) {
      LW_ASSIGN(argument.compiled_, DateTimePattern::Make((*argument.texts_)[0]));
    }
    return argument;
  }

  Result<const DateTimePattern*> At(int64_t row) {
    if (!is_constant_) {
      LW_ASSIGN(compiled_, DateTimePattern::Make((*texts_)[row]));
    }
    return &*compiled_;
  }

 private:
  std::optional<ColumnValues> column_;
  std::optional<StringValues> texts_;
  std::optional<DateTimePattern> compiled_;
  bool is_constant_ = true;
};

int64_t CutToMillis(int64_t micros) { return types::FloorDivide(micros, 1'000) * 1'000; }

/// What CAST reads, as wall clock microseconds.
std::optional<int64_t> ReadPlainTimestamp(std::string_view text) {
  const auto time = types::ParseTimestamp(text);
  return time
             ? std::optional<int64_t>(time->seconds * types::kMicrosPerSecond + time->nanos / 1'000)
             : std::nullopt;
}

/// By the pattern or, failing that, as a plain timestamp or date.
std::optional<int64_t> ReadTimestamp(std::string_view text, const DateTimePattern& pattern) {
  const std::optional<int64_t> micros = pattern.Parse(text);
  return micros ? micros : ReadPlainTimestamp(text);
}

/// Writes by `write(row, text)`; false makes the row null.
template <typename Write>
Result<arrow::Datum> WriteTextsOrNull(const KernelCall& call, Write write) {
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    bool is_valid = IsValidRow(call, row);
    if (is_valid) {
      LW_ASSIGN(is_valid, write(row, &output.text()));
    }
    if (is_valid) {
      output.End();
    } else {
      output.EndNull();
    }
  }
  return std::move(output).Finish(*call.result_type);
}

/// Fills a column of T by `compute(row)`, a Result<std::optional<int64_t>>.
template <typename T, typename Compute>
Result<arrow::Datum> ComputeOrNull(const KernelCall& call, Compute compute) {
  LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(call.row_count, call.context));
  LW_ASSIGN(BitOutput validity, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = 0;
    if (!IsValidRow(call, row)) {
      continue;
    }
    LW_ASSIGN(const std::optional<int64_t> value, compute(row));
    if (value) {
      output[row] = static_cast<T>(*value);
      validity.Set(row);
    }
  }
  return std::move(output).Finish(*call.result_type, call.row_count, validity.buffer());
}

Result<arrow::Datum> DateFormat(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(PatternArgument patterns, PatternArgument::Make(call, 1));
  const LogicalType& type = *call.argument_types[0];
  if (type.IsCharacterString()) {
    const StringValues texts(column);
    return WriteTextsOrNull(call, [&](int64_t row, std::string* out) -> Result<bool> {
      const auto micros = ReadPlainTimestamp(texts[row]);
      LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
      if (micros) {
        pattern->Format(*micros, 0, out);
      }
      return micros.has_value();
    });
  }
  const WallClock clock(column, type, call.context.zone);
  return WriteTextsOrNull(call, [&](int64_t row, std::string* out) -> Result<bool> {
    LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
    pattern->Format(clock[row], clock.Nanos(row), out);
    return true;
  });
}

/// TO_TIMESTAMP, to the millisecond as Flink does.
Result<arrow::Datum> ToTimestamp(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(PatternArgument patterns, PatternArgument::Make(call, 1));
  const StringValues texts(column);
  return ComputeOrNull<int64_t>(call, [&](int64_t row) -> Result<std::optional<int64_t>> {
    LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
    const auto micros = ReadTimestamp(texts[row], *pattern);
    return micros ? std::optional<int64_t>(CutToMillis(*micros)) : std::nullopt;
  });
}

Result<arrow::Datum> ToDate(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(PatternArgument patterns, PatternArgument::Make(call, 1));
  const StringValues texts(column);
  const bool has_pattern = call.arguments.size() == 2;
  return ComputeOrNull<int32_t>(call, [&](int64_t row) -> Result<std::optional<int64_t>> {
    if (!has_pattern) {
      const auto days = types::ParseDate(texts[row]);
      return days ? std::optional<int64_t>(*days) : std::nullopt;
    }
    LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
    const auto micros = pattern->Parse(texts[row]);
    return micros ? std::optional<int64_t>(types::FloorDivide(*micros, types::kMicrosPerDay))
                  : std::nullopt;
  });
}

/// Seconds (precision 0) or milliseconds (3, the default) since the epoch.
Result<arrow::Datum> NumberToInstant(const KernelCall& call) {
  // 0000-01-01 00:00:00 to 9999-12-31 23:59:59.999.
  constexpr double kMillisMin = -62'167'219'200'000.0;
  constexpr double kMillisMax = 253'402'300'799'999.0;
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues precision_column, ColumnValues::Make(call.arguments.back()));
  const bool has_precision = call.arguments.size() == 2;
  const FixedValues<int32_t> precisions(precision_column);
  const bool is_whole = call.argument_types[0]->root() == TypeRoot::kBigInt;
  return ComputeOrNull<int64_t>(call, [&](int64_t row) -> Result<std::optional<int64_t>> {
    const int32_t precision = has_precision ? precisions[row] : 3;
    if (precision != 0 && precision != 3) {
      return MakeError(
          ErrorKind::kValidation,
          "TO_TIMESTAMP_LTZ cannot read a number with precision " + std::to_string(precision),
          "Use 0 for seconds or 3 for milliseconds.");
    }
    const int64_t unit = precision == 0 ? 1'000 : 1;
    const double millis = (is_whole ? static_cast<double>(FixedValues<int64_t>(column)[row])
                                    : FixedValues<double>(column)[row]) *
                          static_cast<double>(unit);
    if (!(millis >= kMillisMin && millis <= kMillisMax)) {
      return std::optional<int64_t>();
    }
    const int64_t whole_millis =
        is_whole ? FixedValues<int64_t>(column)[row] * unit : static_cast<int64_t>(millis);
    return std::optional<int64_t>(whole_millis * 1'000);
  });
}

Result<arrow::Datum> TextToInstant(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(PatternArgument patterns, PatternArgument::Make(call, 1));
  const StringValues texts(column);
  return ComputeOrNull<int64_t>(call, [&](int64_t row) -> Result<std::optional<int64_t>> {
    LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
    const auto micros = ReadTimestamp(texts[row], *pattern);
    return micros ? std::optional<int64_t>(CutToMillis(*micros)) : std::nullopt;
  });
}

Result<arrow::Datum> ToTimestampLtz(const KernelCall& call) {
  return call.argument_types[0]->IsCharacterString() ? TextToInstant(call) : NumberToInstant(call);
}

Result<arrow::Datum> FromUnixTime(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(PatternArgument patterns, PatternArgument::Make(call, 1));
  const FixedValues<int64_t> seconds(column);
  return WriteTextsOrNull(call, [&](int64_t row, std::string* out) -> Result<bool> {
    LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
    int64_t micros = 0;
    if (__builtin_mul_overflow(seconds[row], types::kMicrosPerSecond, &micros)) {
      return false;
    }
    pattern->Format(call.context.zone.ToLocal(micros), 0, out);
    return true;
  });
}

/// UNIX_TIMESTAMP(text [, pattern]); text that cannot be read gives the smallest BIGINT.
Result<arrow::Datum> UnixTimestampOf(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(PatternArgument patterns, PatternArgument::Make(call, 1));
  const StringValues texts(column);
  return ComputeOrNull<int64_t>(call, [&](int64_t row) -> Result<std::optional<int64_t>> {
    LW_ASSIGN(const DateTimePattern* pattern, patterns.At(row));
    const auto micros = pattern->Parse(texts[row]);
    return std::optional<int64_t>(
        micros ? types::FloorDivide(call.context.zone.ToInstant(*micros), types::kMicrosPerSecond)
               : INT64_MIN);
  });
}

Result<arrow::Datum> UnixTimestamp(const KernelCall& call) {
  if (!call.arguments.empty()) {
    return UnixTimestampOf(call);
  }
  const EvaluationContext& context = call.context;
  const int64_t now = context.batch_mode || context.clock == nullptr ? context.query_start_us
                                                                     : context.clock->NowMicros();
  return arrow::Datum(
      std::make_shared<arrow::Int64Scalar>(types::FloorDivide(now, types::kMicrosPerSecond)));
}

Result<arrow::Datum> ConvertZone(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues from_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues to_column, ColumnValues::Make(call.arguments[2]));
  const StringValues texts(text_column);
  const StringValues from(from_column);
  const StringValues to(to_column);
  LW_ASSIGN(const DateTimePattern pattern, DateTimePattern::Make(kDefaultPattern));
  types::TimeZone zones[2];
  std::string names[2];
  return WriteTextsOrNull(call, [&](int64_t row, std::string* out) -> Result<bool> {
    const auto micros = pattern.Parse(texts[row]);
    if (!micros) {
      return false;
    }
    for (size_t i = 0; i < 2; ++i) {
      const std::string_view name = i == 0 ? from[row] : to[row];
      if (names[i] != name) {
        LW_ASSIGN(zones[i], types::TimeZone::Find(name));
        names[i] = name;
      }
    }
    pattern.Format(zones[1].ToLocal(zones[0].ToInstant(*micros)), 0, out);
    return true;
  });
}

/// The results are null where the text cannot be read.
ResultRule Nullable(TypePtr type) {
  return [type = std::move(type)](const std::vector<TypePtr>&) { return type; };
}

ScalarFunction TimeText(std::string name, std::vector<std::string> signatures, SignatureBinder bind,
                        ScalarKernel kernel, std::string doc, std::string example,
                        std::string example_result) {
  return {.name = std::move(name),
          .signatures = std::move(signatures),
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .may_fail = true};
}

}  // namespace

void AddTimeTextFunctions(FunctionRegistry* registry) {
  constexpr Parameter kString = Parameter::kString;
  registry->Add(TimeText(
      "DATE_FORMAT", {"DATE_FORMAT(timestamp, pattern)", "DATE_FORMAT(string, pattern)"},
      BindFirstOf({BindWith({{Parameter::kTimestamp, kString}}, Nullable(types::String())),
                   BindWith({{kString, kString}}, Nullable(types::String()))}),
      DateFormat, "The time as text, by a pattern of Java's DateTimeFormatter.",
      "DATE_FORMAT(TIMESTAMP '2024-02-29 12:34:56', 'yyyy/MM/dd HH:mm')", "2024/02/29 12:34"));
  registry->Add(TimeText("TO_TIMESTAMP", {"TO_TIMESTAMP(string [, pattern])"},
                         BindWith({{kString, kString}, 1}, Nullable(types::Timestamp(3))),
                         ToTimestamp, "Reads a TIMESTAMP(3); NULL when the text is none.",
                         "TO_TIMESTAMP('1970-01-01 08:01:40')", "1970-01-01 08:01:40.000"));
  registry->Add(TimeText("TO_DATE", {"TO_DATE(string [, pattern])"},
                         BindWith({{kString, kString}, 1}, Nullable(types::Date())), ToDate,
                         "Reads a DATE; NULL when the text is none.", "TO_DATE('2018-03-18')",
                         "2018-03-18"));
  registry->Add(TimeText(
      "TO_TIMESTAMP_LTZ",
      {"TO_TIMESTAMP_LTZ(number [, precision])", "TO_TIMESTAMP_LTZ(string [, pattern])"},
      BindFirstOf(
          {BindWith({{Parameter::kLong, Parameter::kInteger}, 1}, Nullable(types::TimestampLtz(3))),
           BindWith({{Parameter::kDouble, Parameter::kInteger}, 1},
                    Nullable(types::TimestampLtz(3))),
           BindWith({{kString, kString}, 1}, Nullable(types::TimestampLtz(3)))}),
      ToTimestampLtz,
      "The instant so many milliseconds (precision 3) or seconds (0) after 1970, or that a text "
      "names in UTC.",
      "TO_TIMESTAMP_LTZ(0, 3) IS NULL", "FALSE"));
  registry->Add(TimeText("FROM_UNIXTIME", {"FROM_UNIXTIME(seconds [, pattern])"},
                         Bind({{Parameter::kLong, kString}, 1}, types::String()), FromUnixTime,
                         "The instant as text in the session's zone.",
                         "CHAR_LENGTH(FROM_UNIXTIME(44))", "19"));
  ScalarFunction unix_timestamp =
      TimeText("UNIX_TIMESTAMP", {"UNIX_TIMESTAMP()", "UNIX_TIMESTAMP(string [, pattern])"},
               Bind({{kString, kString}, 2}, types::BigInt()), UnixTimestamp,
               "Seconds since 1970 of now, or of a text in the session's zone.",
               "UNIX_TIMESTAMP() > 0", "TRUE");
  unix_timestamp.deterministic = false;
  registry->Add(std::move(unix_timestamp));
  registry->Add(TimeText("CONVERT_TZ", {"CONVERT_TZ(string, from_zone, to_zone)"},
                         BindWith({{kString, kString, kString}}, Nullable(types::String())),
                         ConvertZone, "A wall clock time of one zone in another.",
                         "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles')",
                         "1969-12-31 16:00:00"));
}

}  // namespace lakeward::expr
