#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/json/json.h"
#include "lakeward/table/delta/log_fixture.h"

namespace lakeward::delta {
namespace {

using table::CommitOutcome;
using table::CommitResult;
using ::testing::HasSubstr;

class CommitTest : public LogFixture {
 protected:
  std::vector<json::Json> Lines(int64_t version) {
    std::vector<json::Json> lines;
    std::istringstream text(ReadFile(EntryName(version)));
    std::string line;
    while (std::getline(text, line)) {
      const Result<json::Json> parsed = json::Parse(line, "line");
      EXPECT_TRUE(parsed.ok()) << line;
      lines.push_back(parsed.ok() ? *parsed : json::Json());
    }
    return lines;
  }

  static CreateTableSpec SpecOf(std::vector<types::Column> columns) {
    CreateTableSpec spec;
    spec.schema.columns = std::move(columns);
    return spec;
  }

  /// Two INSERTs' worth of marked commits differ in `path`.
  static AppendCommit Marked(const std::string& path, int64_t checkpoint_id) {
    AppendCommit commit = AppendOf(path);
    commit.mark = table::SinkMark{"sink", checkpoint_id};
    return commit;
  }

  Status CreateStatus(const CreateTableSpec& spec) { return Table()->CreateOrCheck(spec).status(); }
};

TEST_F(CommitTest, CreatesEntryZeroAsTheFlinkConnectorDoes) {
  ASSERT_ASSIGN(const SnapshotPtr snapshot,
                Table()->CreateOrCheck(SpecOf({{"c1", types::VarChar(1)}, {"c2", types::Int()}})));
  EXPECT_EQ(snapshot->version(), 0);
  const std::vector<json::Json> lines = Lines(0);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0]["commitInfo"]["operation"], "CREATE TABLE");
  EXPECT_EQ(json::Write(lines[1]), R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})");
  const json::Json& metadata = lines[2]["metaData"];
  EXPECT_EQ(metadata["schemaString"],
            R"({"type":"struct","fields":[{"name":"c1","type":"string","nullable":true,)"
            R"("metadata":{}},{"name":"c2","type":"integer","nullable":true,"metadata":{}}]})");
  EXPECT_EQ(json::Write(metadata["format"]), R"({"provider":"parquet","options":{}})");
  EXPECT_EQ(json::Write(metadata["partitionColumns"]), "[]");
  EXPECT_EQ(json::Write(metadata["configuration"]), "{}");
  EXPECT_EQ(metadata["createdTime"], clock_.NowMillis());
}

TEST_F(CommitTest, TimestampNtzRaisesTheProtocol) {
  CreateTableSpec spec = SpecOf({{"t", types::Timestamp(6)}, {"n", types::Int(false)}});
  spec.configuration = {{"delta.feature.timestampNtz", "supported"}, {"delta.appendOnly", "true"}};
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->CreateOrCheck(spec));
  EXPECT_EQ(json::Write(Lines(0)[1]),
            R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":)"
            R"(["timestampNtz"],"writerFeatures":["appendOnly","timestampNtz"]}})");
  EXPECT_EQ(snapshot->schema().ToString(), "[t: TIMESTAMP(6), n: INT NOT NULL]");
  EXPECT_EQ(snapshot->metadata().configuration,
            (std::map<std::string, std::string>{{"delta.appendOnly", "true"}}));
  EXPECT_STATUS_OK(CreateStatus(spec));
}

TEST_F(CommitTest, RefusesTablesThatCannotBe) {
  EXPECT_EQ(KindOf(CreateStatus(SpecOf({}))), ErrorKind::kValidation);
  EXPECT_THAT(CreateStatus(SpecOf({{"t", types::Time()}})).message(), HasSubstr("`t`"));
  EXPECT_THAT(CreateStatus(SpecOf({{"a b", types::Int()}})).message(), HasSubstr("columnMapping"));
  EXPECT_EQ(KindOf(CreateStatus(SpecOf({{"a", types::Int()}, {"A", types::Int()}}))),
            ErrorKind::kValidation);
  CreateTableSpec spec = SpecOf({{"a", types::Int()}, {"r", types::Array(types::Int())}});
  spec.partition_columns = {"nope"};
  EXPECT_THAT(CreateStatus(spec).message(), HasSubstr("`nope`"));
  spec.partition_columns = {"r"};
  EXPECT_EQ(KindOf(CreateStatus(spec)), ErrorKind::kUnsupported);
  spec.partition_columns = {"a", "r"};
  EXPECT_FALSE(CreateStatus(spec).ok());
  spec.partition_columns = {};
  spec.configuration = {{"delta.enableDeletionVectors", "true"}};
  EXPECT_THAT(CreateStatus(spec).message(), HasSubstr("deletionVectors"));
  spec.configuration = {{"delta.feature.rowTracking", "supported"}};
  EXPECT_THAT(CreateStatus(spec).message(), HasSubstr("rowTracking"));
  EXPECT_FALSE(HasFile(EntryName(0)));
}

TEST_F(CommitTest, ComparesWithATableThatIsThere) {
  CreateTableSpec spec = SpecOf({{"a", types::Int()}, {"p", types::String()}});
  spec.partition_columns = {"p"};
  spec.configuration = {{"delta.checkpointInterval", "5"}};
  ASSERT_STATUS_OK(CreateStatus(spec));
  EXPECT_STATUS_OK(CreateStatus(spec));
  EXPECT_STATUS_OK(CreateStatus(CreateTableSpec{}));
  const auto difference = [&](const std::function<void(CreateTableSpec*)>& change) {
    CreateTableSpec other = spec;
    change(&other);
    const Status status = CreateStatus(other);
    EXPECT_EQ(KindOf(status), ErrorKind::kValidation);
    return status.message();
  };
  EXPECT_THAT(difference([](auto* s) { s->schema.columns[0].type = types::BigInt(); }),
              HasSubstr("its column `a` has the type INT, not BIGINT"));
  EXPECT_THAT(difference([](auto* s) { s->schema.columns[0].name = "b"; }),
              HasSubstr("its column 1 is `a`, not `b`"));
  EXPECT_THAT(difference([](auto* s) { s->schema.columns[0].type = types::Int(false); }),
              HasSubstr("its column `a` is nullable, not NOT NULL"));
  EXPECT_THAT(difference([](auto* s) {
                s->schema.columns.push_back({"x", types::Int()});
              }),
              HasSubstr("it has no column `x`"));
  EXPECT_THAT(difference([](auto* s) { s->schema.columns.pop_back(); }),
              HasSubstr("it has a further column `p` STRING"));
  EXPECT_THAT(difference([](auto* s) { s->partition_columns = {}; }),
              HasSubstr("it is partitioned by (p), not by ()"));
  EXPECT_THAT(difference([](auto* s) { s->configuration["delta.checkpointInterval"] = "6"; }),
              HasSubstr("'delta.checkpointInterval' is '5', not '6'"));
  EXPECT_THAT(difference([](auto* s) { s->configuration["delta.appendOnly"] = "true"; }),
              HasSubstr("'delta.appendOnly' is not set"));
}

TEST_F(CommitTest, ConcurrentCreatorsAgree) {
  const CreateTableSpec spec = SpecOf({{"a", types::Int()}});
  // Another creator wins between the look and the put.
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kShortList, 1'000});
  ASSERT_STATUS_OK(CreateStatus(spec));
  const std::string first = ReadFile(EntryName(0));
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kShortList, 1'000});
  EXPECT_STATUS_OK(CreateStatus(spec));
  EXPECT_EQ(ReadFile(EntryName(0)), first);
}

TEST_F(CommitTest, AppendWritesOneEntry) {
  PutFirstEntry();
  AppendCommit commit = Marked("dir/a b.parquet", 7);
  commit.operation_parameters = {{"note", "x"}};
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(commit));
  EXPECT_EQ(result.outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(result.version, 1);
  EXPECT_EQ(result.attempts, 1);
  const std::vector<json::Json> lines = Lines(1);
  ASSERT_EQ(lines.size(), 3u);
  const json::Json& info = lines[0]["commitInfo"];
  EXPECT_EQ(info["operation"], "STREAMING UPDATE");
  EXPECT_EQ(json::Write(info["operationParameters"]),
            R"({"mode":"Append","partitionBy":"[]","note":"x"})");
  EXPECT_EQ(info["isBlindAppend"], true);
  EXPECT_EQ(info["engineInfo"], "lakeward/0.1.0");
  EXPECT_EQ(info["timestamp"], clock_.NowMillis());
  EXPECT_EQ(json::Write(lines[1]),
            R"({"txn":{"appId":"sink","version":7,"lastUpdated":1700000000000}})");
  EXPECT_EQ(lines[2]["add"]["path"], "dir/a%20b.parquet");
}

TEST_F(CommitTest, TheMarkDecidesWhatIsCommitted) {
  PutFirstEntry();
  const auto table = Table();
  ASSERT_ASSIGN(const CommitResult first, table->Append(Marked("a", 3)));
  EXPECT_EQ(first.outcome, CommitOutcome::kCommitted);
  for (const int64_t checkpoint_id : {1, 2, 3}) {
    ASSERT_ASSIGN(const CommitResult again, Table()->Append(Marked("b", checkpoint_id)));
    EXPECT_EQ(again.outcome, CommitOutcome::kAlreadyCommitted);
    EXPECT_EQ(again.version.has_value(), checkpoint_id == 3);
  }
  ASSERT_ASSIGN(const CommitResult next, table->Append(Marked("c", 4)));
  EXPECT_EQ(next.outcome, CommitOutcome::kCommitted);
  AppendCommit other = Marked("d", 1);
  other.mark->sink_id = "other sink";
  ASSERT_ASSIGN(const CommitResult foreign, table->Append(other));
  EXPECT_EQ(foreign.outcome, CommitOutcome::kCommitted);
}

// delta-write-06: concurrent appends never conflict and never lose.
TEST_F(CommitTest, DeltaWrite06ConcurrentAppendsAllArrive) {
  PutFirstEntry();
  constexpr int kWriters = 4;
  constexpr int kCommits = 25;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([this, writer] {
      const auto table = DeltaTable::At(root_, SystemClock(), SystemRandom());
      for (int i = 0; i < kCommits; ++i) {
        const auto result =
            table->Append(AppendOf("w" + std::to_string(writer) + "-" + std::to_string(i)));
        ASSERT_TRUE(result.ok()) << result.status().ToString();
        ASSERT_EQ(result->outcome, CommitOutcome::kCommitted) << result->detail;
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_EQ(snapshot->version(), kWriters * kCommits);
  EXPECT_EQ(Paths(*snapshot).size(), static_cast<size_t>(kWriters * kCommits));
}

TEST_F(CommitTest, SchemaChangesConflict) {
  PutFirstEntry();
  const auto conflict = [&](types::RowSchema schema, std::vector<std::string> partitions = {}) {
    AppendCommit commit = AppendOf("x");
    for (const std::string& column : partitions) {
      commit.files[0].partition_values[column] = "1";
    }
    commit.written_schema = std::move(schema);
    commit.written_partition_columns = std::move(partitions);
    const auto result = Table()->Append(commit);
    EXPECT_TRUE(result.ok()) << result.status().ToString();
    EXPECT_EQ(result->outcome, CommitOutcome::kConflict);
    return result->detail;
  };
  EXPECT_THAT(conflict({{{"id", types::Int()}, {"gone", types::Int()}}}),
              HasSubstr("`gone` was dropped or renamed"));
  EXPECT_THAT(conflict({{{"id", types::BigInt()}}}), HasSubstr("`id` is now INT"));
  EXPECT_THAT(conflict({{{"id", types::Int()}}}, {"id"}), HasSubstr("partitioned by ()"));
  EXPECT_FALSE(HasFile(EntryName(1)));
  // A column that came meanwhile is read as null.
  AppendCommit fewer = AppendOf("x");
  fewer.written_schema = {};
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(fewer));
  EXPECT_EQ(result.outcome, CommitOutcome::kCommitted);
}

TEST_F(CommitTest, AProtocolUpgradeBetweenTwoCommitsConflicts) {
  PutFirstEntry();
  const auto table = Table();
  ASSERT_ASSIGN(const CommitResult first, table->Append(AppendOf("a")));
  ASSERT_EQ(first.outcome, CommitOutcome::kCommitted);
  PutEntry(2, {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[],)"
               R"("writerFeatures":["rowTracking"]}})"});
  ASSERT_ASSIGN(const CommitResult second, table->Append(AppendOf("b")));
  EXPECT_EQ(second.outcome, CommitOutcome::kConflict);
  EXPECT_THAT(second.detail, HasSubstr("rowTracking"));
}

TEST_F(CommitTest, ALostAnswerIsResolvedByAskingAgain) {
  PutFirstEntry();
  faults_->Add({fs::Operation::kPut, EntryName(1), 1, 1, fs::Fault::kFailAfter});
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(AppendOf("a")));
  EXPECT_EQ(result.outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(result.version, 1);
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_EQ(snapshot->version(), 1);
}

TEST_F(CommitTest, ALostPutIsRepeated) {
  PutFirstEntry();
  faults_->Add({fs::Operation::kPut, EntryName(1), 1, 3, fs::Fault::kFail});
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(AppendOf("a")));
  EXPECT_EQ(result.outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(result.version, 1);
}

TEST_F(CommitTest, AnAnswerThatNobodyGivesIsUnknown) {
  PutFirstEntry();
  faults_->Add({fs::Operation::kPut, EntryName(1), 1, 1'000, fs::Fault::kFailAfter});
  faults_->Add({fs::Operation::kOpenInput, EntryName(1), 1, 1'000, fs::Fault::kFail});
  ASSERT_ASSIGN(const CommitResult result, Table()->Append(Marked("a", 1)));
  EXPECT_EQ(result.outcome, CommitOutcome::kUnknown);
  EXPECT_THAT(result.detail, HasSubstr("could not be found out"));
  faults_->Clear();
  // The next attempt reads the table.
  ASSERT_ASSIGN(const CommitResult again, Table()->Append(Marked("a", 1)));
  EXPECT_EQ(again.outcome, CommitOutcome::kAlreadyCommitted);
}

TEST_F(CommitTest, AFullDiskIsAnErrorAndNotADoubt) {
  PutFirstEntry();
  faults_->Add({fs::Operation::kPut, EntryName(1), 1, 1'000, fs::Fault::kDiskFull});
  const Status status = Table()->Append(AppendOf("a")).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kIo);
  EXPECT_THAT(status.message(), HasSubstr("No space left on device"));
  EXPECT_FALSE(HasFile(EntryName(1)));
}

TEST_F(CommitTest, ARefusalBeforeAnythingWasWrittenIsAnError) {
  PutFirstEntry();
  faults_->Add({fs::Operation::kPut, EntryName(1), 1, 1, fs::Fault::kPermission});
  EXPECT_EQ(KindOf(Table()->Append(AppendOf("a")).status()), ErrorKind::kPermission);
  EXPECT_FALSE(HasFile(EntryName(1)));
}

TEST_F(CommitTest, AnotherWritersEntryMovesOursOn) {
  PutFirstEntry();
  const auto table = Table();
  ASSERT_ASSIGN(const SnapshotPtr base, table->Latest());
  // The listing does not show the other writer's entry yet.
  PutEntry(1, {Add("theirs")});
  faults_->Add({fs::Operation::kList, "_delta_log", 1, 1, fs::Fault::kShortList, 1});
  ASSERT_ASSIGN(const CommitResult result, table->Append(AppendOf("ours")));
  EXPECT_EQ(result.outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(result.version, 2);
  EXPECT_EQ(result.attempts, 2);
}

TEST_F(CommitTest, ACheckpointThatFailsDoesNotHurtTheCommit) {
  PutFirstEntry();
  const auto table = Table();
  faults_->Add({fs::Operation::kOpenOutput, "checkpoint", 1, 1'000, fs::Fault::kDiskFull});
  for (int i = 1; i <= 11; ++i) {
    ASSERT_ASSIGN(const CommitResult result, table->Append(AppendOf("f" + std::to_string(i))));
    EXPECT_EQ(result.outcome, CommitOutcome::kCommitted);
  }
  EXPECT_FALSE(HasFile(CheckpointName(10)));
  EXPECT_FALSE(HasFile("_last_checkpoint"));
}

TEST_F(CommitTest, FilesNeedTheirPartitionValues) {
  PutFirstEntry();
  AppendCommit commit = AppendOf("a");
  commit.written_partition_columns = {"p"};
  EXPECT_EQ(KindOf(Table()->Append(commit).status()), ErrorKind::kInternal);
}

}  // namespace
}  // namespace lakeward::delta
