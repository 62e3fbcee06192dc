#include "lakeward/connector/one_way_connector.h"

#include "gtest/gtest.h"
#include "lakeward/connector/blackhole/blackhole_connector.h"
#include "lakeward/connector/connector_fixture.h"
#include "lakeward/connector/datagen/datagen_connector.h"

namespace lakeward::connector {
namespace {

class OneWayConnectorTest : public ConnectorFixture {};

TEST_F(OneWayConnectorTest, SinksAreNotRead) {
  const auto connector = MakeBlackholeConnector();
  EXPECT_FALSE(connector->can_scan());
  EXPECT_TRUE(connector->can_sink());
  EXPECT_EQ(ErrorOf(connector->NegotiateScan(Table({{"n", types::Int()}}, {}))),
            "Table 'c.d.t' cannot be read: its connector 'blackhole' is a sink only\n"
            "Use the table as the target of INSERT INTO.");
}

TEST_F(OneWayConnectorTest, SourcesAreNotWritten) {
  const auto connector = MakeDatagenConnector();
  EXPECT_TRUE(connector->can_scan());
  EXPECT_FALSE(connector->can_sink());
  EXPECT_EQ(ErrorOf(connector->NegotiateSink(Table({{"n", types::Int()}}, {}))),
            "Table 'c.d.t' cannot be written: its connector 'datagen' is a source only\n"
            "Use the table in FROM.");
}

TEST_F(OneWayConnectorTest, SinkParallelismIsANumberOfTasks) {
  const auto connector = MakeBlackholeConnector();
  const auto negotiate = [&](const std::string& value) {
    return connector->NegotiateSink(
        Table({{"n", types::Int()}}, {{"connector", "blackhole"}, {"sink.parallelism", value}}));
  };
  ASSERT_ASSIGN(const auto three, negotiate("3"));
  EXPECT_EQ(three->parallelism(), 3);
  ASSERT_ASSIGN(const auto default_one, connector->NegotiateSink(Table({{"n", types::Int()}}, {})));
  EXPECT_EQ(default_one->parallelism(), 0);
  EXPECT_EQ(
      ErrorOf(negotiate("0")),
      "Table 'c.d.t': 'sink.parallelism' = '0' is out of range\nGive a number from 1 to 1024.");
  EXPECT_EQ(
      ErrorOf(negotiate("1025")),
      "Table 'c.d.t': 'sink.parallelism' = '1025' is out of range\nGive a number from 1 to 1024.");
}

TEST_F(OneWayConnectorTest, UnknownOptionsAreRefusedWithTheNearestOne) {
  const auto connector = MakeBlackholeConnector();
  EXPECT_EQ(ErrorOf(connector->NegotiateSink(Table(
                {{"n", types::Int()}}, {{"connector", "blackhole"}, {"sink.paralelism", "3"}}))),
            "Table 'c.d.t': Unsupported options found for connector 'blackhole'.\n\n"
            "Unsupported options:\n\nsink.paralelism\n\nSupported options:\n\nsink.parallelism\n"
            "'sink.paralelism' is not an option. Did you mean 'sink.parallelism'?");
}

// Whatever a query produces, updates and deletes too.
TEST_F(OneWayConnectorTest, BlackholeTakesEveryRowAndKeepsNone) {
  const auto connector = MakeBlackholeConnector();
  const catalog::TableContext table = Table({{"n", types::Int()}}, {});
  ASSERT_ASSIGN(const auto negotiation, connector->NegotiateSink(table));
  EXPECT_EQ(negotiation->AcceptedChangelog(catalog::ChangelogMode::All()),
            catalog::ChangelogMode::All());
  EXPECT_FALSE(negotiation->writes_tables());
  ASSERT_ASSIGN(const auto sink, connector->MakeSink(table, *negotiation));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  EXPECT_EQ(committer, nullptr);
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1, null]"})));
  ASSERT_ASSIGN(const auto committables, writer->PrepareCommit(1));
  EXPECT_TRUE(committables.empty());
}

}  // namespace
}  // namespace lakeward::connector
