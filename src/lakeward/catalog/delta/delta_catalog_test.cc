#include "lakeward/catalog/delta/delta_catalog.h"

#include "gmock/gmock.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/catalog/delta/declared_types.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/delta_table.h"
#include "support/status_matchers.h"

namespace lakeward::catalog {
namespace {

using ::testing::HasSubstr;

// What the Delta connector does at CREATE TABLE, without the rest of it.
class DeltaFactory final : public TableFactory {
 public:
  std::string_view identifier() const override { return "delta"; }
  std::string_view doc() const override { return "For tests."; }
  std::vector<config::OptionInfo> options() const override { return {}; }
  Status CreateStorage(const TableContext& context) const override {
    LW_ASSIGN(fs::Location root, context.engine->file_systems->Resolve(
                                     context.table->options.find("table-path")->second, {}));
    const auto table =
        delta::DeltaTable::At(std::move(root), context.engine->clock, context.engine->random);
    delta::CreateTableSpec spec;
    spec.schema = context.table->PhysicalSchema();
    spec.partition_columns = context.table->partition_keys;
    return table->CreateOrCheck(spec).status();
  }
  Result<std::unique_ptr<ScanNegotiation>> NegotiateScan(const TableContext&) const override {
    return MakeError(ErrorKind::kUnsupported, "not readable");
  }
  Result<std::unique_ptr<SinkNegotiation>> NegotiateSink(const TableContext&) const override {
    return MakeError(ErrorKind::kUnsupported, "not writable");
  }
};

class DeltaCatalogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    factories_.Add(std::make_shared<DeltaFactory>());
    engine_.file_systems = fs::FileSystems::Builtin();
    engine_.clock = SystemClock();
    engine_.random = SystemRandom();
    ASSERT_ASSIGN(catalog_,
                  MakeDeltaCatalog("c", {{"type", "delta-catalog"}, {"catalog-type", "in-memory"}},
                                   &factories_, &engine_, &settings_));
    ASSERT_STATUS_OK(catalog_->CreateDatabase("d", {}));
  }

  static CatalogTable Table(std::vector<std::pair<std::string, types::TypePtr>> columns,
                            config::OptionMap options) {
    CatalogTable table;
    for (auto& [name, type] : columns) {
      TableColumn column;
      column.name = name;
      column.type = type;
      table.columns.push_back(std::move(column));
    }
    table.options = std::move(options);
    return table;
  }
  static CatalogTable DeltaTableAt(std::vector<std::pair<std::string, types::TypePtr>> columns,
                                   const std::string& path) {
    return Table(std::move(columns), {{"connector", "delta"}, {"table-path", path}});
  }

  TableFactories factories_;
  EngineContext engine_;
  const config::Configuration settings_;
  std::shared_ptr<Catalog> catalog_;
};

TEST_F(DeltaCatalogTest, CreatesTheLogAndReadsItsSchemaBack) {
  const std::string path = "memory://delta-catalog-create/t";
  ASSERT_STATUS_OK(catalog_->CreateTable(
      "d", "t", DeltaTableAt({{"c1", types::VarChar(1)}, {"c2", types::Int()}}, path)));
  ASSERT_ASSIGN(fs::Location root, engine_.file_systems->Resolve(path, {}));
  const auto log = delta::DeltaTable::At(root, engine_.clock, engine_.random);
  ASSERT_ASSIGN(const delta::SnapshotPtr snapshot, log->Latest());
  EXPECT_EQ(snapshot->version(), 0);
  ASSERT_ASSIGN(const CatalogTablePtr table, catalog_->GetTable("d", "t"));
  EXPECT_EQ(table->Schema().ToString(), "[c1: STRING, c2: INT]");
}

TEST_F(DeltaCatalogTest, ChecksATableThatIsThere) {
  const std::string path = "memory://delta-catalog-check/t";
  ASSERT_STATUS_OK(catalog_->CreateTable("d", "t", DeltaTableAt({{"a", types::Int()}}, path)));
  EXPECT_STATUS_OK(catalog_->CreateTable("d", "same", DeltaTableAt({{"a", types::Int()}}, path)));
  const Status status =
      catalog_->CreateTable("d", "other", DeltaTableAt({{"a", types::String()}}, path));
  EXPECT_EQ(KindOf(status), ErrorKind::kValidation) << status.ToString();
  EXPECT_EQ(KindOf(catalog_->GetTable("d", "other").status()), ErrorKind::kNotFound);
}

TEST_F(DeltaCatalogTest, DropForgetsTheNameOnly) {
  const std::string path = "memory://delta-catalog-drop/t";
  ASSERT_STATUS_OK(catalog_->CreateTable("d", "t", DeltaTableAt({{"a", types::Int()}}, path)));
  ASSERT_STATUS_OK(catalog_->DropTable("d", "t"));
  EXPECT_EQ(KindOf(catalog_->GetTable("d", "t").status()), ErrorKind::kNotFound);
  EXPECT_STATUS_OK(catalog_->CreateTable("d", "t", DeltaTableAt({{"a", types::Int()}}, path)));
}

TEST_F(DeltaCatalogTest, RefusesOtherConnectorsAndMissingPaths) {
  const Status other =
      catalog_->CreateTable("d", "t", Table({{"a", types::Int()}}, {{"connector", "print"}}));
  EXPECT_THAT(other.message(), HasSubstr("its connector is 'print', not 'delta'"));
  EXPECT_THAT(HintOf(other), HasSubstr("default_catalog.default_database.t"));
  const Status no_path =
      catalog_->CreateTable("d", "t", Table({{"a", types::Int()}}, {{"connector", "delta"}}));
  EXPECT_THAT(no_path.message(), HasSubstr("has no option 'table-path'"));
}

TEST_F(DeltaCatalogTest, RefusesOtherCatalogTypes) {
  const Status status = MakeDeltaCatalog("h", {{"type", "delta-catalog"}, {"catalog-type", "hive"}},
                                         &factories_, &engine_, &settings_)
                            .status();
  EXPECT_EQ(KindOf(status), ErrorKind::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("not supported yet: 'catalog-type' = 'hive'"));
  EXPECT_FALSE(
      MakeDeltaCatalog("h", {{"type", "delta-catalog"}}, &factories_, &engine_, &settings_).ok());
}

TEST(DeclaredTypesTest, TheLogDecidesAllButPointsInTime) {
  types::RowSchema log;
  log.columns = {{"ts", types::TimestampLtz(6)},
                 {"s", types::String(false)},
                 {"added", types::Int()},
                 {"list", types::Array(types::TimestampLtz(6))}};
  std::vector<TableColumn> declared(4);
  declared[0].name = "s";
  declared[0].type = types::VarChar(3);
  declared[0].comment = "text";
  declared[1].name = "ts";
  declared[1].type = types::Timestamp(3);
  declared[2].name = "list";
  declared[2].type = types::Array(types::Timestamp(0));
  declared[3].name = "twice";
  declared[3].type = types::Int();
  declared[3].kind = ColumnKind::kComputed;
  const std::vector<TableColumn> merged = MergeColumns(log, declared);
  ASSERT_EQ(merged.size(), 5u);
  EXPECT_EQ(merged[0].type->ToString(), "TIMESTAMP(3)");
  EXPECT_EQ(merged[1].type->ToString(), "STRING NOT NULL");
  EXPECT_EQ(merged[1].comment, "text");
  EXPECT_EQ(merged[2].name, "added");
  EXPECT_EQ(merged[3].type->ToString(), "ARRAY<TIMESTAMP(0)>");
  EXPECT_EQ(merged[4].name, "twice");
}

}  // namespace
}  // namespace lakeward::catalog
