#pragma once

#include <memory>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/sql/ast.h"

namespace lakeward::sql {

struct ParseOptions {
  /// Parentheses, sub-queries, CASEs … may be nested this deep; deeper text is refused. Chains such
  /// as `a + b + c …` do not nest.
  int nesting_depth_max = 500;
};

/// Parses one statement of Flink's SQL; one `;` may end it. All functions here are pure: they may
/// be called from any thread and do not block. Errors: kSyntax with the position, the source line
/// and a caret in the message, and a remedy as the hint; kUnsupported "not supported yet: NAME" for
/// statements that are recognised but have no node.
Result<StatementPtr> ParseStatement(std::string_view text, const ParseOptions& options = {});

/// Parses a query alone, for example the text of a view.
Result<QueryPtr> ParseQuery(std::string_view text, const ParseOptions& options = {});

/// Parses an expression alone, for example that of a computed column.
Result<ExpressionPtr> ParseExpression(std::string_view text, const ParseOptions& options = {});

/// Parses a data type alone: `ROW<a INT NOT NULL, b STRING>`.
Result<TypeNamePtr> ParseTypeName(std::string_view text, const ParseOptions& options = {});

}  // namespace lakeward::sql
