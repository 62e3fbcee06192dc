#include "lakeward/expr/expression.h"

#include <utility>

#include "fmt/format.h"
#include "lakeward/expr/function.h"
#include "lakeward/types/arrow_mapping.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::expr {

/// The only maker of Expression.
struct ExpressionBuilder {
  ExpressionBuilder(ExpressionKind kind, types::TypePtr type) : node(new Expression()) {
    node->kind_ = kind;
    node->type_ = std::move(type);
  }
  ExpressionBuilder& Arguments(std::vector<ExpressionPtr> arguments) {
    node->arguments_ = std::move(arguments);
    return *this;
  }
  ExpressionPtr Finish() { return std::move(node); }

  static ExpressionPtr Column(int column, std::string name, types::TypePtr type) {
    ExpressionBuilder builder(ExpressionKind::kColumn, std::move(type));
    builder.node->column_ = column;
    builder.node->column_name_ = std::move(name);
    return builder.Finish();
  }
  static ExpressionPtr Literal(std::shared_ptr<arrow::Scalar> value, types::TypePtr type) {
    ExpressionBuilder builder(ExpressionKind::kLiteral, std::move(type));
    builder.node->literal_ = std::move(value);
    return builder.Finish();
  }
  static ExpressionPtr Call(const ScalarFunction* function, std::vector<ExpressionPtr> arguments,
                            types::TypePtr type) {
    ExpressionBuilder builder(ExpressionKind::kCall, std::move(type));
    builder.node->function_ = function;
    return builder.Arguments(std::move(arguments)).Finish();
  }
  static ExpressionPtr Cast(ExpressionPtr argument, types::TypePtr type, bool null_on_failure) {
    ExpressionBuilder builder(ExpressionKind::kCast, std::move(type));
    builder.node->null_on_failure_ = null_on_failure;
    return builder.Arguments({std::move(argument)}).Finish();
  }

  std::shared_ptr<Expression> node;
};

ExpressionPtr MakeColumn(int column, std::string name, types::TypePtr type) {
  return ExpressionBuilder::Column(column, std::move(name), std::move(type));
}

ExpressionPtr MakeLiteral(std::shared_ptr<arrow::Scalar> value, types::TypePtr type) {
  LW_DCHECK(value->type->Equals(*types::ToArrow(*type)));
  return ExpressionBuilder::Literal(std::move(value), std::move(type));
}

ExpressionPtr MakeNullLiteral(types::TypePtr type) {
  std::shared_ptr<arrow::Scalar> value = arrow::MakeNullScalar(types::ToArrow(*type));
  return ExpressionBuilder::Literal(std::move(value), types::WithNullability(type, true));
}

ExpressionPtr MakeCall(const ScalarFunction* function, std::vector<ExpressionPtr> arguments,
                       types::TypePtr type) {
  LW_CHECK(function != nullptr);
  return ExpressionBuilder::Call(function, std::move(arguments), std::move(type));
}

ExpressionPtr MakeCast(ExpressionPtr argument, types::TypePtr type, bool null_on_failure) {
  return ExpressionBuilder::Cast(std::move(argument), std::move(type), null_on_failure);
}

ExpressionPtr MakeCase(std::vector<ExpressionPtr> arguments, types::TypePtr type) {
  LW_CHECK(arguments.size() % 2 == 1 && arguments.size() >= 3);
  return ExpressionBuilder(ExpressionKind::kCase, std::move(type))
      .Arguments(std::move(arguments))
      .Finish();
}

namespace {

std::string LiteralToString(const Expression& literal) {
  const arrow::Scalar& value = *literal.literal();
  if (!value.is_valid) {
    return "null:" + types::WithNullability(literal.type(), true)->ToString();
  }
  auto array = arrow::MakeArrayFromScalar(value, 1);
  if (!array.ok()) {
    return value.ToString();
  }
  const std::string text = types::PrintedForm(**array, 0, *literal.type(), types::TimeZone(),
                                              types::PrintStyle::kClient);
  return literal.type()->IsCharacterString() ? "'" + text + "'" : text;
}

bool IsSymbol(std::string_view name) {
  for (char c : name) {
    if (c != '_' && ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) {
      return false;
    }
  }
  return true;
}

std::string CallToString(const Expression& call) {
  const std::string& name = call.function()->name;
  const std::vector<ExpressionPtr>& arguments = call.arguments();
  const bool is_word_operator = name == "AND" || name == "OR" || name == "LIKE" ||
                                name.starts_with("IS DISTINCT") ||
                                name.starts_with("IS NOT DISTINCT");
  if (arguments.size() == 2 && (IsSymbol(name) || is_word_operator)) {
    return fmt::format("({} {} {})", arguments[0]->ToString(), name, arguments[1]->ToString());
  }
  if (arguments.size() == 1 && name.starts_with("IS ")) {
    return fmt::format("{} {}", arguments[0]->ToString(), name);
  }
  std::string text = name + "(";
  for (size_t i = 0; i < arguments.size(); ++i) {
    text += (i == 0 ? "" : ", ") + arguments[i]->ToString();
  }
  return text + ")";
}

std::string CaseToString(const Expression& expression) {
  const std::vector<ExpressionPtr>& arguments = expression.arguments();
  std::string text = "CASE";
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    text += fmt::format(" WHEN {} THEN {}", arguments[i]->ToString(), arguments[i + 1]->ToString());
  }
  return text + fmt::format(" ELSE {} END", arguments.back()->ToString());
}

}  // namespace

std::string Expression::ToString() const {
  switch (kind_) {
    case ExpressionKind::kColumn:
      return column_name_;
    case ExpressionKind::kLiteral:
      return LiteralToString(*this);
    case ExpressionKind::kCall:
      return CallToString(*this);
    case ExpressionKind::kCast:
      return fmt::format(
          "{}({} AS {})", null_on_failure_ ? "TRY_CAST" : "CAST", arguments_[0]->ToString(),
          types::WithNullability(type_, true)->ToString(types::TypeSpelling::kSerializable));
    case ExpressionKind::kCase:
      return CaseToString(*this);
  }
  return "?";
}

bool Expression::Equals(const Expression& other) const {
  if (this == &other) {
    return true;
  }
  if (kind_ != other.kind_ || !type_->Equals(*other.type_) || column_ != other.column_ ||
      function_ != other.function_ || null_on_failure_ != other.null_on_failure_ ||
      arguments_.size() != other.arguments_.size()) {
    return false;
  }
  if (kind_ == ExpressionKind::kLiteral && !literal_->Equals(*other.literal_)) {
    return false;
  }
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (!arguments_[i]->Equals(*other.arguments_[i])) {
      return false;
    }
  }
  return true;
}

bool Expression::IsDeterministic() const {
  if (kind_ == ExpressionKind::kCall && !function_->deterministic) {
    return false;
  }
  for (const ExpressionPtr& argument : arguments_) {
    if (!argument->IsDeterministic()) {
      return false;
    }
  }
  return true;
}

}  // namespace lakeward::expr
