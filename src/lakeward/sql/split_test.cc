#include "lakeward/sql/split.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Pieces(std::string_view script) {
  std::vector<std::string> pieces;
  const Result<std::vector<StatementText>> statements = SplitStatements(script);
  if (!statements.ok()) {
    return {statements.status().message()};
  }
  for (const StatementText& statement : *statements) {
    pieces.emplace_back(statement.text);
  }
  return pieces;
}

TEST(SplitTest, CutsAtSemicolons) {
  EXPECT_THAT(Pieces("SELECT 1; SELECT 2 ;\n;; SELECT 3"),
              ElementsAre("SELECT 1", "SELECT 2", "SELECT 3"));
  EXPECT_THAT(Pieces(""), ElementsAre());
  EXPECT_THAT(Pieces(" -- nothing\n ; /* here */ "), ElementsAre());
}

TEST(SplitTest, LeavesQuotedSemicolonsAlone) {
  EXPECT_THAT(Pieces("SELECT 'a;b''c;'; SELECT `x;y``;`;"),
              ElementsAre("SELECT 'a;b''c;'", "SELECT `x;y``;`"));
  EXPECT_THAT(Pieces("SELECT 1 -- a;b\n, 2 /* c;d */;"), ElementsAre("SELECT 1 -- a;b\n, 2"));
  EXPECT_THAT(Pieces("SELECT * FROM t /*+ OPTIONS('a'=';') */; SELECT 1"),
              ElementsAre("SELECT * FROM t /*+ OPTIONS('a'=';') */", "SELECT 1"));
}

TEST(SplitTest, KeepsStatementSetsTogether) {
  EXPECT_THAT(
      Pieces("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN x THEN 1 END FROM t; "
             "INSERT INTO b SELECT 2; END; SELECT 1;"),
      ElementsAre("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN x THEN 1 END FROM t; "
                  "INSERT INTO b SELECT 2; END",
                  "SELECT 1"));
  EXPECT_THAT(Pieces("EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END; SELECT 1"),
              ElementsAre("EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END", "SELECT 1"));
}

TEST(SplitTest, TakesBeginStatementSetAsAStatementOfItsOwn) {
  EXPECT_THAT(Pieces("BEGIN STATEMENT SET; INSERT INTO a VALUES (1); END;"),
              ElementsAre("BEGIN STATEMENT SET", "INSERT INTO a VALUES (1)", "END"));
}

TEST(SplitTest, TellsWhereEachStatementBegins) {
  const std::string script = "-- first\nSELECT 1;\n\n  SELECT\n2";
  ASSERT_ASSIGN(const std::vector<StatementText> statements, SplitStatements(script));
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].line, 2);
  EXPECT_EQ(statements[0].column, 1);
  EXPECT_EQ(statements[0].offset, 9u);
  EXPECT_TRUE(statements[0].terminated);
  EXPECT_EQ(statements[1].line, 4);
  EXPECT_EQ(statements[1].column, 3);
  EXPECT_FALSE(statements[1].terminated);
  EXPECT_EQ(script.substr(statements[1].offset), statements[1].text);
}

TEST(SplitTest, RefusesWhatHasNoEnd) {
  const Status status = SplitStatements("SELECT 1;\nSELECT 'abc;\nSELECT 2;").status();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), ErrorKind::kSyntax);
  EXPECT_EQ(PositionOf(status), (SqlPosition{2, 8}));
  EXPECT_EQ(status.message(),
            "SQL syntax error at line 2, column 8: the string that begins here has no closing "
            "quote\nSELECT 'abc;\n       ^");
  EXPECT_THAT(SplitStatements("/* a ; b").status().message(), HasSubstr("comment"));
  EXPECT_THAT(SplitStatements("SELECT `a ; b").status().message(), HasSubstr("backtick"));
}

TEST(SplitTest, PassesOtherBadCharactersOn) {
  EXPECT_THAT(Pieces("SELECT # 1; SELECT 2"), ElementsAre("SELECT # 1", "SELECT 2"));
}

}  // namespace
}  // namespace lakeward::sql
