#pragma once

#include "lakeward/sql/expression.h"

namespace lakeward::sql {

// How tightly operators bind, as in Calcite's SqlStdOperatorTable: the parser and the printer agree
// through these.
constexpr int kMultisetUnionPrecedence = 14;
constexpr int kMultisetIntersectPrecedence = 18;
constexpr int kOrPrecedence = 22;
constexpr int kAndPrecedence = 24;
constexpr int kNotPrecedence = 26;
constexpr int kIsPrecedence = 28;
constexpr int kComparisonPrecedence = 30;
constexpr int kPredicatePrecedence = 32;  ///< BETWEEN, IN, LIKE
constexpr int kAdditivePrecedence = 40;
constexpr int kMultiplicativePrecedence = 60;
constexpr int kSignPrecedence = 80;
constexpr int kPrimaryPrecedence = 100;

int PrecedenceOf(BinaryOperator op);

}  // namespace lakeward::sql
