#include "lakeward/runtime/job.h"

#include <algorithm>
#include <set>

#include "arrow/array/builder_primitive.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/fs/faulty.h"
#include "lakeward/fs/memory.h"
#include "lakeward/runtime/job_fixture.h"
#include "support/status_matchers.h"

namespace lakeward::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kPatienceUs = 60'000'000;

/// A sequence that flows into a transactional table.
class JobTest : public ::testing::Test {
 protected:
  JobTest() {
    connector_->make_source = [this] { return std::make_unique<SequenceSource>(sequence_); };
    connector_->make_sink = [this] {
      return std::make_unique<TransactionalSink>(TransactionalTable(memory_));
    };
  }

  std::vector<plan::PhysicalNodePtr> CopyPlan() {
    PlanBuilder builder;
    return {builder.Sink(builder.Scan(connector_), connector_)};
  }

  Result<std::shared_ptr<Job>> Start(std::vector<plan::PhysicalNodePtr> roots,
                                     std::map<std::string, std::string> settings,
                                     std::string checkpoint_uri = "") {
    settings.emplace("parallelism.default", "2");
    return Job::Start(
        Describe(std::move(roots), sequence_.bounded, settings, std::move(checkpoint_uri)),
        engine_.context());
  }

  std::vector<std::string> ExpectedCopies() const {
    std::vector<std::string> rows;
    for (int64_t split = 0; split < sequence_.splits; ++split) {
      for (int64_t row = 0; row < sequence_.rows_per_split; ++row) {
        const int64_t id = split * 1'000'000 + row;
        rows.push_back(fmt::format("+I {} {} {}", id, SequenceKey(id), SequenceValue(id)));
      }
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  std::vector<std::string> SortedRows() const {
    auto rows = TransactionalTable(memory_).ReadRows();
    EXPECT_TRUE(rows.ok()) << rows.status().ToString();
    std::sort(rows->begin(), rows->end());
    return *rows;
  }

  size_t EntryCount() const { return TransactionalTable(memory_).ReadLog()->size(); }

  SequenceOptions sequence_;
  std::shared_ptr<TestConnector> connector_ = std::make_shared<TestConnector>();
  std::shared_ptr<fs::FileSystem> memory_ = fs::MakeMemoryFileSystem();
  TestEngine engine_{memory_};
};

TEST_F(JobTest, ValuesReachTheReader) {
  arrow::Int32Builder numbers;
  ASSERT_STATUS_OK(numbers.AppendValues({42, 43}));
  const types::RowSchema schema{{{"a", types::Int()}}};
  auto rows = arrow::RecordBatch::Make(types::ToArrowSchema(schema), 2, {*numbers.Finish()});
  PlanBuilder builder;
  ASSERT_ASSIGN(auto job, Start({builder.Collect(builder.Values(rows, schema))}, {}));
  ASSERT_ASSIGN(auto batch, job->results()->Next(kPatienceUs));
  ASSERT_TRUE(batch.has_value());
  EXPECT_TRUE(batch->records->Equals(*rows));
  ASSERT_ASSIGN(auto end, job->results()->Next(kPatienceUs));
  EXPECT_FALSE(end.has_value());
  EXPECT_EQ(job->status().state, JobState::kFinished);
  EXPECT_EQ(job->status().rows_in, 2);
  EXPECT_EQ(job->status().rows_out, 2);
}

TEST_F(JobTest, ABoundedJobCommitsOnceAtItsEnd) {
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}));
  ASSERT_STATUS_OK(job->Await());
  EXPECT_EQ(SortedRows(), ExpectedCopies());
  EXPECT_EQ(EntryCount(), 1U);
  EXPECT_EQ(job->status().last_checkpoint_id, 1);
}

TEST_F(JobTest, AnIntervalCommitsEachCheckpoint) {
  sequence_.idle_us = 200;
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {{"execution.checkpointing.interval", "5 ms"}}));
  ASSERT_STATUS_OK(job->Await());
  EXPECT_EQ(SortedRows(), ExpectedCopies());
  EXPECT_GT(EntryCount(), 1U);
}

TEST_F(JobTest, TheFirstFailureIsTheCause) {
  sequence_.fail_at_row = 123;
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}));
  const Status status = job->Await();
  EXPECT_EQ(status.message(), "source c.d.numbers, split part-1: row 123 cannot be read");
  EXPECT_EQ(job->status().state, JobState::kFailed);
  EXPECT_EQ(EntryCount(), 0U);
}

// Without checkpoints nobody could commit them later; an unknown outcome may still turn out well.
TEST_F(JobTest, FilesThatNobodyCanCommitAreRemoved) {
  for (const fs::Fault fault : {fs::Fault::kPermission, fs::Fault::kFailAfter}) {
    memory_ = fs::MakeMemoryFileSystem();
    auto faults = std::make_shared<fs::FaultPlan>();
    faults->Add({fs::Operation::kPut, "table/log", 1, 100, fault});
    connector_->make_sink = [faulty = fs::MakeFaultyFileSystem(memory_, faults)] {
      return std::make_unique<TransactionalSink>(TransactionalTable(faulty));
    };
    ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}));
    EXPECT_FALSE(job->Await().ok());
    ASSERT_ASSIGN(const auto orphans, TransactionalTable(memory_).FindOrphans());
    EXPECT_THAT(orphans, IsEmpty());
    EXPECT_EQ(EntryCount(), fault == fs::Fault::kPermission ? 0U : 1U);
  }
}

TEST_F(JobTest, CancellingFreesATaskThatWaitsForItsReader) {
  sequence_.rows_per_split = 100'000;
  PlanBuilder builder;
  ASSERT_ASSIGN(auto job, Start({builder.Collect(builder.Scan(connector_))}, {}));
  ASSERT_ASSIGN(auto batch, job->results()->Next(kPatienceUs));
  ASSERT_TRUE(batch.has_value());
  job->Cancel();
  ASSERT_TRUE(job->WaitForMicros(kPatienceUs));
  EXPECT_EQ(job->status().state, JobState::kCanceled);
  EXPECT_EQ(KindOf(job->Await()), ErrorKind::kCancelled);
}

TEST_F(JobTest, DestroyingAJobEndsIt) {
  sequence_.bounded = false;
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}));
  job.reset();
  EXPECT_EQ(EntryCount(), 0U);
}

TEST_F(JobTest, StoppingCommitsWhatWasReadAndGoesOnLater) {
  sequence_.bounded = false;
  sequence_.released = std::make_shared<std::atomic<bool>>(false);
  sequence_.pause_at_row = 100;
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}, "memory://s/stop"));
  while (job->status().rows_in < 400) {
    ASSERT_FALSE(job->WaitForMicros(1'000));
  }
  job->Stop();
  ASSERT_STATUS_OK(job->Await());
  EXPECT_EQ(job->status().state, JobState::kFinished);
  EXPECT_EQ(SortedRows().size(), 400U);

  sequence_.released->store(true);
  ASSERT_ASSIGN(job, Start(CopyPlan(), {}, "memory://s/stop"));
  EXPECT_TRUE(job->status().restored);
  while (job->status().rows_in < 1'600) {
    ASSERT_FALSE(job->WaitForMicros(1'000));
  }
  job->Stop();
  ASSERT_STATUS_OK(job->Await());
  EXPECT_EQ(SortedRows(), ExpectedCopies());
}

TEST_F(JobTest, StoppingABoundedJobCommitsNothingUntilItsEnd) {
  sequence_.released = std::make_shared<std::atomic<bool>>(false);
  sequence_.pause_at_row = 100;
  for (const char* folder : {"", "memory://s/stop"}) {
    ASSERT_ASSIGN(const auto job, Start(CopyPlan(), {}, folder));
    while (job->status().rows_in < 100) {
      ASSERT_FALSE(job->WaitForMicros(1'000));
    }
    job->Stop();
    ASSERT_TRUE(job->WaitForMicros(kPatienceUs));
    const bool is_durable = *folder != '\0';
    EXPECT_EQ(job->status().state, is_durable ? JobState::kFinished : JobState::kCanceled);
    EXPECT_EQ(job->status().stopped, is_durable);
    EXPECT_EQ(EntryCount(), 0U);
  }
  sequence_.released->store(true);
  ASSERT_ASSIGN(const auto job, Start(CopyPlan(), {}, "memory://s/stop"));
  EXPECT_TRUE(job->status().restored);
  ASSERT_STATUS_OK(job->Await());
  EXPECT_FALSE(job->status().stopped);
  EXPECT_EQ(SortedRows(), ExpectedCopies());
}

TEST_F(JobTest, AFinishedJobIsNotRunAgain) {
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}, "memory://s/once"));
  ASSERT_STATUS_OK(job->Await());
  ASSERT_ASSIGN(job, Start(CopyPlan(), {}, "memory://s/once"));
  EXPECT_EQ(job->status().state, JobState::kFinished);
  EXPECT_TRUE(job->status().restored);
  ASSERT_STATUS_OK(job->Await());
  EXPECT_EQ(SortedRows(), ExpectedCopies());
}

TEST_F(JobTest, AnotherStatementsFolderIsRefused) {
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}, "memory://s/mine"));
  ASSERT_STATUS_OK(job->Await());
  JobDescription other = Describe(CopyPlan(), true, {}, "memory://s/mine");
  other.name = "other";
  const auto started = Job::Start(std::move(other), engine_.context());
  ASSERT_FALSE(started.ok());
  EXPECT_THAT(started.status().message(), HasSubstr("belong to another statement"));
}

TEST_F(JobTest, ATableAheadOfItsCheckpointIsRefused) {
  sequence_.idle_us = 200;
  const std::map<std::string, std::string> settings{{"execution.checkpointing.interval", "5 ms"}};
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), settings, "memory://s/old"));
  while (job->status().completed_checkpoints < 2) {
    job->WaitForMicros(1'000);
  }
  job->Cancel();
  ASSERT_TRUE(job->WaitForMicros(kPatienceUs));
  // As if an older copy of the state directory had been put back: only its identity is left.
  ASSERT_ASSIGN(const auto files, memory_->List(""));
  for (const fs::FileInfo& file : files) {
    if (file.path.find("chk-") != std::string::npos) {
      ASSERT_STATUS_OK(memory_->Remove(file.path));
    }
  }
  const auto refused = Start(CopyPlan(), settings, "memory://s/old");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.status().message(), HasSubstr("table c.d.copy already shows checkpoint"));
  ASSERT_ASSIGN(job, Start(CopyPlan(),
                           {{"execution.checkpointing.interval", "5 ms"},
                            {"execution.restore.table-ahead", "accept-duplicates"}},
                           "memory://s/old"));
  ASSERT_STATUS_OK(job->Await());
  EXPECT_GE(SortedRows().size(), ExpectedCopies().size());
}

TEST_F(JobTest, SinkParallelismAndDistributionAddAnExchange) {
  connector_->sink_parallelism = 3;
  connector_->distribution = {1};
  ASSERT_ASSIGN(auto job, Start(CopyPlan(), {}));
  ASSERT_STATUS_OK(job->Await());
  EXPECT_EQ(SortedRows(), ExpectedCopies());
  ASSERT_ASSIGN(const auto log, TransactionalTable(memory_).ReadLog());
  ASSERT_EQ(log.size(), 1U);
  EXPECT_EQ(log[0].files.size(), 3U);
}

TEST_F(JobTest, UnionAllKeepsEveryRow) {
  sequence_.idle_us = 100;
  PlanBuilder builder;
  auto both = builder.Union({builder.Scan(connector_), builder.Scan(connector_)});
  ASSERT_ASSIGN(auto job, Start({builder.Sink(both, connector_)},
                                {{"execution.checkpointing.interval", "2 ms"}}));
  ASSERT_STATUS_OK(job->Await());
  std::vector<std::string> expected = ExpectedCopies();
  const std::vector<std::string> once = expected;
  expected.insert(expected.end(), once.begin(), once.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(SortedRows(), expected);
}

}  // namespace
}  // namespace lakeward::runtime
