#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lakeward/base/clock.h"
#include "lakeward/stream/input_gate.h"
#include "lakeward/stream/operator.h"

namespace arrow {
class MemoryPool;
}

namespace lakeward::stream {

/// One sender's place at a receiving task.
struct ChannelEnd {
  InputGate* gate = nullptr;  ///< outlives the exchange
  int channel = 0;
};

/// How an exchange picks the receiver of a row.
enum class Routing : uint8_t {
  kForward,    ///< all to the only target
  kRebalance,  ///< batch by batch, in turn
  kHash,       ///< by the key group of the key columns
};

struct ExchangeOptions {
  Routing routing = Routing::kForward;
  std::vector<int> key_columns;  ///< of kHash
  /// Rows wait at most this long for company; 0: they never wait.
  int64_t buffer_timeout_us = 100'000;
  Clock* clock = nullptr;
  arrow::MemoryPool* pool = nullptr;
};

/// The way out of a task: sends rows into the channels of other tasks. Used by one thread. Emit and
/// Send block while a receiver's channel is full; once the job is torn down they fail with
/// kCancelled.
class Exchange : public Output {
 public:
  static std::unique_ptr<Exchange> Make(ExchangeOptions options, std::vector<ChannelEnd> targets);

  /// To every receiver, after the rows that are still waiting.
  virtual Status SendBarrier(int64_t checkpoint_id) = 0;
  virtual Status SendEnd() = 0;

  /// When the oldest waiting row must leave, by the monotonic clock; negative: none is waiting.
  virtual int64_t FlushDeadlineMicros() const { return -1; }
  virtual Status Flush() { return Status::OK(); }
};

}  // namespace lakeward::stream
