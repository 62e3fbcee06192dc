#include "lakeward/sql/print.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/tree_text.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

TEST(PrintTest, QuotesWhatNeedsIt) {
  EXPECT_EQ(QuoteIdentifier("plain_1"), "plain_1");
  EXPECT_EQ(QuoteIdentifier("größe"), "größe");
  EXPECT_EQ(QuoteIdentifier("value"), "`value`");
  EXPECT_EQ(QuoteIdentifier("a b"), "`a b`");
  EXPECT_EQ(QuoteIdentifier("1a"), "`1a`");
  EXPECT_EQ(QuoteIdentifier("a`b"), "`a``b`");
  EXPECT_EQ(QuoteIdentifier("a.b"), "`a.b`");
  EXPECT_EQ(QuoteIdentifierAlways("plain"), "`plain`");
  EXPECT_EQ(QuoteString("it's"), "'it''s'");
}

TEST(PrintTest, PutsParenthesesWhereTheTreeNeedsThem) {
  const auto printed = [](const std::string& text) {
    const Result<ExpressionPtr> expression = ParseExpression(text);
    return expression.ok() ? ToSql(**expression) : expression.status().ToString();
  };
  EXPECT_EQ(printed("(a + b) * c"), "(a + b) * c");
  EXPECT_EQ(printed("((a * b)) + c"), "a * b + c");
  EXPECT_EQ(printed("a - (b - c)"), "a - (b - c)");
  EXPECT_EQ(printed("(a OR b) AND NOT (c AND d)"), "(a OR b) AND NOT (c AND d)");
  EXPECT_EQ(printed("-(-a)"), "- -a");
  EXPECT_EQ(printed("(a = b) IS NULL"), "a = b IS NULL");
  EXPECT_EQ(printed("a = (b IS NULL)"), "a = (b IS NULL)");
  EXPECT_EQ(printed("(a BETWEEN 1 AND 2) = b"), "a BETWEEN 1 AND 2 = b");
}

/// All expressions of a given depth over a few operators: whatever their shape, printing must not
/// change it.
std::vector<std::string> Shapes(int depth) {
  if (depth == 0) {
    return {"a", "1"};
  }
  std::vector<std::string> shapes;
  const std::vector<std::string> operands = Shapes(depth - 1);
  for (const std::string& x : operands) {
    for (const char* prefix : {"NOT (", "-("}) {
      shapes.push_back(prefix + x + ")");
    }
    for (const char* suffix : {") IS NULL", ") IS NOT TRUE", ").f", ") IN (1, 2)"}) {
      shapes.push_back("(" + x + suffix);
    }
    for (const std::string& y : {operands.front(), operands.back()}) {
      for (const char* op : {") OR (", ") AND (", ") = (", ") + (", ") * (", ") || (", ") LIKE (",
                             ") IS DISTINCT FROM (", ") NOT BETWEEN 1 AND ("}) {
        shapes.push_back("(" + x + op + y + ")");
        shapes.push_back("(" + y + op + x + ")");
      }
    }
  }
  return shapes;
}

TEST(PrintTest, KeepsTheShapeOfExpressions) {
  for (const std::string& text : Shapes(2)) {
    ASSERT_ASSIGN(const ExpressionPtr expression, ParseExpression(text));
    const std::string printed = ToSql(*expression);
    const Result<ExpressionPtr> again = ParseExpression(printed);
    ASSERT_TRUE(again.ok()) << text << "\n" << again.status().ToString();
    EXPECT_EQ(TreeText(**again), TreeText(*expression)) << text << "\n" << printed;
  }
}

// The layout of Calcite's writer, which Flink keeps views with.
TEST(PrintTest, WritesTheQueriesOfViews) {
  const auto printed = [](const std::string& text) {
    const Result<QueryPtr> query = ParseQuery(text);
    return query.ok() ? ToViewSql(**query, {}) : query.status().ToString();
  };
  EXPECT_EQ(printed("select a, upper(b) AS ub, my_function(c) from s where a > 0 and b <> 'x'"),
            "SELECT `a`, UPPER(`b`) AS `ub`, `my_function`(`c`)\nFROM `s`\n"
            "WHERE `a` > 0 AND `b` <> 'x'");
  EXPECT_EQ(printed("SELECT b, COUNT(*) FROM s GROUP BY b HAVING COUNT(*) > 1 ORDER BY b DESC "
                    "LIMIT 3 OFFSET 1"),
            "SELECT `b`, COUNT(*)\nFROM `s`\nGROUP BY `b`\nHAVING COUNT(*) > 1\n"
            "ORDER BY `b` DESC\nOFFSET 1 ROWS\nFETCH NEXT 3 ROWS ONLY");
  EXPECT_EQ(printed("SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y) UNION ALL "
                    "SELECT 1, CAST(NULL AS INT)"),
            "SELECT *\nFROM (VALUES ROW(1, 'a'),\nROW(2, 'b')) AS `t` (`x`, `y`)\nUNION ALL\n"
            "SELECT 1, CAST(NULL AS INTEGER)");
  EXPECT_EQ(
      printed("SELECT CASE WHEN a BETWEEN 1 AND 2 THEN 'x' END FROM s JOIN t ON s.a = t.a, u"),
      "SELECT CASE WHEN `a` BETWEEN ASYMMETRIC 1 AND 2 THEN 'x' ELSE NULL END\n"
      "FROM `s`\nINNER JOIN `t` ON `s`.`a` = `t`.`a`,\n`u`");
}

TEST(PrintTest, TextsOfViewsParseAgain) {
  for (const char* text :
       {"SELECT a, upper(b) FROM s WHERE a NOT BETWEEN 1 AND 2 GROUP BY a ORDER BY a LIMIT 5",
        "WITH x (k) AS (SELECT 1) SELECT k FROM x OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY",
        "SELECT regexp_extract(a, 'x') FROM `odd ``name` LEFT JOIN t USING (a) CROSS JOIN u",
        "VALUES (1, 2), (3, 4)", "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
        "SELECT a FROM t /*+ OPTIONS('k' = 'v') */ AS x"}) {
    ASSERT_ASSIGN(const QueryPtr query, ParseQuery(text));
    const std::string once = ToViewSql(*query, {});
    const Result<QueryPtr> again = ParseQuery(once);
    ASSERT_TRUE(again.ok()) << once << "\n" << again.status().ToString();
    EXPECT_EQ(ToViewSql(**again, {}), once);
  }
}

}  // namespace
}  // namespace lakeward::sql
