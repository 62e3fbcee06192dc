#include "lakeward/connector/delta/delta_connector.h"

#include "gmock/gmock.h"
#include "lakeward/connector/connector_fixture.h"

namespace lakeward::connector {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class DeltaConnectorTest : public ConnectorFixture {
 protected:
  catalog::TableContext DeltaTable(config::OptionMap more = {},
                                   std::vector<std::string> partition_keys = {}) {
    more["connector"] = "delta";
    more["table-path"] = "memory://s/t";
    return Table({{"n", types::BigInt()}, {"day", types::String()}}, std::move(more),
                 std::move(partition_keys));
  }

  /// Writes rows and gives what checkpoint `checkpoint_` must remember.
  std::vector<stream::Committable> Prepare(stream::Sink* sink, const catalog::TableContext& table,
                                           const std::string& numbers, const std::string& days) {
    auto writer = sink->MakeWriter(WriterFor()).ValueOrDie();
    EXPECT_STATUS_OK(writer->Write(Rows(table, {numbers, days})));
    return writer->PrepareCommit(checkpoint_).ValueOrDie();
  }

  std::vector<std::string> ReadTable(const catalog::TableContext& table) {
    auto source = SourceOf(*connector_, table);
    EXPECT_TRUE(source.ok()) << source.status().ToString();
    return ReadAll(source->get()).ValueOrDie();
  }

  const std::shared_ptr<const Connector> connector_ = MakeDeltaConnector();
};

TEST_F(DeltaConnectorTest, NoRowIsVisibleBeforeTheCommit) {
  const catalog::TableContext table = DeltaTable();
  ASSERT_STATUS_OK(connector_->CreateStorage(table));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  checkpoint_ = 4;
  const auto committables = Prepare(sink.get(), table, "[1, 2]", R"(["a", null])");
  EXPECT_THAT(intents_.announced, ElementsAre("4 memory://s/t sink1-4-0-"));
  EXPECT_THAT(ReadTable(table), IsEmpty());
  ASSERT_ASSIGN(int64_t committed, committer->CommittedCheckpoint("sink1"));
  EXPECT_EQ(committed, 0);

  const stream::CommitRequest request{"sink1", 4, committables};
  ASSERT_STATUS_OK(committer->Commit(request));
  EXPECT_THAT(ReadTable(table), ElementsAre("1, a", "2, null"));
  ASSERT_ASSIGN(committed, committer->CommittedCheckpoint("sink1"));
  EXPECT_EQ(committed, 4);
  // A second time, as after a crash: the mark in the log tells that it is done.
  ASSERT_STATUS_OK(committer->Commit(request));
  EXPECT_THAT(ReadTable(table), ElementsAre("1, a", "2, null"));
  EXPECT_THAT(Files("s/t/_delta_log"),
              UnorderedElementsAre(testing::Key("00000000000000000000.json"),
                                   testing::Key("00000000000000000001.json")));
}

TEST_F(DeltaConnectorTest, AnEmptyCheckpointMakesNoVersion) {
  const catalog::TableContext table = DeltaTable();
  ASSERT_STATUS_OK(connector_->CreateStorage(table));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  ASSERT_STATUS_OK(committer->Commit({"sink1", 1, {}}));
  EXPECT_EQ(Files("s/t/_delta_log").size(), 1u);
}

TEST_F(DeltaConnectorTest, OrphansGoAndWhatTheTableOrACheckpointKnowsStays) {
  const catalog::TableContext table = DeltaTable({}, {"day"});
  ASSERT_STATUS_OK(connector_->CreateStorage(table));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  const auto committed = Prepare(sink.get(), table, "[1]", R"(["x"])");
  ASSERT_STATUS_OK(committer->Commit({"sink1", 1, committed}));
  checkpoint_ = 2;
  const stream::CommitRequest pending{"sink1", 2, Prepare(sink.get(), table, "[2]", R"(["x"])")};
  checkpoint_ = 3;
  Prepare(sink.get(), table, "[3]", R"(["x"])");  // forgotten by a crash
  const auto remove = [&](const std::string& prefix) {
    return committer->RemoveOrphans("memory://s/t/day=x", prefix, {pending}).ValueOrDie();
  };
  EXPECT_EQ(remove("sink1-1-0-"), 0);
  EXPECT_EQ(remove("sink1-2-0-"), 0);
  EXPECT_EQ(remove("sink1-3-0-"), 1);
  ASSERT_STATUS_OK(committer->Commit(pending));
  EXPECT_THAT(ReadTable(table), UnorderedElementsAre("1, x", "2, x"));
  EXPECT_EQ(ErrorOf(committer->RemoveOrphans("memory://other/t", "sink1", {})),
            "The intent for 'memory://other/t' lies outside of table 'memory://s/t'");
}

TEST_F(DeltaConnectorTest, ReadersGoOnAtTheRestoredPosition) {
  const catalog::TableContext table = DeltaTable();
  ASSERT_STATUS_OK(connector_->CreateStorage(table));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  std::string numbers = "[";
  std::string days = "[";
  std::vector<std::string> expected;
  for (int i = 0; i < 40'000; ++i) {
    numbers += (i == 0 ? "" : ",") + std::to_string(i);
    days += i == 0 ? "null" : ",null";
    expected.push_back(std::to_string(i) + ", null");
  }
  ASSERT_STATUS_OK(
      committer->Commit({"sink1", 1, Prepare(sink.get(), table, numbers + "]", days + "]")}));
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(auto splits, source->Enumerate(2));
  ASSERT_EQ(splits.size(), 1u);
  std::vector<std::string> lines;
  ASSERT_ASSIGN(const auto reader, source->OpenSplit(splits[0], Task()));
  ASSERT_ASSIGN(const auto polled, reader->Poll());
  AppendLines(*polled.batch.records, &lines);
  ASSERT_LT(lines.size(), expected.size());
  splits[0].position = reader->Position();
  // Another process, after the table has moved on.
  checkpoint_ = 2;
  ASSERT_STATUS_OK(committer->Commit({"sink1", 2, Prepare(sink.get(), table, "[-1]", R"(["x"])")}));
  ASSERT_ASSIGN(const auto restarted, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto resumed, restarted->OpenSplit(splits[0], Task()));
  ASSERT_ASSIGN(const auto rest, ReadToEnd(resumed.get()));
  lines.insert(lines.end(), rest.begin(), rest.end());
  EXPECT_EQ(lines, expected);
}

TEST_F(DeltaConnectorTest, ReadsAnEarlierVersion) {
  const catalog::TableContext table = DeltaTable();
  ASSERT_STATUS_OK(connector_->CreateStorage(table));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  for (checkpoint_ = 1; checkpoint_ <= 2; ++checkpoint_) {
    ASSERT_STATUS_OK(committer->Commit(
        {"sink1", checkpoint_,
         Prepare(sink.get(), table, "[" + std::to_string(checkpoint_) + "]", R"(["x"])")}));
  }
  EXPECT_THAT(ReadTable(DeltaTable({{"versionAsOf", "1"}})), ElementsAre("1, x"));
  EXPECT_THAT(ErrorOf(connector_->NegotiateScan(DeltaTable({{"versionAsOf", "9"}}))),
              HasSubstr("has no version 9\nThe newest version is 2."));
  ASSERT_ASSIGN(const auto negotiation, connector_->NegotiateScan(table));
  EXPECT_TRUE(negotiation->ApplyProjection({1}));
  EXPECT_EQ(negotiation->Describe(), "version=2, project=[day]");
}

TEST_F(DeltaConnectorTest, AChangedTableRefusesTheCommitWithBeforeAndAfter) {
  const catalog::TableContext table = DeltaTable();
  ASSERT_STATUS_OK(connector_->CreateStorage(table));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  const auto committables = Prepare(sink.get(), table, "[1]", R"(["x"])");
  // Somebody drops the column `day`.
  std::string entry = files_->ReadAll("s/t/_delta_log/00000000000000000000.json").ValueOrDie();
  const size_t metadata = entry.find("{\"metaData\"");
  const size_t day = entry.find(",{\\\"name\\\":\\\"day\\\"");
  const size_t end = entry.find("]}", day);
  ASSERT_NE(end, std::string::npos);
  ASSERT_STATUS_OK(files_->Put("s/t/_delta_log/00000000000000000001.json",
                               entry.erase(day, end - day).substr(metadata), {}));
  const Status status = committer->Commit({"sink1", 1, committables});
  EXPECT_EQ(KindOf(status), ErrorKind::kCommitConflict);
  EXPECT_THAT(ErrorOf(status), HasSubstr("Checkpoint 1 cannot be committed to table 'c.d.t': "));
  EXPECT_THAT(ErrorOf(status), HasSubstr("`day` was dropped or renamed"));
}

TEST_F(DeltaConnectorTest, RefusesOptionsByName) {
  const auto refusal = [&](config::OptionMap more) {
    return ErrorOf(connector_->CreateStorage(DeltaTable(std::move(more))));
  };
  EXPECT_EQ(refusal({{"sink.schema-evolution", "add-columns"}}),
            "Table 'c.d.t': not supported yet: 'sink.schema-evolution' = 'add-columns'\n"
            "Leave it at 'fail', and add the columns to the table first.");
  EXPECT_EQ(refusal({{"sink.schema-evolution", "merge"}}),
            "Table 'c.d.t': Invalid value for option 'sink.schema-evolution': 'merge' is not one "
            "of fail, add-columns");
  EXPECT_EQ(refusal({{"sink.schema-evolution", "FAIL"}}), "no error");
  EXPECT_THAT(refusal({{"table-paths", "x"}}), HasSubstr("Did you mean 'table-path'?"));
  EXPECT_EQ(
      ErrorOf(connector_->CreateStorage(Table({{"n", types::BigInt()}}, {{"connector", "delta"}}))),
      "Table 'c.d.t': One or more required options are missing.\n\n"
      "Missing required options are:\n\ntable-path");
}

}  // namespace
}  // namespace lakeward::connector
