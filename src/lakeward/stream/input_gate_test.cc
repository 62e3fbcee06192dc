#include "lakeward/stream/input_gate.h"

#include <atomic>

#include "arrow/array/builder_primitive.h"
#include "gtest/gtest.h"
#include "lakeward/base/executor.h"

namespace lakeward::stream {
namespace {

Batch Row(int64_t value) {
  arrow::Int64Builder builder;
  EXPECT_TRUE(builder.Append(value).ok());
  Batch batch;
  batch.records = arrow::RecordBatch::Make(arrow::schema({arrow::field("v", arrow::int64())}), 1,
                                           {*builder.Finish()});
  return batch;
}

int64_t ValueOf(const GateResult& result) {
  EXPECT_EQ(result.event, GateEvent::kBatch);
  return static_cast<const arrow::Int64Array&>(*result.batch.records->column(0)).Value(0);
}

TEST(InputGateTest, RowsAfterABarrierWaitForTheOtherChannels) {
  InputGate gate(2);
  gate.Push(0, Row(1));
  gate.Push(0, Barrier{5});
  gate.Push(0, Row(2));
  gate.Push(1, Row(3));
  EXPECT_EQ(ValueOf(gate.Next(0)), 1);
  EXPECT_EQ(ValueOf(gate.Next(0)), 3);
  EXPECT_EQ(gate.Next(0).event, GateEvent::kTimeout);
  gate.Push(1, Row(4));
  EXPECT_EQ(ValueOf(gate.Next(0)), 4);
  gate.Push(1, Barrier{5});
  const GateResult aligned = gate.Next(0);
  EXPECT_EQ(aligned.event, GateEvent::kBarrier);
  EXPECT_EQ(aligned.checkpoint_id, 5);
  EXPECT_EQ(ValueOf(gate.Next(0)), 2);
}

TEST(InputGateTest, AnEndedChannelCountsAsAligned) {
  InputGate gate(3);
  gate.Push(0, EndOfInput{});
  gate.Push(1, Barrier{1});
  EXPECT_EQ(gate.Next(0).event, GateEvent::kTimeout);
  gate.Push(2, EndOfInput{});
  EXPECT_EQ(gate.Next(0).event, GateEvent::kBarrier);
  gate.Push(1, EndOfInput{});
  EXPECT_EQ(gate.Next(0).event, GateEvent::kEnd);
}

TEST(InputGateTest, ANewerBarrierSupersedesOneThatNeverComes) {
  InputGate gate(2);
  gate.Push(0, Barrier{1});
  gate.Push(0, Row(1));
  EXPECT_EQ(gate.Next(0).event, GateEvent::kTimeout);
  gate.Push(1, Barrier{2});
  EXPECT_EQ(ValueOf(gate.Next(0)), 1);
  gate.Push(0, Barrier{2});
  EXPECT_EQ(gate.Next(0).checkpoint_id, 2);
}

TEST(InputGateTest, AStaleBarrierIsPassedOver) {
  InputGate gate(2);
  gate.Push(0, Barrier{2});
  EXPECT_EQ(gate.Next(0).event, GateEvent::kTimeout);
  gate.Push(1, Barrier{1});
  gate.Push(1, Row(7));
  EXPECT_EQ(ValueOf(gate.Next(0)), 7);
  gate.Push(1, Barrier{2});
  EXPECT_EQ(gate.Next(0).checkpoint_id, 2);
}

TEST(InputGateTest, WithoutChannelsTheInputHasEnded) {
  InputGate gate(0);
  EXPECT_EQ(gate.Next(-1).event, GateEvent::kEnd);
}

TEST(InputGateTest, AFullChannelHoldsItsSenderButNoOther) {
  InputGate gate(2);
  std::atomic<int> sent{0};
  Thread sender("sender", [&] {
    for (int64_t i = 0; i < 100; ++i) {
      ASSERT_TRUE(gate.Push(0, Row(i)));
      ++sent;
    }
  });
  EXPECT_TRUE(gate.Push(1, Row(-1)));
  int64_t next = 0;
  for (int received = 0; received < 101; ++received) {
    EXPECT_LE(sent.load(), next + static_cast<int>(kChannelElementsMax) + 1);
    const int64_t value = ValueOf(gate.Next(-1));
    if (value >= 0) {
      EXPECT_EQ(value, next++);
    }
  }
  sender.Join();
}

TEST(InputGateTest, ClosingFreesASenderThatWaits) {
  InputGate gate(1);
  Thread sender("sender", [&] {
    while (gate.Push(0, Row(0))) {
    }
  });
  gate.Close();
  sender.Join();
  EXPECT_EQ(gate.Next(-1).event, GateEvent::kClosed);
}

TEST(InputGateTest, TheSlowestChannelsWatermarkCounts) {
  InputGate gate(2);
  Batch early = Row(1);
  early.watermarks = {{1, 100}};
  gate.Push(0, early);
  EXPECT_TRUE(gate.Next(0).batch.watermarks.empty());
  Batch late = Row(2);
  late.watermarks = {{0, 60}};
  gate.Push(1, late);
  const GateResult merged = gate.Next(0);
  ASSERT_EQ(merged.batch.watermarks.size(), 1U);
  EXPECT_EQ(merged.batch.watermarks[0].watermark_ms, 60);
  EXPECT_EQ(merged.batch.watermarks[0].row_offset, 1);
}

}  // namespace
}  // namespace lakeward::stream
