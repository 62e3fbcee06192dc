#include <string>

#include "gtest/gtest.h"
#include "lakeward/sql/parse.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

/// Message and, on a line of its own, hint.
std::string Refusal(const std::string& text) {
  const Status status = ParseStatement(text).status();
  if (status.ok()) {
    return "no error";
  }
  EXPECT_EQ(KindOf(status), ErrorKind::kSyntax);
  EXPECT_TRUE(PositionOf(status).has_value());
  return Describe(status);
}

TEST(SyntaxErrorTest, NamesPlaceAndExpectation) {
  EXPECT_EQ(Refusal("SELECT *\nb c\nFROM t"),
            "SQL syntax error at line 2, column 1: unexpected 'b'; expected FROM, ',' or end of "
            "statement\n"
            "b c\n"
            "^");
  EXPECT_EQ(
      Refusal("DROP"),
      "SQL syntax error at line 1, column 5: unexpected end of statement; expected TEMPORARY, "
      "TABLE, VIEW, FUNCTION, CATALOG, DATABASE or MATERIALIZED TABLE\n"
      "DROP\n"
      "    ^");
  EXPECT_EQ(Refusal("SELECT (a + b FROM t"),
            "SQL syntax error at line 1, column 15: unexpected 'FROM'; expected ',' or ')'\n"
            "SELECT (a + b FROM t\n"
            "              ^");
  EXPECT_EQ(Refusal("SELECT a, FROM t"),
            "SQL syntax error at line 1, column 11: unexpected 'FROM'; expected an expression\n"
            "SELECT a, FROM t\n"
            "          ^");
}

TEST(SyntaxErrorTest, GuessesMisspeltKeywords) {
  EXPECT_EQ(
      Refusal("SELECT a\n     , b FORM t"),
      "SQL syntax error at line 2, column 10: unexpected 'FORM'; expected FROM, ',' or end of "
      "statement\n"
      "     , b FORM t\n"
      "         ^\n"
      "Did you mean FROM?");
  EXPECT_EQ(
      Refusal("SELEC 1"),
      "SQL syntax error at line 1, column 1: unexpected 'SELEC'; expected a statement such as "
      "SELECT, INSERT INTO or CREATE TABLE\n"
      "SELEC 1\n"
      "^\n"
      "Did you mean SELECT?");
  EXPECT_NE(Refusal("SELECT a FROM t WEHRE a = 1").find("Did you mean WHERE?"), std::string::npos);
  EXPECT_NE(Refusal("CREATE TABEL t (a INT)").find("Did you mean TABLE?"), std::string::npos);
  EXPECT_NE(Refusal("SELECT a FROM t GRUOP BY a").find("Did you mean GROUP?"), std::string::npos);
  EXPECT_NE(Refusal("SELECT a FROM t WHERE a = 1 ODER BY a").find("Did you mean ORDER?"),
            std::string::npos);
}

TEST(SyntaxErrorTest, TellsReservedWords) {
  EXPECT_EQ(Refusal("CREATE TABLE t (value INT)"),
            "SQL syntax error at line 1, column 17: unexpected 'value'; expected the name of a "
            "column\n"
            "CREATE TABLE t (value INT)\n"
            "                ^\n"
            "VALUE is a reserved word; as a name it is written in backticks: `value`.");
  EXPECT_NE(Refusal("SELECT a AS date FROM t").find("`date`"), std::string::npos);
  EXPECT_NE(Refusal("SELECT timestamp, a FROM t").find("`timestamp`"), std::string::npos);
  EXPECT_NE(Refusal("SELECT * FROM order").find("`order`"), std::string::npos);
  EXPECT_NE(Refusal("SELECT t.year FROM t").find("`year`"), std::string::npos);
}

TEST(SyntaxErrorTest, TellsQuotesApart) {
  EXPECT_EQ(Refusal("SELECT \"a\" FROM t"),
            "SQL syntax error at line 1, column 8: unexpected '\"'\n"
            "SELECT \"a\" FROM t\n"
            "       ^\n"
            "Strings are written in single quotes ('text'), names in backticks (`name`).");
  EXPECT_EQ(Refusal("SELECT 'abc FROM t"),
            "SQL syntax error at line 1, column 8: the string that begins here has no closing "
            "quote\n"
            "SELECT 'abc FROM t\n"
            "       ^\n"
            "Close it with '; a quote inside of a string is written twice: 'it''s'.");
  EXPECT_NE(Refusal("SELECT ‘abc’").find("Write the plain ' for strings"), std::string::npos);
  EXPECT_NE(Refusal("SELECT * FROM 't'").find("not in single quotes"), std::string::npos);
  EXPECT_NE(Refusal("CREATE TABLE t (a INT) WITH (connector = 'x')").find("'key' = 'value'"),
            std::string::npos);
  EXPECT_NE(Refusal("CREATE TABLE t (a INT) WITH ('n' = 5)").find("'n' = '5'"), std::string::npos);
  EXPECT_NE(Refusal("SELECT 'it's'").find("no closing quote"), std::string::npos);
  EXPECT_NE(Refusal("SELECT 'a' 'b'").find("written twice"), std::string::npos);
}

TEST(SyntaxErrorTest, TellsOtherDialects) {
  EXPECT_NE(Refusal("SELECT a == b").find("single ="), std::string::npos);
  EXPECT_NE(Refusal("SELECT * FROM t WHERE a = ?").find("Parameters"), std::string::npos);
  EXPECT_NE(Refusal("CREATE TABLE 1abc (a INT)").find("`1abc`"), std::string::npos);
  EXPECT_NE(Refusal("SET a b").find("'key' = 'value'"), std::string::npos);
  EXPECT_NE(
      Refusal("STATEMENT SET BEGIN INSERT INTO a SELECT 1; END").find("EXECUTE STATEMENT SET"),
      std::string::npos);
}

TEST(SyntaxErrorTest, RefusesMoreOrLessThanOneStatement) {
  EXPECT_EQ(Refusal("SELECT 1; SELECT 2"),
            "SQL syntax error at line 1, column 11: there is more than one statement\n"
            "SELECT 1; SELECT 2\n"
            "          ^\n"
            "Run them one by one, or as a script.");
  EXPECT_EQ(Refusal(""),
            "SQL syntax error at line 1, column 1: there is no statement\n\n^\n"
            "Write a statement before the end of the text.");
  ASSERT_STATUS_OK(ParseStatement("SELECT 1;").status());
}

TEST(SyntaxErrorTest, ChecksWhatTheGrammarCannot) {
  EXPECT_NE(Refusal("CREATE TABLE t (a INT, WATERMARK FOR a AS a, WATERMARK FOR b AS b)")
                .find("more than one WATERMARK"),
            std::string::npos);
  EXPECT_NE(Refusal("CREATE TABLE t (a, b)").find("'a' has no data type"), std::string::npos);
  EXPECT_NE(Refusal("SELECT X'0'").find("even number"), std::string::npos);
  EXPECT_NE(Refusal("SELECT U&'\\00G1'").find("malformed escape"), std::string::npos);
  EXPECT_NE(Refusal("SELECT '\xFF'").find("not valid UTF-8"), std::string::npos);
  EXPECT_NE(Refusal("EXPLAIN CHANGELOG_MODE, CHANGELOG_MODE SELECT 1").find("given twice"),
            std::string::npos);
}

}  // namespace
}  // namespace lakeward::sql
