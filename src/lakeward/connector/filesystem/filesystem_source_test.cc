#include "lakeward/connector/filesystem/filesystem_source.h"

#include "gmock/gmock.h"
#include "lakeward/connector/connector_fixture.h"
#include "lakeward/connector/filesystem/filesystem_connector.h"

namespace lakeward::connector {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class FilesystemSourceTest : public ConnectorFixture {
 protected:
  catalog::TableContext JsonTable(std::vector<types::Column> columns,
                                  std::vector<std::string> partition_keys = {},
                                  config::OptionMap more = {}) {
    more["connector"] = "filesystem";
    more["path"] = "memory://s/t";
    more["format"] = "json";
    return Table(std::move(columns), std::move(more), std::move(partition_keys));
  }

  void Put(const std::string& path, const std::string& content) {
    ASSERT_STATUS_OK(files_->Put("s/" + path, content, {}));
  }

  const std::shared_ptr<const Connector> connector_ = MakeFilesystemConnector();
};

TEST_F(FilesystemSourceTest, ReadsEveryFileBelowTheFolderButHiddenOnes) {
  Put("t/a.json", "{\"n\":1}\n");
  Put("t/sub/b.json", "{\"n\":2}\n{\"n\":3}\n");
  Put("t/empty.json", "");
  Put("t/_SUCCESS", "{\"n\":9}\n");
  Put("t/.part.tmp", "{\"n\":9}\n");
  Put("t/_temporary/c.json", "{\"n\":9}\n");
  Put("t2/d.json", "{\"n\":9}\n");
  const catalog::TableContext table = JsonTable({{"n", types::BigInt()}});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  EXPECT_TRUE(source->bounded());
  ASSERT_ASSIGN(const auto splits, source->Enumerate(4));
  EXPECT_EQ(splits.size(), 2u);
  ASSERT_ASSIGN(const auto lines, ReadAll(source.get()));
  EXPECT_THAT(lines, UnorderedElementsAre("1", "2", "3"));
}

TEST_F(FilesystemSourceTest, PathMayNameOneFile) {
  Put("t", "{\"n\":1}\n");
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, JsonTable({{"n", types::BigInt()}})));
  ASSERT_ASSIGN(const auto lines, ReadAll(source.get()));
  EXPECT_THAT(lines, ElementsAre("1"));
}

TEST_F(FilesystemSourceTest, PartitionColumnsComeFromThePath) {
  Put("t/day=2024-01-01/k=a%2Fb/x.json", "{\"n\":1}\n");
  Put("t/day=2024-01-02/k=__DEFAULT_PARTITION__/x.json", "{\"n\":2}\n");
  const catalog::TableContext table = JsonTable(
      {{"k", types::String()}, {"n", types::BigInt()}, {"day", types::Date()}}, {"day", "k"});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto lines, ReadAll(source.get()));
  EXPECT_THAT(lines, UnorderedElementsAre("a/b, 1, 2024-01-01", "null, 2, 2024-01-02"));
  ASSERT_ASSIGN(const auto projected, SourceOf(*connector_, table, {2, 1}));
  ASSERT_ASSIGN(const auto fewer, ReadAll(projected.get()));
  EXPECT_THAT(fewer, UnorderedElementsAre("2024-01-01, 1", "2024-01-02, 2"));
}

TEST_F(FilesystemSourceTest, PartitionsOfEveryTypeComeBackAsTheyWereWritten) {
  catalog::TableContext table = JsonTable({{"n", types::BigInt()},
                                           {"b", types::Boolean()},
                                           {"d", types::Decimal(10, 2)},
                                           {"x", types::Bytes()},
                                           {"l", types::TimestampLtz(3)},
                                           {"t", types::Timestamp(3)}},
                                          {"b", "d", "x", "l", "t"});
  ASSERT_ASSIGN(table.zone, types::TimeZone::Find("Europe/Berlin"));
  ASSERT_ASSIGN(const auto sink, SinkOf(*connector_, table));
  ASSERT_ASSIGN(const auto writer, sink->MakeWriter(WriterFor()));
  // Two instants that clocks in Berlin both show as 02:30.
  ASSERT_STATUS_OK(writer->Write(
      Rows(table, {"[1, 2]", "[true, false]", R"(["1.50", "-0.05"])", R"(["a'", "b"])",
                   R"(["2024-10-27 00:30:00", "2024-10-27 01:30:00"])",
                   R"(["2024-01-02 03:04:05.678", "2024-01-02 00:00:00"])"})));
  ASSERT_ASSIGN(const auto committables, writer->PrepareCommit(1));
  ASSERT_ASSIGN(const auto committer, sink->MakeCommitter());
  ASSERT_STATUS_OK(committer->Commit({"sink1", 1, committables}));
  EXPECT_EQ(Files("s/t").begin()->first.substr(0, 8), "b=false/");
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto lines, ReadAll(source.get()));
  EXPECT_THAT(lines, UnorderedElementsAre("1, true, 1.50, a', 2024-10-27 00:30:00.000000Z, "
                                          "2024-01-02 03:04:05.678000",
                                          "2, false, -0.05, b, 2024-10-27 01:30:00.000000Z, "
                                          "2024-01-02 00:00:00.000000"));
}

TEST_F(FilesystemSourceTest, PartitionTimesMayBeWrittenWithALetter) {
  Put("t/t=2024-01-02T03%3A04%3A05.678/x.json", "{\"n\":1}\n");
  const catalog::TableContext table =
      JsonTable({{"n", types::BigInt()}, {"t", types::Timestamp(3)}}, {"t"});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto lines, ReadAll(source.get()));
  EXPECT_THAT(lines, ElementsAre("1, 2024-01-02 03:04:05.678000"));
}

TEST_F(FilesystemSourceTest, GoesOnAtTheRestoredPosition) {
  std::string content;
  std::vector<std::string> expected;
  for (int i = 0; i < 50'000; ++i) {
    content += "{\"n\":" + std::to_string(i) + "}\n";
    expected.push_back(std::to_string(i));
  }
  Put("t/a.json", content);
  const catalog::TableContext table = JsonTable({{"n", types::BigInt()}});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  ASSERT_ASSIGN(auto splits, source->Enumerate(1));
  ASSERT_EQ(splits.size(), 1u);
  std::vector<std::string> lines;
  {
    ASSERT_ASSIGN(const auto reader, source->OpenSplit(splits[0], Task()));
    ASSERT_ASSIGN(const auto polled, reader->Poll());
    ASSERT_EQ(polled.kind, stream::PollKind::kBatch);
    AppendLines(*polled.batch.records, &lines);
    splits[0].position = reader->Position();
  }
  ASSERT_LT(lines.size(), expected.size());
  // A file that came later is no part of the restored job.
  Put("t/b.json", "{\"n\":-1}\n");
  ASSERT_ASSIGN(const auto restarted, SourceOf(*connector_, table));
  ASSERT_ASSIGN(const auto reader, restarted->OpenSplit(splits[0], Task()));
  ASSERT_ASSIGN(const auto rest, ReadToEnd(reader.get()));
  lines.insert(lines.end(), rest.begin(), rest.end());
  EXPECT_EQ(lines, expected);
}

TEST_F(FilesystemSourceTest, RefusesPositionsThatAreNoNumbers) {
  Put("t/a.json", "{\"n\":1}\n");
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, JsonTable({{"n", types::BigInt()}})));
  ASSERT_ASSIGN(auto splits, source->Enumerate(1));
  for (const char* position : {"x", "-1", "1x"}) {
    splits[0].position = position;
    EXPECT_EQ(ErrorOf(source->OpenSplit(splits[0], Task())),
              "The position '" + std::string(position) +
                  "' of split 's/t/a.json:0' is not a number\n"
                  "The checkpoint was written by another version or is damaged.");
  }
}

TEST_F(FilesystemSourceTest, TellsOfFilesThatCannotBeRead) {
  const catalog::TableContext table =
      JsonTable({{"n", types::BigInt()}, {"day", types::Date()}}, {"day"});
  ASSERT_ASSIGN(const auto source, SourceOf(*connector_, table));
  EXPECT_EQ(ErrorOf(source->Enumerate(1)),
            "Table 'c.d.t': there are no files at 'memory://s/t'\n"
            "Check 'path', or INSERT INTO the table first.");
  Put("t/a.json", "{\"n\":1}\n");
  EXPECT_EQ(ErrorOf(ReadAll(source.get())),
            "Table 'c.d.t': file 's/t/a.json' does not lie in a folder 'day=…', though the table "
            "is partitioned by that column\nMove the file into the folder of its partition.");
  ASSERT_STATUS_OK(files_->Remove("s/t/a.json"));
  Put("t/day=today/a.json", "{\"n\":1}\n");
  EXPECT_EQ(ErrorOf(ReadAll(source.get())),
            "Table 'c.d.t': the partition folder 'day=today' is no value of type DATE\n"
            "Declare the column as STRING, or rename the folder.");
}

TEST_F(FilesystemSourceTest, BadRecordsFailOrAreSkipped) {
  Put("t/a.json", "{\"n\":1}\n{\"n\":\n{\"n\":3}\n");
  ASSERT_ASSIGN(const auto strict, SourceOf(*connector_, JsonTable({{"n", types::BigInt()}})));
  EXPECT_EQ(ErrorOf(ReadAll(strict.get())),
            "memory://s/t/a.json line 2: field 'n': not valid JSON\n"
            "Correct the record, or set 'json.ignore-parse-errors' = 'true' to skip such records.");
  ASSERT_ASSIGN(const auto lenient,
                SourceOf(*connector_, JsonTable({{"n", types::BigInt()}}, {},
                                                {{"json.ignore-parse-errors", "true"}})));
  ASSERT_ASSIGN(const auto lines, ReadAll(lenient.get()));
  EXPECT_THAT(lines, ElementsAre("1", "3"));
}

TEST_F(FilesystemSourceTest, ExplainsWhichColumnsItReads) {
  const catalog::TableContext table = JsonTable({{"a", types::Int()}, {"b", types::Int()}});
  ASSERT_ASSIGN(const auto negotiation, connector_->NegotiateScan(table));
  EXPECT_EQ(negotiation->Describe(), "");
  EXPECT_TRUE(negotiation->ApplyProjection({1}));
  EXPECT_EQ(negotiation->Describe(), "project=[b]");
  EXPECT_EQ(negotiation->schema().ToString(), "[b: INT]");
}

}  // namespace
}  // namespace lakeward::connector
