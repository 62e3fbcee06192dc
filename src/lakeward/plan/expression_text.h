#pragma once

#include <string>
#include <vector>

#include "lakeward/expr/expression.h"

namespace lakeward::plan {

/// How Flink's plans show expressions.
enum class ExpressionStyle : uint8_t {
  kReference,  ///< syntax tree: columns by number, "+($0, 1)", CAST($0):BIGINT
  kPrefix,     ///< physical plan: "+(a, 1)"
  kInfix,      ///< execution plan: "(a + 1)"
};

/// `columns` are the names of the expression's input.
std::string ExpressionText(const expr::Expression& expression, ExpressionStyle style,
                           const std::vector<std::string>& columns);

/// A constant as the VALUES of a plan show it: 1, _UTF-16LE'a', null.
std::string ConstantText(const expr::Expression& literal);

/// The type as SQL's standard spells it, which plans use: INTEGER, VARCHAR(11).
std::string StandardTypeText(const types::LogicalType& type);

}  // namespace lakeward::plan
