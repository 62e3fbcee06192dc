#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/scalar.h"
#include "lakeward/base/status.h"
#include "lakeward/types/logical_type.h"

namespace lakeward::expr {

struct ScalarFunction;

/// A bound expression: names are resolved to column numbers, every node has its type, conversions
/// are explicit. Immutable and shared between threads. Built by the binder through the Make
/// functions.
class Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

enum class ExpressionKind : uint8_t {
  kColumn,   ///< an input column by number
  kLiteral,  ///< a constant
  kCall,     ///< a scalar function (operators are functions too)
  kCast,     ///< CAST or TRY_CAST, also those that the binder adds
  kCase,     ///< CASE WHEN: conditions and results alternate, the else branch last
};

class Expression {
 public:
  ExpressionKind kind() const { return kind_; }
  const types::TypePtr& type() const { return type_; }
  /// Of every kind but column and literal; for kCase: when1, then1, when2, then2, …, else.
  const std::vector<ExpressionPtr>& arguments() const { return arguments_; }

  int column() const { return column_; }                           ///< of kColumn
  const std::string& column_name() const { return column_name_; }  ///< of kColumn, for display
  const std::shared_ptr<arrow::Scalar>& literal() const { return literal_; }  ///< of kLiteral
  const ScalarFunction* function() const { return function_; }                ///< of kCall
  bool null_on_failure() const { return null_on_failure_; }  ///< of kCast: TRY_CAST

  /// In Flink's style for EXPLAIN: "(a + 1)", "CAST(b AS BIGINT)", "=(c, 'x')".
  std::string ToString() const;
  /// Same structure, same types, same constants.
  bool Equals(const Expression& other) const;
  /// Whether two evaluations over the same row may differ (RAND, UUID, NOW).
  bool IsDeterministic() const;

 private:
  friend struct ExpressionBuilder;
  Expression() = default;

  ExpressionKind kind_ = ExpressionKind::kLiteral;
  types::TypePtr type_;
  std::vector<ExpressionPtr> arguments_;
  int column_ = -1;
  std::string column_name_;
  std::shared_ptr<arrow::Scalar> literal_;
  const ScalarFunction* function_ = nullptr;
  bool null_on_failure_ = false;
};

ExpressionPtr MakeColumn(int column, std::string name, types::TypePtr type);
/// `value` must have the physical type of `type` (types/arrow_mapping.h); may be null.
ExpressionPtr MakeLiteral(std::shared_ptr<arrow::Scalar> value, types::TypePtr type);
ExpressionPtr MakeNullLiteral(types::TypePtr type);
/// The arguments must already have types that the function accepts; `type` is what its signature
/// infers.
ExpressionPtr MakeCall(const ScalarFunction* function, std::vector<ExpressionPtr> arguments,
                       types::TypePtr type);
ExpressionPtr MakeCast(ExpressionPtr argument, types::TypePtr type, bool null_on_failure = false);
ExpressionPtr MakeCase(std::vector<ExpressionPtr> arguments, types::TypePtr type);

/// Numbers of all columns that the expression reads, ascending, each once.
std::vector<int> ReferencedColumns(const Expression& expression);
/// The same expression over another input: column i becomes `mapping[i]`, which must not be -1 for
/// a column that is read.
ExpressionPtr RemapColumns(const ExpressionPtr& expression, const std::vector<int>& mapping);
/// The same expression with each column replaced by the expression of that number.
ExpressionPtr Substitute(const ExpressionPtr& expression,
                         const std::vector<ExpressionPtr>& replacements);
/// The conditions of a conjunction, nested ANDs flattened.
std::vector<ExpressionPtr> SplitConjunction(const ExpressionPtr& condition);

}  // namespace lakeward::expr
