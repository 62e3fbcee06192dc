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

}  // namespace
}  // namespace lakeward::sql
