#include <limits>

#include "arrow/array/array_primitive.h"
#include "gtest/gtest.h"
#include "lakeward/expr/expression.h"
#include "lakeward/expr/function.h"
#include "lakeward/stream/operator_chain.h"
#include "lakeward/stream/operators/calc.h"
#include "lakeward/stream/operators/limit.h"
#include "lakeward/stream/operators/not_null.h"
#include "lakeward/stream/operators/relabel.h"
#include "lakeward/stream/operators/sort.h"
#include "lakeward/stream/row_batches_testing.h"
#include "support/status_matchers.h"

namespace lakeward::stream {
namespace {

using types::RowKind;
using Lines = std::vector<std::string>;

constexpr RowKind kI = RowKind::kInsert;

class OperatorTest : public ::testing::Test {
 protected:
  Status Run(Operator* op, const std::vector<Batch>& batches) {
    LW_TRY(op->Open(context_));
    for (const Batch& batch : batches) {
      LW_TRY(op->ProcessBatch(0, batch, &output_));
    }
    return op->Finish(&output_);
  }

  static expr::ExpressionPtr Column(int column) {
    return column == 0 ? expr::MakeColumn(0, "n", types::BigInt())
                       : expr::MakeColumn(1, "t", types::String());
  }
  static expr::ExpressionPtr Number(int64_t value) {
    return expr::MakeLiteral(std::make_shared<arrow::Int64Scalar>(value), types::BigInt(false));
  }
  static expr::ExpressionPtr Call(const char* name, expr::ExpressionPtr left,
                                  expr::ExpressionPtr right) {
    const expr::ScalarFunction* function = expr::FunctionRegistry::Builtin()->FindScalar(name);
    const auto signature = function->bind({left->type(), right->type()});
    return expr::MakeCall(function, {std::move(left), std::move(right)}, signature->result_type);
  }

  const TaskContext context_ = TestContext();
  CollectingOutput output_;
};

TEST_F(OperatorTest, CalcFiltersWithoutACopyWhenItProjectsColumns) {
  auto schema = arrow::schema({arrow::field("x", arrow::utf8())});
  const auto calc = MakeCalcOperator(Call(">", Column(0), Number(1)), {Column(1)}, schema);
  const Batch batch =
      MakeBatch({{kI, 1, "a"}, {RowKind::kDelete, 2, "b"}, {kI, std::nullopt, "c"}, {kI, 4, "d"}});
  ASSERT_STATUS_OK(Run(calc.get(), {batch}));
  EXPECT_EQ(output_.lines, (Lines{"-D b", "+I d"}));
  EXPECT_EQ(output_.batches[0].records->column_data(0)->buffers[2],
            batch.records->column_data(1)->buffers[2]);
}

TEST_F(OperatorTest, CalcNeverLooksAtRowsThatItsConditionDropped) {
  auto schema = arrow::schema({arrow::field("x", arrow::int64())});
  const auto calc = MakeCalcOperator(Call("<>", Column(0), Number(0)),
                                     {Call("/", Number(12), Column(0))}, schema);
  ASSERT_STATUS_OK(Run(calc.get(), {MakeBatch({{kI, 0, "a"}, {kI, 3, "b"}, {kI, 4, "c"}})}));
  EXPECT_EQ(output_.lines, (Lines{"+I 4", "+I 3"}));
}

TEST_F(OperatorTest, CalcSendsNothingWhenNoRowIsLeft) {
  const auto calc = MakeCalcOperator(Call(">", Column(0), Number(9)), {}, nullptr);
  ASSERT_STATUS_OK(Run(calc.get(), {MakeBatch({{kI, 1, "a"}})}));
  EXPECT_TRUE(output_.batches.empty());
}

TEST_F(OperatorTest, LimitCountsOverBatchesAndRestores) {
  const Batch batch = MakeBatch({{kI, 1, "a"}, {kI, 2, "b"}, {kI, 3, "c"}});
  const auto limit = MakeLimitOperator(2, 3);
  ASSERT_STATUS_OK(Run(limit.get(), {batch}));
  EXPECT_EQ(output_.TakeLines(), (Lines{"+I 3 c"}));
  ASSERT_ASSIGN(const state::OperatorState saved, limit->Snapshot());
  const auto restored = MakeLimitOperator(2, 3);
  ASSERT_STATUS_OK(restored->Restore(saved));
  ASSERT_STATUS_OK(Run(restored.get(), {batch, batch}));
  EXPECT_EQ(output_.lines, (Lines{"+I 1 a", "+I 2 b"}));
}

TEST_F(OperatorTest, NotNullFailsWithTheColumnOrDropsTheRow) {
  const Batch batch = MakeBatch({{kI, 1, "a"}, {kI, 2, std::nullopt}, {kI, 3, "c"}});
  const auto failing = MakeNotNullOperator({1}, NullViolation::kFail);
  EXPECT_EQ(Run(failing.get(), {batch}).message(),
            "Column 't' is NOT NULL, however, a null value is being written into it.");
  const auto dropping = MakeNotNullOperator({0, 1}, NullViolation::kDrop);
  ASSERT_STATUS_OK(Run(dropping.get(), {batch}));
  EXPECT_EQ(output_.lines, (Lines{"+I 1 a", "+I 3 c"}));
}

TEST_F(OperatorTest, SortPlacesNullsPerKeyAndIsStable) {
  const Batch first = MakeBatch({{kI, 2, "x"}, {kI, std::nullopt, "y"}, {kI, 1, "z"}});
  const Batch second = MakeBatch({{kI, 2, "a"}, {kI, 1, std::nullopt}, {kI, 2, "x"}});
  const auto sort = MakeSortOperator({{0, false, false}, {1, true, true}}, TestSchema());
  ASSERT_STATUS_OK(Run(sort.get(), {first, second}));
  EXPECT_EQ(output_.lines,
            (Lines{"+I 2 a", "+I 2 x", "+I 2 x", "+I 1 null", "+I 1 z", "+I null y"}));
}

TEST_F(OperatorTest, SortKeepsItsRowsInACheckpoint) {
  const auto sort = MakeSortOperator({{0, true, true}}, TestSchema());
  ASSERT_STATUS_OK(sort->Open(context_));
  ASSERT_STATUS_OK(sort->ProcessBatch(0, MakeBatch({{kI, 2, "b"}, {kI, 1, "a"}}), &output_));
  ASSERT_ASSIGN(const state::OperatorState saved, sort->Snapshot());
  ASSERT_ASSIGN(const state::OperatorState share, state::Redistribute({saved}, 0, 1));
  const auto restored = MakeSortOperator({{0, true, true}}, TestSchema());
  ASSERT_STATUS_OK(restored->Restore(share));
  ASSERT_STATUS_OK(Run(restored.get(), {MakeBatch({{kI, 0, "z"}})}));
  EXPECT_EQ(output_.lines, (Lines{"+I 0 z", "+I 1 a", "+I 2 b"}));
}

TEST_F(OperatorTest, SortTakesNanForTheGreatestNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  arrow::DoubleBuilder builder;
  ASSERT_STATUS_OK(builder.AppendValues({1, nan, -1}));
  ASSERT_STATUS_OK(builder.AppendNull());
  auto schema = arrow::schema({arrow::field("d", arrow::float64())});
  Batch batch;
  batch.records = arrow::RecordBatch::Make(schema, 4, {*builder.Finish()});
  const auto descending = MakeSortOperator({{0, false, false}}, schema);
  ASSERT_STATUS_OK(Run(descending.get(), {batch}));
  EXPECT_EQ(output_.TakeLines(), (Lines{"+I nan", "+I 1", "+I -1", "+I null"}));
  const auto ascending = MakeSortOperator({{0, true, true}}, schema);
  ASSERT_STATUS_OK(Run(ascending.get(), {batch}));
  EXPECT_EQ(output_.lines, (Lines{"+I null", "+I -1", "+I 1", "+I nan"}));
}

/// Fails on each batch, or emits one row at the end.
class ProbeOperator final : public Operator {
 public:
  explicit ProbeOperator(Status failure) : failure_(std::move(failure)) {}
  Status Open(const TaskContext& context) override { return Status::OK(); }
  Status ProcessBatch(int input, const Batch& batch, Output* output) override {
    return failure_.ok() ? output->Emit(batch) : failure_;
  }
  Status Finish(Output* output) override { return output->Emit(MakeBatch({{kI, 0, "end"}})); }

 private:
  const Status failure_;
};

TEST_F(OperatorTest, AChainNamesTheOperatorThatFailed) {
  std::vector<OperatorChain::Member> members;
  for (const char* name : {"First", "Second", "Third"}) {
    TaskContext context = context_;
    context.operator_name = name;
    const Status status = std::string_view(name) == "Second"
                              ? MakeError(ErrorKind::kIo, "the disk is gone")
                              : Status::OK();
    members.push_back({std::make_unique<ProbeOperator>(status), context, false});
  }
  OperatorChain chain(std::move(members), &output_);
  ASSERT_STATUS_OK(chain.Open());
  EXPECT_EQ(chain.Process(MakeBatch({{kI, 1, "a"}})).message(), "Second: the disk is gone");
}

TEST_F(OperatorTest, AnOperatorThatHadFinishedDoesNotEmitItsEndAgain) {
  std::vector<OperatorChain::Member> members;
  members.push_back({std::make_unique<ProbeOperator>(Status::OK()), context_, true});
  members.push_back({std::make_unique<ProbeOperator>(Status::OK()), context_, false});
  OperatorChain chain(std::move(members), &output_);
  ASSERT_STATUS_OK(chain.Open());
  ASSERT_STATUS_OK(chain.Finish());
  EXPECT_EQ(output_.lines, (Lines{"+I 0 end"}));
}

}  // namespace
}  // namespace lakeward::stream
