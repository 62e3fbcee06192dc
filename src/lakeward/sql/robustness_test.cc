#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/print.h"
#include "lakeward/sql/split.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

using ::testing::HasSubstr;

constexpr int kMany = 10'000;

std::string Repeated(std::string_view text, int times) {
  std::string result;
  result.reserve(text.size() * static_cast<size_t>(times));
  for (int i = 0; i < times; ++i) {
    result += text;
  }
  return result;
}

/// Long texts without nesting parse, print to something that parses again, and are destroyed.
void ExpectLongChain(const std::string& text) {
  const Result<StatementPtr> statement = ParseStatement(text);
  ASSERT_TRUE(statement.ok()) << statement.status().message().substr(0, 400);
  const std::string printed = ToSql(**statement);
  const Result<StatementPtr> again = ParseStatement(printed);
  ASSERT_TRUE(again.ok()) << again.status().message().substr(0, 400);
  EXPECT_EQ(ToSql(**again), printed);
}

void ExpectTooDeep(const std::string& text) {
  const Status status = ParseStatement(text).status();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(KindOf(status), ErrorKind::kSyntax);
  EXPECT_THAT(status.message(), HasSubstr("nested more than 500 levels deep"));
  EXPECT_THAT(HintOf(status), HasSubstr("WITH"));
}

TEST(RobustnessTest, TakesLongChains) {
  ExpectLongChain("SELECT 1" + Repeated(" + 1", kMany));
  ExpectLongChain("SELECT a" + Repeated(" || 'x'", kMany));
  ExpectLongChain("SELECT a" + Repeated(" + b * c - d / e", kMany));
  ExpectLongChain("SELECT a FROM t WHERE a = 0" + Repeated(" AND a = 1", kMany));
  ExpectLongChain("SELECT a FROM t WHERE a = 0" + Repeated(" OR b IS NULL AND c LIKE 'x'", kMany));
  ExpectLongChain("SELECT 1" + Repeated(" UNION ALL SELECT 2", kMany));
  ExpectLongChain("SELECT 1" + Repeated(" INTERSECT SELECT 2 EXCEPT SELECT 3", kMany));
  ExpectLongChain("SELECT * FROM t" + Repeated(", t", kMany));
  ExpectLongChain("SELECT * FROM t" + Repeated(" JOIN u ON a = b", kMany));
  ExpectLongChain("SELECT a IN (1" + Repeated(", 2", kMany) + ")");
  ExpectLongChain("SELECT CASE" + Repeated(" WHEN a = 1 THEN 2", kMany) + " END");
  ExpectLongChain("SELECT a" + Repeated(", f(a, b)", kMany) + " FROM t");
  ExpectLongChain("INSERT INTO t VALUES (1, 'a')" + Repeated(", (2, 'b')", kMany));
  ExpectLongChain("WITH c AS (SELECT 1)" + Repeated(", c AS (SELECT 1)", kMany) + " SELECT 1");
}

TEST(RobustnessTest, RefusesDeepNesting) {
  ExpectTooDeep("SELECT " + Repeated("(", kMany) + "1" + Repeated(")", kMany));
  ExpectTooDeep("SELECT " + Repeated("(", kMany));
  ExpectTooDeep("SELECT " + Repeated("NOT ", kMany) + "a");
  ExpectTooDeep("SELECT " + Repeated("- ", kMany) + "a");
  ExpectTooDeep("SELECT " + Repeated("f(", kMany) + "1" + Repeated(")", kMany));
  ExpectTooDeep("SELECT " + Repeated("CASE WHEN ", kMany) + "1");
  ExpectTooDeep("SELECT " + Repeated("CAST(", kMany) + "1");
  ExpectTooDeep("SELECT " + Repeated("ARRAY[", kMany) + "1");
  ExpectTooDeep("SELECT " + Repeated("(SELECT ", kMany) + "1" + Repeated(")", kMany));
  ExpectTooDeep(Repeated("(", kMany) + "SELECT 1" + Repeated(")", kMany));
  ExpectTooDeep("SELECT * FROM " + Repeated("(", kMany) + "t" + Repeated(")", kMany));
  ExpectTooDeep("SELECT * FROM " + Repeated("(SELECT * FROM ", kMany) + "t");
  ExpectTooDeep("SELECT " + Repeated("EXISTS (SELECT ", kMany) + "1");
  ExpectTooDeep("SELECT " + Repeated("a IN (", kMany) + "1");
  ExpectTooDeep("SELECT CAST(a AS " + Repeated("ARRAY<", kMany) + "INT");
  ExpectTooDeep("SELECT CAST(a AS INT" + Repeated(" ARRAY", kMany) + ")");
  ExpectTooDeep("SELECT " + Repeated("a IS DISTINCT FROM ", kMany) + "b");
  ExpectTooDeep("SELECT a FROM t GROUP BY " + Repeated("GROUPING SETS (", kMany) + "a");
  ExpectTooDeep("SELECT a" + Repeated(" IS NULL", kMany));
  ExpectTooDeep("SELECT a" + Repeated("[1]", kMany));
  ExpectTooDeep("SELECT a" + Repeated(" = b IS NULL", kMany));
  ExpectTooDeep("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (" + Repeated("(", kMany) + "A");
  ExpectTooDeep("WITH " + Repeated("a AS (WITH ", kMany) + "1");
}

TEST(RobustnessTest, TakesNestingBelowTheLimit) {
  ExpectLongChain("SELECT " + Repeated("(1 + ", 300) + "1" + Repeated(")", 300));
  ExpectLongChain("SELECT " + Repeated("f(", 400) + "1" + Repeated(")", 400));
  ExpectLongChain("SELECT " + Repeated("(SELECT ", 150) + "1" + Repeated(")", 150));
  ASSERT_STATUS_OK(ParseExpression("((1))", {.nesting_depth_max = 3}).status());
  EXPECT_FALSE(ParseExpression("((((1))))", {.nesting_depth_max = 3}).ok());
}

TEST(RobustnessTest, TellsTheDepthOfTrees) {
  ASSERT_ASSIGN(const ExpressionPtr chain, ParseExpression("a" + Repeated(" + b", kMany)));
  EXPECT_EQ(chain->nesting_depth, 2);
  ASSERT_ASSIGN(const ExpressionPtr nested, ParseExpression("f(g(h(a)))"));
  EXPECT_EQ(nested->nesting_depth, 4);
  ASSERT_ASSIGN(const ExpressionPtr subquery, ParseExpression("1 + (SELECT f(a))"));
  EXPECT_EQ(subquery->nesting_depth, 5);
}

TEST(RobustnessTest, TakesTenMegabytes) {
  const std::string row = ", (12345, 'some text with ''quotes''', 1.5e3)";
  const int rows = static_cast<int>(size_t{10'000'000} / row.size());
  const std::string text = "INSERT INTO t VALUES (1, 'a', 2.0)" + Repeated(row, rows);
  ASSERT_ASSIGN(const StatementPtr statement, ParseStatement(text));
  const auto& insert = statement->As<InsertStatement>();
  EXPECT_EQ(insert.query->As<ValuesQuery>().rows.size(), static_cast<size_t>(rows) + 1);
  // An error at the very end is found and worded as quickly.
  const Status status = ParseStatement(text + " ) FORM").status();
  EXPECT_THAT(status.message(), HasSubstr("unexpected ')'"));
  ASSERT_ASSIGN(const auto pieces, SplitStatements(text + ";" + text));
  EXPECT_EQ(pieces.size(), 2u);
}

TEST(RobustnessTest, SurvivesEveryPrefixOfAStatement) {
  const std::string text =
      "INSERT INTO c.d.t /*+ OPTIONS('k'='v') */ PARTITION (a = 'x') (b, c) WITH q AS (SELECT 1) "
      "SELECT CASE WHEN a IS NOT NULL THEN CAST(b AS ARRAY<ROW<x INT NOT NULL>>) END, "
      "COUNT(DISTINCT c) FILTER (WHERE d > 1) OVER (PARTITION BY e ORDER BY f ROWS BETWEEN 1 "
      "PRECEDING AND CURRENT ROW) FROM t AS u JOIN LATERAL TABLE(g(u.x)) AS v (y) ON u.z = v.y "
      "WHERE h IN (1, 2) AND i LIKE 'ü%' ESCAPE '!' GROUP BY GROUPING SETS ((a), ()) UNION ALL "
      "VALUES (1, U&'\\0041') ORDER BY 1 LIMIT 5";
  ASSERT_STATUS_OK(ParseStatement(text).status());
  for (size_t bytes = 0; bytes < text.size(); ++bytes) {
    const Status status = ParseStatement(text.substr(0, bytes)).status();
    if (!status.ok()) {
      EXPECT_TRUE(PositionOf(status).has_value()) << text.substr(0, bytes);
    }
  }
}

}  // namespace
}  // namespace lakeward::sql
