#include "lakeward/table/delta/data_skipping.h"

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "arrow/scalar.h"
#include "lakeward/expr/function.h"

namespace lakeward::delta {
namespace {

using expr::Expression;
using expr::ExpressionKind;
using types::LogicalType;
using types::TypeRoot;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double AsDouble(const BoundValue& value) {
  return value.kind == BoundValue::Kind::kWhole ? static_cast<double>(value.whole) : value.number;
}

/// Whether a < b (a <= b) holds for certain. Doubles stand for decimals and large whole numbers
/// too, hence a rounding's distance is asked for.
bool CertainlyLess(const BoundValue& a, const BoundValue& b) {
  if (a.kind == b.kind && a.kind == BoundValue::Kind::kWhole) {
    return a.whole < b.whole;
  }
  if (a.kind == b.kind && a.kind == BoundValue::Kind::kText) {
    return a.text < b.text;
  }
  if (a.kind == BoundValue::Kind::kText || b.kind == BoundValue::Kind::kText) {
    return false;
  }
  return std::nextafter(AsDouble(a), kInfinity) < std::nextafter(AsDouble(b), -kInfinity);
}

bool CertainlyAtMost(const BoundValue& a, const BoundValue& b) {
  if (a.kind == b.kind && a.kind == BoundValue::Kind::kWhole) {
    return a.whole <= b.whole;
  }
  if (a.kind == b.kind && a.kind == BoundValue::Kind::kText) {
    return a.text <= b.text;
  }
  return CertainlyLess(a, b);
}

/// Whether a cast keeps order and nulls, so that the column's bounds are the cast's bounds.
bool KeepsOrder(const LogicalType& from, const LogicalType& to) {
  if (from.IsExactInteger()) {
    if (to.IsExactInteger()) {
      return to.root() >= from.root();
    }
    // FLOAT has 24 bits: it would move an INT's or a BIGINT's bounds away from what the cast gives.
    const bool is_short = from.root() == TypeRoot::kTinyInt || from.root() == TypeRoot::kSmallInt;
    return to.root() == TypeRoot::kDouble || (to.root() == TypeRoot::kFloat && is_short) ||
           (to.root() == TypeRoot::kDecimal && to.precision() - to.scale() >= 19);
  }
  if (from.root() == TypeRoot::kDecimal) {
    return to.root() == TypeRoot::kDecimal && to.scale() >= from.scale() &&
           to.precision() - to.scale() >= from.precision() - from.scale();
  }
  if (from.IsApproximateNumeric()) {
    return to.root() == from.root() || to.root() == TypeRoot::kDouble;
  }
  if (from.IsCharacterString()) {
    return to.root() == TypeRoot::kVarChar && to.length() >= from.length();
  }
  if (from.IsTimestamp()) {
    return to.root() == from.root() && to.precision() >= from.precision() && to.precision() <= 6;
  }
  return from.root() == to.root() && from.root() != TypeRoot::kRow && from.children().empty();
}

/// The column under order-keeping casts, null when the expression is something else.
const Expression* FindColumn(const Expression& expression) {
  if (expression.kind() == ExpressionKind::kColumn) {
    return &expression;
  }
  if (expression.kind() == ExpressionKind::kCast) {
    const Expression& argument = *expression.arguments()[0];
    return KeepsOrder(*argument.type(), *expression.type()) ? FindColumn(argument) : nullptr;
  }
  return nullptr;
}

bool IsNullLiteral(const Expression& expression) {
  return expression.kind() == ExpressionKind::kLiteral &&
         (expression.literal() == nullptr || !expression.literal()->is_valid);
}

enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kAtMost, kGreater, kAtLeast };

std::optional<Comparison> ComparisonOf(std::string_view function) {
  if (function == "=" || function == "==") {
    return Comparison::kEqual;
  }
  if (function == "<>" || function == "!=") {
    return Comparison::kNotEqual;
  }
  if (function == "<") {
    return Comparison::kLess;
  }
  if (function == "<=") {
    return Comparison::kAtMost;
  }
  if (function == ">") {
    return Comparison::kGreater;
  }
  if (function == ">=") {
    return Comparison::kAtLeast;
  }
  return std::nullopt;
}

/// The comparison with its sides exchanged.
Comparison Mirrored(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLess:
      return Comparison::kGreater;
    case Comparison::kAtMost:
      return Comparison::kAtLeast;
    case Comparison::kGreater:
      return Comparison::kLess;
    case Comparison::kAtLeast:
      return Comparison::kAtMost;
    default:
      return comparison;
  }
}

Outcomes Not(Outcomes outcomes) {
  std::swap(outcomes.may_be_true, outcomes.may_be_false);
  return outcomes;
}

constexpr Outcomes kAlwaysNull{false, false, true};

class Judgement {
 public:
  explicit Judgement(const FileKnowledge& file) : file_(file) {}

  Outcomes Of(const Expression& condition) const {
    switch (condition.kind()) {
      case ExpressionKind::kLiteral:
        return OfLiteral(condition);
      case ExpressionKind::kColumn:
        return OfBooleanColumn(condition);
      case ExpressionKind::kCall:
        return OfCall(condition);
      case ExpressionKind::kCast:
        return condition.type()->root() == TypeRoot::kBoolean &&
                       condition.arguments()[0]->type()->root() == TypeRoot::kBoolean
                   ? Of(*condition.arguments()[0])
                   : Outcomes{};
      case ExpressionKind::kCase:
        return {};
    }
    return {};
  }

 private:
  static Outcomes OfLiteral(const Expression& literal) {
    if (IsNullLiteral(literal)) {
      return kAlwaysNull;
    }
    if (literal.literal()->type->id() != arrow::Type::BOOL) {
      return {};
    }
    const bool value = static_cast<const arrow::BooleanScalar&>(*literal.literal()).value;
    return {value, !value, false};
  }

  Outcomes OfBooleanColumn(const Expression& column) const {
    BoundValue is_true;
    is_true.whole = 1;
    return column.type()->root() == TypeRoot::kBoolean
               ? Compare(column, Comparison::kEqual, is_true)
               : Outcomes{};
  }

  Outcomes OfCall(const Expression& call) const {
    const std::string_view name = call.function()->name;
    const auto& arguments = call.arguments();
    if (name == "AND") {
      return OfAll(arguments);
    }
    if (name == "OR") {
      return OfAny(arguments);
    }
    if (name == "NOT" && arguments.size() == 1) {
      return Not(Of(*arguments[0]));
    }
    if (const std::optional<Comparison> comparison = ComparisonOf(name);
        comparison.has_value() && arguments.size() == 2) {
      return OfComparison(*arguments[0], *comparison, *arguments[1]);
    }
    if (name == "IN" || name == "NOT IN") {
      const Outcomes in = OfIn(arguments);
      return name == "IN" ? in : Not(in);
    }
    if ((name == "BETWEEN" || name == "NOT BETWEEN") && arguments.size() == 3) {
      const Outcomes between = And(OfComparison(*arguments[0], Comparison::kAtLeast, *arguments[1]),
                                   OfComparison(*arguments[0], Comparison::kAtMost, *arguments[2]));
      return name == "BETWEEN" ? between : Not(between);
    }
    if (name.starts_with("IS ") && arguments.size() == 1) {
      return OfIs(name.substr(3), *arguments[0]);
    }
    return {};
  }

  Outcomes OfIs(std::string_view what, const Expression& argument) const {
    if (what == "NULL" || what == "NOT NULL") {
      const Outcomes is_null = OfIsNull(argument);
      return what == "NULL" ? is_null : Not(is_null);
    }
    const Outcomes inner = Of(argument);
    if (what == "TRUE" || what == "NOT TRUE") {
      const Outcomes is_true{inner.may_be_true, inner.may_be_false || inner.may_be_null, false};
      return what == "TRUE" ? is_true : Not(is_true);
    }
    if (what == "FALSE" || what == "NOT FALSE") {
      const Outcomes is_false{inner.may_be_false, inner.may_be_true || inner.may_be_null, false};
      return what == "FALSE" ? is_false : Not(is_false);
    }
    if (what == "UNKNOWN" || what == "NOT UNKNOWN") {
      const Outcomes is_unknown{inner.may_be_null, inner.may_be_true || inner.may_be_false, false};
      return what == "UNKNOWN" ? is_unknown : Not(is_unknown);
    }
    return {};
  }

  Outcomes OfIsNull(const Expression& argument) const {
    const Expression* column = FindColumn(argument);
    if (column == nullptr) {
      return {true, true, false};
    }
    const ColumnBounds bounds = file_.bounds(column->column());
    return {!HasNoNull(bounds), !IsAllNull(bounds), false};
  }

  Outcomes OfIn(const std::vector<expr::ExpressionPtr>& arguments) const {
    Outcomes any{false, true, false};
    for (size_t i = 1; i < arguments.size(); ++i) {
      any = Or(any, OfComparison(*arguments[0], Comparison::kEqual, *arguments[i]));
    }
    return arguments.size() < 2 ? Outcomes{} : any;
  }

  Outcomes OfAll(const std::vector<expr::ExpressionPtr>& arguments) const {
    Outcomes all{true, false, false};
    for (const expr::ExpressionPtr& argument : arguments) {
      all = And(all, Of(*argument));
    }
    return all;
  }

  Outcomes OfAny(const std::vector<expr::ExpressionPtr>& arguments) const {
    Outcomes any{false, true, false};
    for (const expr::ExpressionPtr& argument : arguments) {
      any = Or(any, Of(*argument));
    }
    return any;
  }

  static Outcomes And(const Outcomes& a, const Outcomes& b) {
    return {a.may_be_true && b.may_be_true, a.may_be_false || b.may_be_false,
            a.may_be_null || b.may_be_null};
  }
  static Outcomes Or(const Outcomes& a, const Outcomes& b) {
    return {a.may_be_true || b.may_be_true, a.may_be_false && b.may_be_false,
            a.may_be_null || b.may_be_null};
  }

  Outcomes OfComparison(const Expression& left, Comparison comparison,
                        const Expression& right) const {
    if (IsNullLiteral(left) || IsNullLiteral(right)) {
      return kAlwaysNull;
    }
    const bool literal_left = left.kind() == ExpressionKind::kLiteral;
    const Expression& literal = literal_left ? left : right;
    const Expression* column = FindColumn(literal_left ? right : left);
    if (literal.kind() != ExpressionKind::kLiteral || column == nullptr) {
      return {};
    }
    const std::optional<BoundValue> value = ToBoundValue(*literal.literal(), *literal.type());
    if (!value.has_value()) {
      return {};
    }
    return Compare(*column, literal_left ? Mirrored(comparison) : comparison, *value);
  }

  Outcomes Compare(const Expression& column, Comparison comparison, const BoundValue& value) const {
    const ColumnBounds bounds = file_.bounds(column.column());
    Outcomes outcomes = CompareBounds(bounds, comparison, value);
    if (column.type()->IsApproximateNumeric()) {
      // NaN lies outside of every bound; all comparisons with it are false but <>.
      outcomes.may_be_false = true;
      outcomes.may_be_true = outcomes.may_be_true || comparison == Comparison::kNotEqual;
    }
    outcomes.may_be_null = !HasNoNull(bounds);
    return IsAllNull(bounds) ? kAlwaysNull : outcomes;
  }

  static Outcomes CompareBounds(const ColumnBounds& bounds, Comparison comparison,
                                const BoundValue& value) {
    const auto& minimum = bounds.minimum;
    const auto& maximum = bounds.maximum;
    // Whether every value is below, at most, above, at least the constant.
    const bool all_less = maximum.has_value() && CertainlyLess(*maximum, value);
    const bool all_at_most = maximum.has_value() && CertainlyAtMost(*maximum, value);
    const bool all_greater = minimum.has_value() && CertainlyLess(value, *minimum);
    const bool all_at_least = minimum.has_value() && CertainlyAtMost(value, *minimum);
    switch (comparison) {
      case Comparison::kEqual:
        return {!all_less && !all_greater, !(all_at_most && all_at_least), true};
      case Comparison::kNotEqual:
        return {!(all_at_most && all_at_least), !all_less && !all_greater, true};
      case Comparison::kLess:
        return {!all_at_least, !all_less, true};
      case Comparison::kAtMost:
        return {!all_greater, !all_at_most, true};
      case Comparison::kGreater:
        return {!all_at_most, !all_greater, true};
      case Comparison::kAtLeast:
        return {!all_less, !all_at_least, true};
    }
    return {};
  }

  static bool HasNoNull(const ColumnBounds& bounds) { return bounds.null_count == 0; }
  bool IsAllNull(const ColumnBounds& bounds) const {
    const std::optional<int64_t> rows = bounds.exact ? 1 : file_.record_count;
    return bounds.null_count.has_value() && rows.has_value() && *rows > 0 &&
           *bounds.null_count == *rows;
  }

  const FileKnowledge& file_;
};

}  // namespace

Outcomes Judge(const Expression& condition, const FileKnowledge& file) {
  return Judgement(file).Of(condition);
}

std::optional<BoundValue> ToBoundValue(const arrow::Scalar& value, const LogicalType& type) {
  if (!value.is_valid) {
    return std::nullopt;
  }
  BoundValue bound;
  switch (value.type->id()) {
    case arrow::Type::BOOL:
      bound.whole = static_cast<const arrow::BooleanScalar&>(value).value ? 1 : 0;
      return bound;
    case arrow::Type::INT8:
      bound.whole = static_cast<const arrow::Int8Scalar&>(value).value;
      return bound;
    case arrow::Type::INT16:
      bound.whole = static_cast<const arrow::Int16Scalar&>(value).value;
      return bound;
    case arrow::Type::INT32:
      bound.whole = static_cast<const arrow::Int32Scalar&>(value).value;
      return type.IsExactInteger() ? std::optional<BoundValue>(bound) : std::nullopt;
    case arrow::Type::INT64:
      bound.whole = static_cast<const arrow::Int64Scalar&>(value).value;
      return type.IsExactInteger() ? std::optional<BoundValue>(bound) : std::nullopt;
    case arrow::Type::DATE32:
      bound.whole = static_cast<const arrow::Date32Scalar&>(value).value;
      return bound;
    case arrow::Type::TIMESTAMP:
      if (static_cast<const arrow::TimestampType&>(*value.type).unit() != arrow::TimeUnit::MICRO) {
        return std::nullopt;
      }
      bound.whole = static_cast<const arrow::TimestampScalar&>(value).value;
      return bound;
    case arrow::Type::FLOAT:
      bound.kind = BoundValue::Kind::kDouble;
      bound.number = static_cast<const arrow::FloatScalar&>(value).value;
      break;
    case arrow::Type::DOUBLE:
      bound.kind = BoundValue::Kind::kDouble;
      bound.number = static_cast<const arrow::DoubleScalar&>(value).value;
      break;
    case arrow::Type::DECIMAL128:
      bound.kind = BoundValue::Kind::kDouble;
      bound.number =
          static_cast<const arrow::Decimal128Scalar&>(value).value.ToDouble(type.scale());
      break;
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      bound.kind = BoundValue::Kind::kText;
      bound.text = static_cast<const arrow::BaseBinaryScalar&>(value).value->ToString();
      return bound;
    default:
      return std::nullopt;
  }
  return std::isnan(bound.number) ? std::nullopt : std::optional<BoundValue>(bound);
}

}  // namespace lakeward::delta
