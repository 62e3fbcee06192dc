#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/sql/expression.h"
#include "lakeward/sql/node.h"
#include "lakeward/sql/query.h"
#include "lakeward/sql/table_definition.h"

namespace lakeward::sql {

enum class StatementKind : uint8_t {
  kQuery,
  kInsert,
  kUpdate,
  kDelete,
  kStatementSet,
  kBeginStatementSet,
  kEndStatementSet,
  kExplain,
  kCompilePlan,
  kExecutePlan,
  kCreateCatalog,
  kAlterCatalog,
  kCreateDatabase,
  kAlterDatabase,
  kCreateTable,
  kAlterTable,
  kTruncateTable,
  kAnalyzeTable,
  kCreateView,
  kAlterView,
  kCreateFunction,
  kAlterFunction,
  kCreateMaterializedTable,
  kAlterMaterializedTable,
  kDrop,
  kUse,
  kUseModules,
  kLoadModule,
  kUnloadModule,
  kCall,
  kShow,
  kDescribe,
  kSet,
  kReset,
  kJar,
  kStopJob,
  kClientCommand,
};

/// "CREATE TABLE", "STOP JOB" …: what messages call the statement.
std::string_view NameOf(StatementKind kind);

/// The base of all statements; `kind` tells the struct, `As<T>()` gives it.
struct Statement : Node {
  Statement(SqlPosition at, StatementKind the_kind) : Node(at), kind(the_kind) {}

  template <typename T>
  const T& As() const {
    LW_CHECK(kind == T::kKind);
    return static_cast<const T&>(*this);
  }
  template <typename T>
  const T* AsIf() const {
    return kind == T::kKind ? static_cast<const T*>(this) : nullptr;
  }

  StatementKind kind;
};

using StatementPtr = std::shared_ptr<const Statement>;

template <StatementKind kind_of_node>
struct StatementOf : Statement {
  static constexpr StatementKind kKind = kind_of_node;
  explicit StatementOf(SqlPosition at) : Statement(at, kind_of_node) {}
};

// ---------------------------------------------------------------------------------------------
// Queries and changes.

struct QueryStatement final : StatementOf<StatementKind::kQuery> {
  using StatementOf::StatementOf;
  QueryPtr query;
  bool execute = false;  ///< written EXECUTE SELECT …
};

/// `ON CONFLICT DO …`.
enum class InsertConflict : uint8_t { kUnspecified, kError, kNothing, kDeduplicate };

struct InsertStatement final : StatementOf<StatementKind::kInsert> {
  using StatementOf::StatementOf;
  QualifiedName table;
  bool overwrite = false;
  bool execute = false;  ///< written EXECUTE INSERT …
  std::vector<Hint> hints;
  PartitionSpecification partition;
  std::vector<QualifiedName>
      columns;  ///< empty: all of the table's; a part may name a nested field
  QueryPtr query;
  InsertConflict on_conflict = InsertConflict::kUnspecified;
};

struct Assignment {
  QualifiedName column;
  ExpressionPtr value;
};

struct UpdateStatement final : StatementOf<StatementKind::kUpdate> {
  using StatementOf::StatementOf;
  QualifiedName table;
  std::vector<Hint> hints;
  std::optional<Identifier> alias;
  std::vector<Assignment> assignments;
  ExpressionPtr where;
};

struct DeleteStatement final : StatementOf<StatementKind::kDelete> {
  using StatementOf::StatementOf;
  QualifiedName table;
  std::vector<Hint> hints;
  std::optional<Identifier> alias;
  ExpressionPtr where;
};

/// `EXECUTE STATEMENT SET BEGIN insert; … END`, or without EXECUTE inside EXPLAIN and COMPILE PLAN.
struct StatementSetStatement final : StatementOf<StatementKind::kStatementSet> {
  using StatementOf::StatementOf;
  std::vector<std::shared_ptr<const InsertStatement>> inserts;
};

/// `BEGIN STATEMENT SET`: the INSERTs follow as statements of their own, up to `END`.
struct BeginStatementSetStatement final : StatementOf<StatementKind::kBeginStatementSet> {
  using StatementOf::StatementOf;
};
struct EndStatementSetStatement final : StatementOf<StatementKind::kEndStatementSet> {
  using StatementOf::StatementOf;
};

enum class ExplainDetail : uint8_t {
  kEstimatedCost,
  kChangelogMode,
  kJsonExecutionPlan,
  kPlanAdvice,
};

/// `EXPLAIN statement`, `EXPLAIN PLAN FOR statement`, `EXPLAIN CHANGELOG_MODE, … statement`.
struct ExplainStatement final : StatementOf<StatementKind::kExplain> {
  using StatementOf::StatementOf;
  std::vector<ExplainDetail> details;
  bool plan_for = false;
  StatementPtr statement;
};

/// `COMPILE [AND EXECUTE] PLAN 'path' [IF NOT EXISTS] FOR insert | STATEMENT SET …`.
struct CompilePlanStatement final : StatementOf<StatementKind::kCompilePlan> {
  using StatementOf::StatementOf;
  std::string path;
  bool if_not_exists = false;
  bool execute = false;
  StatementPtr statement;
};

struct ExecutePlanStatement final : StatementOf<StatementKind::kExecutePlan> {
  using StatementOf::StatementOf;
  std::string path;
};

struct CallStatement final : StatementOf<StatementKind::kCall> {
  using StatementOf::StatementOf;
  QualifiedName procedure;
  std::vector<FunctionArgument> arguments;
};

// ---------------------------------------------------------------------------------------------
// Catalogs and databases.

struct CreateCatalogStatement final : StatementOf<StatementKind::kCreateCatalog> {
  using StatementOf::StatementOf;
  Identifier name;
  bool if_not_exists = false;
  std::optional<std::string> comment;
  TableOptions options;
};

enum class AlterOptionsAction : uint8_t { kSet, kReset, kComment };

struct AlterCatalogStatement final : StatementOf<StatementKind::kAlterCatalog> {
  using StatementOf::StatementOf;
  Identifier name;
  AlterOptionsAction action = AlterOptionsAction::kSet;
  TableOptions options;                 ///< of kSet
  std::vector<std::string> reset_keys;  ///< of kReset
  std::string comment;                  ///< of kComment
};

struct CreateDatabaseStatement final : StatementOf<StatementKind::kCreateDatabase> {
  using StatementOf::StatementOf;
  QualifiedName name;
  bool if_not_exists = false;
  std::optional<std::string> comment;
  TableOptions options;
};

struct AlterDatabaseStatement final : StatementOf<StatementKind::kAlterDatabase> {
  using StatementOf::StatementOf;
  QualifiedName name;
  TableOptions options;
};

// ---------------------------------------------------------------------------------------------
// Tables.

struct CreateTableStatement final : StatementOf<StatementKind::kCreateTable> {
  using StatementOf::StatementOf;
  QualifiedName name;
  bool temporary = false;
  bool if_not_exists = false;
  bool create = true;       ///< false for a bare REPLACE TABLE … AS
  bool replace = false;     ///< REPLACE TABLE, CREATE OR REPLACE TABLE
  bool has_schema = false;  ///< there are parentheses behind the name
  TableSchema schema;
  std::optional<std::string> comment;
  std::optional<TableDistribution> distribution;
  std::vector<Identifier> partitioned_by;
  TableOptions options;
  std::optional<TableLike> like;
  QueryPtr as_query;  ///< null without AS
};

enum class AlterTableAction : uint8_t {
  kRename,
  kRenameColumn,
  kAddSchema,  ///< ADD column | (columns, constraints, watermark)
  kModifySchema,
  kDropColumns,
  kDropPrimaryKey,
  kDropConstraint,
  kDropWatermark,
  kAddDistribution,
  kModifyDistribution,
  kDropDistribution,
  kAddPartitions,
  kDropPartitions,
  kSetOptions,
  kResetOptions,
};

struct AddedPartition {
  PartitionSpecification partition;
  TableOptions options;
};

/// Which members count is said by `action`.
struct AlterTableStatement final : StatementOf<StatementKind::kAlterTable> {
  using StatementOf::StatementOf;
  QualifiedName name;
  bool if_exists = false;
  AlterTableAction action = AlterTableAction::kRename;
  QualifiedName new_name;    ///< kRename
  QualifiedName old_column;  ///< kRenameColumn
  QualifiedName new_column;
  TableSchema schema;  ///< kAddSchema, kModifySchema
  bool schema_in_parentheses = false;
  std::vector<QualifiedName> drop_columns;  ///< kDropColumns
  std::optional<Identifier> constraint;     ///< kDropConstraint
  std::optional<TableDistribution> distribution;
  std::vector<AddedPartition> partitions;  ///< kAddPartitions, kDropPartitions
  bool partition_if_exists = false;        ///< IF [NOT] EXISTS behind ADD or DROP
  TableOptions options;                    ///< kSetOptions
  std::vector<std::string> reset_keys;     ///< kResetOptions
};

struct TruncateTableStatement final : StatementOf<StatementKind::kTruncateTable> {
  using StatementOf::StatementOf;
  QualifiedName name;
};

struct AnalyzeTableStatement final : StatementOf<StatementKind::kAnalyzeTable> {
  using StatementOf::StatementOf;
  QualifiedName name;
  PartitionSpecification partition;
  bool all_columns = false;
  std::vector<Identifier> columns;
};

// ---------------------------------------------------------------------------------------------
// Views and functions.

struct CreateViewStatement final : StatementOf<StatementKind::kCreateView> {
  using StatementOf::StatementOf;
  QualifiedName name;
  bool temporary = false;
  bool if_not_exists = false;
  std::vector<Identifier> columns;
  std::optional<std::string> comment;
  QueryPtr query;
  /// The query as written, comments included.
  std::string query_text;
};

enum class AlterViewAction : uint8_t { kRename, kAs, kSetOptions, kResetOptions };

struct AlterViewStatement final : StatementOf<StatementKind::kAlterView> {
  using StatementOf::StatementOf;
  QualifiedName name;
  AlterViewAction action = AlterViewAction::kRename;
  QualifiedName new_name;
  QueryPtr query;
  std::string query_text;
  TableOptions options;
  std::vector<std::string> reset_keys;
};

enum class FunctionLanguage : uint8_t { kUnspecified, kJava, kScala, kPython, kSql };

/// `USING JAR '…'`.
struct FunctionResource {
  std::string type;  ///< "JAR", "FILE", "ARCHIVE"
  std::string path;
};

struct CreateFunctionStatement final : StatementOf<StatementKind::kCreateFunction> {
  using StatementOf::StatementOf;
  QualifiedName name;
  bool temporary = false;
  bool system = false;
  bool if_not_exists = false;
  std::string class_name;
  FunctionLanguage language = FunctionLanguage::kUnspecified;
  std::vector<FunctionResource> resources;
  TableOptions options;
};

struct AlterFunctionStatement final : StatementOf<StatementKind::kAlterFunction> {
  using StatementOf::StatementOf;
  QualifiedName name;
  bool temporary = false;
  bool system = false;
  bool if_exists = false;
  std::string class_name;
  FunctionLanguage language = FunctionLanguage::kUnspecified;
};

// ---------------------------------------------------------------------------------------------
// Materialized tables.

enum class RefreshMode : uint8_t { kUnspecified, kContinuous, kFull };

struct CreateMaterializedTableStatement final
    : StatementOf<StatementKind::kCreateMaterializedTable> {
  using StatementOf::StatementOf;
  QualifiedName name;
  std::vector<TableConstraint> constraints;
  std::optional<std::string> comment;
  std::optional<TableDistribution> distribution;
  std::vector<Identifier> partitioned_by;
  TableOptions options;
  ExpressionPtr freshness;  ///< an IntervalExpression, or null
  RefreshMode refresh_mode = RefreshMode::kUnspecified;
  QueryPtr query;
};

enum class AlterMaterializedTableAction : uint8_t {
  kSuspend,
  kResume,
  kRefresh,
  kSetFreshness,
  kSetRefreshMode,
  kSetOptions,
  kResetOptions,
  kAs,
};

struct AlterMaterializedTableStatement final : StatementOf<StatementKind::kAlterMaterializedTable> {
  using StatementOf::StatementOf;
  QualifiedName name;
  AlterMaterializedTableAction action = AlterMaterializedTableAction::kSuspend;
  ExpressionPtr freshness;
  RefreshMode refresh_mode = RefreshMode::kUnspecified;
  PartitionSpecification partition;  ///< of kRefresh
  TableOptions options;              ///< of kSetOptions and kResume
  std::vector<std::string> reset_keys;
  QueryPtr query;
};

// ---------------------------------------------------------------------------------------------
// DROP, USE, modules.

enum class ObjectKind : uint8_t {
  kCatalog,
  kDatabase,
  kTable,
  kView,
  kFunction,
  kMaterializedTable,
};

/// "CATALOG", "MATERIALIZED TABLE" …
std::string_view NameOf(ObjectKind kind);

struct DropStatement final : StatementOf<StatementKind::kDrop> {
  using StatementOf::StatementOf;
  ObjectKind object = ObjectKind::kTable;
  QualifiedName name;
  bool temporary = false;
  bool system = false;  ///< of functions
  bool if_exists = false;
  bool cascade = false;  ///< of databases; RESTRICT is the default
};

/// `USE CATALOG c`, `USE [c.]d`.
struct UseStatement final : StatementOf<StatementKind::kUse> {
  using StatementOf::StatementOf;
  ObjectKind object = ObjectKind::kDatabase;  ///< kCatalog or kDatabase
  QualifiedName name;
};

struct UseModulesStatement final : StatementOf<StatementKind::kUseModules> {
  using StatementOf::StatementOf;
  std::vector<Identifier> modules;
};

struct LoadModuleStatement final : StatementOf<StatementKind::kLoadModule> {
  using StatementOf::StatementOf;
  Identifier name;
  TableOptions options;
};

struct UnloadModuleStatement final : StatementOf<StatementKind::kUnloadModule> {
  using StatementOf::StatementOf;
  Identifier name;
};

// ---------------------------------------------------------------------------------------------
// Inspection, session, jobs.

enum class ShowSubject : uint8_t {
  kCatalogs,
  kDatabases,
  kTables,
  kViews,
  kMaterializedTables,
  kColumns,
  kPartitions,
  kFunctions,
  kUserFunctions,
  kProcedures,
  kModules,
  kFullModules,
  kJars,
  kJobs,
  kConfiguration,  ///< not in Flink
  kCurrentCatalog,
  kCurrentDatabase,
  kCreateTable,
  kCreateView,
  kCreateCatalog,
  kCreateMaterializedTable,
};

/// "CREATE TABLE", "CURRENT CATALOG" …: what follows SHOW.
std::string_view NameOf(ShowSubject subject);

enum class NameFilterKind : uint8_t { kLike, kIlike };

/// `[NOT] LIKE 'pattern'`, with SQL's `%` and `_`.
struct NameFilter {
  NameFilterKind kind = NameFilterKind::kLike;
  bool negated = false;
  std::string pattern;
};

struct ShowStatement final : StatementOf<StatementKind::kShow> {
  using StatementOf::StatementOf;
  ShowSubject subject = ShowSubject::kTables;
  /// Behind FROM or IN, or the object of kCreate… and kPartitions; empty when not written.
  QualifiedName object;
  bool in_keyword = false;  ///< written IN, not FROM
  std::optional<NameFilter> filter;
  PartitionSpecification partition;  ///< of kPartitions
};

enum class DescribeSubject : uint8_t { kTable, kCatalog, kDatabase, kFunction, kJob };

struct DescribeStatement final : StatementOf<StatementKind::kDescribe> {
  using StatementOf::StatementOf;
  DescribeSubject subject = DescribeSubject::kTable;
  bool extended = false;
  QualifiedName object;
  std::string job_id;  ///< of kJob
};

/// `SET 'key' = 'value'`, or a bare SET, which lists them.
struct SetStatement final : StatementOf<StatementKind::kSet> {
  using StatementOf::StatementOf;
  std::optional<TableOption> option;
};

/// `RESET 'key'`, or a bare RESET, which resets all.
struct ResetStatement final : StatementOf<StatementKind::kReset> {
  using StatementOf::StatementOf;
  std::optional<std::string> key;
};

/// `ADD JAR 'path'`, `REMOVE JAR 'path'`.
struct JarStatement final : StatementOf<StatementKind::kJar> {
  using StatementOf::StatementOf;
  bool add = true;
  std::string path;
};

struct StopJobStatement final : StatementOf<StatementKind::kStopJob> {
  using StatementOf::StatementOf;
  std::string job_id;
  bool with_savepoint = false;
  bool with_drain = false;
};

enum class ClientCommand : uint8_t { kHelp, kClear, kQuit, kSource };

/// What only the SQL shell understands: HELP, CLEAR, QUIT or EXIT, SOURCE 'file'.
struct ClientCommandStatement final : StatementOf<StatementKind::kClientCommand> {
  using StatementOf::StatementOf;
  ClientCommand command = ClientCommand::kHelp;
  std::string path;  ///< of kSource
};

}  // namespace lakeward::sql
