#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/sql/ast.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/token_cursor.h"

namespace lakeward::sql {

/// A recursive-descent parser over one statement; binary operators by precedence climbing. Private
/// to this folder: callers use parse.h. Its functions stand in parse_<noun>.cc. Each Parse…
/// function begins at the current token and ends behind what it parsed; all errors are kSyntax or,
/// for known statements without a node, kUnsupported. Not thread-safe.
class Parser {
 public:
  Parser(TokenCursor cursor, const ParseOptions& options)
      : cursor_(std::move(cursor)), options_(options) {}

  // parse_statement.cc
  Result<StatementPtr> ParseWholeStatement();
  // parse.cc
  Result<QueryPtr> ParseWholeQuery();
  Result<ExpressionPtr> ParseWholeExpression();
  Result<TypeNamePtr> ParseWholeTypeName();
  /// Where it stopped: the number of tokens before.
  size_t token_index() const { return cursor_.index(); }

 private:
  /// Counts one level of nesting while it lives.
  class Nesting {
   public:
    Nesting(int* level, int* frames) : level_(level), frames_(frames) {
      ++*level_;
      ++*frames_;
    }
    ~Nesting() {
      --*level_;
      --*frames_;
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    int* level_;
    int* frames_;
  };
  /// Either a query or expressions between parentheses.
  struct ParenthesizedContent {
    SqlPosition position;
    QueryPtr query;
    std::vector<ExpressionPtr> items;
  };
  /// Either a query or a table reference between parentheses.
  struct ParenthesizedTable {
    SqlPosition position;
    QueryPtr query;
    TableReferencePtr table;
  };

  // ---- parse.cc: shared pieces
  Status CheckNesting() const;
  Status NestingError(SqlPosition at) const;
  Status ExpectEnd();
  bool AtQueryStart() const;
  /// True at `(`s that a query follows.
  bool AtParenthesizedQuery() const;
  Result<QualifiedName> ParseQualifiedName(std::string_view description);
  Result<std::vector<Identifier>> ParseIdentifierList(std::string_view description);
  Result<std::string> ParseString();
  Result<int> ParseSmallInteger(std::string_view description);
  bool AcceptIfExists() { return cursor_.Accept({Keyword::kIf, Keyword::kExists}); }
  bool AcceptIfNotExists() {
    return cursor_.Accept({Keyword::kIf, Keyword::kNot, Keyword::kExists});
  }
  Result<std::optional<std::string>> ParseOptionalComment();
  Result<TableOptions> ParseTableOptions();
  Result<TableOption> ParseTableOption();
  Result<TableOptions> ParseOptionalWithOptions();
  Result<std::vector<std::string>> ParseOptionKeys();
  /// `(a = 1, b)`, values only where `values_required`.
  Result<PartitionSpecification> ParsePartitionSpecification(bool values_required);
  Result<std::vector<Hint>> ParseHints();
  Result<HintOption> ParseHintOption();

  // ---- parse_type_name.cc
  enum class Nullability {
    kAllowed,
    kForbidden,  ///< a NULL or NOT NULL behind the type is not the type's
  };
  Result<TypeNamePtr> ParseTypeName(Nullability nullability = Nullability::kAllowed);
  Result<std::shared_ptr<TypeName>> ParseTypeNameBase();
  Status ParseTypeLength(TypeName* type);
  Status ParseTimeTypeTail(TypeName* type);
  Result<std::vector<TypeNameField>> ParseRowTypeFields(TokenKind close);
  Status ParseNullability(TypeName* type);
  Result<IntervalQualifier> ParseIntervalQualifier();
  std::optional<TimeUnit> AcceptTimeUnit();
  bool AtTimeUnit() const;

  // ---- parse_expression.cc: operators
  Result<ExpressionPtr> ParseExpression();
  Result<ExpressionPtr> ParseOperators(int precedence_min);
  /// The same with the first operand parsed already.
  Result<ExpressionPtr> ParseOperatorsAfter(ExpressionPtr left, int precedence_min);
  /// ParseOperators() as the right operand of an operator.
  Result<ExpressionPtr> ParseRightOperand(int precedence_min);
  Result<ExpressionPtr> ParsePrefix();
  Result<ExpressionPtr> ParseBinaryTail(ExpressionPtr left, BinaryOperator op);
  Result<ExpressionPtr> ParseIsTail(ExpressionPtr operand);
  Result<ExpressionPtr> ParsePredicateTail(ExpressionPtr operand);
  Result<ExpressionPtr> ParseBetweenTail(ExpressionPtr operand, bool negated, SqlPosition at);
  Result<ExpressionPtr> ParseInTail(ExpressionPtr operand, bool negated, SqlPosition at);
  Result<ExpressionPtr> ParseLikeTail(ExpressionPtr operand, bool negated, SqlPosition at);
  Result<ExpressionPtr> ParsePostfix(ExpressionPtr operand);
  /// Sets the node's nesting depth and refuses one that is too deep.
  Result<ExpressionPtr> Finish(std::shared_ptr<Expression> node);
  Result<std::vector<ExpressionPtr>> ParseExpressionList();
  Result<std::vector<OrderItem>> ParseOrderItems();
  Result<OrderItem> ParseOrderItem();

  // ---- parse_primary.cc: operands
  Result<ExpressionPtr> ParsePrimary();
  Result<ExpressionPtr> ParsePrimaryKeyword();
  Result<ParenthesizedContent> ParseParenthesized();
  Result<ExpressionPtr> ToExpression(ParenthesizedContent content);
  Result<ExpressionPtr> ParseNameOrCall();
  Result<ExpressionPtr> ParseCase();
  Result<ExpressionPtr> ParseCast();
  Result<ExpressionPtr> ParseRowConstructor();
  Result<ExpressionPtr> ParseExists();
  template <typename T>
  Result<ExpressionPtr> ParseCollectionConstructor();

  // ---- parse_literal.cc
  bool AtStringLiteral() const { return IsStringLiteral(cursor_.current().kind); }
  static bool IsStringLiteral(TokenKind kind) {
    return kind == TokenKind::kString || kind == TokenKind::kUnicodeString ||
           kind == TokenKind::kCharsetString;
  }
  Result<ExpressionPtr> ParseStringLiteral();
  Result<std::string> DecodeUnicodeString(const Token& token);
  Result<ExpressionPtr> ParseBinaryLiteral();
  Result<ExpressionPtr> ParseNumber();
  Result<ExpressionPtr> ParseDateTimeLiteral(LiteralKind kind);
  Result<ExpressionPtr> ParseInterval();

  // ---- parse_function.cc
  Result<ExpressionPtr> ParseCall(QualifiedName name);
  void ParseNullTreatment(FunctionCallExpression* call);
  Result<FunctionArgument> ParseArgument();
  Result<ExpressionPtr> ParseTableArgument();
  /// One key, or several in parentheses, of a table argument.
  Result<std::vector<ExpressionPtr>> ParsePartitionKeys();
  Result<std::vector<OrderItem>> ParseOrderKeys();
  Result<ExpressionPtr> ParseDescriptor();
  Result<ExpressionPtr> FinishCall(std::shared_ptr<FunctionCallExpression> call);
  Result<ExpressionPtr> ParseSpecialCall(Keyword keyword);
  Status ParseExtractArguments(FunctionCallExpression* call);
  Status ParseTrimArguments(FunctionCallExpression* call);
  Status ParsePositionArguments(FunctionCallExpression* call);
  Status ParseSubstringArguments(FunctionCallExpression* call);
  Status ParseOverlayArguments(FunctionCallExpression* call);
  Status ParseRoundArguments(FunctionCallExpression* call);
  Status ParseTimeUnitFirstArguments(FunctionCallExpression* call);
  Status ParseUsingArguments(FunctionCallExpression* call);
  Result<ExpressionPtr> ParseNiladicCall();
  Result<ExpressionPtr> ParsePatternPrefixCall();
  /// Parses one expression and appends it to the call's arguments.
  Status AppendArgument(FunctionCallExpression* call);

  // ---- parse_json_function.cc
  Status ParseJsonArguments(Keyword keyword, FunctionCallExpression* call);
  Status ParseJsonObjectArguments(FunctionCallExpression* call);
  Status ParseJsonArrayArguments(FunctionCallExpression* call);
  Status ParseJsonPathArguments(Keyword keyword, FunctionCallExpression* call);
  Status RefuseFormatJson() const;
  Status ParseJsonNulls(JsonClauses* clauses);
  Status ParseJsonWrapper(JsonClauses* clauses);
  Result<std::optional<JsonBehavior>> ParseJsonBehavior();

  // ---- parse_window.cc
  Result<std::shared_ptr<const WindowSpecification>> ParseOver();
  Result<WindowSpecification> ParseWindowSpecification();
  Result<WindowFrame> ParseWindowFrame();
  Result<FrameBound> ParseFrameBound();

  // ---- parse_query.cc
  Result<QueryPtr> ParseQuery();
  Result<std::shared_ptr<Query>> ParseQueryBody();
  /// Set operators of at least this precedence behind `left`.
  Result<std::shared_ptr<Query>> ParseSetOperators(std::shared_ptr<Query> left,
                                                   bool only_intersect);
  Result<std::shared_ptr<Query>> ParseQueryTerm();
  /// What may follow a query in parentheses: set operators, ORDER BY, LIMIT …
  Result<QueryPtr> ParseQueryAfter(QueryPtr first);
  Result<QueryPtr> ParseParenthesizedQuery();
  bool AtQueryContinuation() const;
  Status ParseWith(std::vector<CommonTableExpression>* with, bool* recursive);
  /// ORDER BY, LIMIT, OFFSET, FETCH; wraps a query that has them already.
  Result<std::shared_ptr<Query>> ParseOrderAndLimit(std::shared_ptr<Query> query);
  Status ParseLimitClauses(Query* query);
  Result<std::shared_ptr<Query>> ParseSelect();
  Status ParseSelectItems(SelectQuery* select);
  Result<SelectItem> ParseSelectItem();
  Status ParseSelectClauses(SelectQuery* select);
  Status ParseGroupBy(SelectQuery* select);
  Result<GroupingElement> ParseGroupingElement();
  Result<GroupingElement> ParseGroupingSet();
  Result<std::shared_ptr<Query>> ParseValues();

  // ---- parse_from.cc
  Result<TableReferencePtr> ParseFrom();
  Result<TableReferencePtr> ParseJoins(TableReferencePtr left);
  Result<TableReferencePtr> ParseTablePrimary();
  Result<TableReferencePtr> ParseTableTail(std::shared_ptr<TableReference> table);
  Result<ParenthesizedTable> ParseParenthesizedTable();
  Result<std::shared_ptr<TableReference>> ParseNamedTable();
  Result<std::shared_ptr<TableReference>> ParseFunctionTable(bool lateral);
  Result<std::shared_ptr<TableReference>> ParseUnnest(bool lateral);
  Status ParseTableAlias(TableReference* table);
  Result<std::optional<TableSample>> ParseTableSample();
  bool AcceptJoin(JoinKind* kind, bool* natural, Status* error);

  // ---- parse_match_recognize.cc
  Result<std::shared_ptr<TableReference>> ParseMatchRecognize(TableReferencePtr input);
  Status ParseAfterMatch(MatchRecognizeTable* match);
  Result<std::vector<NamedPatternExpression>> ParseDefinitions();
  Result<std::vector<NamedPatternExpression>> ParseMeasures();
  Result<PatternPtr> ParsePattern();
  Result<PatternPtr> ParsePatternTerm();
  Result<PatternPtr> ParsePatternFactor();
  Result<PatternPtr> ParsePatternPrimary();

  // ---- parse_change.cc: INSERT, UPDATE, DELETE and their sets
  Result<std::shared_ptr<InsertStatement>> ParseInsert();
  Result<StatementPtr> ParseUpdate();
  Result<StatementPtr> ParseDelete();
  Result<StatementPtr> ParseStatementSet(SqlPosition at);
  Result<StatementPtr> ParseExecute();
  Result<StatementPtr> ParseExplain();
  Result<StatementPtr> ParseCompilePlan();
  Result<StatementPtr> ParseCall();

  // ---- parse_statement.cc
  Result<StatementPtr> ParseStatement();
  Result<StatementPtr> ParseQueryStatement();
  Result<StatementPtr> ParseOtherStatement();
  Status Unsupported(SqlPosition at, std::string_view name) const;

  // ---- parse_create.cc
  Result<StatementPtr> ParseCreate();
  Result<StatementPtr> ParseCreateCatalog(SqlPosition at);
  Result<StatementPtr> ParseCreateDatabase(SqlPosition at);
  Result<StatementPtr> ParseCreateTable(SqlPosition at, bool create, bool replace, bool temporary);
  Result<StatementPtr> ParseCreateView(SqlPosition at, bool temporary);
  Result<StatementPtr> ParseCreateFunction(SqlPosition at, bool temporary, bool system);
  Result<StatementPtr> ParseCreateMaterializedTable(SqlPosition at);
  Result<StatementPtr> ParseDrop();
  Result<FunctionLanguage> ParseOptionalLanguage();

  // ---- parse_table_definition.cc
  Result<TableSchema> ParseTableSchema();
  Status ParseTableElement(TableSchema* schema, bool altering);
  Result<ColumnDefinition> ParseColumn(bool altering);
  Status ParseColumnConstraint(ColumnDefinition* column);
  Result<TableConstraint> ParseTableConstraint();
  Result<WatermarkDefinition> ParseWatermark();
  Result<std::optional<bool>> ParseOptionalEnforcement();
  Result<TableDistribution> ParseDistribution();
  Result<TableLike> ParseTableLike();

  // ---- parse_alter.cc
  Result<StatementPtr> ParseAlter();
  Result<StatementPtr> ParseAlterCatalog(SqlPosition at);
  Result<StatementPtr> ParseAlterDatabase(SqlPosition at);
  Result<StatementPtr> ParseAlterTable(SqlPosition at);
  Status ParseAlterTableAdd(AlterTableStatement* alter);
  Status ParseAlteredSchema(AlterTableStatement* alter);
  Status ParseAlterTableModify(AlterTableStatement* alter);
  Status ParseAlterTableDrop(AlterTableStatement* alter);
  Status ParseAlterTableRename(AlterTableStatement* alter);
  Result<StatementPtr> ParseAlterView(SqlPosition at);
  Result<StatementPtr> ParseAlterFunction(SqlPosition at, bool temporary, bool system);
  Result<StatementPtr> ParseAlterMaterializedTable(SqlPosition at);
  Result<RefreshMode> ParseRefreshMode();
  Result<ExpressionPtr> ParseFreshness();

  // ---- parse_session.cc: SHOW, DESCRIBE, USE, SET, modules, jars, jobs
  Result<StatementPtr> ParseShow();
  Result<StatementPtr> ParseShowCreate(std::shared_ptr<ShowStatement> show);
  Status ParseShowSource(ShowStatement* show);
  Status ParseNameFilter(ShowStatement* show);
  Result<StatementPtr> ParseDescribe();
  Result<StatementPtr> ParseUse();
  Result<StatementPtr> ParseLoadModule();
  Result<StatementPtr> ParseUnloadModule();
  Result<StatementPtr> ParseAnalyze();
  Result<StatementPtr> ParseTruncate();
  Result<StatementPtr> ParseSet();
  Result<StatementPtr> ParseReset();
  Result<StatementPtr> ParseJar(bool add);
  Result<StatementPtr> ParseStopJob();
  Result<StatementPtr> ParseClientCommand();

  TokenCursor cursor_;
  ParseOptions options_;
  int nesting_ = 0;
  /// Operands that are being parsed inside one another, nested or not.
  int frames_ = 0;
  /// The deepest expression or query finished since the current query began.
  int deepest_ = 0;
};

}  // namespace lakeward::sql
