#include "lakeward/session/session.h"

#include "gmock/gmock.h"
#include "lakeward/session/session_fixture.h"

namespace lakeward::session {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class SessionTest : public SessionFixture {
 protected:
  /// The rows of a statement's content, columns with " | " between.
  std::string ContentOf(std::string_view text) {
    const auto result = Execute(text);
    if (!result.ok()) {
      return Describe(result.status());
    }
    std::string rows;
    for (int64_t row = 0; row < result->rows->num_rows(); ++row) {
      for (int i = 0; i < result->rows->num_columns(); ++i) {
        rows += i == 0 ? "" : " | ";
        rows += result->rows->column(i)->GetScalar(row).ValueOrDie()->ToString();
      }
      rows += "\n";
    }
    return rows;
  }
};

TEST_F(SessionTest, TellsWhatEachStatementGave) {
  ASSERT_ASSIGN(StatementResult result, Execute("CREATE DATABASE d"));
  EXPECT_EQ(result.kind, ResultKind::kSuccess);
  ASSERT_ASSIGN(result, Execute("SHOW DATABASES"));
  EXPECT_EQ(result.kind, ResultKind::kSuccessWithContent);
  EXPECT_EQ(result.schema.ToString(), "[database name: STRING]");
  ASSERT_ASSIGN(result, Execute("SELECT 1 AS uno"));
  EXPECT_EQ(result.kind, ResultKind::kQuery);
  EXPECT_TRUE(result.streaming);
  EXPECT_EQ(result.schema.ToString(), "[uno: INT NOT NULL]");
  ASSERT_ASSIGN(std::optional<stream::Batch> rows, session_->NextRows(result));
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->row_count(), 1);
  ASSERT_ASSIGN(rows, session_->NextRows(result));
  EXPECT_FALSE(rows.has_value());
  ASSERT_STATUS_OK(Execute("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')").status());
  ASSERT_ASSIGN(result, Execute("INSERT INTO b VALUES (1)"));
  EXPECT_EQ(result.kind, ResultKind::kJobSubmitted);
  EXPECT_TRUE(result.awaited);
  EXPECT_EQ(result.job->status().state, runtime::JobState::kFinished);
}

TEST_F(SessionTest, ShowJobsListsWhatWasSubmitted) {
  EXPECT_EQ(ContentOf("SHOW JOBS"), "");
  ASSERT_STATUS_OK(Execute("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')").status());
  ASSERT_STATUS_OK(Execute("INSERT INTO b VALUES (1)").status());
  ASSERT_STATUS_OK(Execute("SET 'pipeline.name' = 'mine'").status());
  EXPECT_FALSE(Execute("INSERT INTO b SELECT CAST(x AS INT) FROM (VALUES ('a')) AS t(x)").ok());
  ASSERT_ASSIGN(const StatementResult jobs, Execute("SHOW JOBS"));
  EXPECT_EQ(jobs.schema.ToString(),
            "[job id: STRING, job name: STRING, status: STRING, start time: TIMESTAMP_LTZ(3)]");
  EXPECT_THAT(
      ContentOf("SHOW JOBS"),
      MatchesRegex("[0-9a-f]{32} \\| insert-into_default_catalog.default_database.b \\| "
                   "FINISHED \\| 20[^\n]*\n[0-9a-f]{32} \\| mine \\| FAILED \\| 20[^\n]*\n"));
  EXPECT_EQ(session_->jobs().size(), 2u);
}

TEST_F(SessionTest, SetChangesAndResetForgets) {
  ASSERT_STATUS_OK(Execute("SET 'execution.runtime-mode' = 'batch'").status());
  ASSERT_ASSIGN(StatementResult result, Execute("SELECT 1"));
  EXPECT_FALSE(result.streaming);
  EXPECT_THAT(ContentOf("SET"), HasSubstr("execution.runtime-mode | batch\n"));
  ASSERT_STATUS_OK(Execute("RESET 'execution.runtime-mode'").status());
  ASSERT_ASSIGN(result, Execute("SELECT 1"));
  EXPECT_TRUE(result.streaming);
  ASSERT_STATUS_OK(Execute("SET 'table.dml-sync' = 'true'").status());
  ASSERT_STATUS_OK(Execute("RESET").status());
  EXPECT_THAT(ContentOf("SET"), Not(HasSubstr("table.dml-sync")));
}

TEST_F(SessionTest, SetRefusesValuesThatCannotBeUsedAndKeepsTheOld) {
  ASSERT_STATUS_OK(Execute("SET 'execution.runtime-mode' = 'batch'").status());
  EXPECT_EQ(
      ErrorOf("SET 'execution.runtime-mode' = 'fast'"),
      "Invalid value for option 'execution.runtime-mode': 'fast' is not one of STREAMING, "
      "BATCH, AUTOMATIC\nSET 'execution.runtime-mode' = 'fast'\n                               ^");
  EXPECT_THAT(ErrorOf("SET 'table.local-time-zone' = 'Mars/Phobos'"), HasSubstr("Mars/Phobos"));
  EXPECT_EQ(ErrorOf("SET 'parallelism.default' = '0'"),
            "'parallelism.default' is 0\nSET 'parallelism.default' = '0'\n"
            "                            ^\nSet it to a number from 1 to 128.");
  ASSERT_ASSIGN(const StatementResult result, Execute("SELECT 1"));
  EXPECT_FALSE(result.streaming);
}

TEST_F(SessionTest, StatementSetsCollectInserts) {
  ASSERT_STATUS_OK(Execute("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')").status());
  ASSERT_STATUS_OK(Execute("CREATE TABLE c (n INT) WITH ('connector' = 'blackhole')").status());
  ASSERT_STATUS_OK(Execute("BEGIN STATEMENT SET").status());
  ASSERT_STATUS_OK(Execute("INSERT INTO b VALUES (1)").status());
  EXPECT_EQ(ErrorOf("SHOW TABLES"),
            "Only INSERT may stand between BEGIN STATEMENT SET and END\nSHOW TABLES\n^\n"
            "End the set with END; before other statements.");
  ASSERT_STATUS_OK(Execute("INSERT INTO c VALUES (2)").status());
  EXPECT_TRUE(session_->jobs().empty());
  ASSERT_ASSIGN(const StatementResult result, Execute("END"));
  EXPECT_EQ(result.job->name(),
            "insert-into_default_catalog.default_database.b,default_catalog.default_database.c");
  EXPECT_EQ(session_->jobs().size(), 1u);
  EXPECT_EQ(ErrorOf("END"),
            "END without BEGIN STATEMENT SET\nEND\n^\nWrite BEGIN STATEMENT SET before the "
            "INSERTs.");
  ASSERT_STATUS_OK(Execute("BEGIN STATEMENT SET").status());
  EXPECT_EQ(ErrorOf("END"),
            "The statement set holds no INSERT\nEND\n^\nPut at least one INSERT before END.");
}

TEST_F(SessionTest, ViewsKeepTheirTablesAfterUse) {
  ASSERT_STATUS_OK(
      Execute("CREATE TABLE t (n INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1')")
          .status());
  ASSERT_STATUS_OK(Execute("CREATE VIEW v AS SELECT n AS m FROM t").status());
  ASSERT_STATUS_OK(Execute("CREATE DATABASE other").status());
  ASSERT_STATUS_OK(Execute("USE other").status());
  // A table of the same name and another shape.
  ASSERT_STATUS_OK(Execute("CREATE TABLE t (x STRING) WITH ('connector' = 'datagen')").status());
  ASSERT_ASSIGN(const StatementResult result, Execute("SELECT * FROM default_database.v"));
  EXPECT_EQ(result.schema.ToString(), "[m: INT]");
  EXPECT_EQ(ContentOf("SHOW CREATE VIEW default_database.v"),
            "CREATE VIEW `default_catalog`.`default_database`.`v`(`m`) as\n"
            "SELECT `t`.`n` AS `m`\nFROM `default_catalog`.`default_database`.`t`\n");
}

TEST_F(SessionTest, AltersViews) {
  ASSERT_STATUS_OK(Execute("CREATE VIEW v COMMENT 'two' AS SELECT 1 AS a").status());
  ASSERT_STATUS_OK(Execute("CREATE TEMPORARY VIEW tv AS SELECT 1 AS a").status());
  ASSERT_STATUS_OK(Execute("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')").status());
  ASSERT_STATUS_OK(Execute("ALTER VIEW v RENAME TO w").status());
  EXPECT_EQ(ContentOf("SHOW VIEWS"), "tv\nw\n");
  ASSERT_STATUS_OK(Execute("ALTER VIEW w AS SELECT 'x' AS b, 2 AS c").status());
  EXPECT_EQ(ContentOf("SHOW CREATE VIEW w"),
            "CREATE VIEW `default_catalog`.`default_database`.`w`(`b`, `c`) as\n"
            "SELECT 'x' AS `b`, 2 AS `c` COMMENT 'two'\n\n");
  EXPECT_EQ(ErrorOf("ALTER VIEW w RENAME TO b"),
            "Table (or view) default_database.b already exists in Catalog default_catalog.\n"
            "Choose another name, drop it first, or write IF NOT EXISTS.");
  EXPECT_EQ(ErrorOf("ALTER VIEW w RENAME TO other.w"),
            "A view cannot be renamed into another database: "
            "'default_catalog.default_database.w' to 'default_catalog.other.w'\n"
            "ALTER VIEW w RENAME TO other.w\n                       ^\n"
            "Create it there and drop it here.");
  EXPECT_EQ(ErrorOf("ALTER VIEW tv AS SELECT 2"),
            "'default_catalog.default_database.tv' is a temporary view\n"
            "ALTER VIEW tv AS SELECT 2\n           ^\n"
            "DROP TEMPORARY VIEW, then create it again.");
  EXPECT_EQ(ErrorOf("ALTER VIEW b AS SELECT 2"),
            "'default_catalog.default_database.b' is a table\nALTER VIEW b AS SELECT 2\n"
            "           ^\nALTER VIEW takes views only.");
  EXPECT_THAT(ErrorOf("ALTER VIEW w AS SELECT nope"), HasSubstr("Column 'nope' not found"));
  EXPECT_THAT(ErrorOf("ALTER VIEW v AS SELECT 1"), HasSubstr("default_database.v does not exist"));
}

TEST_F(SessionTest, NamesWhatItDoesNotDoYet) {
  EXPECT_EQ(ErrorOf("CREATE FUNCTION f AS 'x'"),
            "not supported yet: CREATE FUNCTION\nCREATE FUNCTION f AS 'x'\n^\n"
            "docs/sql lists the statements that run today.");
  EXPECT_EQ(ErrorOf("CREATE TABLE a (n AS 1) WITH ('connector' = 'datagen')"),
            "not supported yet: computed columns\n"
            "CREATE TABLE a (n AS 1) WITH ('connector' = 'datagen')\n                ^\n"
            "Compute the column in the query or in a view.");
  EXPECT_EQ(ErrorOf("STOP JOB '0123' WITH SAVEPOINT"),
            "not supported yet: STOP JOB … WITH SAVEPOINT and WITH DRAIN\n"
            "STOP JOB '0123' WITH SAVEPOINT\n^\n"
            "STOP JOB alone takes a last checkpoint and commits it.");
  EXPECT_EQ(
      ErrorOf("STOP JOB '0123'"),
      "There is no job '0123'\nSTOP JOB '0123'\n^\nSHOW JOBS lists the jobs of this session.");
}

TEST_F(SessionTest, AFailedInsertIsTheStatementsError) {
  ASSERT_STATUS_OK(Execute("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')").status());
  EXPECT_THAT(ErrorOf("INSERT INTO b SELECT 1 / x FROM (VALUES (0)) AS t(x)"),
              HasSubstr("(1 / x): division by zero\n"
                        "Guard the divisor, for example with NULLIF(divisor, 0)."));
  EXPECT_EQ(session_->jobs()[0]->status().state, runtime::JobState::kFailed);
}

TEST_F(SessionTest, UnboundedInsertsGoOnUntilStopped) {
  ASSERT_STATUS_OK(Execute("CREATE TABLE s (n INT) WITH ('connector' = 'datagen')").status());
  ASSERT_STATUS_OK(Execute("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')").status());
  bool told = false;
  ASSERT_ASSIGN(const StatementResult result,
                session_->Execute("INSERT INTO b SELECT * FROM s",
                                  [&](const runtime::Job&) { told = true; }));
  EXPECT_TRUE(told);
  EXPECT_FALSE(result.awaited);
  ASSERT_STATUS_OK(Execute("STOP JOB '" + result.job->id() + "'").status());
  EXPECT_STATUS_OK(result.job->Await());
  EXPECT_EQ(result.job->status().state, runtime::JobState::kFinished);
}

TEST_F(SessionTest, AnInterruptEndsAQuery) {
  ASSERT_STATUS_OK(
      Execute("CREATE TABLE s (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '1')")
          .status());
  ASSERT_ASSIGN(const StatementResult result, Execute("SELECT * FROM s"));
  session_->Interrupt();
  Status status;
  while (status.ok()) {
    status = session_->NextRows(result).status();
  }
  EXPECT_EQ(KindOf(status), ErrorKind::kCancelled);
  EXPECT_EQ(status.message(), "The query was cancelled");
}

}  // namespace
}  // namespace lakeward::session
