#include "lakeward/sql/statement.h"

namespace lakeward::sql {

std::string_view NameOf(StatementKind kind) {
  switch (kind) {
    case StatementKind::kQuery:
      return "SELECT";
    case StatementKind::kInsert:
      return "INSERT";
    case StatementKind::kUpdate:
      return "UPDATE";
    case StatementKind::kDelete:
      return "DELETE";
    case StatementKind::kStatementSet:
      return "STATEMENT SET";
    case StatementKind::kBeginStatementSet:
      return "BEGIN STATEMENT SET";
    case StatementKind::kEndStatementSet:
      return "END";
    case StatementKind::kExplain:
      return "EXPLAIN";
    case StatementKind::kCompilePlan:
      return "COMPILE PLAN";
    case StatementKind::kExecutePlan:
      return "EXECUTE PLAN";
    case StatementKind::kCreateCatalog:
      return "CREATE CATALOG";
    case StatementKind::kAlterCatalog:
      return "ALTER CATALOG";
    case StatementKind::kCreateDatabase:
      return "CREATE DATABASE";
    case StatementKind::kAlterDatabase:
      return "ALTER DATABASE";
    case StatementKind::kCreateTable:
      return "CREATE TABLE";
    case StatementKind::kAlterTable:
      return "ALTER TABLE";
    case StatementKind::kTruncateTable:
      return "TRUNCATE TABLE";
    case StatementKind::kAnalyzeTable:
      return "ANALYZE TABLE";
    case StatementKind::kCreateView:
      return "CREATE VIEW";
    case StatementKind::kAlterView:
      return "ALTER VIEW";
    case StatementKind::kCreateFunction:
      return "CREATE FUNCTION";
    case StatementKind::kAlterFunction:
      return "ALTER FUNCTION";
    case StatementKind::kCreateMaterializedTable:
      return "CREATE MATERIALIZED TABLE";
    case StatementKind::kAlterMaterializedTable:
      return "ALTER MATERIALIZED TABLE";
    case StatementKind::kDrop:
      return "DROP";
    case StatementKind::kUse:
      return "USE";
    case StatementKind::kUseModules:
      return "USE MODULES";
    case StatementKind::kLoadModule:
      return "LOAD MODULE";
    case StatementKind::kUnloadModule:
      return "UNLOAD MODULE";
    case StatementKind::kCall:
      return "CALL";
    case StatementKind::kShow:
      return "SHOW";
    case StatementKind::kDescribe:
      return "DESCRIBE";
    case StatementKind::kSet:
      return "SET";
    case StatementKind::kReset:
      return "RESET";
    case StatementKind::kJar:
      return "ADD JAR";
    case StatementKind::kStopJob:
      return "STOP JOB";
    case StatementKind::kClientCommand:
      return "HELP";
  }
  return "";
}

std::string_view NameOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kCatalog:
      return "CATALOG";
    case ObjectKind::kDatabase:
      return "DATABASE";
    case ObjectKind::kTable:
      return "TABLE";
    case ObjectKind::kView:
      return "VIEW";
    case ObjectKind::kFunction:
      return "FUNCTION";
    case ObjectKind::kMaterializedTable:
      return "MATERIALIZED TABLE";
  }
  return "";
}

std::string_view NameOf(ShowSubject subject) {
  switch (subject) {
    case ShowSubject::kCatalogs:
      return "CATALOGS";
    case ShowSubject::kDatabases:
      return "DATABASES";
    case ShowSubject::kTables:
      return "TABLES";
    case ShowSubject::kViews:
      return "VIEWS";
    case ShowSubject::kMaterializedTables:
      return "MATERIALIZED TABLES";
    case ShowSubject::kColumns:
      return "COLUMNS";
    case ShowSubject::kPartitions:
      return "PARTITIONS";
    case ShowSubject::kFunctions:
      return "FUNCTIONS";
    case ShowSubject::kUserFunctions:
      return "USER FUNCTIONS";
    case ShowSubject::kProcedures:
      return "PROCEDURES";
    case ShowSubject::kModules:
      return "MODULES";
    case ShowSubject::kFullModules:
      return "FULL MODULES";
    case ShowSubject::kJars:
      return "JARS";
    case ShowSubject::kJobs:
      return "JOBS";
    case ShowSubject::kConfiguration:
      return "CONFIGURATION";
    case ShowSubject::kCurrentCatalog:
      return "CURRENT CATALOG";
    case ShowSubject::kCurrentDatabase:
      return "CURRENT DATABASE";
    case ShowSubject::kCreateTable:
      return "CREATE TABLE";
    case ShowSubject::kCreateView:
      return "CREATE VIEW";
    case ShowSubject::kCreateCatalog:
      return "CREATE CATALOG";
    case ShowSubject::kCreateMaterializedTable:
      return "CREATE MATERIALIZED TABLE";
  }
  return "";
}

}  // namespace lakeward::sql
