#pragma once

#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/expr/expression.h"
#include "lakeward/sql/expression.h"

namespace lakeward::plan {

/// A literal with Flink's type for it: 1 is INT NOT NULL, 1.50 DECIMAL(3, 2) NOT NULL, 1e0 DOUBLE
/// NOT NULL, 'ab' CHAR(2) NOT NULL, NULL of type NULL. A number may be given its sign, so that the
/// least BIGINT can be written. kValidation for numbers out of range and malformed points in time.
Result<expr::ExpressionPtr> BindLiteral(const sql::LiteralExpression& literal,
                                        bool negative = false);

/// INTERVAL '1 2:03' DAY TO MINUTE, of a string literal.
Result<expr::ExpressionPtr> BindInterval(const sql::IntervalExpression& interval);

/// Constants of the binder's own making.
expr::ExpressionPtr MakeInt(int32_t value);
expr::ExpressionPtr MakeBigInt(int64_t value);
expr::ExpressionPtr MakeBoolean(bool value);
expr::ExpressionPtr MakeText(std::string_view text);

}  // namespace lakeward::plan
