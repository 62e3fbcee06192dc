#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/sql/node.h"
#include "lakeward/sql/type_name.h"

namespace lakeward::sql {

struct Expression;
struct Query;
using ExpressionPtr = std::shared_ptr<const Expression>;
using QueryPtr = std::shared_ptr<const Query>;

enum class ExpressionKind : uint8_t {
  kName,
  kStar,
  kLiteral,
  kInterval,
  kUnary,
  kBinary,
  kBetween,
  kInList,
  kInSubquery,
  kQuantified,
  kExists,
  kIs,
  kIsDistinctFrom,
  kIsJson,
  kLike,
  kCase,
  kCast,
  kFunctionCall,
  kArray,
  kMap,
  kMultiset,
  kRow,
  kElementAccess,
  kFieldAccess,
  kScalarSubquery,
  kTableArgument,
  kDescriptor,
  kDefault,
};

/// The base of all expressions; `kind` tells the struct, `As<T>()` gives it.
struct Expression : Node {
  Expression(SqlPosition at, ExpressionKind the_kind) : Node(at), kind(the_kind) {}

  /// This node as the struct that `kind` names; an invariant is broken when it is another one.
  template <typename T>
  const T& As() const {
    LW_CHECK(kind == T::kKind);
    return static_cast<const T&>(*this);
  }
  /// The same, null when this node is of another kind.
  template <typename T>
  const T* AsIf() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }

  ExpressionKind kind;
};

template <ExpressionKind kind_of_node>
struct ExpressionOf : Expression {
  static constexpr ExpressionKind kKind = kind_of_node;
  explicit ExpressionOf(SqlPosition at) : Expression(at, kind_of_node) {}
};

/// A column, or a field of one: `c`, `t.c`, `t.c.field`.
struct NameExpression final : ExpressionOf<ExpressionKind::kName> {
  using ExpressionOf::ExpressionOf;
  QualifiedName name;
};

/// `*` or `t.*`, as a select item.
struct StarExpression final : ExpressionOf<ExpressionKind::kStar> {
  using ExpressionOf::ExpressionOf;
  QualifiedName qualifier;  ///< empty for a bare `*`
};

enum class LiteralKind : uint8_t {
  kNull,
  kBoolean,
  kUnknown,  ///< UNKNOWN, the boolean null
  kString,
  kBinary,             ///< X'0aff'; `text` holds the bytes
  kExactNumber,        ///< 12, 1.50: `text` as written; the sign is a UnaryExpression
  kApproximateNumber,  ///< 1e3: `text` as written
  kDate,               ///< DATE '…': `text` between the quotes, unchecked
  kTime,
  kTimestamp,
};

struct LiteralExpression final : ExpressionOf<ExpressionKind::kLiteral> {
  using ExpressionOf::ExpressionOf;
  LiteralKind literal = LiteralKind::kNull;
  std::string text;
  bool boolean = false;
};

/// `INTERVAL '1' DAY`, or `INTERVAL expr DAY` when the value is not a string literal.
struct IntervalExpression final : ExpressionOf<ExpressionKind::kInterval> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr value;  ///< a string literal or any expression
  bool negative = false;
  IntervalQualifier qualifier;
};

enum class UnaryOperator : uint8_t { kPlus, kMinus, kNot };

struct UnaryExpression final : ExpressionOf<ExpressionKind::kUnary> {
  using ExpressionOf::ExpressionOf;
  UnaryOperator op = UnaryOperator::kPlus;
  ExpressionPtr operand;
};

enum class BinaryOperator : uint8_t {
  kOr,
  kAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kMultiply,
  kDivide,
  kModulo,
  kConcat,
  kMemberOf,  ///< a MEMBER OF multiset
  kSubmultisetOf,
  kMultisetUnion,
  kMultisetUnionDistinct,
  kMultisetIntersect,
  kMultisetIntersectDistinct,
  kMultisetExcept,
  kMultisetExceptDistinct,
  kOverlaps,
  kContains,
  kPeriodEquals,
  kPrecedes,
  kSucceeds,
  kImmediatelyPrecedes,
  kImmediatelySucceeds,
};

/// "=", "AND", "IMMEDIATELY PRECEDES" …
std::string_view SymbolOf(BinaryOperator op);

/// Chains such as `a + b + c …` and `a AND b AND c …` are as deep to the left as they are long
/// (tens of thousands of terms): walk them with LeftSpine(), not by recursion into `left`.
struct BinaryExpression final : ExpressionOf<ExpressionKind::kBinary> {
  using ExpressionOf::ExpressionOf;
  BinaryOperator op = BinaryOperator::kAnd;
  ExpressionPtr left;
  ExpressionPtr right;
  SqlPosition op_position;
};

/// The binary nodes down the left operands of `top`, the innermost first and `top` last. Evaluate
/// the first one's `left`, then each one's `right` in turn.
std::vector<const BinaryExpression*> LeftSpine(const BinaryExpression& top);

struct BetweenExpression final : ExpressionOf<ExpressionKind::kBetween> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  bool negated = false;
  bool symmetric = false;
  ExpressionPtr lower;
  ExpressionPtr upper;
};

struct InListExpression final : ExpressionOf<ExpressionKind::kInList> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  bool negated = false;
  std::vector<ExpressionPtr> items;
};

struct InSubqueryExpression final : ExpressionOf<ExpressionKind::kInSubquery> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;  ///< a RowExpression for `(a, b) IN (…)`
  bool negated = false;
  QueryPtr query;
};

enum class Quantifier : uint8_t { kSome, kAll };

/// `a > ALL (query)`, `a = SOME (1, 2)`; ANY is SOME.
struct QuantifiedExpression final : ExpressionOf<ExpressionKind::kQuantified> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  BinaryOperator op = BinaryOperator::kEqual;
  Quantifier quantifier = Quantifier::kSome;
  QueryPtr query;  ///< null when `items` are given
  std::vector<ExpressionPtr> items;
};

struct ExistsExpression final : ExpressionOf<ExpressionKind::kExists> {
  using ExpressionOf::ExpressionOf;
  QueryPtr query;
};

enum class IsTest : uint8_t { kNull, kTrue, kFalse, kUnknown, kASet, kEmpty };

/// `a IS [NOT] NULL | TRUE | FALSE | UNKNOWN | A SET | EMPTY`.
struct IsExpression final : ExpressionOf<ExpressionKind::kIs> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  IsTest test = IsTest::kNull;
  bool negated = false;
};

struct IsDistinctFromExpression final : ExpressionOf<ExpressionKind::kIsDistinctFrom> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr left;
  ExpressionPtr right;
  bool negated = false;
};

enum class JsonTest : uint8_t { kValue, kObject, kArray, kScalar };

/// `a IS [NOT] JSON [VALUE | OBJECT | ARRAY | SCALAR]`.
struct IsJsonExpression final : ExpressionOf<ExpressionKind::kIsJson> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  JsonTest test = JsonTest::kValue;
  bool negated = false;
};

enum class LikeOperator : uint8_t { kLike, kIlike, kRlike, kSimilarTo };

struct LikeExpression final : ExpressionOf<ExpressionKind::kLike> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  LikeOperator op = LikeOperator::kLike;
  bool negated = false;
  ExpressionPtr pattern;
  ExpressionPtr escape;  ///< null without ESCAPE
};

struct CaseBranch {
  ExpressionPtr condition;  ///< with an operand: the value that it is compared with
  ExpressionPtr result;
};

struct CaseExpression final : ExpressionOf<ExpressionKind::kCase> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;  ///< null for a searched CASE
  std::vector<CaseBranch> branches;
  ExpressionPtr otherwise;  ///< null without ELSE
};

struct CastExpression final : ExpressionOf<ExpressionKind::kCast> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  TypeNamePtr type;
  bool null_on_error = false;  ///< TRY_CAST
};

enum class NullsOrder : uint8_t { kDefault, kFirst, kLast };

/// One entry of ORDER BY.
struct OrderItem {
  ExpressionPtr expression;
  bool descending = false;
  NullsOrder nulls = NullsOrder::kDefault;
};

enum class FrameBoundKind : uint8_t {
  kUnboundedPreceding,
  kPreceding,
  kCurrentRow,
  kFollowing,
  kUnboundedFollowing,
};

struct FrameBound {
  FrameBoundKind kind = FrameBoundKind::kCurrentRow;
  ExpressionPtr offset;  ///< of kPreceding and kFollowing
};

struct WindowFrame {
  bool rows = false;  ///< ROWS; else RANGE
  FrameBound start;
  std::optional<FrameBound> end;  ///< absent without BETWEEN
};

/// What stands in OVER (…) or behind WINDOW w AS.
struct WindowSpecification {
  SqlPosition position;
  std::optional<Identifier> base;  ///< OVER w, or the window that this one refines
  bool is_reference = false;       ///< OVER w without parentheses
  std::vector<ExpressionPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::optional<WindowFrame> frame;
  std::optional<bool> allow_partial;
};

/// How a call was written where that is not `f(a, b)`. `arguments` are then put into the order
/// given here, so that only the printer need care.
enum class CallSyntax : uint8_t {
  kOrdinary,
  kNoParentheses,  ///< CURRENT_DATE, LOCALTIMESTAMP, …: no arguments
  kExtract,        ///< EXTRACT(unit FROM a): time_unit; [a]
  kTrim,           ///< TRIM(side chars FROM a): trim_side; [a] or [a, chars]
  kPosition,       ///< POSITION(a IN b [FROM c]): [a, b, c]
  kSubstring,      ///< SUBSTRING(a FROM b [FOR c]): [a, b, c]
  kOverlay,        ///< OVERLAY(a PLACING b FROM c [FOR d]): [a, b, c, d]
  kRoundToUnit,    ///< CEIL/FLOOR(a TO unit): time_unit; [a]
  kTimeUnitFirst,  ///< TIMESTAMPADD/TIMESTAMPDIFF(unit, a, b): time_unit; [a, b]
  kUsing,          ///< CONVERT/TRANSLATE(a USING charset): [a], charset in `using_name`
  kJsonObject,     ///< JSON_OBJECT, JSON_OBJECTAGG: [k, v, k, v, …]
  kPrefix,         ///< FINAL f(a), RUNNING f(a): [f(a)]
};

enum class SetQuantifier : uint8_t { kUnspecified, kAll, kDistinct };
enum class TrimSide : uint8_t { kBoth, kLeading, kTrailing };
enum class NullTreatment : uint8_t { kUnspecified, kRespectNulls, kIgnoreNulls };

enum class JsonBehaviorKind : uint8_t {
  kNull,
  kError,
  kTrue,
  kFalse,
  kUnknown,
  kEmptyArray,
  kEmptyObject,
  kDefault,
};

/// `NULL ON EMPTY`, `DEFAULT 1 ON ERROR`, …
struct JsonBehavior {
  JsonBehaviorKind kind = JsonBehaviorKind::kNull;
  ExpressionPtr value;  ///< of kDefault
};

enum class JsonWrapper : uint8_t { kUnspecified, kWithout, kConditional, kUnconditional };
enum class JsonNulls : uint8_t { kUnspecified, kNullOnNull, kAbsentOnNull };

/// The clauses that only JSON functions have.
struct JsonClauses {
  TypeNamePtr returning;
  JsonWrapper wrapper = JsonWrapper::kUnspecified;
  std::optional<JsonBehavior> on_empty;
  std::optional<JsonBehavior> on_error;
  JsonNulls nulls = JsonNulls::kUnspecified;
};

struct FunctionArgument {
  std::optional<Identifier> name;  ///< of `name => value`
  ExpressionPtr value;
};

struct FunctionCallExpression final : ExpressionOf<ExpressionKind::kFunctionCall> {
  using ExpressionOf::ExpressionOf;
  QualifiedName name;  ///< as written; functions are found without regard to case
  CallSyntax syntax = CallSyntax::kOrdinary;
  SetQuantifier quantifier = SetQuantifier::kUnspecified;
  bool star = false;  ///< COUNT(*)
  std::vector<FunctionArgument> arguments;
  std::optional<TimeUnit> time_unit;
  TrimSide trim_side = TrimSide::kBoth;
  std::optional<Identifier> using_name;
  std::optional<JsonClauses> json;
  std::vector<OrderItem> argument_order;  ///< ARRAY_AGG(a ORDER BY b)
  ExpressionPtr separator;                ///< STRING_AGG(a SEPARATOR ',')
  std::vector<OrderItem> within_group;
  NullTreatment null_treatment = NullTreatment::kUnspecified;
  ExpressionPtr filter;                             ///< FILTER (WHERE …)
  std::shared_ptr<const WindowSpecification> over;  ///< null for a call without OVER
};

/// `ARRAY[a, b]`, or `ARRAY(query)`.
struct ArrayExpression final : ExpressionOf<ExpressionKind::kArray> {
  using ExpressionOf::ExpressionOf;
  std::vector<ExpressionPtr> items;
  QueryPtr query;
};

/// `MAP[k, v, k, v]` (an even number of items), or `MAP(query)`.
struct MapExpression final : ExpressionOf<ExpressionKind::kMap> {
  using ExpressionOf::ExpressionOf;
  std::vector<ExpressionPtr> items;
  QueryPtr query;
};

/// `MULTISET[a, b]`, or `MULTISET(query)`.
struct MultisetExpression final : ExpressionOf<ExpressionKind::kMultiset> {
  using ExpressionOf::ExpressionOf;
  std::vector<ExpressionPtr> items;
  QueryPtr query;
};

/// `ROW(a, b)`, or `(a, b)`.
struct RowExpression final : ExpressionOf<ExpressionKind::kRow> {
  using ExpressionOf::ExpressionOf;
  bool keyword = true;  ///< written with ROW
  std::vector<ExpressionPtr> items;
};

/// `operand[index]`, of an array or a map.
struct ElementAccessExpression final : ExpressionOf<ExpressionKind::kElementAccess> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  ExpressionPtr index;
};

/// `(expr).field` and `f(x).field`; a field of a plain column is a NameExpression.
struct FieldAccessExpression final : ExpressionOf<ExpressionKind::kFieldAccess> {
  using ExpressionOf::ExpressionOf;
  ExpressionPtr operand;
  Identifier field;
  bool star = false;  ///< `(expr).*`; `field` is empty
};

struct ScalarSubqueryExpression final : ExpressionOf<ExpressionKind::kScalarSubquery> {
  using ExpressionOf::ExpressionOf;
  QueryPtr query;
};

/// `TABLE t [PARTITION BY …] [ORDER BY …]`, or `(query) PARTITION BY …`, as the argument of a table
/// function. A bare `(query)` argument is a ScalarSubqueryExpression.
struct TableArgumentExpression final : ExpressionOf<ExpressionKind::kTableArgument> {
  using ExpressionOf::ExpressionOf;
  QualifiedName table;  ///< empty when `query` is given
  QueryPtr query;
  std::vector<ExpressionPtr> partition_by;
  std::vector<OrderItem> order_by;
};

/// `DESCRIPTOR(ts)`.
struct DescriptorExpression final : ExpressionOf<ExpressionKind::kDescriptor> {
  using ExpressionOf::ExpressionOf;
  std::vector<QualifiedName> columns;
};

/// DEFAULT in the place of an argument or a value.
struct DefaultExpression final : ExpressionOf<ExpressionKind::kDefault> {
  using ExpressionOf::ExpressionOf;
};

/// Calls `visit` with each direct operand of `expression` in textual order of the tree's fields
/// (arguments, FILTER, the parts of OVER …). Does not enter sub-queries.
void ForEachOperand(const Expression& expression,
                    const std::function<void(const ExpressionPtr&)>& visit);

/// Calls `visit` with each query that `expression` itself holds (not those of its operands).
void ForEachSubquery(const Expression& expression,
                     const std::function<void(const QueryPtr&)>& visit);

}  // namespace lakeward::sql
