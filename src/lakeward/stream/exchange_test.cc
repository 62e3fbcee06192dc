#include "lakeward/stream/exchange.h"

#include <map>

#include "gtest/gtest.h"
#include "lakeward/base/executor.h"
#include "lakeward/state/key_index.h"
#include "lakeward/stream/row_batches_testing.h"
#include "support/status_matchers.h"

namespace lakeward::stream {
namespace {

class ExchangeTest : public ::testing::Test {
 protected:
  std::unique_ptr<Exchange> Make(Routing routing, int64_t buffer_timeout_us = 1'000'000) {
    ExchangeOptions options;
    options.routing = routing;
    options.key_columns = {0};
    options.buffer_timeout_us = buffer_timeout_us;
    options.clock = SystemClock();
    options.pool = arrow::default_memory_pool();
    std::vector<ChannelEnd> targets;
    for (InputGate& gate : gates_) {
      targets.push_back({&gate, 0});
    }
    return Exchange::Make(std::move(options), std::move(targets));
  }

  static Batch Numbers(int64_t first, int64_t count) {
    std::vector<TestRow> rows;
    for (int64_t i = first; i < first + count; ++i) {
      rows.push_back({i % 2 == 0 ? types::RowKind::kInsert : types::RowKind::kDelete, i % 10,
                      std::to_string(i)});
    }
    return MakeBatch(rows);
  }

  std::array<InputGate, 3> gates_{InputGate(1), InputGate(1), InputGate(1)};
};

TEST_F(ExchangeTest, HashedRowsWaitForABarrierAndKeepTheirOrder) {
  const auto exchange = Make(Routing::kHash);
  ASSERT_STATUS_OK(exchange->Emit(Numbers(0, 50)));
  ASSERT_STATUS_OK(exchange->Emit(Numbers(50, 50)));
  EXPECT_GT(exchange->FlushDeadlineMicros(), 0);
  for (InputGate& gate : gates_) {
    EXPECT_EQ(gate.Next(0).event, GateEvent::kTimeout);
  }
  ASSERT_STATUS_OK(exchange->SendBarrier(3));
  EXPECT_LT(exchange->FlushDeadlineMicros(), 0);
  int64_t total = 0;
  for (int target = 0; target < 3; ++target) {
    const GateResult rows = gates_[target].Next(0);
    ASSERT_EQ(rows.event, GateEvent::kBatch);
    std::vector<uint64_t> hashes;
    ASSERT_STATUS_OK(
        state::HashRows({rows.batch.records->column(0)}, rows.batch.records->num_rows(), &hashes));
    for (const uint64_t hash : hashes) {
      EXPECT_EQ(state::SubtaskOf(state::KeyGroupOf(hash), 3), target);
    }
    int64_t last = -1;
    for (const std::string& line : ToLines(rows.batch)) {
      const int64_t number = std::stoll(line.substr(line.rfind(' ') + 1));
      EXPECT_GT(number, last);
      EXPECT_EQ(line.substr(0, 2), number % 2 == 0 ? "+I" : "-D");
      last = number;
      ++total;
    }
    EXPECT_EQ(gates_[target].Next(0).checkpoint_id, 3);
  }
  EXPECT_EQ(total, 100);
}

TEST_F(ExchangeTest, ManyRowsDoNotWait) {
  const auto exchange = Make(Routing::kHash);
  ASSERT_STATUS_OK(exchange->Emit(Numbers(0, 60'000)));
  for (InputGate& gate : gates_) {
    EXPECT_EQ(gate.Next(0).event, GateEvent::kBatch);
  }
}

TEST_F(ExchangeTest, WithoutABufferTimeoutNothingWaits) {
  const auto exchange = Make(Routing::kHash, 0);
  ASSERT_STATUS_OK(exchange->Emit(Numbers(0, 50)));
  EXPECT_LT(exchange->FlushDeadlineMicros(), 0);
  EXPECT_EQ(gates_[0].Next(0).event, GateEvent::kBatch);
}

TEST_F(ExchangeTest, WatermarksReachEveryTarget) {
  const auto exchange = Make(Routing::kHash, 0);
  Batch batch = Numbers(0, 50);
  batch.watermarks = {{0, 1}, {50, 2}};
  ASSERT_STATUS_OK(exchange->Emit(batch));
  for (InputGate& gate : gates_) {
    const GateResult rows = gate.Next(0);
    ASSERT_EQ(rows.batch.watermarks.size(), 2U);
    EXPECT_EQ(rows.batch.watermarks[0].row_offset, 0);
    EXPECT_EQ(rows.batch.watermarks[1].row_offset, rows.batch.records->num_rows());
  }
}

TEST_F(ExchangeTest, RebalancingTakesTurns) {
  const auto exchange = Make(Routing::kRebalance);
  for (int i = 0; i < 3; ++i) {
    ASSERT_STATUS_OK(exchange->Emit(Numbers(i, 1)));
  }
  ASSERT_STATUS_OK(exchange->SendEnd());
  for (InputGate& gate : gates_) {
    EXPECT_EQ(gate.Next(0).event, GateEvent::kBatch);
    EXPECT_EQ(gate.Next(0).event, GateEvent::kEnd);
  }
}

TEST_F(ExchangeTest, AClosedReceiverCancelsTheSender) {
  const auto exchange = Make(Routing::kRebalance);
  gates_[0].Close();
  EXPECT_EQ(KindOf(exchange->Emit(Numbers(0, 1))), ErrorKind::kCancelled);
}

}  // namespace
}  // namespace lakeward::stream
