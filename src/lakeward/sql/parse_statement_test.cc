#include <string>

#include "gtest/gtest.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/print.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

std::string Printed(const std::string& text) {
  const Result<StatementPtr> statement = ParseStatement(text);
  return statement.ok() ? ToSql(**statement) : statement.status().ToString();
}

/// Parses canonical text and expects it back.
void ExpectSame(const std::string& text) { EXPECT_EQ(Printed(text), text); }

TEST(ParseStatementTest, ReadsCreateTable) {
  ASSERT_ASSIGN(
      const StatementPtr statement,
      ParseStatement(
          "CREATE TABLE IF NOT EXISTS c.d.t (\n"
          "  id BIGINT NOT NULL COMMENT 'the key',\n"
          "  `a b` STRING,\n"
          "  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,\n"
          "  total AS price * quantity COMMENT 'computed',\n"
          "  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND,\n"
          "  CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED\n"
          ") COMMENT 'it''s' DISTRIBUTED BY HASH(id) INTO 4 BUCKETS PARTITIONED BY (a, b)\n"
          "WITH ('connector' = 'delta', 'table-path' = '/tmp/t');"));
  const auto& table = statement->As<CreateTableStatement>();
  EXPECT_TRUE(table.if_not_exists);
  EXPECT_EQ(table.name.ToString(), "c.d.t");
  ASSERT_EQ(table.schema.columns.size(), 4u);
  EXPECT_FALSE(table.schema.columns[0].type->nullable);
  EXPECT_EQ(table.schema.columns[0].comment, "the key");
  EXPECT_EQ(table.schema.columns[1].name.back().text, "a b");
  EXPECT_EQ(table.schema.columns[2].kind, ColumnKind::kMetadata);
  EXPECT_EQ(table.schema.columns[2].metadata_key, "timestamp");
  EXPECT_TRUE(table.schema.columns[2].is_virtual);
  EXPECT_EQ(table.schema.columns[3].kind, ColumnKind::kComputed);
  EXPECT_EQ(table.schema.columns[3].position, (SqlPosition{5, 3}));
  ASSERT_EQ(table.schema.watermarks.size(), 1u);
  EXPECT_EQ(table.schema.watermarks[0].column.ToString(), "ts");
  ASSERT_EQ(table.schema.constraints.size(), 1u);
  EXPECT_EQ(table.schema.constraints[0].name->text, "pk");
  EXPECT_EQ(table.schema.constraints[0].enforced, false);
  EXPECT_EQ(table.comment, "it's");
  EXPECT_EQ(table.distribution->buckets, 4);
  EXPECT_EQ(table.partitioned_by.size(), 2u);
  ASSERT_EQ(table.options.size(), 2u);
  EXPECT_EQ(table.options[1].key, "table-path");
  EXPECT_EQ(table.options[1].value, "/tmp/t");
  EXPECT_EQ(table.options[1].position, (SqlPosition{9, 30}));
}

TEST(ParseStatementTest, ReadsTheFormsOfCreateTable) {
  ExpectSame("CREATE TEMPORARY TABLE t (a INT PRIMARY KEY NOT ENFORCED, b STRING)");
  ExpectSame("CREATE TABLE t LIKE s (INCLUDING ALL EXCLUDING OPTIONS OVERWRITING WATERMARKS)");
  ExpectSame("CREATE TABLE t (c INT) WITH ('k' = 'v') LIKE s");
  ExpectSame("CREATE TABLE t WITH ('k' = 'v') AS SELECT a FROM s");
  ExpectSame("CREATE TABLE t (a, b) AS SELECT 1, 2");
  ExpectSame("CREATE OR REPLACE TABLE t AS SELECT 1 AS a");
  ExpectSame("REPLACE TABLE t WITH ('k' = 'v') AS SELECT 1 AS a");
}

TEST(ParseStatementTest, ReadsCatalogsDatabasesAndViews) {
  ExpectSame("CREATE CATALOG IF NOT EXISTS c COMMENT 'x' WITH ('type' = 'delta-catalog')");
  ExpectSame("ALTER CATALOG c SET ('a' = 'b')");
  ExpectSame("ALTER CATALOG c RESET ('a', 'b')");
  ExpectSame("ALTER CATALOG c COMMENT 'x'");
  ExpectSame("CREATE DATABASE IF NOT EXISTS c.d COMMENT 'x' WITH ('a' = 'b')");
  ExpectSame("ALTER DATABASE d SET ('a' = 'b')");
  ExpectSame("DROP CATALOG IF EXISTS c");
  ExpectSame("DROP DATABASE IF EXISTS d CASCADE");
  EXPECT_EQ(Printed("DROP DATABASE d RESTRICT"), "DROP DATABASE d");
  ExpectSame("DROP TEMPORARY TABLE IF EXISTS t");
  ExpectSame("DROP VIEW v");
  ExpectSame("USE CATALOG c");
  ExpectSame("USE c.d");
  ExpectSame("CREATE TEMPORARY VIEW IF NOT EXISTS v (a, b) COMMENT 'x' AS SELECT 1, 2");
  ExpectSame("ALTER VIEW v RENAME TO w");
  ExpectSame("ALTER VIEW v AS SELECT 1");
  ASSERT_ASSIGN(const StatementPtr statement,
                ParseStatement("CREATE VIEW v AS SELECT a -- why\n FROM t ;"));
  EXPECT_EQ(statement->As<CreateViewStatement>().query_text, "SELECT a -- why\n FROM t");
}

TEST(ParseStatementTest, ReadsAlterTable) {
  ExpectSame("ALTER TABLE IF EXISTS t RENAME TO u");
  ExpectSame("ALTER TABLE t RENAME a.b TO c");
  EXPECT_EQ(Printed("ALTER TABLE t ADD c INT COMMENT 'x' AFTER b"),
            "ALTER TABLE t ADD c INT COMMENT 'x' AFTER b");
  ExpectSame(
      "ALTER TABLE t ADD (a INT FIRST, b AS a + 1, WATERMARK FOR ts AS ts, PRIMARY KEY (a) "
      "NOT ENFORCED)");
  ExpectSame("ALTER TABLE t MODIFY (a BIGINT AFTER b)");
  EXPECT_EQ(Printed("ALTER TABLE t DROP a"), "ALTER TABLE t DROP (a)");
  ExpectSame("ALTER TABLE t DROP (a, b.c)");
  ExpectSame("ALTER TABLE t DROP PRIMARY KEY");
  ExpectSame("ALTER TABLE t DROP CONSTRAINT pk");
  ExpectSame("ALTER TABLE t DROP WATERMARK");
  ExpectSame("ALTER TABLE t ADD DISTRIBUTION BY HASH(a) INTO 3 BUCKETS");
  ExpectSame("ALTER TABLE t DROP DISTRIBUTION");
  ExpectSame(
      "ALTER TABLE t ADD IF NOT EXISTS PARTITION (a = 1) WITH ('k' = 'v') PARTITION (a = 2)");
  ExpectSame("ALTER TABLE t DROP IF EXISTS PARTITION (a = 1), PARTITION (a = 2)");
  ExpectSame("ALTER TABLE t SET ('a' = 'b')");
  ExpectSame("ALTER TABLE t RESET ('a')");
}

TEST(ParseStatementTest, ReadsChanges) {
  ExpectSame("INSERT INTO c.d.t VALUES ('a', 42)");
  ExpectSame("INSERT INTO t /*+ OPTIONS('k' = 'v') */ PARTITION (a = 'x', b) (c, d) SELECT 1, 2");
  ExpectSame("INSERT OVERWRITE t SELECT * FROM s");
  EXPECT_EQ(Printed("INSERT INTO t (SELECT 1)"), "INSERT INTO t SELECT 1");
  ExpectSame("INSERT INTO t WITH a AS (SELECT 1) SELECT * FROM a");
  ExpectSame("EXECUTE INSERT INTO t SELECT 1");
  ExpectSame("UPDATE t SET a = 1, b = b + 1 WHERE c > 2");
  ExpectSame("DELETE FROM t WHERE c > 2");
  ExpectSame("DELETE FROM t");
  ExpectSame("TRUNCATE TABLE t");
  ExpectSame("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END");
  ExpectSame("BEGIN STATEMENT SET");
  ExpectSame("END");
  ExpectSame("CALL c.d.p(1, x => 'a')");
  ExpectSame("COMPILE PLAN '/p' IF NOT EXISTS FOR INSERT INTO t SELECT 1");
  ExpectSame("COMPILE AND EXECUTE PLAN '/p' FOR STATEMENT SET BEGIN INSERT INTO a SELECT 1; END");
  ExpectSame("EXECUTE PLAN '/p'");
}

TEST(ParseStatementTest, ReadsInspection) {
  ExpectSame("EXPLAIN SELECT 1");
  ExpectSame("EXPLAIN PLAN FOR SELECT 1");
  ExpectSame("EXPLAIN ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN INSERT INTO t SELECT 1");
  ExpectSame("EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END");
  for (const char* text :
       {"SHOW CATALOGS",
        "SHOW CATALOGS LIKE 'a%'",
        "SHOW DATABASES FROM c NOT ILIKE 'a%'",
        "SHOW TABLES",
        "SHOW TABLES IN c.d LIKE 'a_'",
        "SHOW VIEWS",
        "SHOW COLUMNS FROM t LIKE 'a'",
        "SHOW PARTITIONS t PARTITION (a = 1)",
        "SHOW FUNCTIONS",
        "SHOW USER FUNCTIONS",
        "SHOW PROCEDURES FROM c.d",
        "SHOW MODULES",
        "SHOW FULL MODULES",
        "SHOW JARS",
        "SHOW JOBS",
        "SHOW CURRENT CATALOG",
        "SHOW CURRENT DATABASE",
        "SHOW CREATE TABLE c.d.t",
        "SHOW CREATE VIEW v",
        "SHOW CREATE CATALOG c",
        "DESCRIBE t",
        "DESCRIBE EXTENDED c.d.t",
        "DESCRIBE CATALOG EXTENDED c",
        "DESCRIBE DATABASE d",
        "DESCRIBE JOB 'abc'",
        "ANALYZE TABLE t PARTITION (a = 1, b) COMPUTE STATISTICS FOR COLUMNS c, d",
        "ANALYZE TABLE t COMPUTE STATISTICS FOR ALL COLUMNS"}) {
    ExpectSame(text);
  }
  EXPECT_EQ(Printed("desc t"), "DESCRIBE t");
  // CATALOG, DATABASE and JOB are no reserved words.
  ExpectSame("DESCRIBE catalog");
}

TEST(ParseStatementTest, ReadsSessionStatements) {
  for (const char* text :
       {"SET",
        "SET 'a.b' = 'c'",
        "RESET",
        "RESET 'a.b'",
        "ADD JAR '/x.jar'",
        "REMOVE JAR '/x.jar'",
        "STOP JOB 'id' WITH SAVEPOINT WITH DRAIN",
        "LOAD MODULE m WITH ('a' = 'b')",
        "UNLOAD MODULE m",
        "USE MODULES a, b",
        "HELP",
        "CLEAR",
        "QUIT",
        "SOURCE '/x.sql'",
        "CREATE TEMPORARY SYSTEM FUNCTION IF NOT EXISTS f AS 'c' LANGUAGE PYTHON USING JAR '/x', "
        "JAR "
        "'/y'",
        "ALTER TEMPORARY FUNCTION IF EXISTS f AS 'c' LANGUAGE JAVA",
        "DROP TEMPORARY SYSTEM FUNCTION IF EXISTS f",
        "CREATE MATERIALIZED TABLE t (CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED) COMMENT 'x' "
        "PARTITIONED BY (a) WITH ('k' = 'v') FRESHNESS = INTERVAL '3' MINUTE REFRESH_MODE = FULL "
        "AS "
        "SELECT 1 AS a",
        "ALTER MATERIALIZED TABLE t SUSPEND",
        "ALTER MATERIALIZED TABLE t RESUME WITH ('k' = 'v')",
        "ALTER MATERIALIZED TABLE t REFRESH PARTITION (a = 1)",
        "ALTER MATERIALIZED TABLE t SET FRESHNESS = INTERVAL '1' DAY",
        "ALTER MATERIALIZED TABLE t SET REFRESH_MODE = CONTINUOUS",
        "DROP MATERIALIZED TABLE IF EXISTS t"}) {
    ExpectSame(text);
  }
  EXPECT_EQ(Printed("EXIT;"), "QUIT");
}

TEST(ParseStatementTest, ReadsSetWithoutQuotes) {
  EXPECT_EQ(Printed("SET table.dml-sync = true;"), "SET 'table.dml-sync' = 'true'");
  EXPECT_EQ(Printed("SET table.dml-sync='a b'"), "SET 'table.dml-sync' = 'a b'");
  EXPECT_EQ(Printed("set a=b=c"), "SET 'a=b' = 'c'");
  EXPECT_EQ(Printed("RESET table.resources.download-dir ;"),
            "RESET 'table.resources.download-dir'");
}

TEST(ParseStatementTest, NamesStatementsThatAreNotSupported) {
  const auto message = [](const std::string& text) {
    const Status status = ParseStatement(text).status();
    return status.ok() || KindOf(status) != ErrorKind::kUnsupported ? "" : status.message();
  };
  EXPECT_EQ(message("CREATE MODEL m WITH ('a' = 'b')"), "not supported yet: CREATE MODEL");
  EXPECT_EQ(message("DROP CONNECTION c"), "not supported yet: DROP CONNECTION");
  EXPECT_EQ(message("SHOW MODELS"), "not supported yet: SHOW MODELS");
  EXPECT_EQ(message("MERGE INTO t USING s ON a = b"), "not supported yet: MERGE INTO");
  EXPECT_EQ(message("SELECT * FROM t PIVOT (x)"), "not supported yet: PIVOT");
}

}  // namespace
}  // namespace lakeward::sql
