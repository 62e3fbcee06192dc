#include "lakeward/expr/functions/signature.h"

#include <algorithm>
#include <utility>

#include "lakeward/types/type_coercion.h"

namespace lakeward::expr {

using types::LogicalType;
using types::TypePtr;
using types::TypeRoot;

namespace {

TypePtr NullArgumentType(Parameter parameter) {
  switch (parameter) {
    case Parameter::kString:
      return types::String();
    case Parameter::kBytes:
      return types::Bytes();
    case Parameter::kInteger:
    case Parameter::kNumeric:
      return types::Int();
    case Parameter::kLong:
      return types::BigInt();
    case Parameter::kDouble:
      return types::Double();
    case Parameter::kBoolean:
      return types::Boolean();
    case Parameter::kDate:
      return types::Date();
    case Parameter::kTimestamp:
    case Parameter::kTemporal:
      return types::Timestamp(3);
    case Parameter::kAny:
      return types::Null();
  }
  return types::Null();
}

/// What `argument` becomes as `parameter`; null when it does not fit.
TypePtr BindParameter(Parameter parameter, const TypePtr& argument) {
  const LogicalType& type = *argument;
  if (type.root() == TypeRoot::kNull) {
    return NullArgumentType(parameter);
  }
  const auto as_is_if = [&](bool fits) { return fits ? argument : nullptr; };
  switch (parameter) {
    case Parameter::kString:
      return as_is_if(type.IsCharacterString());
    case Parameter::kBytes:
      return as_is_if(type.IsBinaryString());
    case Parameter::kInteger:
      return type.IsExactInteger() ? types::Int(type.nullable()) : nullptr;
    case Parameter::kLong:
      return type.IsExactInteger() ? types::BigInt(type.nullable()) : nullptr;
    case Parameter::kNumeric:
      return as_is_if(type.IsNumeric());
    case Parameter::kDouble:
      return type.IsNumeric() ? types::Double(type.nullable()) : nullptr;
    case Parameter::kBoolean:
      return as_is_if(type.root() == TypeRoot::kBoolean);
    case Parameter::kDate:
      return as_is_if(type.root() == TypeRoot::kDate);
    case Parameter::kTimestamp:
      return as_is_if(type.IsTimestamp());
    case Parameter::kTemporal:
      return as_is_if(type.root() >= TypeRoot::kDate && type.root() <= TypeRoot::kTimestampLtz);
    case Parameter::kAny:
      return argument;
  }
  return nullptr;
}

std::optional<std::vector<TypePtr>> BindShape(const Shape& shape,
                                              const std::vector<TypePtr>& arguments) {
  const size_t parameter_count = shape.parameters.size();
  if (arguments.size() + shape.optional_count < parameter_count ||
      (arguments.size() > parameter_count && !shape.repeats_last)) {
    return std::nullopt;
  }
  std::vector<TypePtr> bound;
  for (size_t i = 0; i < arguments.size(); ++i) {
    TypePtr type = BindParameter(shape.parameters[std::min(i, parameter_count - 1)], arguments[i]);
    if (type == nullptr) {
      return std::nullopt;
    }
    bound.push_back(std::move(type));
  }
  return bound;
}

}  // namespace

bool AnyNullable(const std::vector<TypePtr>& types) {
  return std::any_of(types.begin(), types.end(),
                     [](const TypePtr& type) { return type->nullable(); });
}

TypePtr NullableIfAny(const TypePtr& type, const std::vector<TypePtr>& types) {
  return types::WithNullability(type, AnyNullable(types));
}

SignatureBinder BindWith(Shape shape, ResultRule result) {
  return [shape = std::move(shape), result = std::move(result)](
             const std::vector<TypePtr>& arguments) -> std::optional<BoundSignature> {
    std::optional<std::vector<TypePtr>> bound = BindShape(shape, arguments);
    if (!bound) {
      return std::nullopt;
    }
    TypePtr type = result(*bound);
    if (type == nullptr) {
      return std::nullopt;
    }
    return BoundSignature{*std::move(bound), std::move(type)};
  };
}

SignatureBinder Bind(Shape shape, TypePtr result) {
  return BindWith(std::move(shape),
                  [result = std::move(result)](const std::vector<TypePtr>& arguments) {
                    return NullableIfAny(result, arguments);
                  });
}

SignatureBinder BindFirstOf(std::vector<SignatureBinder> forms) {
  return [forms = std::move(forms)](
             const std::vector<TypePtr>& arguments) -> std::optional<BoundSignature> {
    for (const SignatureBinder& form : forms) {
      if (std::optional<BoundSignature> bound = form(arguments)) {
        return bound;
      }
    }
    return std::nullopt;
  };
}

std::optional<TypePtr> ComparisonType(const TypePtr& left, const TypePtr& right) {
  const auto is_time = [](const LogicalType& type) {
    return type.root() >= TypeRoot::kDate && type.root() <= TypeRoot::kTimestampLtz;
  };
  if (left->root() == TypeRoot::kNull && right->root() == TypeRoot::kNull) {
    return types::Boolean();
  }
  if (left->root() == TypeRoot::kNull || right->root() == TypeRoot::kNull) {
    return types::WithNullability(left->root() == TypeRoot::kNull ? right : left, true);
  }
  if (left->IsCharacterString() && right->IsCharacterString()) {
    return types::String();
  }
  if (is_time(*left) && right->IsCharacterString()) {
    return types::WithNullability(left, true);
  }
  if (left->IsCharacterString() && is_time(*right)) {
    return types::WithNullability(right, true);
  }
  // DATE against a timestamp: the date becomes its midnight, no time of day is lost.
  if (left->root() == TypeRoot::kDate && right->IsTimestamp()) {
    return types::WithNullability(right, true);
  }
  if (left->IsTimestamp() && right->root() == TypeRoot::kDate) {
    return types::WithNullability(left, true);
  }
  if (is_time(*left) != is_time(*right)) {
    return std::nullopt;
  }
  return types::FindCommonType({left, right});
}

}  // namespace lakeward::expr
