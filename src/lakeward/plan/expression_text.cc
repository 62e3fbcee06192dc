#include "lakeward/plan/expression_text.h"

#include <algorithm>
#include <cctype>

#include "arrow/array/util.h"
#include "lakeward/base/quoted_text.h"
#include "lakeward/expr/function.h"
#include "lakeward/types/printed_form.h"

namespace lakeward::plan {
namespace {

using expr::Expression;

bool IsInfixName(const std::string& name) {
  const bool symbol = std::none_of(name.begin(), name.end(),
                                   [](unsigned char c) { return std::isalpha(c) || c == '_'; });
  return symbol || name == "AND" || name == "OR" || name == "LIKE" || name == "IS DISTINCT FROM" ||
         name == "IS NOT DISTINCT FROM";
}

std::string LiteralValue(const Expression& literal) {
  const auto array = arrow::MakeArrayFromScalar(*literal.literal(), 1);
  if (!array.ok()) {
    return "?";
  }
  std::string text = types::PrintedForm(**array, 0, *literal.type(), types::TimeZone());
  const types::LogicalType& type = *literal.type();
  if (type.root() == types::TypeRoot::kBoolean) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  if (!type.IsCharacterString()) {
    return text;
  }
  return QuotedText(text, '\'');
}

std::string LiteralText(const Expression& literal, ExpressionStyle style) {
  const types::LogicalType& type = *literal.type();
  if (!literal.literal()->is_valid) {
    return "null:" + StandardTypeText(type);
  }
  std::string text = LiteralValue(literal);
  if (type.IsCharacterString()) {
    return style == ExpressionStyle::kReference ? "_UTF-16LE" + text : text;
  }
  const bool plain = type.root() == types::TypeRoot::kInteger ||
                     type.root() == types::TypeRoot::kBoolean ||
                     type.root() == types::TypeRoot::kDate;
  return plain ? text : text + ":" + StandardTypeText(type);
}

std::string JoinArguments(const Expression& expression, ExpressionStyle style,
                          const std::vector<std::string>& columns) {
  std::string text;
  for (const expr::ExpressionPtr& argument : expression.arguments()) {
    text += (text.empty() ? "" : ", ") + ExpressionText(*argument, style, columns);
  }
  return text;
}

std::string CallText(const Expression& call, ExpressionStyle style,
                     const std::vector<std::string>& columns) {
  const std::string& name = call.function()->name;
  if (style == ExpressionStyle::kInfix && call.arguments().size() == 2 && IsInfixName(name)) {
    return "(" + ExpressionText(*call.arguments()[0], style, columns) + " " + name + " " +
           ExpressionText(*call.arguments()[1], style, columns) + ")";
  }
  if (style == ExpressionStyle::kInfix && call.arguments().size() == 1 && name.starts_with("IS ")) {
    return ExpressionText(*call.arguments()[0], style, columns) + " " + name;
  }
  return name + "(" + JoinArguments(call, style, columns) + ")";
}

}  // namespace

std::string StandardTypeText(const types::LogicalType& type) {
  std::string text = type.ToString(types::TypeSpelling::kSerializable);
  if (constexpr std::string_view kNotNull = " NOT NULL"; text.ends_with(kNotNull)) {
    text.resize(text.size() - kNotNull.size());
  }
  return text == "INT" ? "INTEGER" : text;
}

std::string ConstantText(const Expression& literal) {
  if (!literal.literal()->is_valid) {
    return "null";
  }
  return (literal.type()->IsCharacterString() ? "_UTF-16LE" : "") + LiteralValue(literal);
}

std::string ExpressionText(const Expression& expression, ExpressionStyle style,
                           const std::vector<std::string>& columns) {
  switch (expression.kind()) {
    case expr::ExpressionKind::kColumn:
      return style == ExpressionStyle::kReference ? "$" + std::to_string(expression.column())
                                                  : columns[expression.column()];
    case expr::ExpressionKind::kLiteral:
      return LiteralText(expression, style);
    case expr::ExpressionKind::kCall:
      return CallText(expression, style, columns);
    case expr::ExpressionKind::kCast: {
      const std::string name = expression.null_on_failure() ? "TRY_CAST" : "CAST";
      const std::string operand = ExpressionText(*expression.arguments()[0], style, columns);
      const std::string type = StandardTypeText(*expression.type());
      return style == ExpressionStyle::kReference ? name + "(" + operand + "):" + type
                                                  : name + "(" + operand + " AS " + type + ")";
    }
    case expr::ExpressionKind::kCase:
      return "CASE(" + JoinArguments(expression, style, columns) + ")";
  }
  return "?";
}

}  // namespace lakeward::plan
