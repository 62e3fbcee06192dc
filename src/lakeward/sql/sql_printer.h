#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/sql/ast.h"
#include "lakeward/sql/print.h"

namespace lakeward::sql {

/// Writes syntax trees as canonical Flink SQL. Private to this folder: callers use print.h. Its
/// functions stand in print_<noun>.cc. Not thread-safe.
class SqlPrinter {
 public:
  SqlPrinter() = default;
  /// Writes as Flink keeps the queries of views (ToViewSql); `full_names` outlives the printer.
  explicit SqlPrinter(const FullNames* full_names) : full_names_(full_names) {}

  void Print(const Statement& statement);
  void Print(const Query& query);
  void Print(const Expression& expression) { PrintExpression(expression, 0); }
  void Print(const TypeName& type);
  void Print(const QualifiedName& name);
  void Print(const Identifier& identifier);
  std::string Take() { return std::move(out_); }

 private:
  bool for_view() const { return full_names_ != nullptr; }
  void Write(std::string_view text) { out_ += text; }
  /// What begins a clause: on a new line in a view's text.
  void WriteClause(std::string_view text) {
    out_ += for_view() ? '\n' : ' ';
    out_ += text;
  }
  template <typename List, typename F>
  void WriteList(const List& list, F print_one) {
    bool first = true;
    for (const auto& item : list) {
      Write(first ? "" : ", ");
      first = false;
      print_one(item);
    }
  }
  void WriteString(std::string_view value);
  void PrintNames(const std::vector<Identifier>& names);
  void PrintNames(const std::vector<QualifiedName>& names);
  void PrintOptionalComment(const std::optional<std::string>& comment);
  void PrintWithOptions(const TableOptions& options);
  void PrintOptions(const TableOptions& options);
  void PrintKeys(const std::vector<std::string>& keys);
  void PrintPartition(const PartitionSpecification& partition);
  void PrintHints(const std::vector<Hint>& hints);

  // print_type_name.cc
  void PrintInterval(const IntervalQualifier& qualifier);
  void PrintLength(const TypeName& type);

  // print_expression.cc: in parentheses when it binds more loosely than `precedence_min`
  void PrintExpression(const Expression& expression, int precedence_min);
  void PrintBare(const Expression& expression);
  void PrintBinary(const BinaryExpression& top);
  void PrintUnary(const UnaryExpression& unary);
  void PrintLiteral(const LiteralExpression& literal);
  void PrintIntervalExpression(const IntervalExpression& interval);
  void PrintCase(const CaseExpression& node);
  void PrintCollection(std::string_view keyword, const std::vector<ExpressionPtr>& items,
                       const QueryPtr& query);
  void PrintConstructor(const Expression& expression);
  void PrintAccess(const Expression& expression);
  void PrintPostfixOperand(const Expression& operand);
  void PrintExpressions(const std::vector<ExpressionPtr>& expressions);
  void PrintParenthesized(const Query& query);
  void PrintOrder(const std::vector<OrderItem>& items);

  // print_predicate.cc
  void PrintPredicate(const Expression& expression);
  void PrintBetween(const BetweenExpression& between);
  void PrintQuantified(const QuantifiedExpression& quantified);
  void PrintIs(const Expression& expression);
  void PrintLike(const LikeExpression& like);

  // print_function.cc
  void PrintCall(const FunctionCallExpression& call);
  void PrintCallName(const QualifiedName& name);
  void PrintArguments(const FunctionCallExpression& call);
  void PrintArgument(const FunctionArgument& argument);
  void PrintSpecialArguments(const FunctionCallExpression& call);
  void PrintJsonClauses(const JsonClauses& clauses);
  void PrintTableArgument(const TableArgumentExpression& table);
  void PrintWindow(const WindowSpecification& window);
  void PrintFrameBound(const FrameBound& bound);

  // print_query.cc
  void PrintLimit(const Query& query);
  void PrintQueryBody(const Query& query);
  void PrintValues(const ValuesQuery& values);
  void PrintSelect(const SelectQuery& select);
  void PrintGrouping(const GroupingElement& element);
  void PrintSetOperation(const SetOperationQuery& top);
  void PrintSetOperand(const Query& query, bool parenthesize_set_operations);
  void PrintTable(const TableReference& table);
  void PrintJoins(const JoinTable& top);
  void PrintTableBody(const TableReference& table);
  void PrintTableAlias(const TableReference& table);
  void PrintSample(const std::optional<TableSample>& sample);
  void PrintMatchRecognize(const MatchRecognizeTable& match);
  void PrintAfterMatch(const MatchRecognizeTable& match);
  void PrintPattern(const Pattern& pattern, bool parenthesize);

  // print_table_definition.cc
  void PrintSchema(const TableSchema& schema, bool parentheses);
  void PrintColumn(const ColumnDefinition& column);
  void PrintConstraint(const TableConstraint& constraint);
  void PrintEnforcement(const std::optional<bool>& enforced);
  void PrintDistribution(const TableDistribution& distribution);
  void PrintLike(const TableLike& like);
  void PrintCreateTable(const CreateTableStatement& table);
  void PrintAlterTable(const AlterTableStatement& alter);

  // print_statement.cc
  void PrintInsert(const InsertStatement& insert);
  void PrintChange(const Statement& statement);
  void PrintStatementSet(const StatementSetStatement& set);
  void PrintExplain(const ExplainStatement& explain);
  void PrintCatalogStatement(const Statement& statement);
  void PrintViewStatement(const Statement& statement);
  void PrintFunctionStatement(const Statement& statement);
  void PrintLanguage(FunctionLanguage language);
  void PrintMaterializedTableStatement(const Statement& statement);
  void PrintShow(const ShowStatement& show);

  // print_session_statement.cc
  void PrintSessionStatement(const Statement& statement);
  void PrintAnalyze(const AnalyzeTableStatement& analyze);
  void PrintProcedureCall(const CallStatement& call);
  void PrintDescribe(const DescribeStatement& describe);
  void PrintSetting(const Statement& statement);
  void PrintClientCommand(const ClientCommandStatement& command);

  const FullNames* full_names_ = nullptr;
  std::string out_;
};

}  // namespace lakeward::sql
