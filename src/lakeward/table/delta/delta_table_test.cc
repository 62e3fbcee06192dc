#include "lakeward/table/delta/delta_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/json/json.h"
#include "lakeward/table/delta/log_fixture.h"
#include "lakeward/table/delta/table_properties.h"

namespace lakeward::delta {
namespace {

using table::CommitOutcome;
using table::CommitResult;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DeltaTableTest : public LogFixture {
 protected:
  /// A table whose versions 1 to `version` each add the file "f<version>", with checkpoints as the
  /// interval of 10 has them.
  void AppendUpTo(int64_t version) {
    PutFirstEntry();
    const auto table = Table();
    for (int64_t i = 1; i <= version; ++i) {
      ASSERT_ASSIGN(const CommitResult result, table->Append(AppendOf("f" + std::to_string(i))));
      ASSERT_EQ(result.outcome, CommitOutcome::kCommitted);
      ASSERT_EQ(result.version, i);
    }
  }

  size_t FileCount(const std::shared_ptr<DeltaTable>& table) {
    const Result<SnapshotPtr> snapshot = table->Latest();
    EXPECT_TRUE(snapshot.ok()) << snapshot.status().ToString();
    return snapshot.ok() ? Paths(**snapshot).size() : 0;
  }
};

TEST_F(DeltaTableTest, NoTableIsNotFound) {
  const auto table = Table();
  ASSERT_ASSIGN(const bool exists, table->Exists());
  EXPECT_FALSE(exists);
  const Status status = table->Latest().status();
  EXPECT_EQ(KindOf(status), ErrorKind::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("memory://test/t"));
}

TEST_F(DeltaTableTest, ReplaysAddsAndRemoves) {
  PutFirstEntry();
  PutEntry(1, {Add("a"), Add("b"), R"({"txn":{"appId":"s","version":4}})"});
  PutEntry(2, {Remove("a"), Add("c%20d")});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_EQ(snapshot->version(), 2);
  EXPECT_THAT(Paths(*snapshot), ElementsAre("b", "c d"));
  EXPECT_EQ(snapshot->TransactionVersion("s"), 4);
  EXPECT_EQ(snapshot->TransactionVersion("other"), std::nullopt);
  EXPECT_EQ(snapshot->schema().ToString(), "[id: INT]");
  ASSERT_ASSIGN(const SnapshotPtr earlier, Table()->AtVersion(1));
  EXPECT_THAT(Paths(*earlier), ElementsAre("a", "b"));
  EXPECT_EQ(KindOf(Table()->AtVersion(3).status()), ErrorKind::kNotFound);
}

TEST_F(DeltaTableTest, TheNewestReferenceToAFileCounts) {
  PutFirstEntry();
  PutEntry(1, {Add("a"), Add("b")});
  PutEntry(2, {Add("a", R"(,"stats":"{}")"), Remove("b")});
  PutEntry(3, {Add("b")});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  ASSERT_ASSIGN(const std::vector<AddFile> files, snapshot->Files());
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].statistics_json, "{}");
}

TEST_F(DeltaTableTest, AFileIsKnownByItsDeletionVectorToo) {
  const std::string vector =
      R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":"x","offset":1,"sizeInBytes":3,"cardinality":1})";
  PutFirstEntry();
  PutEntry(1, {Add("a")});
  PutEntry(2, {Add("a", vector), Remove("a")});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  ASSERT_ASSIGN(const std::vector<AddFile> files, snapshot->Files());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_TRUE(files[0].deletion_vector.has_value());
  const Status readable = snapshot->CheckReadable();
  EXPECT_EQ(KindOf(readable), ErrorKind::kUnsupported);
  EXPECT_THAT(readable.message(), HasSubstr("deletionVectors"));
}

TEST_F(DeltaTableTest, RefreshReadsOnlyWhatIsNew) {
  PutFirstEntry();
  PutEntry(1, {Add("a")});
  const auto table = Table();
  EXPECT_EQ(FileCount(table), 1u);
  faults_->Add({fs::Operation::kOpenInput, EntryName(0), 1, 1'000, fs::Fault::kFail});
  faults_->Add({fs::Operation::kOpenInput, EntryName(1), 1, 1'000, fs::Fault::kFail});
  PutEntry(2, {Add("b")});
  EXPECT_EQ(FileCount(table), 2u);
  EXPECT_EQ(FileCount(table), 2u);
  EXPECT_EQ(faults_->strike_count(), 0);
}

// A folder that others write into may be listed with an entry but without the one before it.
TEST_F(DeltaTableTest, AListingWithAHoleIsTakenAgain) {
  PutFirstEntry();
  const auto table = Table();
  ASSERT_STATUS_OK(table->Latest().status());
  for (int64_t version = 1; version <= 3; ++version) {
    PutEntry(version, {Add("f" + std::to_string(version))});
  }
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 2, fs::Fault::kHoleInList});
  ASSERT_ASSIGN(const SnapshotPtr refreshed, table->Latest());
  EXPECT_EQ(refreshed->version(), 3);
  EXPECT_EQ(Paths(*refreshed).size(), 3U);
  for (const auto& read : {+[](DeltaTable* t) { return t->Latest(); },
                           +[](DeltaTable* t) { return t->AtVersion(3); }}) {
    faults_->Clear();
    faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kHoleInList});
    ASSERT_ASSIGN(const SnapshotPtr snapshot, read(Table().get()));
    EXPECT_EQ(Paths(*snapshot).size(), 3U);
  }
  faults_->Clear();
  RemoveFile(EntryName(2));
  EXPECT_THAT(Table()->Latest().status().message(), HasSubstr(EntryName(2) + " is missing"));
}

TEST_F(DeltaTableTest, ATableThatWasReplacedIsReadAnew) {
  PutFirstEntry();
  PutEntry(1, {Add("a")});
  const auto table = Table();
  EXPECT_EQ(FileCount(table), 1u);
  RemoveFile(EntryName(1));
  clock_.SleepForMicros(1'000);
  PutEntry(0, {std::string(kProtocol), std::string(kMetadata), Add("x"), Add("y")});
  EXPECT_EQ(FileCount(table), 2u);
}

TEST_F(DeltaTableTest, WritesACheckpointEveryTenVersions) {
  AppendUpTo(21);
  EXPECT_TRUE(HasFile(CheckpointName(10)));
  EXPECT_TRUE(HasFile(CheckpointName(20)));
  EXPECT_FALSE(HasFile(CheckpointName(21)));
  ASSERT_ASSIGN(const json::Json hint, json::Parse(ReadFile("_last_checkpoint"), "hint"));
  EXPECT_EQ(hint["version"], 20);
  EXPECT_EQ(hint["size"], 22);
  EXPECT_EQ(hint["numOfAddFiles"], 20);
  // With the hint only what follows the checkpoint is read.
  for (int64_t version = 0; version <= 20; ++version) {
    RemoveFile(EntryName(version));
  }
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_EQ(snapshot->version(), 21);
  EXPECT_EQ(Paths(*snapshot).size(), 21u);
  EXPECT_EQ(snapshot->schema().ToString(), "[id: INT]");
}

TEST_F(DeltaTableTest, CheckpointsKeepEverything) {
  const std::string metadata =
      R"({"metaData":{"id":"m","name":"n","description":"d","format":{"provider":"parquet","options":{"o":"1"}},)"
      R"("schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{\"k\":1}},{\"name\":\"p\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}",)"
      R"("partitionColumns":["p"],"configuration":{"delta.checkpointInterval":"2","x":"y"},"createdTime":5}})";
  const std::string protocol =
      R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timestampNtz"],"writerFeatures":["timestampNtz","domainMetadata"]}})";
  PutEntry(0, {protocol, metadata,
               R"({"domainMetadata":{"domain":"a","configuration":"c","removed":false}})"});
  PutEntry(
      1,
      {R"({"add":{"path":"p=x/1","partitionValues":{"p":"x"},"size":1,"modificationTime":2,"dataChange":true,"stats":"{\"numRecords\":1}","tags":{"t":"u"}}})",
       R"({"add":{"path":"p=__HIVE_DEFAULT_PARTITION__/2","partitionValues":{"p":null},"size":1,"modificationTime":2,"dataChange":true}})",
       Remove("gone"), R"({"txn":{"appId":"s","version":4,"lastUpdated":6}})"});
  AppendCommit commit = AppendOf("p=y/3");
  commit.files[0].partition_values = {{"p", "y"}};
  commit.written_schema = {{{"id", types::Int()}, {"p", types::String()}}};
  commit.written_partition_columns = {"p"};
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(commit));
  ASSERT_EQ(result.outcome, CommitOutcome::kCommitted) << result.detail;
  ASSERT_ASSIGN(const SnapshotPtr from_json, Table()->Latest());
  ASSERT_TRUE(HasFile(CheckpointName(2)));
  for (int64_t version = 0; version <= 2; ++version) {
    RemoveFile(EntryName(version));
  }
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  ASSERT_ASSIGN(std::vector<AddFile> expected, from_json->Files());
  ASSERT_ASSIGN(const std::vector<AddFile> files, snapshot->Files());
  for (AddFile& file : expected) {
    file.data_change = false;
  }
  EXPECT_EQ(files, expected);
  EXPECT_EQ(snapshot->metadata().schema_json, from_json->metadata().schema_json);
  EXPECT_EQ(snapshot->metadata().configuration, from_json->metadata().configuration);
  EXPECT_EQ(snapshot->metadata().name, "n");
  EXPECT_EQ(snapshot->metadata().created_time_ms, 5);
  EXPECT_EQ(snapshot->metadata().partition_columns, (std::vector<std::string>{"p"}));
  EXPECT_EQ(snapshot->protocol().writer_features,
            (std::vector<std::string>{"timestampNtz", "domainMetadata"}));
  EXPECT_EQ(snapshot->TransactionVersion("s"), 4);
  ASSERT_ASSIGN(const std::vector<std::string> referenced,
                Table()->FindReferenced({"gone", "p=x/1", "never"}));
  EXPECT_THAT(referenced, ElementsAre("gone", "p=x/1"));
}

TEST_F(DeltaTableTest, CheckpointsOfManyFilesAreWhole) {
  constexpr int kFiles = 20'000;
  const std::string no_properties = R"("configuration":{})";
  std::string metadata(kMetadata);
  metadata.replace(metadata.find(no_properties), no_properties.size(),
                   R"("configuration":{"delta.checkpointInterval":"1"})");
  std::vector<std::string> lines{std::string(kProtocol), metadata};
  for (int i = 0; i < kFiles; ++i) {
    lines.push_back(Add("f" + std::to_string(i)));
  }
  PutEntry(0, lines);
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(AppendOf("last")));
  ASSERT_EQ(result.outcome, CommitOutcome::kCommitted);
  RemoveFile(EntryName(0));
  RemoveFile(EntryName(1));
  EXPECT_EQ(FileCount(Table()), static_cast<size_t>(kFiles + 1));
}

// delta-read-03: an empty or damaged hint counts as absent.
TEST_F(DeltaTableTest, DeltaRead03UnusableHintsAreIgnored) {
  AppendUpTo(12);
  for (const char* hint : {"", "{", "[]", "{}", R"({"version":"10"})", R"({"version":-1})"}) {
    PutFile("_last_checkpoint", hint);
    EXPECT_EQ(FileCount(Table()), 12u) << hint;
  }
  RemoveFile("_last_checkpoint");
  EXPECT_EQ(FileCount(Table()), 12u);
}

// delta-read-04: a corrupt checkpoint is dropped; the log entries or an older one do.
TEST_F(DeltaTableTest, DeltaRead04CorruptCheckpointsAreSurvived) {
  AppendUpTo(21);
  for (const std::string& noise : {std::string(), std::string("noise"), std::string(5'000, 'n'),
                                   "PAR1" + std::string(100, '\0') + "PAR1"}) {
    PutFile(CheckpointName(20), noise);
    EXPECT_EQ(FileCount(Table()), 21u);
  }
  for (int64_t version = 0; version <= 10; ++version) {
    RemoveFile(EntryName(version));
  }
  EXPECT_EQ(FileCount(Table()), 21u);
  PutFile(CheckpointName(10), "noise");
  const Status status = Table()->Latest().status();
  EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData);
  EXPECT_THAT(status.message(), HasSubstr(EntryName(0) + " is missing"));
  EXPECT_THAT(status.message(), HasSubstr("checkpoint"));
}

TEST_F(DeltaTableTest, DeltaRead04TruncatedCheckpointsAreSurvived) {
  AppendUpTo(10);
  const std::string whole = ReadFile(CheckpointName(10));
  for (size_t size = 1; size < whole.size(); size += 97) {
    PutFile(CheckpointName(10), whole.substr(0, size));
    EXPECT_EQ(FileCount(Table()), 10u) << size;
  }
}

// delta-read-05: a hint that names a deleted checkpoint is no truth; gaps name the missing version.
TEST_F(DeltaTableTest, DeltaRead05HintsOfDeletedCheckpointsAreSurvived) {
  AppendUpTo(22);
  RemoveFile(CheckpointName(20));
  EXPECT_EQ(FileCount(Table()), 22u);
  PutFile("_last_checkpoint", R"({"version":500,"size":1})");
  EXPECT_EQ(FileCount(Table()), 22u);
  RemoveFile(CheckpointName(10));
  RemoveFile(EntryName(7));
  const Status status = Table()->Latest().status();
  EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData);
  EXPECT_THAT(status.message(), HasSubstr("00000000000000000007.json is missing"));
}

TEST_F(DeltaTableTest, MissingPartsMakeACheckpointInvisible) {
  AppendUpTo(10);
  const std::string whole = ReadFile(CheckpointName(10));
  RemoveFile(CheckpointName(10));
  PutFile("00000000000000000010.checkpoint.0000000001.0000000002.parquet", whole);
  EXPECT_EQ(FileCount(Table()), 10u);
  for (int64_t version = 0; version <= 10; ++version) {
    RemoveFile(EntryName(version));
  }
  EXPECT_EQ(KindOf(Table()->Latest().status()), ErrorKind::kNotFound);
  // Both parts hold everything here: replaying an action twice changes nothing.
  PutFile("00000000000000000010.checkpoint.0000000002.0000000002.parquet", whole);
  EXPECT_EQ(FileCount(Table()), 10u);
}

TEST_F(DeltaTableTest, OtherFilesOfTheLogAreIgnored) {
  AppendUpTo(3);
  PutFile("00000000000000000001.00000000000000000003.compacted.json", "junk");
  PutFile("00000000000000000003.crc", "junk");
  PutFile("00000000000000000004.json.tmp", "junk");
  PutFile(".00000000000000000004.json.crc", "junk");
  PutFile("_sidecars/x.parquet", "junk");
  PutFile("00000000000000000002.checkpoint.parquet.tmp", "junk");
  EXPECT_EQ(FileCount(Table()), 3u);
}

TEST_F(DeltaTableTest, DamagedEntriesAreNamed) {
  PutFirstEntry();
  PutEntry(1, {R"({"add":{"path":"a","siz)"});
  const Status status = Table()->Latest().status();
  EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData);
  EXPECT_THAT(status.message(),
              HasSubstr("memory://test/t: _delta_log/00000000000000000001.json line 1"));
  PutFile(EntryName(1), "");
  EXPECT_THAT(Table()->Latest().status().message(), HasSubstr("is empty"));
}

TEST_F(DeltaTableTest, ALogWithoutProtocolOrMetadataIsCorrupt) {
  PutEntry(0, {std::string(kProtocol)});
  EXPECT_THAT(Table()->Latest().status().message(), HasSubstr("no metaData"));
  PutEntry(0, {std::string(kMetadata)});
  EXPECT_THAT(Table()->Latest().status().message(), HasSubstr("no protocol"));
}

TEST_F(DeltaTableTest, OnlyTheNewestMetadataNeedsASchema) {
  PutEntry(0, {std::string(kProtocol), R"({"metaData":{"id":"m","partitionColumns":[]}})"});
  EXPECT_THAT(Table()->Latest().status().message(), HasSubstr("no schemaString"));
  PutEntry(1, {std::string(kMetadata)});
  EXPECT_EQ(FileCount(Table()), 0u);
}

// delta-read-13: metadata stays open whatever the features; only rows are refused.
TEST_F(DeltaTableTest, DeltaRead13FeaturesAreRefusedByNameForRowsOnly) {
  PutEntry(0,
           {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":)"
            R"(["futureFeature","v2Checkpoint"],"writerFeatures":["futureFeature","v2Checkpoint",)"
            R"("rowTracking"]}})",
            std::string(kMetadata), Add("a")});
  const auto table = Table();
  ASSERT_ASSIGN(const SnapshotPtr snapshot, table->Latest());
  EXPECT_EQ(snapshot->schema().ToString(), "[id: INT]");
  EXPECT_EQ(Paths(*snapshot).size(), 1u);
  const Status readable = snapshot->CheckReadable();
  EXPECT_EQ(KindOf(readable), ErrorKind::kUnsupported);
  EXPECT_THAT(readable.message(), HasSubstr("'futureFeature'"));
  EXPECT_THAT(readable.message(), Not(HasSubstr("v2Checkpoint")));
  const Status writable = snapshot->CheckWritable();
  EXPECT_THAT(writable.message(), HasSubstr("'futureFeature', 'rowTracking'"));
  EXPECT_EQ(PlanScan(*snapshot, root_, {}).status().message(), readable.message());
  ASSERT_ASSIGN(const CommitResult result, table->Append(AppendOf("b")));
  EXPECT_EQ(result.outcome, CommitOutcome::kConflict);
  EXPECT_THAT(result.detail, HasSubstr("futureFeature"));
}

TEST_F(DeltaTableTest, VersionsBeyondAnIntAreNotKnownOnes) {
  // Their lower 32 bits are 1 and 2.
  PutEntry(0, {R"({"protocol":{"minReaderVersion":4294967297,"minWriterVersion":4294967298}})",
               std::string(kMetadata)});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_THAT(snapshot->CheckReadable().message(), HasSubstr("reader version 2147483647"));
  EXPECT_THAT(snapshot->CheckWritable().message(), HasSubstr("writer version 2147483647"));
}

TEST_F(DeltaTableTest, FeaturesThatAreNotInUseDoNoHarm) {
  PutEntry(0, {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":)"
               R"(["columnMapping","deletionVectors","timestampNtz","vacuumProtocolCheck"],)"
               R"("writerFeatures":["columnMapping","deletionVectors","timestampNtz","appendOnly",)"
               R"("vacuumProtocolCheck","invariants","checkConstraints","generatedColumns",)"
               R"("changeDataFeed","identityColumns","domainMetadata"]}})",
               std::string(kMetadata)});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_STATUS_OK(snapshot->CheckReadable());
  EXPECT_STATUS_OK(snapshot->CheckWritable());
}

TEST_F(DeltaTableTest, FeaturesInUseAreRefusedByName) {
  struct Case {
    const char* protocol;
    const char* field_metadata;
    const char* configuration;
    const char* readable;
    const char* writable;
  };
  const Case cases[] = {
      {R"("minReaderVersion":1,"minWriterVersion":2)", R"(\"delta.invariants\":\"x\")", "", "",
       "invariants"},
      {R"("minReaderVersion":1,"minWriterVersion":1)", R"(\"delta.invariants\":\"x\")", "", "", ""},
      {R"("minReaderVersion":1,"minWriterVersion":3)", "", R"("delta.constraints.c":"id > 1")", "",
       "checkConstraints"},
      {R"("minReaderVersion":1,"minWriterVersion":4)", R"(\"delta.generationExpression\":\"1\")",
       "", "", "generatedColumns"},
      {R"("minReaderVersion":1,"minWriterVersion":6)", R"(\"delta.identity.start\":1)", "", "",
       "identityColumns"},
      {R"("minReaderVersion":2,"minWriterVersion":5)", "", R"("delta.columnMapping.mode":"name")",
       "columnMapping", "columnMapping"},
      {R"("minReaderVersion":2,"minWriterVersion":5)", "", R"("delta.columnMapping.mode":"none")",
       "", ""},
      {R"("minReaderVersion":1,"minWriterVersion":2)", "", R"("delta.appendOnly":"true")", "", ""},
      {R"("minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["allowColumnDefaults"])",
       R"(\"CURRENT_DEFAULT\":\"1\")", "", "", "allowColumnDefaults"},
      {R"("minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["inCommitTimestamp"])", "",
       R"("delta.enableInCommitTimestamps":"true")", "", "inCommitTimestamp"},
      {R"("minReaderVersion":99,"minWriterVersion":7)", "", "", "reader version 99", ""},
      {R"("minReaderVersion":1,"minWriterVersion":8)", "", "", "", "writer version 8"},
  };
  for (const Case& one : cases) {
    PutEntry(0,
             {std::string("{\"protocol\":{") + one.protocol + "}}",
              std::string(R"({"metaData":{"id":"m","schemaString":"{\"type\":\"struct\",)") +
                  R"(\"fields\":[{\"name\":\"id\",\"type\":\"integer\",\"nullable\":true,)" +
                  R"(\"metadata\":{)" + one.field_metadata +
                  R"(}}]}","partitionColumns":[],"configuration":{)" + one.configuration + "}}}"});
    ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
    const Status readable = snapshot->CheckReadable();
    EXPECT_EQ(readable.ok(), *one.readable == '\0') << one.protocol << readable.ToString();
    EXPECT_THAT(readable.message(), HasSubstr(one.readable));
    const Status writable = snapshot->CheckWritable();
    EXPECT_EQ(writable.ok(), *one.writable == '\0' && *one.readable == '\0')
        << one.protocol << writable.ToString();
    EXPECT_THAT(writable.message(), HasSubstr(one.writable));
  }
}

TEST_F(DeltaTableTest, IntervalsAreRead) {
  EXPECT_EQ(ParseInterval("interval 1 week"), 7 * 86'400'000LL);
  EXPECT_EQ(ParseInterval("interval 2 days 3 hours"), 2 * 86'400'000LL + 3 * 3'600'000LL);
  EXPECT_EQ(ParseInterval("0 seconds"), 0);
  EXPECT_EQ(ParseInterval("interval"), -1);
  EXPECT_EQ(ParseInterval("interval 1 month"), -1);
  EXPECT_EQ(ParseInterval("interval x days"), -1);
}

TEST_F(DeltaTableTest, OldTombstonesLeaveTheCheckpoint) {
  PutFirstEntry();
  const int64_t now_ms = clock_.NowMillis();
  const auto remove = [](const std::string& path, int64_t when) {
    return R"({"remove":{"path":")" + path + R"(","deletionTimestamp":)" + std::to_string(when) +
           R"(,"dataChange":true}})";
  };
  PutEntry(1, {remove("old", now_ms - 8 * 86'400'000LL), remove("young", now_ms - 1)});
  const auto table = Table();
  for (int i = 2; i <= 10; ++i) {
    ASSERT_ASSIGN(const CommitResult result, table->Append(AppendOf("f" + std::to_string(i))));
    ASSERT_EQ(result.outcome, CommitOutcome::kCommitted);
  }
  for (int64_t version = 0; version <= 10; ++version) {
    RemoveFile(EntryName(version));
  }
  ASSERT_ASSIGN(const std::vector<std::string> referenced,
                Table()->FindReferenced({"old", "young", "f2"}));
  EXPECT_THAT(referenced, ElementsAre("young", "f2"));
}

TEST_F(DeltaTableTest, FindsReferencedFilesInEveryVersion) {
  PutFirstEntry();
  PutEntry(1, {Add("dir%20x/live"), Add("removed")});
  PutEntry(2, {Remove("removed")});
  ASSERT_ASSIGN(const std::vector<std::string> referenced,
                Table()->FindReferenced({"orphan", "removed", "dir x/live"}));
  EXPECT_THAT(referenced, ElementsAre("removed", "dir x/live"));
  ASSERT_ASSIGN(const std::vector<std::string> none, Table()->FindReferenced({}));
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace lakeward::delta
