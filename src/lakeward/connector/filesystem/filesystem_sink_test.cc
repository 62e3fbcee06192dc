#include "lakeward/connector/filesystem/filesystem_sink.h"

#include "gmock/gmock.h"
#include "lakeward/connector/connector_fixture.h"
#include "lakeward/connector/filesystem/filesystem_connector.h"
#include "lakeward/fs/faulty.h"

namespace lakeward::connector {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class FilesystemSinkTest : public ConnectorFixture {
 protected:
  catalog::TableContext JsonTable(std::vector<std::string> partition_keys = {},
                                  config::OptionMap more = {}) {
    more["connector"] = "filesystem";
    more["path"] = "memory://s/t";
    more["format"] = "json";
    return Table({{"n", types::BigInt()}, {"day", types::String()}}, std::move(more),
                 std::move(partition_keys));
  }

  std::string Refusal(const config::OptionMap& options) {
    return ErrorOf(connector_->NegotiateSink(Table({{"n", types::BigInt()}}, options)));
  }

  const std::shared_ptr<const Connector> connector_ = MakeFilesystemConnector();
};

TEST_F(FilesystemSinkTest, NothingIsVisibleBeforeTheCommit) {
  const catalog::TableContext table = JsonTable();
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor(2, 3)));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  checkpoint_ = 7;
  ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1, 2]", R"(["a", null])"})));
  EXPECT_THAT(Files("s/t"), IsEmpty());
  ASSERT_ASSIGN(const auto committables, writer->PrepareCommit(7));
  EXPECT_EQ(committables.size(), 1u);
  EXPECT_THAT(Files("s/t"), IsEmpty());
  ASSERT_ASSIGN(int64_t committed, committer->CommittedCheckpoint("sink1"));
  EXPECT_EQ(committed, 0);

  const stream::CommitRequest request{"sink1", 7, committables};
  ASSERT_STATUS_OK(committer->Commit(request));
  const auto visible =
      ElementsAre(Pair("part-sink1-7-2-1", "{\"n\":1,\"day\":\"a\"}\n{\"n\":2,\"day\":null}\n"));
  EXPECT_THAT(Files("s/t"), visible);
  // Asked again, as after a crash between the commit and its being taken down.
  ASSERT_STATUS_OK(committer->Commit(request));
  EXPECT_THAT(Files("s/t"), visible);
  ASSERT_ASSIGN(committed, committer->CommittedCheckpoint("sink1"));
  EXPECT_EQ(committed, 7);
  ASSERT_ASSIGN(committed, committer->CommittedCheckpoint("sink2"));
  EXPECT_EQ(committed, 0);
}

TEST_F(FilesystemSinkTest, PartitionsAreFoldersNamedAsHiveDoes) {
  const catalog::TableContext table = JsonTable({"day"}, {{"partition.default-name", "nobody"}});
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(
      writer->Write(Rows(table, {"[1, 2, 3, 4]", R"(["2024-01-01", "a/b=c", null, ""])"})));
  ASSERT_ASSIGN(const auto committables, writer->PrepareCommit(1));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  ASSERT_STATUS_OK(committer->Commit({"sink1", 1, committables}));
  std::vector<std::string> folders;
  for (const auto& [path, content] : Files("s/t")) {
    folders.push_back(path.substr(0, path.rfind('/')) + " " + content);
  }
  EXPECT_THAT(folders,
              UnorderedElementsAre("day=2024-01-01 {\"n\":1}\n", "day=a%2Fb%3Dc {\"n\":2}\n",
                                   "day=nobody {\"n\":3}\n", "day=nobody {\"n\":4}\n"));
}

TEST_F(FilesystemSinkTest, AnnouncesFilesBeforeItCreatesThem) {
  const catalog::TableContext table = JsonTable({"day"});
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor(1, 2)));
  checkpoint_ = 3;
  ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1]", R"(["x"])"})));
  ASSERT_STATUS_OK(writer->PrepareCommit(3).status());
  EXPECT_THAT(intents_.announced, ElementsAre("3 memory://s/t/day=x part-sink1-3-1-"));
}

TEST_F(FilesystemSinkTest, OrphansOfAnnouncedPrefixesAreRemoved) {
  const catalog::TableContext table = JsonTable();
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  {
    ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
    ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1]", R"(["x"])"})));
    // Staged, and forgotten by a crash.
    ASSERT_STATUS_OK(writer->PrepareCommit(1).status());
  }
  ASSERT_ASSIGN(const int64_t removed,
                committer->RemoveOrphans("memory://s/t", "part-sink1-1-0-", {}));
  EXPECT_EQ(removed, 1);
  ASSERT_ASSIGN(const int64_t again,
                committer->RemoveOrphans("memory://s/t", "part-sink1-1-0-", {}));
  EXPECT_EQ(again, 0);
  EXPECT_EQ(ErrorOf(committer->RemoveOrphans("memory://s/other", "part-", {})),
            "The intent for 'memory://s/other' lies outside of table 'memory://s/t'");
}

TEST_F(FilesystemSinkTest, AbortLeavesNothing) {
  const catalog::TableContext table = JsonTable();
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1]", R"(["x"])"})));
  writer->Abort();
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  ASSERT_ASSIGN(const int64_t left, committer->RemoveOrphans("memory://s/t", "part-", {}));
  EXPECT_EQ(left, 0);
  EXPECT_THAT(Files("s/t"), IsEmpty());
}

TEST_F(FilesystemSinkTest, RollsFilesAtTheirSize) {
  const catalog::TableContext table = JsonTable({}, {{"sink.rolling-policy.file-size", "30b"}});
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  for (int i = 0; i < 4; ++i) {
    ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1]", R"(["xyz"])"})));
  }
  ASSERT_ASSIGN(const auto committables, writer->PrepareCommit(1));
  EXPECT_EQ(committables.size(), 2u);
}

TEST_F(FilesystemSinkTest, TellsOfAFullDisk) {
  const auto faults = std::make_shared<fs::FaultPlan>();
  files_ = fs::MakeFaultyFileSystem(files_, faults);
  const catalog::TableContext table = JsonTable();
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  ASSERT_STATUS_OK(writer->Write(Rows(table, {"[1]", R"(["x"])"})));
  fs::FaultRule full;
  full.operation = fs::Operation::kStage;
  full.fault = fs::Fault::kDiskFull;
  faults->Add(full);
  const auto prepared = writer->PrepareCommit(1);
  EXPECT_EQ(KindOf(prepared.status()), ErrorKind::kIo);
  EXPECT_THAT(ErrorOf(prepared), ::testing::HasSubstr("No space left on device"));
  writer->Abort();
  EXPECT_THAT(Files("s/t"), IsEmpty());
}

TEST_F(FilesystemSinkTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(Refusal({{"connector", "filesystem"}, {"path", "memory://s/t"}}),
            "Table 'c.d.t': One or more required options are missing.\n\n"
            "Missing required options are:\n\nformat");
  EXPECT_EQ(Refusal({{"connector", "filesystem"}, {"path", "memory://s/t"}, {"format", "jsno"}}),
            "Table 'c.d.t': there is no format 'jsno'\nDid you mean 'json'?");
  EXPECT_EQ(
      Refusal({{"connector", "filesystem"},
               {"path", "memory://s/t"},
               {"format", "json"},
               {"sink.rolling-policy.file-size", "big"}}),
      "Table 'c.d.t': Invalid value for option 'sink.rolling-policy.file-size': 'big' is not a "
      "memory size such as '512 kb', '128 mb', '2 gb' or a number of bytes");
  ASSERT_ASSIGN(const auto negotiation, connector_->NegotiateSink(JsonTable()));
  EXPECT_EQ(negotiation->AcceptedChangelog(catalog::ChangelogMode::All()),
            catalog::ChangelogMode::AppendOnly());
  EXPECT_TRUE(negotiation->writes_tables());
  EXPECT_EQ(ErrorOf(negotiation->ApplyOverwrite()),
            "INSERT OVERWRITE requires a table whose connector can replace its contents.\n"
            "Use INSERT INTO.");
}

}  // namespace
}  // namespace lakeward::connector
