#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <type_traits>
#include <utility>

#include "arrow/scalar.h"
#include "arrow/util/checked_cast.h"
#include "lakeward/expr/column_values.h"
#include "lakeward/expr/decimal_math.h"
#include "lakeward/expr/functions/chance.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/physical_dispatch.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/time_rounding.h"
#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::TypePtr;
using types::TypeRoot;

namespace {

/// Fills a number column of physical type T by `compute(value, row)`.
template <typename T, typename Compute>
Result<arrow::Datum> MapNumbers(const KernelCall& call, Compute compute) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const FixedValues<T> values(column);
  LW_ASSIGN(FixedOutput<T> output, FixedOutput<T>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = compute(values[row], row);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

/// The negative of the smallest integer is itself, as in Java.
template <typename T>
T Absolute(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(value);
  } else if constexpr (std::is_same_v<T, Int128>) {
    return value < 0 ? -value : value;
  } else {
    return value < 0 ? static_cast<T>(-static_cast<std::make_unsigned_t<T>>(value)) : value;
  }
}

Result<arrow::Datum> Abs(const KernelCall& call) {
  return DispatchNumber(*call.argument_types[0], [&]<typename T>() -> Result<arrow::Datum> {
    return MapNumbers<T>(call, [](T value, int64_t) { return Absolute<T>(value); });
  });
}

Result<arrow::Datum> Sign(const KernelCall& call) {
  const Int128 one = call.argument_types[0]->root() == TypeRoot::kDecimal
                         ? PowerOfTen(call.argument_types[0]->scale())
                         : 1;
  return DispatchNumber(*call.argument_types[0], [&]<typename T>() -> Result<arrow::Datum> {
    return MapNumbers<T>(call, [one](T value, int64_t) {
      if constexpr (std::is_floating_point_v<T>) {
        return value > 0 ? T{1} : (value < 0 ? T{-1} : value);
      } else {
        const T unit = static_cast<T>(one);
        return value > 0 ? unit : (value < 0 ? static_cast<T>(-unit) : T{0});
      }
    });
  });
}

enum class Toward : uint8_t { kFloor, kCeiling };

Int128 WholeDecimal(Int128 value, int32_t scale, Toward direction) {
  const Int128 unit = PowerOfTen(scale);
  const Int128 whole = value / unit;
  const Int128 rest = value % unit;
  if (direction == Toward::kFloor) {
    return rest < 0 ? whole - 1 : whole;
  }
  return rest > 0 ? whole + 1 : whole;
}

template <Toward kDirection>
Result<arrow::Datum> ToWhole(const KernelCall& call) {
  if (call.arguments.size() == 2) {
    return kDirection == Toward::kFloor ? FloorTime(call) : CeilTime(call);
  }
  const int32_t scale = call.argument_types[0]->scale();
  return DispatchNumber(*call.argument_types[0], [&]<typename T>() -> Result<arrow::Datum> {
    return MapNumbers<T>(call, [scale](T value, int64_t) {
      if constexpr (std::is_floating_point_v<T>) {
        return kDirection == Toward::kFloor ? std::floor(value) : std::ceil(value);
      } else if constexpr (std::is_same_v<T, Int128>) {
        return WholeDecimal(value, scale, kDirection);
      } else {
        return value;
      }
    });
  });
}

enum class Rounding : uint8_t { kHalfUp, kTowardZero };

/// `value` rounded to `digits` after the point, in decimal as Flink does.
template <Rounding kRounding>
double RoundDouble(double value, int32_t digits) {
  constexpr double kNoFraction = 4503599627370496.0;  // 2^52: larger doubles are whole
  if (!std::isfinite(value) || (digits >= 0 && std::fabs(value) >= kNoFraction)) {
    return value;
  }
  const double scale = std::pow(10.0, std::abs(digits));
  const double scaled = digits >= 0 ? value * scale : value / scale;
  if (!std::isfinite(scaled)) {
    return value;
  }
  // %.15g drops the binary noise that would turn 1.005 into 1.00499….
  char text[64];
  std::snprintf(text, sizeof(text), "%.15g", scaled);
  const double clean = std::strtod(text, nullptr);
  const double rounded = kRounding == Rounding::kHalfUp ? std::round(clean) : std::trunc(clean);
  return digits >= 0 ? rounded / scale : rounded * scale;
}

template <Rounding kRounding, typename T>
T RoundInteger(T value, int32_t digits) {
  constexpr int32_t kLongDigits = 18;
  if (digits >= 0) {
    return value;
  }
  if (digits < -kLongDigits) {
    return 0;
  }
  const auto unit = static_cast<int64_t>(PowerOfTen(-digits));
  const int64_t rest = static_cast<int64_t>(value) % unit;
  int64_t rounded = static_cast<int64_t>(value) - rest;
  if (kRounding == Rounding::kHalfUp && (rest >= unit - rest || -rest >= unit + rest)) {
    rounded += rest > 0 ? unit : -unit;
  }
  return static_cast<T>(rounded);
}

template <Rounding kRounding>
Int128 RoundDecimal(Int128 value, int32_t scale, int32_t digits, int32_t result_scale) {
  constexpr int32_t kDigitsMax = types::kMaxDecimalPrecision;
  digits = std::min({digits, scale, result_scale});
  const int32_t dropped = scale - digits;
  if (dropped > kDigitsMax || result_scale - digits > kDigitsMax) {
    return 0;
  }
  // What is left counts units of 10^-digits; then it is brought to the result's scale.
  const Int128 kept = kRounding == Rounding::kHalfUp
                          ? RescaleDecimal(value, dropped, kDigitsMax, 0).value_or(0)
                          : value / PowerOfTen(dropped);
  return kept * PowerOfTen(result_scale - digits);
}

template <Rounding kRounding>
Result<arrow::Datum> Round(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues digit_column, ColumnValues::Make(call.arguments.back()));
  const bool has_digits = call.arguments.size() == 2;
  const FixedValues<int32_t> digit_values(digit_column);
  const auto digits_at = [&](int64_t row) { return has_digits ? digit_values[row] : 0; };
  const int32_t scale = call.argument_types[0]->scale();
  const int32_t result_scale = call.result_type->scale();
  return DispatchNumber(*call.argument_types[0], [&]<typename T>() -> Result<arrow::Datum> {
    return MapNumbers<T>(call, [&](T value, int64_t row) {
      if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(RoundDouble<kRounding>(static_cast<double>(value), digits_at(row)));
      } else if constexpr (std::is_same_v<T, Int128>) {
        return RoundDecimal<kRounding>(value, scale, digits_at(row), result_scale);
      } else {
        return RoundInteger<kRounding, T>(value, digits_at(row));
      }
    });
  });
}

template <double (*kFunction)(double)>
Result<arrow::Datum> MapDouble(const KernelCall& call) {
  return MapNumbers<double>(call, [](double value, int64_t) { return kFunction(value); });
}

template <double (*kFunction)(double, double)>
Result<arrow::Datum> MapTwoDoubles(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues second_column, ColumnValues::Make(call.arguments[1]));
  const FixedValues<double> second(second_column);
  return MapNumbers<double>(
      call, [&](double value, int64_t row) { return kFunction(value, second[row]); });
}

double Degrees(double radians) { return radians / std::numbers::pi * 180.0; }
double Radians(double degrees) { return degrees / 180.0 * std::numbers::pi; }
double Cotangent(double value) { return 1.0 / std::tan(value); }
/// Java has no log2: Flink divides, and the last digit shows it.
double BinaryLog(double value) { return std::log(value) / std::numbers::ln2; }
double LogBase(double base, double value) { return std::log(value) / std::log(base); }

Result<arrow::Datum> NaturalOrBaseLog(const KernelCall& call) {
  return call.arguments.size() == 1 ? MapDouble<std::log>(call) : MapTwoDoubles<LogBase>(call);
}

Result<arrow::Datum> Pi(const KernelCall&) {
  return arrow::Datum(std::make_shared<arrow::DoubleScalar>(std::numbers::pi));
}
Result<arrow::Datum> Euler(const KernelCall&) {
  return arrow::Datum(std::make_shared<arrow::DoubleScalar>(std::numbers::e));
}

/// [0, 1) from the top 53 bits.
Result<arrow::Datum> Rand(const KernelCall& call) {
  LW_ASSIGN(FixedOutput<double> output, FixedOutput<double>::Make(call.row_count, call.context));
  Random* random = RandomOf(call.context);
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = static_cast<double>(random->NextUint64() >> 11) * 0x1.0p-53;
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

TypePtr SameType(const std::vector<TypePtr>& arguments) { return arguments[0]; }

/// FLOOR and CEIL of a DECIMAL have no fraction.
TypePtr WholeType(const std::vector<TypePtr>& arguments) {
  const TypePtr& type = arguments[0];
  return type->root() == TypeRoot::kDecimal ? types::Decimal(type->precision(), 0, type->nullable())
                                            : type;
}

TypePtr RoundType(const std::vector<TypePtr>& arguments) {
  const types::LogicalType& type = *arguments[0];
  if (type.root() != TypeRoot::kDecimal) {
    return NullableIfAny(arguments[0], arguments);
  }
  // With digits that are no constant the whole scale is kept.
  const int32_t digits = arguments.size() == 1 ? 0 : type.scale();
  return NullableIfAny(types::DecimalRoundType(type.precision(), type.scale(), digits), arguments);
}

/// The number of digits in the second place, where it is a constant.
std::optional<int32_t> ConstantDigits(const std::vector<const arrow::Scalar*>& literals) {
  if (literals.size() != 2 || literals[1] == nullptr || !literals[1]->is_valid ||
      literals[1]->type->id() != arrow::Type::INT32) {
    return std::nullopt;
  }
  return arrow::internal::checked_cast<const arrow::Int32Scalar&>(*literals[1]).value;
}

TypePtr RefineRoundType(const BoundSignature& signature,
                        const std::vector<const arrow::Scalar*>& literals) {
  const types::LogicalType& type = *signature.argument_types[0];
  const std::optional<int32_t> digits = ConstantDigits(literals);
  if (type.root() != TypeRoot::kDecimal || !digits) {
    return signature.result_type;
  }
  return NullableIfAny(types::DecimalRoundType(type.precision(), type.scale(), *digits),
                       signature.argument_types);
}

/// TRUNCATE keeps the precision and at most `digits` after the point.
TypePtr TruncateType(const std::vector<TypePtr>& arguments) {
  const types::LogicalType& type = *arguments[0];
  if (type.root() != TypeRoot::kDecimal || arguments.size() == 2) {
    return NullableIfAny(arguments[0], arguments);
  }
  return types::Decimal(type.precision(), 0, type.nullable());
}

TypePtr RefineTruncateType(const BoundSignature& signature,
                           const std::vector<const arrow::Scalar*>& literals) {
  const types::LogicalType& type = *signature.argument_types[0];
  const std::optional<int32_t> digits = ConstantDigits(literals);
  if (type.root() != TypeRoot::kDecimal || !digits) {
    return signature.result_type;
  }
  return NullableIfAny(types::Decimal(type.precision(), std::clamp(*digits, 0, type.scale())),
                       signature.argument_types);
}

ScalarFunction Numeric(std::string name, std::string signature, SignatureBinder bind,
                       ScalarKernel kernel, std::string doc, std::string example,
                       std::string example_result) {
  return {.name = std::move(name),
          .signatures = {std::move(signature)},
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result)};
}

void AddDoubleFunctions(FunctionRegistry* registry) {
  const SignatureBinder one = Bind({{Parameter::kDouble}}, types::Double());
  const SignatureBinder two = Bind({{Parameter::kDouble, Parameter::kDouble}}, types::Double());
  const auto add = [&](const char* name, ScalarKernel kernel, const char* doc, const char* argument,
                       const char* result) {
    registry->Add(Numeric(name, std::string(name) + "(number)", one, kernel, doc,
                          std::string(name) + "(" + argument + ")", result));
  };
  add("SQRT", MapDouble<std::sqrt>, "The square root.", "2", "1.4142135623730951");
  add("EXP", MapDouble<std::exp>, "e to the power of the number.", "1", "2.718281828459045");
  add("LN", MapDouble<std::log>, "The natural logarithm.", "2.718281828E0", "0.9999999998311266");
  add("LOG10", MapDouble<std::log10>, "The logarithm to base 10.", "1000", "3.0");
  add("LOG2", MapDouble<BinaryLog>, "The logarithm to base 2.", "8", "3.0");
  add("SIN", MapDouble<std::sin>, "The sine.", "0", "0.0");
  add("COS", MapDouble<std::cos>, "The cosine.", "0", "1.0");
  add("TAN", MapDouble<std::tan>, "The tangent.", "1", "1.5574077246549023");
  add("COT", MapDouble<Cotangent>, "The cotangent.", "1", "0.6420926159343306");
  add("ASIN", MapDouble<std::asin>, "The arc sine.", "1", "1.5707963267948966");
  add("ACOS", MapDouble<std::acos>, "The arc cosine.", "1", "0.0");
  add("ATAN", MapDouble<std::atan>, "The arc tangent.", "1", "0.7853981633974483");
  add("SINH", MapDouble<std::sinh>, "The hyperbolic sine.", "0", "0.0");
  add("COSH", MapDouble<std::cosh>, "The hyperbolic cosine.", "0", "1.0");
  add("TANH", MapDouble<std::tanh>, "The hyperbolic tangent.", "0", "0.0");
  add("DEGREES", MapDouble<Degrees>, "Radians as degrees.", "PI()", "180.0");
  add("RADIANS", MapDouble<Radians>, "Degrees as radians.", "180", "3.141592653589793");
  registry->Add(Numeric("POWER", "POWER(number, exponent)", two, MapTwoDoubles<std::pow>,
                        "The number to the power of the exponent.", "POWER(2, 10)", "1024.0"));
  registry->Add(Numeric("ATAN2", "ATAN2(y, x)", two, MapTwoDoubles<std::atan2>,
                        "The angle of the point (x, y).", "ATAN2(1, 1)", "0.7853981633974483"));
  registry->Add(Numeric("LOG", "LOG([base,] number)",
                        Bind({{Parameter::kDouble, Parameter::kDouble}, 1}, types::Double()),
                        NaturalOrBaseLog, "The logarithm, natural or to the base.", "LOG(2, 8)",
                        "3.0"));
  const SignatureBinder none = Bind({}, types::Double());
  registry->Add(Numeric("PI", "PI()", none, Pi, "The number pi.", "PI()", "3.141592653589793"));
  registry->Add(Numeric("E", "E()", none, Euler, "Euler's number.", "E()", "2.718281828459045"));
}

}  // namespace

void AddMathFunctions(FunctionRegistry* registry) {
  const Shape number{{Parameter::kNumeric}};
  AddDoubleFunctions(registry);
  registry->Add(Numeric("ABS", "ABS(number)", BindWith(number, SameType), Abs,
                        "The number without its sign.", "ABS(-5)", "5"));
  registry->Add(Numeric("SIGN", "SIGN(number)", BindWith(number, SameType), Sign,
                        "1, 0 or -1, whichever sign the number has.", "SIGN(-3)", "-1"));
  const SignatureBinder whole =
      BindFirstOf({BindWith(number, WholeType),
                   BindWith({{Parameter::kTemporal, Parameter::kString}},
                            [](const std::vector<TypePtr>& arguments) { return arguments[0]; })});
  for (const char* name : {"CEIL", "CEILING"}) {
    registry->Add(Numeric(name, std::string(name) + "(number)", whole, ToWhole<Toward::kCeiling>,
                          "The next whole number, or time unit, up.", std::string(name) + "(1.2)",
                          "2"));
  }
  registry->Add(Numeric("FLOOR", "FLOOR(number)", whole, ToWhole<Toward::kFloor>,
                        "The next whole number, or time unit, down.", "FLOOR(-1.2)", "-2"));
  ScalarFunction round =
      Numeric("ROUND", "ROUND(number [, digits])",
              BindWith({{Parameter::kNumeric, Parameter::kInteger}, 1}, RoundType),
              Round<Rounding::kHalfUp>, "The number rounded half up to the digits after the point.",
              "ROUND(2.5E0)", "3.0");
  round.refine = RefineRoundType;
  registry->Add(std::move(round));
  ScalarFunction truncate =
      Numeric("TRUNCATE", "TRUNCATE(number [, digits])",
              BindWith({{Parameter::kNumeric, Parameter::kInteger}, 1}, TruncateType),
              Round<Rounding::kTowardZero>, "The number without the digits beyond.",
              "TRUNCATE(42.324, 2)", "42.32");
  truncate.refine = RefineTruncateType;
  registry->Add(std::move(truncate));
  ScalarFunction rand =
      Numeric("RAND", "RAND()", Bind({}, types::Double()), Rand,
              "A random number, at least 0 and less than 1.", "RAND() < 1", "TRUE");
  rand.deterministic = false;
  registry->Add(std::move(rand));
}

}  // namespace lakeward::expr
