#include "lakeward/plan/literal.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "arrow/scalar.h"
#include "arrow/util/decimal.h"
#include "lakeward/plan/bind_type.h"
#include "lakeward/plan/date_time_literal.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::plan {
namespace {

using sql::LiteralExpression;
using sql::LiteralKind;

Status OutOfRange(const LiteralExpression& literal) {
  return MakeError(ErrorKind::kValidation, "Numeric literal '" + literal.text + "' out of range",
                   "The largest whole number is 9223372036854775807; for more digits write "
                   "CAST('…' AS DECIMAL(38, 0)).",
                   literal.position);
}

int32_t CountCodePoints(std::string_view text) {
  int32_t count = 0;
  for (const char c : text) {
    count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  }
  return count;
}

Result<expr::ExpressionPtr> BindWholeNumber(const LiteralExpression& literal, std::string digits,
                                            bool negative) {
  if (negative) {
    digits.insert(0, "-");
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    return OutOfRange(literal);
  }
  // The type is that of the digits without sign.
  if (value <= INT32_MAX && value >= -INT32_MAX) {
    return MakeInt(static_cast<int32_t>(value));
  }
  return MakeBigInt(value);
}

Result<expr::ExpressionPtr> BindExactNumber(const LiteralExpression& literal, bool negative) {
  const std::string& text = literal.text;
  const size_t point = text.find('.');
  if (point == std::string::npos) {
    return BindWholeNumber(literal, text, negative);
  }
  if (point + 1 == text.size()) {
    return BindWholeNumber(literal, text.substr(0, point), negative);
  }
  const auto scale = static_cast<int32_t>(text.size() - point - 1);
  const auto precision = static_cast<int32_t>(text.size() - 1);
  if (precision > types::kMaxDecimalPrecision) {
    return OutOfRange(literal);
  }
  const auto parsed = arrow::Decimal128::FromString(text);
  if (!parsed.ok()) {
    return OutOfRange(literal);
  }
  const arrow::Decimal128 value = negative ? arrow::Decimal128(-*parsed) : *parsed;
  return expr::MakeLiteral(
      std::make_shared<arrow::Decimal128Scalar>(value, arrow::decimal128(precision, scale)),
      types::Decimal(precision, scale, /*nullable=*/false));
}

Result<expr::ExpressionPtr> BindApproximateNumber(const LiteralExpression& literal, bool negative) {
  double value = 0;
  const std::string& text = literal.text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return OutOfRange(literal);
  }
  return expr::MakeLiteral(std::make_shared<arrow::DoubleScalar>(negative ? -value : value),
                           types::Double(/*nullable=*/false));
}

Status IllegalDateTime(const LiteralExpression& literal, std::string_view type,
                       std::string_view form) {
  return MakeError(ErrorKind::kValidation,
                   "Illegal " + std::string(type) + " literal '" + literal.text +
                       "': not in format '" + std::string(form) + "'",
                   "", literal.position);
}

Result<expr::ExpressionPtr> BindDate(const LiteralExpression& literal) {
  const std::optional<int32_t> days = ReadDateLiteral(literal.text);
  if (!days.has_value()) {
    return IllegalDateTime(literal, "DATE", "yyyy-MM-dd");
  }
  return expr::MakeLiteral(std::make_shared<arrow::Date32Scalar>(*days),
                           types::Date(/*nullable=*/false));
}

Result<expr::ExpressionPtr> BindTime(const LiteralExpression& literal) {
  const std::optional<TimeLiteral> time = ReadTimeLiteral(literal.text);
  if (!time.has_value()) {
    return IllegalDateTime(literal, "TIME", "HH:mm:ss");
  }
  // Flink 1.20's planner knows TIME(0) alone, though a literal keeps its milliseconds.
  const types::TypePtr type = types::Time(0, /*nullable=*/false);
  return expr::MakeLiteral(
      std::make_shared<arrow::Time64Scalar>(time->nanos / 1'000, types::ToArrow(*type)), type);
}

Result<expr::ExpressionPtr> BindTimestamp(const LiteralExpression& literal) {
  const std::string& text = literal.text;
  const size_t space = text.find(' ');
  const std::optional<int32_t> days =
      space == std::string::npos ? std::nullopt : ReadDateLiteral(text.substr(0, space));
  const std::optional<TimeLiteral> time =
      space == std::string::npos ? std::nullopt : ReadTimeLiteral(text.substr(space + 1));
  if (!days.has_value() || !time.has_value()) {
    return IllegalDateTime(literal, "TIMESTAMP", "yyyy-MM-dd HH:mm:ss");
  }
  const types::TypePtr type = types::Timestamp(time->precision, /*nullable=*/false);
  constexpr int64_t kSecondsPerDay = 86'400;
  const bool in_nanos = time->precision > 6;
  const int64_t unit = in_nanos ? 1'000'000'000 : 1'000'000;
  int64_t value = 0;
  if (__builtin_mul_overflow(*days * kSecondsPerDay, unit, &value) ||
      __builtin_add_overflow(value, time->nanos / (in_nanos ? 1 : 1'000), &value)) {
    return MakeError(ErrorKind::kUnsupported,
                     "not supported yet: TIMESTAMP '" + text +
                         "': nanoseconds reach from the year 1677 to 2262 only",
                     "Write at most six fractional digits.", literal.position);
  }
  return expr::MakeLiteral(std::make_shared<arrow::TimestampScalar>(value, types::ToArrow(*type)),
                           type);
}

}  // namespace

Result<expr::ExpressionPtr> BindLiteral(const LiteralExpression& literal, bool negative) {
  switch (literal.literal) {
    case LiteralKind::kNull:
      return expr::MakeNullLiteral(types::Null());
    case LiteralKind::kBoolean:
      return MakeBoolean(literal.boolean);
    case LiteralKind::kUnknown:
      return expr::MakeNullLiteral(types::Boolean());
    case LiteralKind::kString:
      return MakeText(literal.text);
    case LiteralKind::kBinary:
      return expr::MakeLiteral(
          std::make_shared<arrow::BinaryScalar>(literal.text),
          types::Binary(static_cast<int32_t>(literal.text.size()), /*nullable=*/false));
    case LiteralKind::kExactNumber:
      return BindExactNumber(literal, negative);
    case LiteralKind::kApproximateNumber:
      return BindApproximateNumber(literal, negative);
    case LiteralKind::kDate:
      return BindDate(literal);
    case LiteralKind::kTime:
      return BindTime(literal);
    case LiteralKind::kTimestamp:
      return BindTimestamp(literal);
  }
  return MakeError(ErrorKind::kInternal, "A literal of unknown kind", "", literal.position);
}

Result<expr::ExpressionPtr> BindInterval(const sql::IntervalExpression& interval) {
  LW_ASSIGN(const types::TypePtr type, BindIntervalType(interval.qualifier, interval.position));
  const std::string& text = interval.value->As<LiteralExpression>().text;
  std::optional<int64_t> value = ReadIntervalLiteral(text, interval.qualifier);
  if (!value.has_value()) {
    return MakeError(ErrorKind::kValidation,
                     "Illegal interval literal '" + text + "' for INTERVAL " +
                         std::string(sql::NameOf(interval.qualifier.from)) +
                         (interval.qualifier.to.has_value()
                              ? " TO " + std::string(sql::NameOf(*interval.qualifier.to))
                              : ""),
                     "Examples: INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, "
                     "INTERVAL '1 02:03:04.5' DAY TO SECOND.",
                     interval.value->position);
  }
  if (interval.negative) {
    *value = -*value;
  }
  if (type->root() == types::TypeRoot::kIntervalYearMonth) {
    return expr::MakeLiteral(std::make_shared<arrow::Int32Scalar>(static_cast<int32_t>(*value)),
                             type);
  }
  return expr::MakeLiteral(std::make_shared<arrow::Int64Scalar>(*value), type);
}

expr::ExpressionPtr MakeInt(int32_t value) {
  return expr::MakeLiteral(std::make_shared<arrow::Int32Scalar>(value),
                           types::Int(/*nullable=*/false));
}

expr::ExpressionPtr MakeBigInt(int64_t value) {
  return expr::MakeLiteral(std::make_shared<arrow::Int64Scalar>(value),
                           types::BigInt(/*nullable=*/false));
}

expr::ExpressionPtr MakeBoolean(bool value) {
  return expr::MakeLiteral(std::make_shared<arrow::BooleanScalar>(value),
                           types::Boolean(/*nullable=*/false));
}

expr::ExpressionPtr MakeText(std::string_view text) {
  return expr::MakeLiteral(std::make_shared<arrow::StringScalar>(std::string(text)),
                           types::Char(CountCodePoints(text), /*nullable=*/false));
}

}  // namespace lakeward::plan
