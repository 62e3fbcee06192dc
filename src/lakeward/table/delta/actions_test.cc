#include "lakeward/table/delta/actions.h"

#include "gtest/gtest.h"
#include "lakeward/table/delta/calendar.h"
#include "lakeward/table/delta/file_path.h"
#include "lakeward/table/delta/packed_file.h"
#include "support/status_matchers.h"

namespace lakeward::delta {
namespace {

// Examples of the protocol, sections "Add File and Remove File", "Transaction Identifiers",
// "Protocol Evolution", "Domain Metadata", "Deletion Vectors".

TEST(ActionsTest, ReadsTheProtocolsExamples) {
  const std::string entry = R"(
{"add":{"path":"date=2017-12-10/part-000...c000.gz.parquet","partitionValues":{"date":"2017-12-10"},"size":841454,"modificationTime":1512909768000,"dataChange":true,"baseRowId":4071,"defaultRowCommitVersion":41,"stats":"{\"numRecords\":1}"}}
{"remove":{"path":"part-00001-9.snappy.parquet","deletionTimestamp":1515488792485,"baseRowId":4071,"defaultRowCommitVersion":41,"dataChange":true}}
{"txn":{"appId":"3ba13872-2d47-4e17-86a0-21afd2a22395","version":364475}}
{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["columnMapping"],"writerFeatures":["columnMapping","identityColumns"]}}
{"domainMetadata":{"domain":"delta.deltaTableFeatureX","configuration":"{\"key1\":\"value1\"}","removed":false}}
{"cdc":{"path":"_change_data/cdc-00001.snappy.parquet","partitionValues":{},"size":1213,"dataChange":false}}
)";
  ASSERT_ASSIGN(const Actions actions, ParseLogEntry(entry, "entry"));
  ASSERT_EQ(actions.adds.size(), 1u);
  const AddFile& add = actions.adds[0];
  EXPECT_EQ(add.path, "date=2017-12-10/part-000...c000.gz.parquet");
  EXPECT_EQ(add.partition_values.at("date"), "2017-12-10");
  EXPECT_EQ(add.size_bytes, 841454);
  EXPECT_EQ(add.base_row_id, 4071);
  EXPECT_EQ(add.statistics_json, R"({"numRecords":1})");
  ASSERT_EQ(actions.removes.size(), 1u);
  EXPECT_EQ(actions.removes[0].deletion_timestamp_ms, 1515488792485);
  ASSERT_EQ(actions.transactions.size(), 1u);
  EXPECT_EQ(actions.transactions[0].version, 364475);
  EXPECT_EQ(actions.protocol->writer_features,
            (std::vector<std::string>{"columnMapping", "identityColumns"}));
  EXPECT_EQ(actions.domains[0].configuration, R"({"key1":"value1"})");
}

TEST(ActionsTest, IgnoresWhatItDoesNotKnow) {
  ASSERT_ASSIGN(const Actions actions,
                ParseLogEntry("{\"future\":{\"a\":[1]}}\n\n{\"add\":null}\n"
                              "{\"txn\":{\"appId\":\"a\",\"version\":1,\"extra\":{}}}\r\n",
                              "entry"));
  EXPECT_EQ(actions.transactions.size(), 1u);
  EXPECT_TRUE(actions.adds.empty());
}

TEST(ActionsTest, NamesTheDamagedLine) {
  const Status torn = ParseLogEntry("{\"txn\":{\"appId\":\"a\",\"version\":1}}\n{\"add\":{\"pa",
                                    "_delta_log/00000000000000000003.json")
                          .status();
  EXPECT_EQ(KindOf(torn), ErrorKind::kCorruptData);
  EXPECT_NE(torn.message().find("_delta_log/00000000000000000003.json line 2"), std::string::npos)
      << torn.message();
  EXPECT_EQ(KindOf(ParseLogEntry(R"({"add":{"path":7,"size":1}})", "e").status()),
            ErrorKind::kCorruptData);
  EXPECT_EQ(KindOf(ParseLogEntry(R"({"add":[]})", "e").status()), ErrorKind::kCorruptData);
  EXPECT_EQ(KindOf(ParseLogEntry("[]", "e").status()), ErrorKind::kCorruptData);
  EXPECT_EQ(KindOf(ParseLogEntry(R"({"add":{"path":"a","size":1,"partitionValues":{"p":1}}})", "e")
                       .status()),
            ErrorKind::kCorruptData);
}

TEST(ActionsTest, WrittenLinesReadBackEqual) {
  AddFile file;
  file.path = "p=a b/x%20y ü.parquet";
  file.partition_values = {{"p", "a b"}, {"q", std::nullopt}};
  file.size_bytes = 5;
  file.modification_time_ms = 9;
  file.statistics_json = R"({"numRecords":3})";
  file.tags = {{"k", "v"}};
  file.deletion_vector = DeletionVector{"u", "ab^-aqEH.-t@S}K{vb[*k^", 4, 40, 6};
  file.clustering_provider = "liquid";
  const std::string line = ToLine(file);
  EXPECT_NE(line.find(R"("path":"p=a%20b/x%2520y%20%C3%BC.parquet")"), std::string::npos) << line;
  ASSERT_ASSIGN(const Actions actions, ParseLogEntry(line, "line"));
  EXPECT_EQ(actions.adds.at(0), file);
}

// delta-write-17: the feature lists exist only with reader version 3 and writer version 7.
TEST(ActionsTest, DeltaWrite17FeatureListsOnlyWithVersions3And7) {
  EXPECT_EQ(ToLine(Protocol{}), R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})");
  Protocol features;
  features.min_reader_version = 3;
  features.min_writer_version = 7;
  features.writer_features = {"appendOnly"};
  EXPECT_EQ(ToLine(features),
            R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[],)"
            R"("writerFeatures":["appendOnly"]}})");
}

TEST(FilePathTest, DecodesWhatTheLogHolds) {
  EXPECT_EQ(PathFromLog("_2=bar+%252521/part.parquet"), "_2=bar+%2521/part.parquet");
  EXPECT_EQ(PathFromLog("special%20p@%23h"), "special p@#h");
  EXPECT_EQ(PathFromLog("/some/unqualified/with%20space/p@%23h"),
            "/some/unqualified/with space/p@#h");
  EXPECT_EQ(PathFromLog("file:/some/unqualified/with%20space/p@%23h"),
            PathFromLog("/some/unqualified/with%20space/p@%23h"));
  EXPECT_EQ(PathFromLog("file:///a"), "/a");
  EXPECT_EQ(PathFromLog("s3://b/x%20y"), "s3://b/x%20y");
  EXPECT_EQ(PathFromLog("100%"), "100%");
}

TEST(FilePathTest, EncodesForTheLog) {
  EXPECT_EQ(PathToLog("a=1/b c#%.parquet"), "a=1/b%20c%23%25.parquet");
  EXPECT_EQ(PathToLog("/abs path"), "file:///abs%20path");
  EXPECT_EQ(PathToLog("s3://b/x%20y"), "s3://b/x%20y");
}

TEST(FilePathTest, LocatesAbsoluteFilesOfTheSameStore) {
  const fs::Location root{nullptr, "bucket/t", "s3://bucket/t"};
  ASSERT_ASSIGN(const fs::Location relative, LocateFile(root, "p=1/a b"));
  EXPECT_EQ(relative.path, "bucket/t/p=1/a b");
  ASSERT_ASSIGN(const fs::Location absolute, LocateFile(root, "s3a://bucket/other/a%20b"));
  EXPECT_EQ(absolute.path, "bucket/other/a b");
  const Status other = LocateFile(root, "s3://elsewhere/x").status();
  EXPECT_EQ(KindOf(other), ErrorKind::kUnsupported);
  EXPECT_NE(other.message().find("s3://elsewhere"), std::string::npos);
}

TEST(CalendarTest, FormatsAndParses) {
  EXPECT_EQ(FormatDate(0), "1970-01-01");
  EXPECT_EQ(FormatDate(-1), "1969-12-31");
  EXPECT_EQ(FormatDate(19'782), "2024-02-29");
  EXPECT_EQ(FormatDate(4'000'000), std::nullopt);
  EXPECT_EQ(ParseDate("2024-02-29"), 19'782);
  EXPECT_EQ(ParseDate("2023-02-29"), std::nullopt);
  EXPECT_EQ(ParseDate("2024-2-29"), std::nullopt);
  EXPECT_EQ(FormatTimestamp(123'456, TimestampForm::kIsoUtcMicros), "1970-01-01T00:00:00.123456Z");
  EXPECT_EQ(FormatTimestamp(-1, TimestampForm::kIsoUtcMillis), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(FormatTimestamp(123'456, TimestampForm::kSpacedMicros), "1970-01-01 00:00:00.123456");
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.123456Z"), 123'456);
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(ParseTimestamp("1970-01-01T01:00:00.5+01:00"), 500'000);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.000-0800"), 8LL * 3'600 * 1'000'000);
  EXPECT_EQ(ParseTimestamp("1970-01-01 24:00:00"), std::nullopt);
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:00 UTC"), std::nullopt);
}

TEST(PackedFileTest, UnpacksEqual) {
  AddFile file;
  file.path = "p";
  file.partition_values = {{"a", ""}, {"b", std::nullopt}, {"c", "x"}};
  file.size_bytes = INT64_MAX;
  file.modification_time_ms = -5;
  file.data_change = false;
  file.statistics_json = std::string(300, 's');
  file.tags = {{"t", ""}};
  file.base_row_id = INT64_MIN;
  EXPECT_EQ(PackedFile(file).Unpack(), file);
  file.deletion_vector = DeletionVector{"i", "inline", std::nullopt, 1, 2};
  const PackedFile packed(file);
  EXPECT_EQ(packed.Unpack(), file);
  EXPECT_EQ(packed.key(), std::string("p\0iinline", 9));
}

}  // namespace
}  // namespace lakeward::delta
