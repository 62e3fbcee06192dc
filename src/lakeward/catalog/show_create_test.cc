#include "lakeward/catalog/show_create.h"

#include "gtest/gtest.h"

namespace lakeward::catalog {
namespace {

TableColumn Column(std::string name, types::TypePtr type) {
  TableColumn column;
  column.name = std::move(name);
  column.type = std::move(type);
  return column;
}

// The texts are those of Flink 1.20.
TEST(ShowCreateTest, PrintsColumnsOptionsAndComments) {
  CatalogTable table;
  table.columns = {Column("a", types::Int(false)), Column("b", types::VarChar(10)),
                   Column("e", types::Int()), Column("c2", types::Double())};
  table.columns[1].comment = "short";
  table.columns[2].kind = ColumnKind::kComputed;
  table.columns[2].expression = "`a` + 1";
  table.options = {{"x", "y"}, {"connector", "blackhole"}};
  EXPECT_EQ(ShowCreateTable({"default_catalog", "default_database", "t"}, table, false),
            "CREATE TABLE `default_catalog`.`default_database`.`t` (\n"
            "  `a` INT NOT NULL,\n"
            "  `b` VARCHAR(10) COMMENT 'short',\n"
            "  `e` AS `a` + 1,\n"
            "  `c2` DOUBLE\n"
            ") WITH (\n"
            "  'connector' = 'blackhole',\n"
            "  'x' = 'y'\n"
            ")\n");
}

TEST(ShowCreateTest, PrintsKeysPartitionsAndWatermarks) {
  CatalogTable table;
  table.columns = {Column("user", types::BigInt(false)), Column("s", types::String()),
                   Column("ts", types::Timestamp(3)), Column("k", types::String())};
  table.columns[3].kind = ColumnKind::kMetadata;
  table.columns[3].metadata_key = "key";
  table.columns[3].is_virtual = true;
  table.watermark = WatermarkSpec{"ts", "`ts` - INTERVAL '1' SECOND"};
  table.primary_key = {"user"};
  table.partition_keys = {"s"};
  table.comment = "it's";
  table.options = {{"connector", "x"}, {"properties.password", "hush"}};
  EXPECT_EQ(ShowCreateTable({"c", "d", "t"}, table, true),
            "CREATE TEMPORARY TABLE `c`.`d`.`t` (\n"
            "  `user` BIGINT NOT NULL,\n"
            "  `s` VARCHAR(2147483647),\n"
            "  `ts` TIMESTAMP(3),\n"
            "  `k` VARCHAR(2147483647) METADATA FROM 'key' VIRTUAL,\n"
            "  WATERMARK FOR `ts` AS `ts` - INTERVAL '1' SECOND,\n"
            "  CONSTRAINT `PK_3599338` PRIMARY KEY (`user`) NOT ENFORCED\n"
            ") COMMENT 'it''s'\n"
            "PARTITIONED BY (`s`)\n"
            "WITH (\n"
            "  'connector' = 'x',\n"
            "  'properties.password' = '******'\n"
            ")\n");
}

TEST(ShowCreateTest, PrintsViewsAndCatalogs) {
  CatalogTable view;
  view.kind = TableKind::kView;
  view.columns = {Column("x", types::Int()), Column("y", types::String())};
  view.view_query =
      "SELECT `s`.`a`, `s`.`b`\nFROM `default_catalog`.`default_database`.`s`\nWHERE `s`.`a` > 0";
  view.comment = "view two";
  EXPECT_EQ(ShowCreateView({"default_catalog", "default_database", "v2"}, view, false),
            "CREATE VIEW `default_catalog`.`default_database`.`v2`(`x`, `y`) as\n"
            "SELECT `s`.`a`, `s`.`b`\nFROM `default_catalog`.`default_database`.`s`\n"
            "WHERE `s`.`a` > 0 COMMENT 'view two'\n");
  EXPECT_EQ(ShowCreateCatalog("c2", {{"type", "generic_in_memory"}}),
            "CREATE CATALOG `c2` WITH (\n  'type' = 'generic_in_memory'\n)\n");
}

}  // namespace
}  // namespace lakeward::catalog
