#include "lakeward/plan/planner.h"

#include "gmock/gmock.h"
#include "lakeward/plan/bind_context.h"
#include "lakeward/plan/planner_fixture.h"
#include "support/status_matchers.h"

namespace lakeward::plan {
namespace {

using ::testing::HasSubstr;

class PlannerTest : public PlannerFixture {
 protected:
  std::string Error(std::string_view text) {
    const auto planned = Plan(text);
    return planned.ok() ? "no error" : Describe(planned.status());
  }
  types::RowSchema SchemaOf(std::string_view text) {
    const auto planned = Plan(text);
    EXPECT_TRUE(planned.ok()) << planned.status().ToString();
    return planned.ok() ? planned->plan.roots[0]->schema : types::RowSchema{};
  }
};

TEST_F(PlannerTest, NamesAndTypesColumnsAsFlinkDoes) {
  EXPECT_EQ(SchemaOf("SELECT 1, 'two' AS c2, 3.0, 4E0, CAST(NULL AS INT) AS c5").ToString(),
            "[EXPR$0: INT NOT NULL, c2: CHAR(3) NOT NULL, EXPR$2: DECIMAL(2, 1) NOT NULL, "
            "EXPR$3: DOUBLE NOT NULL, c5: INT]");
  EXPECT_EQ(SchemaOf("SELECT 1 AS x, 2 AS x").ToString(), "[x: INT NOT NULL, x0: INT NOT NULL]");
  EXPECT_EQ(SchemaOf("VALUES (1, TRUE), (2, FALSE)").ToString(),
            "[EXPR$0: INT NOT NULL, EXPR$1: BOOLEAN NOT NULL]");
  EXPECT_EQ(SchemaOf("VALUES (1, 'a'), (2, 'bcd')").ToString(),
            "[EXPR$0: INT NOT NULL, EXPR$1: VARCHAR(3) NOT NULL]");
  EXPECT_EQ(
      SchemaOf("SELECT * FROM (VALUES (1,'a'),(3,CAST(NULL AS STRING))) AS t(x,y)").ToString(),
      "[x: INT NOT NULL, y: STRING]");
}

TEST_F(PlannerTest, WritesTheNamesOfViewsInFull) {
  CreateTable("s", "a INT, b STRING, r ROW<f INT>");
  CreateView("v", "SELECT a AS x FROM s");
  const auto text_of = [&](std::string_view query) {
    const auto parsed = sql::ParseQuery(query);
    EXPECT_TRUE(parsed.ok()) << query;
    const auto bound = BindViewQuery(**parsed, context_);
    return bound.ok() ? bound->text : Describe(bound.status());
  };
  // As Flink 1.20 shows them.
  EXPECT_EQ(text_of("SELECT a, UPPER(b) AS ub FROM s WHERE a > 0"),
            "SELECT `s`.`a`, UPPER(`s`.`b`) AS `ub`\n"
            "FROM `default_catalog`.`default_database`.`s`\nWHERE `s`.`a` > 0");
  EXPECT_EQ(text_of("SELECT * FROM default_database.s"),
            "SELECT *\nFROM `default_catalog`.`default_database`.`s`");
  // Names that stand for something else than a column or table stay as they are.
  EXPECT_EQ(text_of("WITH w AS (SELECT a FROM s AS q) SELECT w.a, a FROM w"),
            "WITH `w` AS (SELECT `q`.`a`\nFROM `default_catalog`.`default_database`.`s` AS `q`) "
            "SELECT `w`.`a`, `w`.`a`\nFROM `w`");
  EXPECT_EQ(text_of("SELECT b, COUNT(DISTINCT a) AS c FROM s GROUP BY b HAVING MAX(a) > 1"),
            "SELECT `s`.`b`, COUNT(DISTINCT `s`.`a`) AS `c`\n"
            "FROM `default_catalog`.`default_database`.`s`\nGROUP BY `s`.`b`\n"
            "HAVING MAX(`s`.`a`) > 1");
  EXPECT_EQ(text_of("SELECT r.f, y FROM (SELECT r, x AS y FROM s, v)"),
            Describe(NotSupportedYet("JOIN and several tables behind FROM", {1, 40})));
  EXPECT_EQ(text_of("SELECT r.f FROM (SELECT r FROM s)"),
            "SELECT `r`.`f`\nFROM (SELECT `s`.`r`\n"
            "FROM `default_catalog`.`default_database`.`s`)");
  // What a view over a view means is the other view's affair.
  EXPECT_EQ(text_of("TABLE v"), "TABLE `default_catalog`.`default_database`.`v`");
  EXPECT_EQ(text_of("SELECT x FROM v"),
            "SELECT `v`.`x`\nFROM `default_catalog`.`default_database`.`v`");
}

TEST_F(PlannerTest, RefusesLiteralsOutOfRange) {
  EXPECT_THAT(Error("SELECT 99999999999999999999"),
              HasSubstr("Numeric literal '99999999999999999999' out of range"));
  EXPECT_EQ(SchemaOf("SELECT -9223372036854775808 AS m").ToString(), "[m: BIGINT NOT NULL]");
  EXPECT_THAT(Error("SELECT TIMESTAMP '2024-13-01 00:00:00'"),
              HasSubstr("Illegal TIMESTAMP literal '2024-13-01 00:00:00': not in format "
                        "'yyyy-MM-dd HH:mm:ss'"));
}

TEST_F(PlannerTest, ExplainsAnInsertOfValues) {
  CreateTable("StreamingTable", "id INT, str STRING");
  ASSERT_ASSIGN(const PlannedStatement planned,
                Plan("INSERT INTO StreamingTable SELECT * FROM (VALUES (1, 'EXECUTE'), "
                     "(2, 'INSERT'), (3, 'TEST'))"));
  // As Flink's gateway prints it.
  EXPECT_EQ(planned.explanation,
            "== Abstract Syntax Tree ==\n"
            "LogicalSink(table=[default_catalog.default_database.StreamingTable], "
            "fields=[EXPR$0, EXPR$1])\n"
            "+- LogicalProject(EXPR$0=[$0], EXPR$1=[$1])\n"
            "   +- LogicalValues(tuples=[[{ 1, _UTF-16LE'EXECUTE' }, { 2, _UTF-16LE'INSERT' }, "
            "{ 3, _UTF-16LE'TEST' }]])\n"
            "\n"
            "== Optimized Physical Plan ==\n"
            "Sink(table=[default_catalog.default_database.StreamingTable], fields=[EXPR$0, "
            "EXPR$1])\n"
            "+- Values(type=[RecordType(INTEGER EXPR$0, VARCHAR(7) EXPR$1)], tuples=[[{ 1, "
            "_UTF-16LE'EXECUTE' }, { 2, _UTF-16LE'INSERT' }, { 3, _UTF-16LE'TEST' }]])\n"
            "\n"
            "== Optimized Execution Plan ==\n"
            "Sink(table=[default_catalog.default_database.StreamingTable], fields=[EXPR$0, "
            "EXPR$1])\n"
            "+- Values(tuples=[[{ 1, _UTF-16LE'EXECUTE' }, { 2, _UTF-16LE'INSERT' }, { 3, "
            "_UTF-16LE'TEST' }]])\n");
  const PhysicalNode& sink = *planned.plan.roots[0];
  EXPECT_EQ(sink.inputs[0]->schema.Names(), (std::vector<std::string>{"id", "str"}));
  EXPECT_EQ(static_cast<const ValuesNode&>(*sink.inputs[0]).rows->schema()->field(1)->name(),
            "str");
}

TEST_F(PlannerTest, PushesFiltersAndColumnsIntoTheScan) {
  CreateTable("t", "a INT, b STRING, c DOUBLE");
  ASSERT_ASSIGN(const std::string plan,
                ExecutionPlan("SELECT b, a + 1 AS d FROM t WHERE a > 3 AND b = 'x'"));
  EXPECT_EQ(plan,
            "Calc(select=[b, (a + 1) AS d], where=[((a > 3) AND (b = 'x'))])\n"
            "+- TableSourceScan(table=[[default_catalog, default_database, t, filter=(a > 3) "
            "filter=(b = 'x') column=a column=b ]], fields=[a, b])\n");
}

TEST_F(PlannerTest, LeavesOutFiltersThatTheScanTookOver) {
  CreateTable("t", "a INT, b STRING", {{"prune", "true"}});
  ASSERT_ASSIGN(const std::string plan, ExecutionPlan("SELECT b FROM t WHERE a > 3"));
  EXPECT_EQ(plan,
            "TableSourceScan(table=[[default_catalog, default_database, t, filter=(a > 3) "
            "column=b ]], fields=[b])\n");
}

TEST_F(PlannerTest, GroupsByKeyOverAHashExchange) {
  CreateTable("t", "k STRING, v INT");
  ASSERT_ASSIGN(
      const std::string plan,
      ExecutionPlan("SELECT k, COUNT(*) AS c, SUM(v) AS s FROM t GROUP BY k HAVING SUM(v) > 0"));
  EXPECT_EQ(plan,
            "Calc(select=[k, c, s], where=[(s > 0)])\n"
            "+- GroupAggregate(groupBy=[k], select=[k, COUNT(*) AS c, SUM(v) AS s])\n"
            "   +- Exchange(distribution=[hash[k]])\n"
            "      +- TableSourceScan(table=[[default_catalog, default_database, t]], fields=[k, "
            "v])\n");
}

TEST_F(PlannerTest, CountingRowsReadsOneColumn) {
  CreateTable("t", "s STRING, a INT, b INT");
  ASSERT_ASSIGN(const std::string plan, ExecutionPlan("SELECT COUNT(*) FROM t"));
  EXPECT_EQ(plan,
            "GroupAggregate(select=[COUNT(*) AS EXPR$0])\n"
            "+- Exchange(distribution=[single])\n"
            "   +- TableSourceScan(table=[[default_catalog, default_database, t, column=a ]], "
            "fields=[a])\n");
}

TEST_F(PlannerTest, DistinctAggregatesCountDistinctRows) {
  CreateTable("t", "k STRING, v INT");
  ASSERT_ASSIGN(const std::string plan,
                ExecutionPlan("SELECT k, COUNT(DISTINCT v) AS c FROM t GROUP BY k"));
  EXPECT_EQ(
      plan,
      "GroupAggregate(groupBy=[k], select=[k, COUNT(v) AS c])\n"
      "+- Exchange(distribution=[hash[k]])\n"
      "   +- GroupAggregate(groupBy=[k, v], select=[k, v])\n"
      "      +- Exchange(distribution=[hash[k, v]])\n"
      "         +- TableSourceScan(table=[[default_catalog, default_database, t]], fields=[k, "
      "v])\n");
}

TEST_F(PlannerTest, AppendOnlySinkRefusesUpdates) {
  CreateTable("f", "k STRING, c BIGINT");
  EXPECT_THAT(
      Error("INSERT INTO f SELECT k, COUNT(*) FROM (VALUES ('a')) AS t(k) GROUP BY k"),
      HasSubstr("Table sink 'default_catalog.default_database.f' doesn't support consuming update "
                "changes which is produced by node GroupAggregate(groupBy=[k], select=[k, COUNT(*) "
                "AS EXPR$1])"));
  Set("execution.runtime-mode", "batch");
  EXPECT_EQ(Error("INSERT INTO f SELECT k, COUNT(*) FROM (VALUES ('a')) AS t(k) GROUP BY k"),
            "no error");
}

TEST_F(PlannerTest, UpsertSinkNeedsNoUpdateBefore) {
  CreateTable("u", "k STRING, c BIGINT", {{"updates", "true"}});
  ASSERT_ASSIGN(const PlannedStatement planned,
                Plan("INSERT INTO u SELECT k, COUNT(*) FROM (VALUES ('a')) AS t(k) GROUP BY k"));
  const PhysicalNode* node = planned.plan.roots[0].get();
  while (node->kind != PhysicalKind::kGroupAggregate) {
    node = node->inputs[0].get();
  }
  EXPECT_FALSE(static_cast<const GroupAggregateNode*>(node)->emit_update_before);
  EXPECT_FALSE(node->changelog.update_before);
  EXPECT_TRUE(node->changelog.update_after);
}

TEST_F(PlannerTest, MismatchOfInsertNamesBothSides) {
  CreateTable("b", "a INT, c STRING");
  EXPECT_THAT(Error("INSERT INTO b SELECT 'x', 'y'"),
              HasSubstr("Column types of query result and sink for "
                        "'default_catalog.default_database.b' do not match.\n"
                        "Cause: Incompatible types for sink column 'a' at position 0.\n\n"
                        "Query schema: [EXPR$0: CHAR(1) NOT NULL, EXPR$1: CHAR(1) NOT NULL]\n"
                        "Sink schema:  [a: INT, c: STRING]"));
  EXPECT_THAT(Error("INSERT INTO b VALUES (1)"), HasSubstr("Different number of columns."));
  EXPECT_THAT(Error("INSERT INTO b SELECT CAST(1 AS BIGINT), 'y'"),
              HasSubstr("Incompatible types for sink column 'a'"));
  EXPECT_EQ(Error("INSERT INTO b VALUES (1, NULL)"), "no error");
}

TEST_F(PlannerTest, InsertsIntoNamedColumns) {
  CreateTable("f", "id BIGINT, name STRING, v DOUBLE");
  ASSERT_ASSIGN(const std::string plan, ExecutionPlan("INSERT INTO f (name, id) SELECT 'n', 1"));
  EXPECT_EQ(plan,
            "Sink(table=[default_catalog.default_database.f], fields=[EXPR$1, EXPR$0, EXPR$2])\n"
            "+- Calc(select=[1:BIGINT AS EXPR$1, 'n' AS EXPR$0, null:DOUBLE AS EXPR$2])\n"
            "   +- Values(tuples=[[{ 0 }]])\n");
  EXPECT_THAT(Error("INSERT INTO f (nam) VALUES ('x')"), HasSubstr("Did you mean 'name'?"));
  EXPECT_THAT(Error("INSERT INTO f (name, name) VALUES ('x', 'y')"),
              HasSubstr("Target column 'name' is assigned more than once"));
}

TEST_F(PlannerTest, ListsNotNullColumnsToCheck) {
  CreateTable("f", "a INT NOT NULL, b STRING NOT NULL");
  CreateTable("s", "a INT, b STRING NOT NULL");
  Set("table.exec.sink.not-null-enforcer", "DROP");
  ASSERT_ASSIGN(const PlannedStatement planned, Plan("INSERT INTO f SELECT a, b FROM s"));
  const auto& sink = static_cast<const TableSinkNode&>(*planned.plan.roots[0]);
  // Also where the query's column is declared NOT NULL: its source may not keep the promise.
  EXPECT_EQ(sink.not_null_columns, (std::vector<int>{0, 1}));
  EXPECT_TRUE(sink.drop_null_violations);
}

TEST_F(PlannerTest, UnknownNamesGetNearMisses) {
  CreateTable("orders", "amount INT");
  EXPECT_EQ(Error("SELECT * FROM order_s"),
            "Table (or view) default_database.order_s does not exist in Catalog default_catalog.\n"
            "Did you mean 'orders'?");
  EXPECT_EQ(Error("SELECT amuont FROM orders"),
            "Column 'amuont' not found in any table\nDid you mean 'amount'?");
  EXPECT_THAT(Error("SELECT o.amnt FROM orders AS o"),
              HasSubstr("Column 'amnt' not found in table 'o'"));
  EXPECT_THAT(Error("SELECT UPER('a')"), HasSubstr("Did you mean 'UPPER'?"));
  const auto error = Plan("SELECT\n  amuont FROM orders").status();
  ASSERT_TRUE(PositionOf(error).has_value());
  EXPECT_EQ(*PositionOf(error), (SqlPosition{2, 3}));
}

TEST_F(PlannerTest, MisusedAggregatesAreNamed) {
  CreateTable("t", "k STRING, v INT");
  EXPECT_THAT(Error("SELECT v FROM t GROUP BY k"),
              HasSubstr("Expression 'v' is not being grouped"));
  EXPECT_THAT(Error("SELECT k FROM t WHERE SUM(v) > 1"),
              HasSubstr("Aggregate expressions are not allowed in the WHERE clause"));
  EXPECT_THAT(Error("SELECT SUM(COUNT(v)) FROM t"), HasSubstr("cannot be nested"));
  EXPECT_THAT(Error("SELECT k FROM t WHERE v"), HasSubstr("WHERE clause must be a condition"));
}

TEST_F(PlannerTest, ChainsThatWouldOverflowTheStackAreRefused) {
  for (const char* link : {" + 1", " OR TRUE", " || 'a'"}) {
    std::string chain = std::string("SELECT ") + (link + std::string(link).find_last_of(' '));
    for (int i = 0; i < 5'000; ++i) {
      chain += link;
    }
    EXPECT_EQ(Error(chain), "no error") << link;
    EXPECT_THAT(Error(chain + link), HasSubstr("More than 5000 operators in a row")) << link;
  }
}

TEST_F(PlannerTest, TypeMismatchNamesBothSides) {
  EXPECT_THAT(Error("SELECT 'a' + 1"),
              HasSubstr("Cannot apply '+' to arguments of type '<CHAR(1)> + <INT>'"));
  EXPECT_THAT(Error("SELECT CASE WHEN TRUE THEN 1 ELSE FALSE END"),
              HasSubstr("INT NOT NULL, BOOLEAN NOT NULL"));
  EXPECT_THAT(Error("VALUES (1), ('a')"), HasSubstr("column 1 is INT NOT NULL in row 1"));
}

TEST_F(PlannerTest, GroupsByExpressionsAndSeesThemAgain) {
  CreateTable("t", "a INT, b INT");
  ASSERT_ASSIGN(const std::string plan,
                ExecutionPlan("SELECT a + b + 1 AS x, COUNT(*) AS c FROM t GROUP BY a + b"));
  EXPECT_EQ(
      plan,
      "Calc(select=[($f0 + 1) AS x, c])\n"
      "+- GroupAggregate(groupBy=[$f0], select=[$f0, COUNT(*) AS c])\n"
      "   +- Exchange(distribution=[hash[$f0]])\n"
      "      +- Calc(select=[(a + b) AS $f0])\n"
      "         +- TableSourceScan(table=[[default_catalog, default_database, t]], fields=[a, "
      "b])\n");
}

TEST_F(PlannerTest, ExpandsViewsWithNamedQueries) {
  CreateTable("t", "a INT, b STRING");
  CreateView("v", "SELECT a, UPPER(b) AS ub FROM t");
  EXPECT_EQ(SchemaOf("WITH w(x) AS (SELECT a FROM v) SELECT x FROM w").ToString(), "[x: INT]");
  EXPECT_EQ(SchemaOf("SELECT t.*, ub FROM (SELECT * FROM v) AS t").ToString(),
            "[a: INT, ub: STRING, ub0: STRING]");
}

TEST_F(PlannerTest, UnionsTakeTheCommonType) {
  EXPECT_EQ(SchemaOf("SELECT 1 AS a UNION ALL SELECT CAST(2 AS BIGINT)").ToString(),
            "[a: BIGINT NOT NULL]");
  EXPECT_THAT(Error("SELECT 1 UNION ALL SELECT 1, 2"), HasSubstr("Column count mismatch in UNION"));
}

TEST_F(PlannerTest, SortsInBatchModeOnly) {
  CreateTable("t", "v INT, w INT");
  EXPECT_THAT(Error("SELECT v FROM t ORDER BY v"),
              HasSubstr("Sort on a non-time-attribute field is not supported"));
  Set("execution.runtime-mode", "batch");
  ASSERT_ASSIGN(const std::string plan, ExecutionPlan("SELECT v FROM t ORDER BY w DESC LIMIT 3"));
  EXPECT_EQ(plan,
            "Limit(offset=[0], fetch=[3])\n"
            "+- Exchange(distribution=[single])\n"
            "   +- Calc(select=[v])\n"
            "      +- Sort(orderBy=[w DESC])\n"
            "         +- Exchange(distribution=[single])\n"
            "            +- TableSourceScan(table=[[default_catalog, default_database, t]], "
            "fields=[v, w])\n");
}

TEST_F(PlannerTest, SaysWhatIsNotSupportedYet) {
  CreateTable("t", "v INT");
  EXPECT_THAT(Error("SELECT * FROM t AS a, t AS b"), HasSubstr("not supported yet: JOIN"));
  EXPECT_THAT(Error("SELECT SUM(v) OVER () FROM t"), HasSubstr("not supported yet: OVER"));
  EXPECT_THAT(Error("SELECT v FROM t WHERE EXISTS (SELECT 1)"), HasSubstr("not supported yet"));
}

TEST_F(PlannerTest, UnboundedTablesMakeUnboundedPlans) {
  CreateTable("u", "v INT", {{"unbounded", "true"}});
  ASSERT_ASSIGN(const PlannedStatement planned, Plan("SELECT v FROM u"));
  EXPECT_FALSE(planned.plan.bounded);
  Set("execution.runtime-mode", "batch");
  EXPECT_THAT(Error("SELECT v FROM u"), HasSubstr("cannot be queried in batch mode"));
}

TEST_F(PlannerTest, PlansLongChains) {
  CreateTable("t", "a INT, b INT");
  std::string sum = "a";
  std::string either = "a = 0";
  std::string list = "0";
  for (int i = 1; i < 3'000; ++i) {
    sum += " + b";
    either += " OR a = " + std::to_string(i);
    list += ", " + std::to_string(i);
  }
  EXPECT_EQ(Error("SELECT " + sum + " FROM t WHERE " + either + " OR b IN (" + list + ")"),
            "no error");
}

TEST_F(PlannerTest, MiniBatchesFoldChanges) {
  CreateTable("t", "k STRING");
  Set("table.exec.mini-batch.enabled", "true");
  ASSERT_ASSIGN(const PlannedStatement planned, Plan("SELECT k, COUNT(*) FROM t GROUP BY k"));
  const PhysicalNode& aggregate = *planned.plan.roots[0]->inputs[0];
  EXPECT_TRUE(static_cast<const GroupAggregateNode&>(aggregate).fold_changes);
}

TEST_F(PlannerTest, LimitsAreOfferedToTheScan) {
  CreateTable("t", "a INT");
  ASSERT_ASSIGN(const std::string plan, ExecutionPlan("SELECT a FROM t LIMIT 3 OFFSET 2"));
  EXPECT_EQ(plan,
            "Limit(offset=[2], fetch=[3])\n"
            "+- Exchange(distribution=[single])\n"
            "   +- TableSourceScan(table=[[default_catalog, default_database, t, limit=5]], "
            "fields=[a])\n");
}

TEST_F(PlannerTest, ComputedColumnsAreCalculated) {
  catalog::CatalogTable table;
  for (const char* name : {"a", "twice"}) {
    catalog::TableColumn column;
    column.name = name;
    column.type = types::Int();
    table.columns.push_back(std::move(column));
  }
  table.columns[1].kind = catalog::ColumnKind::kComputed;
  table.columns[1].expression = "`a` * 2";
  table.options = {{"connector", "memo"}};
  AddTable("t", std::move(table));
  ASSERT_ASSIGN(const std::string plan, ExecutionPlan("SELECT twice FROM t WHERE twice > 4"));
  EXPECT_EQ(plan,
            "Calc(select=[(a * 2) AS twice], where=[((a * 2) > 4)])\n"
            "+- TableSourceScan(table=[[default_catalog, default_database, t, filter=((a * 2) > "
            "4) ]], fields=[a])\n");
  EXPECT_THAT(Error("INSERT INTO t VALUES (1, 2)"), HasSubstr("Different number of columns."));
}

TEST_F(PlannerTest, NodeIdsDependOnPlaceAndStructureAlone) {
  CreateTable("t", "k STRING, v INT");
  const std::string query = "SELECT k, SUM(v) FROM t GROUP BY k";
  ASSERT_ASSIGN(const PlannedStatement first, Plan(query));
  ASSERT_ASSIGN(const PlannedStatement second, Plan(query));
  ASSERT_ASSIGN(const PlannedStatement other, Plan("SELECT k, MAX(v) FROM t GROUP BY k"));
  const auto id = [](const PlannedStatement& planned) {
    const PhysicalNode* node = planned.plan.roots[0].get();
    while (node->kind != PhysicalKind::kGroupAggregate) {
      node = node->inputs[0].get();
    }
    return node->id;
  };
  // Checkpoints hold these ids: a change here makes them useless.
  EXPECT_EQ(id(first), "aggregate-0.0-60ead88a786ac2dd");
  EXPECT_EQ(id(first), id(second));
  EXPECT_NE(id(first), id(other));
}

}  // namespace
}  // namespace lakeward::plan
