// Kills a job at every single call on storage, restores it and compares the table with the model.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "gtest/gtest.h"
#include "lakeward/base/log.h"
#include "lakeward/fs/faulty.h"
#include "lakeward/fs/memory.h"
#include "lakeward/runtime/job_fixture.h"
#include "support/status_matchers.h"

namespace lakeward::runtime {
namespace {

constexpr int64_t kForEver = std::numeric_limits<int64_t>::max();
constexpr int64_t kPatienceUs = 60'000'000;
constexpr char kFolder[] = "memory://s/state";

/// Whether the sink's rows are the source's or a changelog of counts and sums by key.
enum class Shape { kCopy, kAggregate };

struct Scenario {
  Shape shape = Shape::kCopy;
  bool commits_each = true;
  SequenceOptions sequence;
};

class ExactlyOnceTest : public ::testing::Test {
 protected:
  // Old checkpoints that a dead storage does not let go are only worth a warning, many times.
  void SetUp() override { SetLogLevel(LogLevel::kError); }
  void TearDown() override { SetLogLevel(LogLevel::kWarn); }

  Result<std::shared_ptr<Job>> Start(const Scenario& scenario,
                                     const std::shared_ptr<fs::FileSystem>& file_system,
                                     int64_t parallelism) {
    auto connector = std::make_shared<TestConnector>();
    connector->make_source = [scenario] {
      return std::make_unique<SequenceSource>(scenario.sequence);
    };
    connector->make_sink = [file_system] {
      return std::make_unique<TransactionalSink>(TransactionalTable(file_system));
    };
    engines_.push_back(std::make_unique<TestEngine>(file_system));
    PlanBuilder builder;
    plan::PhysicalNodePtr rows = builder.Scan(connector);
    if (scenario.shape == Shape::kAggregate) {
      rows = builder.CountAndSum(rows, plan::AggregateEmission::kChangelog);
    } else {
      rows = builder.Exchange(rows, plan::Distribution::kHash, {1});
    }
    std::map<std::string, std::string> settings{
        {"parallelism.default", std::to_string(parallelism)},
        {"execution.buffer-timeout.interval", "0"}};
    if (scenario.commits_each) {
      settings["execution.checkpointing.interval"] = "3 ms";
    }
    return Job::Start(Describe({builder.Sink(rows, connector)}, true, settings, kFolder),
                      engines_.back()->context());
  }

  /// Runs the job on a storage of which every call from the `calls`-th on fails, as if the process
  /// had died there. True when it came to its end before that.
  bool RunUntilCall(const Scenario& scenario, const std::shared_ptr<fs::FileSystem>& storage,
                    int64_t calls, int64_t parallelism, fs::Fault first_fault) {
    auto plan = std::make_shared<fs::FaultPlan>(
        std::vector<fs::FaultRule>{{fs::Operation::kAny, "", calls, calls, first_fault},
                                   {fs::Operation::kAny, "", calls, kForEver, fs::Fault::kFail}});
    auto job = Start(scenario, fs::MakeFaultyFileSystem(storage, plan), parallelism);
    return job.ok() && (*job)->Await().ok();
  }

  static void CheckCopies(const Scenario& scenario, const std::vector<std::string>& rows) {
    std::multiset<std::string> found(rows.begin(), rows.end());
    std::multiset<std::string> expected;
    for (const int64_t id : Ids(scenario)) {
      expected.insert(fmt::format("+I {} {} {}", id, SequenceKey(id), SequenceValue(id)));
    }
    ASSERT_EQ(found.size(), expected.size());
    ASSERT_EQ(found, expected);
  }

  /// Applies the changelog strictly: each change must fit what the key's row is at that point.
  static void CheckChangelog(const Scenario& scenario, const std::vector<std::string>& rows) {
    std::map<int64_t, std::pair<int64_t, int64_t>> table;
    for (const std::string& row : rows) {
      std::istringstream in(row);
      std::string kind;
      int64_t key = 0;
      std::pair<int64_t, int64_t> value;
      in >> kind >> key >> value.first >> value.second;
      if (kind == "+I") {
        ASSERT_TRUE(table.emplace(key, value).second) << row;
      } else if (kind == "-U") {
        ASSERT_EQ(table.at(key), value) << row;
      } else {
        ASSERT_EQ(kind, "+U");
        ASSERT_EQ(table.at(key).first + 1, value.first) << row;
        table[key] = value;
      }
    }
    std::map<int64_t, std::pair<int64_t, int64_t>> expected;
    for (const int64_t id : Ids(scenario)) {
      expected[SequenceKey(id)].first += 1;
      expected[SequenceKey(id)].second += SequenceValue(id);
    }
    ASSERT_EQ(table, expected);
  }

  static std::vector<int64_t> Ids(const Scenario& scenario) {
    std::vector<int64_t> ids;
    for (int64_t split = 0; split < scenario.sequence.splits; ++split) {
      for (int64_t row = 0; row < scenario.sequence.rows_per_split; ++row) {
        ids.push_back(split * 1'000'000 + row);
      }
    }
    return ids;
  }

  void CheckTable(const Scenario& scenario, const std::shared_ptr<fs::FileSystem>& storage) {
    const TransactionalTable table(storage);
    ASSERT_ASSIGN(const std::vector<std::string> rows, table.ReadRows());
    if (scenario.shape == Shape::kAggregate) {
      CheckChangelog(scenario, rows);
    } else {
      CheckCopies(scenario, rows);
    }
    ASSERT_ASSIGN(const std::vector<std::string> orphans, table.FindOrphans());
    EXPECT_TRUE(orphans.empty()) << orphans.size() << " orphans, first " << orphans[0];
  }

  /// One death at each call in turn, then a run to the end.
  void DieAtEveryCall(const Scenario& scenario, fs::Fault first_fault) {
    for (int64_t call = 1;; ++call) {
      SCOPED_TRACE(fmt::format("death at call {}", call));
      const auto storage = fs::MakeMemoryFileSystem();
      const bool came_through = RunUntilCall(scenario, storage, call, 1 + call % 3, first_fault);
      ASSERT_ASSIGN(auto job, Start(scenario, storage, 1 + (call + 1) % 3));
      ASSERT_STATUS_OK(job->Await());
      CheckTable(scenario, storage);
      if (came_through || HasFatalFailure() || HasNonfatalFailure()) {
        return;
      }
    }
  }

  std::vector<std::unique_ptr<TestEngine>> engines_;
};

SequenceOptions ShortSequence() {
  SequenceOptions sequence;
  sequence.splits = 4;
  sequence.rows_per_split = 60;
  sequence.rows_per_batch = 5;
  sequence.idle_us = 300;
  return sequence;
}

TEST_F(ExactlyOnceTest, CopyDiesAtEveryCall) {
  DieAtEveryCall({Shape::kCopy, true, ShortSequence()}, fs::Fault::kFail);
}

TEST_F(ExactlyOnceTest, CopyDiesAfterEveryCall) {
  DieAtEveryCall({Shape::kCopy, true, ShortSequence()}, fs::Fault::kFailAfter);
}

TEST_F(ExactlyOnceTest, AggregateDiesAtEveryCall) {
  DieAtEveryCall({Shape::kAggregate, true, ShortSequence()}, fs::Fault::kFail);
}

TEST_F(ExactlyOnceTest, AggregateDiesAfterEveryCall) {
  DieAtEveryCall({Shape::kAggregate, true, ShortSequence()}, fs::Fault::kFailAfter);
}

TEST_F(ExactlyOnceTest, AJobThatCommitsAtItsEndDiesAtEveryCall) {
  DieAtEveryCall({Shape::kCopy, false, ShortSequence()}, fs::Fault::kFailAfter);
}

/// Many deaths in a row, each at a random call, each start with another parallelism.
TEST_F(ExactlyOnceTest, DiesAgainAndAgain) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    SeededRandom random(seed);
    const Scenario scenario{seed % 2 == 0 ? Shape::kCopy : Shape::kAggregate, true,
                            ShortSequence()};
    const auto storage = fs::MakeMemoryFileSystem();
    for (int deaths = 0; deaths < 8; ++deaths) {
      RunUntilCall(scenario, storage, 1 + static_cast<int64_t>(random.NextBelow(60)),
                   1 + static_cast<int64_t>(random.NextBelow(3)),
                   random.NextBelow(2) == 0 ? fs::Fault::kFail : fs::Fault::kFailAfter);
    }
    ASSERT_ASSIGN(auto job, Start(scenario, storage, 2));
    ASSERT_STATUS_OK(job->Await());
    CheckTable(scenario, storage);
    if (HasFatalFailure() || HasNonfatalFailure()) {
      return;
    }
  }
}

/// Two, later three, processes run the same job on one folder: some of them must stop, and the
/// table gets every row once all the same.
TEST_F(ExactlyOnceTest, RivalsOnOneFolderNeverCommitTwice) {
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    const Scenario scenario{round % 2 == 0 ? Shape::kCopy : Shape::kAggregate, true,
                            ShortSequence()};
    const auto storage = fs::MakeMemoryFileSystem();
    std::vector<std::shared_ptr<Job>> rivals;
    for (int r = 0; r < 3; ++r) {
      auto job = Start(scenario, storage, 1 + (round + r) % 3);
      if (job.ok()) {
        (*job)->WaitForMicros(r * 1'500);
        rivals.push_back(*job);
      }
    }
    for (const auto& job : rivals) {
      ASSERT_TRUE(job->WaitForMicros(kPatienceUs));
    }
    ASSERT_ASSIGN(auto job, Start(scenario, storage, 2));
    ASSERT_STATUS_OK(job->Await());
    const TransactionalTable table(storage);
    ASSERT_ASSIGN(const std::vector<std::string> rows, table.ReadRows());
    if (scenario.shape == Shape::kAggregate) {
      CheckChangelog(scenario, rows);
    } else {
      CheckCopies(scenario, rows);
    }
    if (HasFatalFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace lakeward::runtime
