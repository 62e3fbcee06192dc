#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/sql/expression.h"
#include "lakeward/sql/node.h"

namespace lakeward::sql {

/// One entry of a hint: `'k' = 'v'`, `name`, or `'value'`.
struct HintOption {
  std::optional<std::string> key;
  std::string value;
  bool value_is_string = true;  ///< false for a bare name
};

/// `OPTIONS('k' = 'v')`, `BROADCAST(t)`, … inside `/*+ … */`.
struct Hint {
  Identifier name;
  std::vector<HintOption> options;
};

// ---------------------------------------------------------------------------------------------
// What stands behind FROM.

enum class TableReferenceKind : uint8_t {
  kNamed,
  kSubquery,
  kFunction,
  kUnnest,
  kJoin,
  kMatchRecognize,
};

struct TableReference;
using TableReferencePtr = std::shared_ptr<const TableReference>;

/// The base of all table references.
struct TableReference : Node {
  TableReference(SqlPosition at, TableReferenceKind the_kind) : Node(at), kind(the_kind) {}

  template <typename T>
  const T& As() const {
    LW_CHECK(kind == T::kKind);
    return static_cast<const T&>(*this);
  }
  template <typename T>
  const T* AsIf() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }

  TableReferenceKind kind;
  std::optional<Identifier> alias;
  std::vector<Identifier> column_aliases;
};

template <TableReferenceKind kind_of_node>
struct TableReferenceOf : TableReference {
  static constexpr TableReferenceKind kKind = kind_of_node;
  explicit TableReferenceOf(SqlPosition at) : TableReference(at, kind_of_node) {}
};

/// `TABLESAMPLE BERNOULLI (10) REPEATABLE (1)`.
struct TableSample {
  bool bernoulli = false;  ///< else SYSTEM
  std::string percentage;  ///< a number as written
  std::optional<std::string> seed;
};

/// `db.t /*+ OPTIONS(…) */ FOR SYSTEM_TIME AS OF x AS a (c, d)`.
struct NamedTable final : TableReferenceOf<TableReferenceKind::kNamed> {
  using TableReferenceOf::TableReferenceOf;
  QualifiedName name;
  std::vector<Hint> hints;
  ExpressionPtr system_time;  ///< null without FOR SYSTEM_TIME AS OF
  std::optional<TableSample> sample;
};

/// `(query) AS a`, `LATERAL (query) AS a`, `(VALUES …) AS a`.
struct SubqueryTable final : TableReferenceOf<TableReferenceKind::kSubquery> {
  using TableReferenceOf::TableReferenceOf;
  QueryPtr query;
  bool lateral = false;
  std::optional<TableSample> sample;
};

/// `TABLE(f(…))`, `LATERAL TABLE(f(…))`, and window functions such as
/// `TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))`, with TABLE( ) or without.
struct FunctionTable final : TableReferenceOf<TableReferenceKind::kFunction> {
  using TableReferenceOf::TableReferenceOf;
  ExpressionPtr call;  ///< a FunctionCallExpression
  bool lateral = false;
  bool table_keyword = true;  ///< written TABLE(f(…)), not f(…)
};

/// `UNNEST(a, b) [WITH ORDINALITY]`.
struct UnnestTable final : TableReferenceOf<TableReferenceKind::kUnnest> {
  using TableReferenceOf::TableReferenceOf;
  std::vector<ExpressionPtr> operands;
  bool lateral = false;
  bool with_ordinality = false;
};

enum class JoinKind : uint8_t {
  kComma,
  kCross,
  kInner,
  kLeft,
  kRight,
  kFull,
};

/// Chains are as deep to the left as they are long: walk `left` in a loop.
struct JoinTable final : TableReferenceOf<TableReferenceKind::kJoin> {
  using TableReferenceOf::TableReferenceOf;
  JoinKind join = JoinKind::kInner;
  bool natural = false;
  TableReferencePtr left;
  TableReferencePtr right;
  ExpressionPtr on;  ///< null without ON
  std::vector<Identifier> using_columns;
};

/// The joins down the left operands of `top`, the innermost first and `top` last.
std::vector<const JoinTable*> LeftSpine(const JoinTable& top);

enum class PatternKind : uint8_t {
  kVariable,
  kConcatenation,
  kAlternation,
  kRepeat,
  kExclude,
  kPermute,
};

struct Pattern;
using PatternPtr = std::shared_ptr<const Pattern>;

/// A row pattern: a regular expression over the variables of DEFINE.
struct Pattern final : Node {
  Pattern(SqlPosition at, PatternKind the_kind) : Node(at), kind(the_kind) {}
  PatternKind kind;
  Identifier variable;            ///< of kVariable
  std::vector<PatternPtr> parts;  ///< one for kRepeat and kExclude
  int repeat_min = 1;
  std::optional<int> repeat_max;  ///< absent: without bound
  bool reluctant = false;
};

struct NamedPatternExpression {
  Identifier name;
  ExpressionPtr expression;
};

struct PatternSubset {
  Identifier name;
  std::vector<Identifier> variables;
};

enum class AfterMatch : uint8_t {
  kUnspecified,
  kSkipToNextRow,
  kSkipPastLastRow,
  kSkipToFirst,
  kSkipToLast,
  kSkipToVariable,
};

/// `input MATCH_RECOGNIZE (…) AS a`.
struct MatchRecognizeTable final : TableReferenceOf<TableReferenceKind::kMatchRecognize> {
  using TableReferenceOf::TableReferenceOf;
  TableReferencePtr input;
  std::vector<ExpressionPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::vector<NamedPatternExpression> measures;
  std::optional<bool> all_rows;  ///< ALL ROWS PER MATCH; false: ONE ROW
  AfterMatch after_match = AfterMatch::kUnspecified;
  std::optional<Identifier> after_match_variable;
  bool anchored_start = false;
  bool anchored_end = false;
  PatternPtr pattern;
  ExpressionPtr within;  ///< an interval; null without WITHIN
  std::vector<PatternSubset> subsets;
  std::vector<NamedPatternExpression> definitions;
};

// ---------------------------------------------------------------------------------------------
// Queries.

enum class QueryKind : uint8_t { kSelect, kValues, kSetOperation, kTable, kNested };

/// `name (columns) AS (query)` behind WITH.
struct CommonTableExpression {
  Identifier name;
  std::vector<Identifier> columns;
  QueryPtr query;
};

/// The base of all queries, with the clauses that each may have.
struct Query : Node {
  Query(SqlPosition at, QueryKind the_kind) : Node(at), kind(the_kind) {}

  template <typename T>
  const T& As() const {
    LW_CHECK(kind == T::kKind);
    return static_cast<const T&>(*this);
  }
  template <typename T>
  const T* AsIf() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }

  QueryKind kind;
  std::vector<CommonTableExpression> with;
  bool with_recursive = false;
  std::vector<OrderItem> order_by;
  ExpressionPtr offset;  ///< null without OFFSET
  /// The count of LIMIT or FETCH FIRST; null without them and for LIMIT ALL.
  ExpressionPtr limit;
};

template <QueryKind kind_of_node>
struct QueryOf : Query {
  static constexpr QueryKind kKind = kind_of_node;
  explicit QueryOf(SqlPosition at) : Query(at, kind_of_node) {}
};

struct SelectItem {
  ExpressionPtr expression;  ///< may be a StarExpression
  std::optional<Identifier> alias;
};

enum class GroupingKind : uint8_t { kExpression, kSet, kRollup, kCube, kGroupingSets };

/// One entry of GROUP BY. `GROUP BY a, ROLLUP(b, (c, d))` is {kExpression a}, {kRollup {kExpression
/// b}, {kSet {c}, {d}}}; `()` is a kSet without members.
struct GroupingElement {
  SqlPosition position;
  GroupingKind kind = GroupingKind::kExpression;
  ExpressionPtr expression;  ///< of kExpression
  std::vector<GroupingElement> members;
};

struct NamedWindow {
  Identifier name;
  WindowSpecification window;
};

struct SelectQuery final : QueryOf<QueryKind::kSelect> {
  using QueryOf::QueryOf;
  SetQuantifier quantifier = SetQuantifier::kUnspecified;
  std::vector<Hint> hints;
  std::vector<SelectItem> items;
  TableReferencePtr from;  ///< null without FROM
  ExpressionPtr where;
  bool grouped = false;  ///< there is a GROUP BY
  SetQuantifier group_quantifier = SetQuantifier::kUnspecified;
  std::vector<GroupingElement> group_by;
  ExpressionPtr having;
  std::vector<NamedWindow> windows;
  ExpressionPtr qualify;
};

/// `VALUES (1, 'a'), (2, 'b')`; each row as written: a RowExpression, or one bare expression.
struct ValuesQuery final : QueryOf<QueryKind::kValues> {
  using QueryOf::QueryOf;
  std::vector<ExpressionPtr> rows;
};

enum class SetOperator : uint8_t { kUnion, kIntersect, kExcept };

/// Chains are as deep to the left as they are long: walk `left` with LeftSpine().
struct SetOperationQuery final : QueryOf<QueryKind::kSetOperation> {
  using QueryOf::QueryOf;
  SetOperator op = SetOperator::kUnion;
  bool all = false;
  QueryPtr left;
  QueryPtr right;
};

/// The set operations down the left operands of `top` as far as these have no WITH, ORDER BY or
/// LIMIT of their own, the innermost first and `top` last.
std::vector<const SetOperationQuery*> LeftSpine(const SetOperationQuery& top);

/// `TABLE t` as a query.
struct TableQuery final : QueryOf<QueryKind::kTable> {
  using QueryOf::QueryOf;
  QualifiedName name;
};

/// `(query) ORDER BY …`, where the inner query has WITH, ORDER BY or LIMIT of its own.
struct NestedQuery final : QueryOf<QueryKind::kNested> {
  using QueryOf::QueryOf;
  QueryPtr query;
};

}  // namespace lakeward::sql
