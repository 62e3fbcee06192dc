#include "lakeward/session/script.h"

#include "gmock/gmock.h"
#include "lakeward/session/session_fixture.h"

namespace lakeward::session {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class ScriptTest : public SessionFixture {};

// The lines are Flink's.
TEST_F(ScriptTest, PrintsWhatFlinksClientPrints) {
  EXPECT_EQ(Run("CREATE DATABASE d; SHOW DATABASES;"),
            "[INFO] Execute statement succeeded.\n\n"
            "+------------------+\n"
            "|    database name |\n"
            "+------------------+\n"
            "|                d |\n"
            "| default_database |\n"
            "+------------------+\n"
            "2 rows in set\n\n");
  EXPECT_TRUE(succeeded_);
  EXPECT_EQ(Run("USE d; SHOW TABLES;"), "[INFO] Execute statement succeeded.\n\nEmpty set\n\n");
  EXPECT_EQ(Run("SELECT * FROM (VALUES (1, '中文'), (2, CAST(NULL AS STRING))) AS t(n, s);"),
            "+----+-------------+--------------------------------+\n"
            "| op |           n |                              s |\n"
            "+----+-------------+--------------------------------+\n"
            "| +I |           1 |                           中文 |\n"
            "| +I |           2 |                         <NULL> |\n"
            "+----+-------------+--------------------------------+\n"
            "Received a total of 2 rows\n\n");
  EXPECT_EQ(Run("SELECT n FROM (VALUES (1)) AS t(n) WHERE n > 1;"),
            "+----+-------------+\n"
            "| op |           n |\n"
            "+----+-------------+\n"
            "Received a total of 0 row\n\n");
  EXPECT_EQ(Run("SET 'execution.runtime-mode' = 'batch'; SELECT 1 AS a;"),
            "[INFO] Execute statement succeeded.\n\n"
            "+---+\n"
            "| a |\n"
            "+---+\n"
            "| 1 |\n"
            "+---+\n"
            "1 row in set\n\n");
  EXPECT_EQ(Run("SELECT n FROM (VALUES (1)) AS t(n) WHERE FALSE;"), "Empty set\n\n");
}

TEST_F(ScriptTest, AnInsertPrintsItsJobAtOnceAndNothingMoreOnSuccess) {
  Run("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');");
  EXPECT_THAT(Run("INSERT INTO b VALUES (1);"),
              MatchesRegex("\\[INFO\\] Submitting SQL update statement to the cluster...\n"
                           "\\[INFO\\] SQL update statement has been successfully submitted to the "
                           "cluster:\nJob ID: [0-9a-f]{32}\n\n"));
  EXPECT_EQ(Run("SET 'table.dml-sync' = 'true'; INSERT INTO b VALUES (1);"),
            "[INFO] Execute statement succeeded.\n\n"
            "[INFO] Complete execution of the SQL update statement.\n\n");
}

TEST_F(ScriptTest, TheFirstFailureStopsTheScriptAndNamesItsPlace) {
  EXPECT_EQ(Run("SHOW CURRENT DATABASE;\n\n  SELECT nope\n  FROM (VALUES (1)) AS t(n);\n"
                "SHOW CURRENT DATABASE;"),
            "+-----------------------+\n"
            "| current database name |\n"
            "+-----------------------+\n"
            "|      default_database |\n"
            "+-----------------------+\n"
            "1 row in set\n\n"
            "[ERROR] Could not execute SQL statement. Reason:\n"
            "Column 'nope' not found in any table\n"
            "  SELECT nope\n"
            "         ^\n"
            "Columns here: n.\n"
            "At test.sql:3:10\n\n");
  EXPECT_FALSE(succeeded_);
}

TEST_F(ScriptTest, GoesOnAfterAFailureWhenAsked) {
  const std::string printed = Run("SELEC 1;\nCREATE DATABASE d;", /*stop_on_error=*/false);
  EXPECT_FALSE(succeeded_);
  EXPECT_THAT(printed, HasSubstr("At test.sql:1:1\n\n[INFO] Execute statement succeeded.\n\n"));
}

TEST_F(ScriptTest, TellsOfQuotesThatDoNotEnd) {
  EXPECT_THAT(Run("CREATE DATABASE d;\nSELECT 'abc;\n"),
              MatchesRegex("\\[ERROR\\] Could not execute SQL statement. Reason:\n.*\n"
                           "At test.sql:2:8\n\n"));
  EXPECT_FALSE(succeeded_);
}

TEST_F(ScriptTest, AFailedJobIsTheStatementsError) {
  Run("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');");
  EXPECT_THAT(Run("INSERT INTO b SELECT CAST(x AS INT) FROM (VALUES ('a')) AS t(x);\nSHOW TABLES;"),
              MatchesRegex("\\[INFO\\] Submitting SQL update statement to the cluster...\n"
                           "\\[INFO\\] SQL update statement has been successfully submitted to the "
                           "cluster:\nJob ID: [0-9a-f]{32}\n\n"
                           "\\[ERROR\\] Could not execute SQL statement. Reason:\n"
                           "cannot cast 'a' to INT: invalid character found\n"
                           "Correct the value, or use TRY_CAST, which gives NULL for values that "
                           "cannot be converted.\n\n"));
  EXPECT_FALSE(succeeded_);
}

TEST_F(ScriptTest, OtherResultModesAreRefusedByName) {
  EXPECT_EQ(Run("SET 'sql-client.execution.result-mode' = 'changelog'; SELECT 1;"),
            "[INFO] Execute statement succeeded.\n\n"
            "[ERROR] Could not execute SQL statement. Reason:\n"
            "not supported yet: 'sql-client.execution.result-mode' = 'changelog'\n"
            "Remove the SET, or SET 'sql-client.execution.result-mode' = 'tableau'.\n\n");
}

TEST_F(ScriptTest, CommentsAndEmptyStatementsAreNothing) {
  EXPECT_EQ(Run("-- only a comment\n;;\n/* another; */"), "");
  EXPECT_TRUE(succeeded_);
}

// `lakeward sql -e … | head -1`
TEST_F(ScriptTest, EndsWhenNobodyReads) {
  std::vector<std::string> printed;
  ScriptOutput output;
  output.print = [&](std::string_view text) {
    printed.emplace_back(text);
    return false;
  };
  output.print_error = [&](std::string_view text) { printed.emplace_back(text); };
  constexpr std::string_view kEndless =
      "CREATE TABLE g (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '10');"
      "SELECT n FROM g; SHOW TABLES;";
  EXPECT_FALSE(RunScript(session_.get(), kEndless, {.name = "test.sql"}, output));
  EXPECT_THAT(printed, ElementsAre("[INFO] Execute statement succeeded.\n\n"));
  printed.clear();
  output.print = [&](std::string_view text) {
    printed.emplace_back(text);
    return printed.size() < 3;
  };
  EXPECT_FALSE(
      RunScript(session_.get(), "SELECT n FROM g; SHOW TABLES;", {.name = "test.sql"}, output));
  EXPECT_EQ(printed.size(), 3);
}

}  // namespace
}  // namespace lakeward::session
