#include <string>

#include "gtest/gtest.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/print.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

std::string Printed(const std::string& text) {
  const Result<QueryPtr> query = ParseQuery(text);
  return query.ok() ? ToSql(**query) : query.status().ToString();
}

/// Parses canonical text and expects it back.
void ExpectSame(const std::string& text) { EXPECT_EQ(Printed(text), text); }

TEST(ParseQueryTest, ReadsSelectClauses) {
  ASSERT_ASSIGN(const QueryPtr query,
                ParseQuery("SELECT DISTINCT a, b + 1 AS c, t.*, d e FROM db.t WHERE a > 1 "
                           "GROUP BY a HAVING COUNT(*) > 1 QUALIFY rn = 1 "
                           "ORDER BY a DESC NULLS LAST, b LIMIT 10 OFFSET 5"));
  const auto& select = query->As<SelectQuery>();
  EXPECT_EQ(select.quantifier, SetQuantifier::kDistinct);
  ASSERT_EQ(select.items.size(), 4u);
  EXPECT_FALSE(select.items[0].alias.has_value());
  EXPECT_EQ(select.items[1].alias->text, "c");
  EXPECT_EQ(select.items[2].expression->kind, ExpressionKind::kStar);
  EXPECT_EQ(select.items[3].alias->text, "e");
  EXPECT_EQ(select.from->As<NamedTable>().name.ToString(), "db.t");
  EXPECT_TRUE(select.grouped);
  ASSERT_EQ(select.order_by.size(), 2u);
  EXPECT_TRUE(select.order_by[0].descending);
  EXPECT_EQ(select.order_by[0].nulls, NullsOrder::kLast);
  EXPECT_EQ(ToSql(*select.limit), "10");
  EXPECT_EQ(ToSql(*select.offset), "5");
}

TEST(ParseQueryTest, ReadsGrouping) {
  ExpectSame("SELECT a FROM t GROUP BY a, ROLLUP (b, (c, d)), CUBE (e)");
  ASSERT_ASSIGN(const QueryPtr query,
                ParseQuery("SELECT a FROM t GROUP BY GROUPING SETS ((a, b), a, ())"));
  const auto& group_by = query->As<SelectQuery>().group_by;
  ASSERT_EQ(group_by.size(), 1u);
  EXPECT_EQ(group_by[0].kind, GroupingKind::kGroupingSets);
  ASSERT_EQ(group_by[0].members.size(), 3u);
  EXPECT_EQ(group_by[0].members[0].members.size(), 2u);
  EXPECT_EQ(group_by[0].members[1].kind, GroupingKind::kExpression);
  EXPECT_EQ(group_by[0].members[2].kind, GroupingKind::kSet);
  EXPECT_TRUE(group_by[0].members[2].members.empty());
}

TEST(ParseQueryTest, ReadsSetOperators) {
  // INTERSECT binds more tightly; all are left-associative.
  ASSERT_ASSIGN(const QueryPtr query,
                ParseQuery("SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT SELECT 4"));
  const auto& except = query->As<SetOperationQuery>();
  EXPECT_EQ(except.op, SetOperator::kExcept);
  const auto& unite = except.left->As<SetOperationQuery>();
  EXPECT_EQ(unite.op, SetOperator::kUnion);
  EXPECT_TRUE(unite.all);
  EXPECT_EQ(unite.right->As<SetOperationQuery>().op, SetOperator::kIntersect);
  ExpectSame("(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3");
  ExpectSame("SELECT 1 UNION (SELECT 2 UNION SELECT 3)");
  ExpectSame("(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT a FROM t LIMIT 2) LIMIT 3");
}

TEST(ParseQueryTest, ReadsWith) {
  ExpectSame("WITH a (x, y) AS (SELECT 1, 2), b AS (SELECT * FROM a) SELECT * FROM a, b");
  ExpectSame("(WITH a AS (SELECT 1) SELECT * FROM a) UNION ALL SELECT 2");
}

TEST(ParseQueryTest, ReadsLimits) {
  EXPECT_EQ(Printed("SELECT a FROM t LIMIT ALL"), "SELECT a FROM t");
  EXPECT_EQ(Printed("SELECT a FROM t OFFSET 5 ROWS FETCH NEXT 3 ROWS ONLY"),
            "SELECT a FROM t LIMIT 3 OFFSET 5 ROWS");
  EXPECT_EQ(Printed("SELECT a FROM t FETCH FIRST 1 ROW ONLY"), "SELECT a FROM t LIMIT 1");
  EXPECT_EQ(Printed("((SELECT a FROM t LIMIT 2) LIMIT 1)"), "(SELECT a FROM t LIMIT 2) LIMIT 1");
}

TEST(ParseQueryTest, ReadsValues) {
  ASSERT_ASSIGN(const QueryPtr query, ParseQuery("VALUES (1, 'a'), ROW(2, 'b'), 3"));
  const auto& rows = query->As<ValuesQuery>().rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_FALSE(rows[0]->As<RowExpression>().keyword);
  EXPECT_TRUE(rows[1]->As<RowExpression>().keyword);
  EXPECT_EQ(rows[2]->kind, ExpressionKind::kLiteral);
  ExpectSame("SELECT x FROM (VALUES 1, 2) AS t (x)");
}

TEST(ParseQueryTest, ReadsJoins) {
  // A comma binds more loosely than JOIN.
  ASSERT_ASSIGN(
      const QueryPtr query,
      ParseQuery("SELECT * FROM a, b LEFT OUTER JOIN c ON b.x = c.x JOIN d USING (x, y)"));
  const auto& comma = query->As<SelectQuery>().from->As<JoinTable>();
  EXPECT_EQ(comma.join, JoinKind::kComma);
  const auto& inner = comma.right->As<JoinTable>();
  EXPECT_EQ(inner.join, JoinKind::kInner);
  EXPECT_EQ(inner.using_columns.size(), 2u);
  EXPECT_EQ(inner.left->As<JoinTable>().join, JoinKind::kLeft);
  ExpectSame("SELECT * FROM a CROSS JOIN b");
  ExpectSame("SELECT * FROM a NATURAL FULL JOIN b");
  ExpectSame("SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x");
  ExpectSame("SELECT * FROM a AS x JOIN b FOR SYSTEM_TIME AS OF x.proctime AS y ON x.id = y.id");
}

TEST(ParseQueryTest, ReadsTableReferences) {
  ExpectSame("SELECT * FROM t /*+ OPTIONS('k' = 'v') */ AS a (c1, c2)");
  ExpectSame("SELECT /*+ BROADCAST(t), LOOKUP('table' = 'D') */ * FROM t");
  ExpectSame("SELECT * FROM t, LATERAL TABLE(split(t.a)) AS x (w)");
  ExpectSame("SELECT * FROM t LEFT JOIN LATERAL TABLE(f(a)) AS x ON TRUE");
  ExpectSame("SELECT * FROM t CROSS JOIN UNNEST(t.a) WITH ORDINALITY AS x (v, i)");
  ExpectSame("SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE))");
  ExpectSame(
      "SELECT * FROM TABLE(HOP(data => TABLE t, timecol => DESCRIPTOR(ts), slide => "
      "INTERVAL '5' MINUTE, size => INTERVAL '10' MINUTE)) AS w");
  ExpectSame("SELECT * FROM f(arg => TABLE t PARTITION BY (k), uid => 'x')");
  ExpectSame("SELECT * FROM a, LATERAL (SELECT * FROM b WHERE b.x = a.x) AS c");
  ExpectSame("SELECT * FROM t TABLESAMPLE BERNOULLI(10) REPEATABLE(7)");
  EXPECT_EQ(Printed("SELECT * FROM ((SELECT 1 AS x) UNION ALL (SELECT 2)) u"),
            "SELECT * FROM (SELECT 1 AS x UNION ALL SELECT 2) AS u");
  EXPECT_EQ(Printed("SELECT * FROM ((SELECT 1 AS x) u JOIN v ON u.x = v.x)"),
            "SELECT * FROM (SELECT 1 AS x) AS u JOIN v ON u.x = v.x");
}

TEST(ParseQueryTest, ReadsNamedWindows) {
  ExpectSame(
      "SELECT SUM(a) OVER w, RANK() OVER (w ORDER BY b) FROM t WINDOW w AS (PARTITION BY c "
      "ORDER BY d ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)");
}

TEST(ParseQueryTest, ReadsMatchRecognize) {
  ExpectSame(
      "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY ts MEASURES FINAL LAST(B.x) AS x "
      "ONE ROW PER MATCH AFTER MATCH SKIP TO LAST B PATTERN (A B{0,}? (C | D){1,3}) WITHIN "
      "INTERVAL '1' HOUR DEFINE B AS B.x > PREV(B.x, 1)) AS m");
  ASSERT_ASSIGN(const QueryPtr query,
                ParseQuery("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A+ B? C*) "
                           "DEFINE A AS TRUE)"));
  const auto& match = query->As<SelectQuery>().from->As<MatchRecognizeTable>();
  ASSERT_EQ(match.pattern->kind, PatternKind::kConcatenation);
  ASSERT_EQ(match.pattern->parts.size(), 3u);
  EXPECT_EQ(match.pattern->parts[0]->repeat_min, 1);
  EXPECT_FALSE(match.pattern->parts[0]->repeat_max.has_value());
  EXPECT_EQ(match.pattern->parts[1]->repeat_max, 1);
}

}  // namespace
}  // namespace lakeward::sql
