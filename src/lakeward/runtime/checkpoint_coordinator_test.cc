#include "lakeward/runtime/checkpoint_coordinator.h"

#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/executor.h"
#include "lakeward/fs/memory.h"
#include "lakeward/runtime/job_fixture.h"
#include "support/status_matchers.h"

namespace lakeward::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Outcome = CheckpointCoordinator::Outcome;

/// Remembers what it was asked to commit: "<checkpoint>: a b".
class RecordingCommitter final : public stream::Committer {
 public:
  explicit RecordingCommitter(std::vector<std::string>* commits) : commits_(commits) {}
  Status Commit(const stream::CommitRequest& request) override {
    std::string text = fmt::format("{}:", request.checkpoint_id);
    for (const stream::Committable& committable : request.committables) {
      text += " " + committable.payload;
    }
    commits_->push_back(std::move(text));
    return Status::OK();
  }
  Result<int64_t> CommittedCheckpoint(const std::string& sink_id) override { return 0; }

 private:
  std::vector<std::string>* const commits_;
};

/// Two tasks: 0 reads source "s" and sends to 1, which writes sink "w". The test plays both.
class CheckpointCoordinatorTest : public ::testing::Test {
 protected:
  CheckpointCoordinator::Parts MakeParts() {
    CheckpointCoordinator::Parts parts;
    parts.plan.interval_us = 1'000;
    parts.plan.timeout_us = 60'000'000;
    parts.tasks = {{"s", "", {"calc"}, &control_}, {"", "w", {"aggregate"}, nullptr}};
    parts.sinks = {{"w", "sink-id", std::make_shared<RecordingCommitter>(&commits_)}};
    parts.sources = {{"s", {{"p0", "", ""}, {"p1", "", ""}, {"p2", "", ""}}, {}, {}}};
    parts.store = store_.get();
    parts.clock = SystemClock();
    return parts;
  }

  void SetUp() override {
    ASSERT_ASSIGN(store_, CheckpointStore::Open("memory://s/c", *engine_.context()->file_systems,
                                                {}, "attempt"));
  }

  void Run(CheckpointCoordinator::Parts parts) {
    coordinator_.emplace(std::move(parts), [](const Status& cause) {});
    thread_ = Thread("coordinator", [this] { outcome_ = coordinator_->Run(); });
  }

  /// Waits for a checkpoint newer than `seen` to be asked for.
  int64_t AwaitRequest(int64_t seen) {
    control_.WaitForNews(seen, 60'000'000);
    return control_.Current().checkpoint_id;
  }

  void AwaitCompleted(int64_t count) {
    while (coordinator_->progress().completed < count) {
      SystemClock()->SleepForMicros(100);
    }
  }

  void AnswerAsSource(int64_t checkpoint_id, SourceProgress progress) {
    TaskReport report;
    report.task = 0;
    report.checkpoint_id = checkpoint_id;
    report.progress = std::move(progress);
    coordinator_->OnSnapshot(std::move(report));
  }

  static TaskReport WriterReport(int64_t checkpoint_id, const std::string& committable) {
    TaskReport report;
    report.task = 1;
    report.checkpoint_id = checkpoint_id;
    report.committables = {{committable}};
    return report;
  }

  void FinishAsSource(SourceProgress progress) {
    TaskReport report;
    report.task = 0;
    report.progress = std::move(progress);
    coordinator_->OnFinished(std::move(report));
  }

  TestEngine engine_{fs::MakeMemoryFileSystem()};
  std::unique_ptr<CheckpointStore> store_;
  SourceControl control_;
  std::vector<std::string> commits_;
  std::optional<CheckpointCoordinator> coordinator_;
  Result<Outcome> outcome_ = Outcome::kInterrupted;
  Thread thread_;
};

TEST_F(CheckpointCoordinatorTest, CommitsEachCheckpointAndRemembersPositions) {
  Run(MakeParts());
  const int64_t n = AwaitRequest(0);
  AnswerAsSource(n, {{"p0"}, {{"p1", "", "7"}}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  AwaitCompleted(1);
  ASSERT_ASSIGN(const CheckpointMetadata metadata, store_->Read(n));
  EXPECT_FALSE(metadata.finished);
  EXPECT_TRUE(metadata.commit);
  const std::vector<stream::Split> unread = metadata.sources[0].Unread();
  ASSERT_EQ(unread.size(), 2U);
  EXPECT_EQ(unread[0].position, "7");
  EXPECT_EQ(unread[1].id, "p2");
  coordinator_->Interrupt();
  thread_.Join();
  EXPECT_THAT(commits_, ElementsAre("1: a"));
}

TEST_F(CheckpointCoordinatorTest, WhatATaskDidAfterItsAnswerJoinsTheNextCheckpoint) {
  Run(MakeParts());
  const int64_t n = AwaitRequest(0);
  coordinator_->OnSnapshot(WriterReport(n, "before"));
  coordinator_->OnFinished(WriterReport(0, "after"));
  AnswerAsSource(n, {{}, {{"p0", "", "1"}}});
  AwaitCompleted(1);
  ASSERT_ASSIGN(CheckpointMetadata metadata, store_->Read(n));
  EXPECT_THAT(metadata.finished_operators, IsEmpty());
  const int64_t next = AwaitRequest(n);
  AnswerAsSource(next, {{"p0"}, {}});
  AwaitCompleted(2);
  ASSERT_ASSIGN(metadata, store_->Read(next));
  EXPECT_THAT(metadata.finished_operators, ElementsAre("aggregate"));
  coordinator_->Interrupt();
  thread_.Join();
  EXPECT_THAT(commits_, ElementsAre("1: before", "2: after"));
}

TEST_F(CheckpointCoordinatorTest, ATaskThatFinishedWithoutAnsweringCountsWithItsEnd) {
  Run(MakeParts());
  const int64_t n = AwaitRequest(0);
  FinishAsSource({{"p0", "p1", "p2"}, {}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  AwaitCompleted(1);
  ASSERT_ASSIGN(const CheckpointMetadata metadata, store_->Read(n));
  EXPECT_THAT(metadata.sources[0].Unread(), IsEmpty());
  EXPECT_THAT(metadata.finished_operators, ElementsAre("calc"));
  coordinator_->OnFinished(WriterReport(0, "b"));
  thread_.Join();
  ASSERT_ASSIGN(const Outcome outcome, outcome_);
  EXPECT_EQ(outcome, Outcome::kFinished);
  EXPECT_THAT(commits_, ElementsAre("1: a", "2: b"));
}

TEST_F(CheckpointCoordinatorTest, TheFinalCheckpointTakesTheNumberOfTheOneInFlight) {
  Run(MakeParts());
  const int64_t n = AwaitRequest(0);
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  coordinator_->OnFinished(WriterReport(0, "b"));
  FinishAsSource({{"p0", "p1", "p2"}, {}});
  thread_.Join();
  // Whether the last two came before or after the checkpoint was complete: every row once.
  std::string all;
  for (const std::string& commit : commits_) {
    all += commit.substr(2);
  }
  EXPECT_EQ(all, " a b");
  ASSERT_ASSIGN(const CheckpointListing listing, store_->List());
  ASSERT_ASSIGN(const CheckpointMetadata last, store_->Read(listing.with_metadata.back()));
  EXPECT_TRUE(last.finished);
}

TEST_F(CheckpointCoordinatorTest, ACheckpointThatTakesTooLongIsSealedAndItsRowsJoinTheNext) {
  CheckpointCoordinator::Parts parts = MakeParts();
  parts.plan.timeout_us = 2'000;
  parts.plan.retained = 5;
  Run(std::move(parts));
  const int64_t given_up = AwaitRequest(0);
  coordinator_->OnSnapshot(WriterReport(given_up, "early"));
  int64_t n = AwaitRequest(given_up);
  // The answer to the one that was given up comes late.
  coordinator_->OnSnapshot(WriterReport(given_up, "late"));
  while (coordinator_->progress().completed == 0) {
    AnswerAsSource(n, {{}, {}});
    TaskReport report;
    report.task = 1;
    report.checkpoint_id = n;
    coordinator_->OnSnapshot(std::move(report));
    SystemClock()->SleepForMicros(200);
    n = control_.Current().checkpoint_id;
  }
  coordinator_->Interrupt();
  thread_.Join();
  ASSERT_FALSE(commits_.empty());
  EXPECT_EQ(commits_[0].substr(commits_[0].find(':')), ": early late");
  ASSERT_ASSIGN(const CheckpointMetadata sealed, store_->Read(given_up));
  EXPECT_TRUE(sealed.sealed);
}

TEST_F(CheckpointCoordinatorTest, DeferredCommitsPileUpUntilTheEnd) {
  CheckpointCoordinator::Parts parts = MakeParts();
  parts.plan.commits_each = false;
  parts.pending["w"] = {{"restored"}};
  Run(std::move(parts));
  const int64_t n = AwaitRequest(0);
  AnswerAsSource(n, {{"p0"}, {}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  AwaitCompleted(1);
  ASSERT_ASSIGN(const CheckpointMetadata metadata, store_->Read(n));
  EXPECT_FALSE(metadata.commit);
  ASSERT_EQ(metadata.sinks.size(), 1U);
  EXPECT_EQ(metadata.sinks[0].request.committables.size(), 2U);
  FinishAsSource({{"p0", "p1", "p2"}, {}});
  coordinator_->OnFinished(WriterReport(0, "b"));
  thread_.Join();
  ASSERT_EQ(commits_.size(), 1U);
  EXPECT_EQ(commits_[0].substr(commits_[0].find(':')), ": restored a b");
}

TEST_F(CheckpointCoordinatorTest, ARivalsCheckpointStopsTheJobBeforeItCommits) {
  Run(MakeParts());
  const int64_t n = AwaitRequest(0);
  CheckpointMetadata rival;
  rival.checkpoint_id = n;
  rival.attempt_id = "rival";
  ASSERT_STATUS_OK(store_->PutMetadata(rival));
  AnswerAsSource(n, {{}, {}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  thread_.Join();
  ASSERT_FALSE(outcome_.ok());
  EXPECT_EQ(KindOf(outcome_.status()), ErrorKind::kAlreadyExists);
  EXPECT_THAT(commits_, IsEmpty());
}

TEST_F(CheckpointCoordinatorTest, ASleeperWhoseNumberWasDeletedMeanwhileCommitsNothing) {
  Run(MakeParts());
  const int64_t n = AwaitRequest(0);
  CheckpointMetadata rival;
  rival.checkpoint_id = n + 40;
  rival.attempt_id = "rival";
  ASSERT_STATUS_OK(store_->PutMetadata(rival));
  AnswerAsSource(n, {{}, {}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  thread_.Join();
  ASSERT_FALSE(outcome_.ok());
  EXPECT_THAT(commits_, IsEmpty());
}

TEST_F(CheckpointCoordinatorTest, AStopCommitsAndIsNoEnd) {
  CheckpointCoordinator::Parts parts = MakeParts();
  parts.plan.interval_us = 0;
  Run(std::move(parts));
  coordinator_->RequestStop();
  const int64_t n = AwaitRequest(0);
  EXPECT_TRUE(control_.Current().stop);
  AnswerAsSource(n, {{}, {{"p0", "", "3"}}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  thread_.Join();
  ASSERT_ASSIGN(const Outcome outcome, outcome_);
  EXPECT_EQ(outcome, Outcome::kStopped);
  EXPECT_THAT(commits_, ElementsAre("1: a"));
  ASSERT_ASSIGN(const CheckpointMetadata metadata, store_->Read(n));
  EXPECT_FALSE(metadata.finished);
  EXPECT_TRUE(metadata.commit);
}

TEST_F(CheckpointCoordinatorTest, AStopOfAJobThatCommitsAtItsEndCommitsNothing) {
  CheckpointCoordinator::Parts parts = MakeParts();
  parts.plan.interval_us = 0;
  parts.plan.commits_each = false;
  Run(std::move(parts));
  coordinator_->RequestStop();
  const int64_t n = AwaitRequest(0);
  AnswerAsSource(n, {{}, {{"p0", "", "3"}}});
  coordinator_->OnSnapshot(WriterReport(n, "a"));
  thread_.Join();
  ASSERT_ASSIGN(const Outcome outcome, outcome_);
  EXPECT_EQ(outcome, Outcome::kStopped);
  EXPECT_THAT(commits_, IsEmpty());
  ASSERT_ASSIGN(const CheckpointMetadata metadata, store_->Read(n));
  EXPECT_FALSE(metadata.finished);
  EXPECT_FALSE(metadata.commit);
}

}  // namespace
}  // namespace lakeward::runtime
