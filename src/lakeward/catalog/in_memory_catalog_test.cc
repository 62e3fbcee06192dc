#include "lakeward/catalog/in_memory_catalog.h"

#include "gmock/gmock.h"
#include "lakeward/catalog/catalogs.h"
#include "support/status_matchers.h"

namespace lakeward::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A connector that counts how often it is asked to prepare storage.
class CountingFactory final : public TableFactory {
 public:
  explicit CountingFactory(int* count) : count_(count) {}
  std::string_view identifier() const override { return "counting"; }
  std::string_view doc() const override { return "For tests."; }
  std::vector<config::OptionInfo> options() const override { return {}; }
  Status CreateStorage(const TableContext& context) const override {
    ++*count_;
    last_path = context.path.ToString();
    return context.table->options.contains("fail") ? MakeError(ErrorKind::kIo, "The disk is full")
                                                   : Status::OK();
  }
  Result<std::unique_ptr<ScanNegotiation>> NegotiateScan(const TableContext&) const override {
    return MakeError(ErrorKind::kUnsupported, "not readable");
  }
  Result<std::unique_ptr<SinkNegotiation>> NegotiateSink(const TableContext&) const override {
    return MakeError(ErrorKind::kUnsupported, "not writable");
  }
  mutable std::string last_path;

 private:
  int* count_;
};

class InMemoryCatalogTest : public ::testing::Test {
 protected:
  InMemoryCatalogTest() {
    factory_ = std::make_shared<CountingFactory>(&storage_count_);
    factories_.Add(factory_);
    catalog_ = MakeInMemoryCatalog("default_catalog", "default_database", {}, &factories_, &engine_,
                                   &settings_);
    LW_CHECK(catalogs_.Add(catalog_).ok());
  }

  static CatalogTable Table(config::OptionMap options) {
    CatalogTable table;
    TableColumn column;
    column.name = "a";
    column.type = types::Int();
    table.columns.push_back(std::move(column));
    table.options = std::move(options);
    return table;
  }

  int storage_count_ = 0;
  std::shared_ptr<CountingFactory> factory_;
  TableFactories factories_;
  EngineContext engine_{fs::FileSystems::Builtin()};
  const config::Configuration settings_;
  std::shared_ptr<Catalog> catalog_;
  Catalogs catalogs_;
};

TEST_F(InMemoryCatalogTest, KeepsDatabasesAndTables) {
  ASSERT_STATUS_OK(catalog_->CreateDatabase("db1", {.comment = "first"}));
  ASSERT_ASSIGN(const auto databases, catalog_->ListDatabases());
  EXPECT_THAT(databases, ElementsAre("db1", "default_database"));
  const Status again = catalog_->CreateDatabase("db1", {});
  EXPECT_EQ(KindOf(again), ErrorKind::kAlreadyExists);
  EXPECT_EQ(again.message(), "Database db1 already exists in Catalog default_catalog.");

  ASSERT_STATUS_OK(catalog_->CreateTable("db1", "t", Table({{"connector", "counting"}})));
  EXPECT_EQ(storage_count_, 1);
  EXPECT_EQ(factory_->last_path, "default_catalog.db1.t");
  EXPECT_EQ(catalog_->CreateTable("db1", "t", Table({})).message(),
            "Table (or view) db1.t already exists in Catalog default_catalog.");
  EXPECT_THAT(catalog_->DropDatabase("db1", false).message(), HasSubstr("is not empty"));
  ASSERT_STATUS_OK(catalog_->DropDatabase("db1", true));
  EXPECT_EQ(KindOf(catalog_->ListTables("db1").status()), ErrorKind::kNotFound);
}

TEST_F(InMemoryCatalogTest, FailedStorageLeavesNoTable) {
  const Status status = catalog_->CreateTable("default_database", "t",
                                              Table({{"connector", "counting"}, {"fail", ""}}));
  EXPECT_EQ(KindOf(status), ErrorKind::kIo);
  EXPECT_EQ(KindOf(catalog_->GetTable("default_database", "t").status()), ErrorKind::kNotFound);
}

TEST_F(InMemoryCatalogTest, DeclaresTablesOfUnknownConnectors) {
  EXPECT_STATUS_OK(
      catalog_->CreateTable("default_database", "t", Table({{"connector", "nosuch"}})));
  EXPECT_EQ(storage_count_, 0);
}

TEST_F(InMemoryCatalogTest, NamesAreCaseSensitiveAndGetNearMisses) {
  ASSERT_STATUS_OK(catalog_->CreateTable("default_database", "Orders", Table({})));
  ASSERT_ASSIGN(const ObjectPath path, catalogs_.Qualify({"orders"}));
  EXPECT_EQ(path.ToString(), "default_catalog.default_database.orders");
  const Status status = catalogs_.GetTable(path).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kNotFound);
  EXPECT_EQ(HintOf(status), "Did you mean 'Orders'?");
  EXPECT_EQ(HintOf(catalogs_.Get("default_catalo").status()), "Did you mean 'default_catalog'?");
}

TEST_F(InMemoryCatalogTest, UsesCatalogsAndDatabases) {
  ASSERT_STATUS_OK(
      catalogs_.Add(MakeInMemoryCatalog("c2", "d", {}, &factories_, &engine_, &settings_)));
  EXPECT_THAT(catalogs_.List(), ElementsAre("c2", "default_catalog"));
  ASSERT_STATUS_OK(catalogs_.UseCatalog("c2"));
  EXPECT_EQ(catalogs_.current_database(), "d");
  EXPECT_EQ(catalogs_.UseDatabase("c2", "nope").message(),
            "A database with name [nope] does not exist in the catalog: [c2].");
  EXPECT_EQ(catalogs_.UseCatalog("nope").message(), "A catalog with name [nope] does not exist.");
  EXPECT_EQ(KindOf(catalogs_.Remove("c2")), ErrorKind::kValidation);
  ASSERT_STATUS_OK(catalogs_.UseCatalog("default_catalog"));
  ASSERT_STATUS_OK(catalogs_.Remove("c2"));
}

TEST_F(InMemoryCatalogTest, TemporaryTablesHidePermanentOnes) {
  ASSERT_STATUS_OK(catalog_->CreateTable("default_database", "t", Table({})));
  ASSERT_ASSIGN(const ObjectPath path, catalogs_.Qualify({"t"}));
  CatalogTable view = Table({});
  view.kind = TableKind::kView;
  ASSERT_STATUS_OK(catalogs_.AddTemporary(path, view, false));
  EXPECT_EQ(KindOf(catalogs_.AddTemporary(path, view, false)), ErrorKind::kAlreadyExists);
  EXPECT_STATUS_OK(catalogs_.AddTemporary(path, view, true));
  ASSERT_ASSIGN(const CatalogTablePtr hidden, catalogs_.GetTable(path));
  EXPECT_EQ(hidden->kind, TableKind::kView);
  EXPECT_THAT(catalogs_.ListTemporary("default_catalog", "default_database"), ElementsAre("t"));
  ASSERT_STATUS_OK(catalogs_.RemoveTemporary(path));
  EXPECT_EQ(KindOf(catalogs_.RemoveTemporary(path)), ErrorKind::kNotFound);
  ASSERT_ASSIGN(const CatalogTablePtr shown, catalogs_.GetTable(path));
  EXPECT_EQ(shown->kind, TableKind::kTable);
}

TEST_F(InMemoryCatalogTest, UnknownConnectorListsTheKnownOnes) {
  const Status status = factories_.ForTable({"c", "d", "t"}, {{"connector", "countin"}}).status();
  EXPECT_THAT(status.message(), HasSubstr("Could not find any connector for identifier 'countin'"));
  EXPECT_THAT(status.message(), HasSubstr("Available connector identifiers are:\n\ncounting"));
  EXPECT_EQ(HintOf(status), "Did you mean 'counting'?");
  EXPECT_THAT(factories_.ForTable({"c", "d", "t"}, {}).status().message(),
              HasSubstr("has no option 'connector'"));
}

}  // namespace
}  // namespace lakeward::catalog
