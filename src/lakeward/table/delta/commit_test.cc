#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/table/delta/log_entry_fixture.h"

namespace lakeward::delta {
namespace {

using table::CommitOutcome;
using table::CommitResult;
using ::testing::HasSubstr;

class CommitTest : public LogEntryFixture {
 protected:
  /// Two INSERTs' worth of marked commits differ in `path`.
  static AppendCommit Marked(const std::string& path, int64_t checkpoint_id) {
    AppendCommit commit = AppendOf(path);
    commit.mark = table::SinkMark{"sink", checkpoint_id};
    return commit;
  }
};

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
