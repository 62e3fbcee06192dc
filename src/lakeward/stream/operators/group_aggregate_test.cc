// Expected changelogs are those of Flink's GroupAggFunction, worked out row by row.
#include "lakeward/stream/operators/group_aggregate.h"

#include <map>

#include "gtest/gtest.h"
#include "lakeward/base/random.h"
#include "lakeward/state/key_index.h"
#include "lakeward/stream/row_batches_testing.h"
#include "support/status_matchers.h"

namespace lakeward::stream {
namespace {

using types::RowKind;
using Lines = std::vector<std::string>;

constexpr RowKind kI = RowKind::kInsert;
constexpr RowKind kD = RowKind::kDelete;

/// SELECT t, COUNT(*), SUM(n) … GROUP BY t.
class GroupAggregateTest : public ::testing::Test {
 protected:
  static GroupAggregateOptions Options() {
    GroupAggregateOptions options;
    options.keys = {1};
    options.key_types = {types::String()};
    options.calls = {Call("COUNT", {}), Call("SUM", {0})};
    options.schema =
        arrow::schema({arrow::field("t", arrow::utf8()), arrow::field("count", arrow::int64()),
                       arrow::field("sum", arrow::int64())});
    return options;
  }

  static GroupAggregateCall Call(const char* name, std::vector<int> arguments) {
    GroupAggregateCall call;
    call.function = expr::FunctionRegistry::Builtin()->FindAggregate(name);
    const std::vector<types::TypePtr> types(arguments.size(), types::BigInt());
    call.signature = *call.function->bind(types);
    call.arguments = std::move(arguments);
    return call;
  }

  std::unique_ptr<Operator> Open(GroupAggregateOptions options) {
    auto op = MakeGroupAggregateOperator(std::move(options));
    EXPECT_TRUE(op.ok() && (*op)->Open(context_).ok());
    return std::move(*op);
  }

  Lines Process(Operator* op, const std::vector<TestRow>& rows) {
    const Status status = op->ProcessBatch(0, MakeBatch(rows), &output_);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return output_.TakeLines();
  }

  const TaskContext context_ = TestContext();
  CollectingOutput output_;
};

TEST_F(GroupAggregateTest, EmitsTheChangesOfEachRow) {
  const auto op = Open(Options());
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kI, 5, "b"}, {kI, 2, "a"}, {kI, 3, "a"}}),
            (Lines{"+I a 1 1", "+I b 1 5", "-U a 1 1", "+U a 2 3", "-U a 2 3", "+U a 3 6"}));
  EXPECT_EQ(Process(op.get(), {{kI, std::nullopt, "a"}, {kI, 1, "c"}}),
            (Lines{"-U a 3 6", "+U a 4 6", "+I c 1 1"}));
}

TEST_F(GroupAggregateTest, LeavesOutUpdatesThatChangeNothing) {
  GroupAggregateOptions options = Options();
  options.calls = {Call("MAX", {0})};
  options.schema =
      arrow::schema({arrow::field("t", arrow::utf8()), arrow::field("max", arrow::int64())});
  const auto op = Open(options);
  EXPECT_EQ(Process(op.get(), {{kI, 5, "a"}, {kI, 4, "a"}, {kI, 6, "a"}}),
            (Lines{"+I a 5", "-U a 5", "+U a 6"}));
  EXPECT_EQ(Process(op.get(), {{kI, 6, "a"}, {kI, std::nullopt, "a"}}), Lines{});
}

TEST_F(GroupAggregateTest, NullIsAKeyOfItsOwn) {
  const auto op = Open(Options());
  EXPECT_EQ(Process(op.get(), {{kI, 1, std::nullopt}, {kI, 2, std::nullopt}, {kI, 3, ""}}),
            (Lines{"+I null 1 1", "-U null 1 1", "+U null 2 3", "+I  1 3"}));
}

TEST_F(GroupAggregateTest, TheLastRetractionDeletesTheGroup) {
  const auto op = Open(Options());
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kI, 2, "a"}, {kD, 1, "a"}}),
            (Lines{"+I a 1 1", "-U a 1 1", "+U a 2 3", "-U a 2 3", "+U a 1 2"}));
  EXPECT_EQ(Process(op.get(), {{RowKind::kUpdateBefore, 2, "a"}}), (Lines{"-D a 1 2"}));
  EXPECT_EQ(Process(op.get(), {{RowKind::kUpdateAfter, 7, "a"}}), (Lines{"+I a 1 7"}));
}

TEST_F(GroupAggregateTest, AGroupThatComesBackWithinABatchStartsAfresh) {
  const auto op = Open(Options());
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kD, 1, "a"}, {kI, 9, "a"}, {kI, 1, "a"}}),
            (Lines{"+I a 1 1", "-D a 1 1", "+I a 1 9", "-U a 1 9", "+U a 2 10"}));
}

TEST_F(GroupAggregateTest, ARetractionOfNothingIsIgnored) {
  const auto op = Open(Options());
  EXPECT_EQ(Process(op.get(), {{kD, 1, "a"}, {kI, 2, "a"}}), (Lines{"+I a 1 2"}));
  EXPECT_EQ(Process(op.get(), {{kD, 1, "b"}}), Lines{});
}

TEST_F(GroupAggregateTest, WithoutUpdateBefore) {
  GroupAggregateOptions options = Options();
  options.emit_update_before = false;
  const auto op = Open(options);
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kI, 2, "a"}}), (Lines{"+I a 1 1", "+U a 2 3"}));
}

TEST_F(GroupAggregateTest, FoldedChangesAreOneAKeyAndBatch) {
  GroupAggregateOptions options = Options();
  options.fold_changes = true;
  const auto op = Open(options);
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kI, 5, "b"}, {kI, 2, "a"}, {kD, 5, "b"}}),
            (Lines{"+I a 2 3"}));
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kD, 1, "a"}, {kI, 4, "c"}}), (Lines{"+I c 1 4"}));
  EXPECT_EQ(Process(op.get(), {{kD, 1, "a"}, {kD, 2, "a"}, {kI, 4, "c"}}),
            (Lines{"-D a 2 3", "-U c 1 4", "+U c 2 8"}));
}

TEST_F(GroupAggregateTest, FilterHidesArguments) {
  GroupAggregateOptions options = Options();
  auto schema = arrow::schema({arrow::field("n", arrow::int64()), arrow::field("t", arrow::utf8()),
                               arrow::field("f", arrow::boolean())});
  options.calls[0].filter = 2;
  options.calls[1].filter = 2;
  const auto op = Open(options);
  Batch batch = MakeBatch({{kI, 1, "a"}, {kI, 2, "a"}, {kI, 4, "a"}, {kI, 8, "b"}});
  arrow::BooleanBuilder flags;
  ASSERT_STATUS_OK(flags.AppendValues(std::vector<bool>{true, false, true, false}));
  ASSERT_ASSIGN(batch.records, batch.records->AddColumn(2, "f", *flags.Finish()));
  ASSERT_STATUS_OK(op->ProcessBatch(0, batch, &output_));
  EXPECT_EQ(output_.lines, (Lines{"+I a 1 1", "-U a 1 1", "+U a 2 5", "+I b 0 null"}));
}

TEST_F(GroupAggregateTest, AtTheEndOneRowAGroup) {
  GroupAggregateOptions options = Options();
  options.emit_at_end = true;
  const auto op = Open(options);
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kI, 5, "b"}, {kI, 2, "a"}}), Lines{});
  ASSERT_STATUS_OK(op->Finish(&output_));
  EXPECT_EQ(output_.lines, (Lines{"+I a 2 3", "+I b 1 5"}));
  EXPECT_EQ(output_.batches[0].row_kinds, nullptr);
}

TEST_F(GroupAggregateTest, WithoutKeysThereIsARowEvenForNoInputInBatchModeOnly) {
  GroupAggregateOptions options = Options();
  options.keys = {};
  options.key_types = {};
  options.schema =
      arrow::schema({arrow::field("count", arrow::int64()), arrow::field("sum", arrow::int64())});
  const auto streaming = Open(options);
  ASSERT_STATUS_OK(streaming->Finish(&output_));
  EXPECT_TRUE(output_.lines.empty());
  EXPECT_EQ(Process(streaming.get(), {{kI, 3, "a"}, {kI, 4, "b"}}),
            (Lines{"+I 1 3", "-U 1 3", "+U 2 7"}));
  options.emit_at_end = true;
  const auto batch = Open(options);
  ASSERT_STATUS_OK(batch->Finish(&output_));
  EXPECT_EQ(output_.lines, (Lines{"+I 0 null"}));
}

TEST_F(GroupAggregateTest, DistinctKeysNeedNoAggregate) {
  GroupAggregateOptions options = Options();
  options.calls = {};
  options.schema = arrow::schema({arrow::field("t", arrow::utf8())});
  const auto op = Open(options);
  EXPECT_EQ(Process(op.get(), {{kI, 1, "a"}, {kI, 2, "a"}, {kD, 1, "a"}, {kD, 2, "a"}}),
            (Lines{"+I a", "-D a"}));
}

/// Random changes in random batches, saved and restored at every parallelism on the way: the
/// applied changelog is always the model.
TEST_F(GroupAggregateTest, SurvivesRestoringAtAnyParallelism) {
  SeededRandom random(3);
  std::multimap<std::string, int64_t> rows;
  std::map<std::string, std::string> table;
  std::vector<std::unique_ptr<Operator>> tasks;
  tasks.push_back(Open(Options()));
  for (int round = 0; round < 60; ++round) {
    for (int change = 0; change < 200; ++change) {
      std::vector<TestRow> batch;
      const std::string key = std::to_string(random.NextBelow(30));
      const auto found = rows.find(key);
      if (found != rows.end() && random.NextBelow(2) == 0) {
        batch.push_back({kD, found->second, key});
        rows.erase(found);
      } else {
        const auto number = static_cast<int64_t>(random.NextBelow(1'000));
        batch.push_back({kI, number, key});
        rows.emplace(key, number);
      }
      std::vector<uint64_t> hashes;
      const Batch made = MakeBatch(batch);
      ASSERT_STATUS_OK(state::HashRows({made.records->column(1)}, 1, &hashes));
      const int owner =
          state::SubtaskOf(state::KeyGroupOf(hashes[0]), static_cast<int>(tasks.size()));
      for (const std::string& line : Process(tasks[owner].get(), batch)) {
        const std::string value = line.substr(3);
        const std::string row_key = value.substr(0, value.find(' '));
        if (line.starts_with("+")) {
          ASSERT_EQ(table.contains(row_key), false) << line;
          table[row_key] = value;
        } else {
          ASSERT_EQ(table.at(row_key), value) << line;
          table.erase(row_key);
        }
      }
    }
    std::map<std::string, std::string> expected;
    for (const auto& [key, number] : rows) {
      int64_t sum = 0;
      const auto [begin, end] = rows.equal_range(key);
      for (auto row = begin; row != end; ++row) {
        sum += row->second;
      }
      expected[key] = fmt::format("{} {} {}", key, rows.count(key), sum);
    }
    ASSERT_EQ(table, expected);
    std::vector<state::OperatorState> saved;
    for (const auto& task : tasks) {
      ASSERT_ASSIGN(const state::OperatorState state, task->Snapshot());
      ASSERT_ASSIGN(const std::string bytes, state::SerializeState(state));
      ASSERT_ASSIGN(state::OperatorState parsed, state::ParseState(bytes));
      saved.push_back(std::move(parsed));
    }
    const int parallelism = 1 + round % 4;
    tasks.clear();
    for (int subtask = 0; subtask < parallelism; ++subtask) {
      ASSERT_ASSIGN(const state::OperatorState share,
                    state::Redistribute(saved, subtask, parallelism));
      tasks.push_back(Open(Options()));
      ASSERT_STATUS_OK(tasks.back()->Restore(share));
    }
  }
}

}  // namespace
}  // namespace lakeward::stream
