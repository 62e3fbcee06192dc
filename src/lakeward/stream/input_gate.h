#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "lakeward/base/mutex.h"
#include "lakeward/stream/stream_element.h"

namespace lakeward::stream {

/// How many elements a channel holds before its sender must wait.
inline constexpr size_t kChannelElementsMax = 8;

/// What a task's loop is told next.
enum class GateEvent : uint8_t {
  kBatch,    ///< rows of one channel
  kBarrier,  ///< every channel has delivered this barrier or has ended
  kEnd,      ///< every channel has ended
  kTimeout,
  kClosed,  ///< the job is being torn down
};

struct GateResult {
  GateEvent event = GateEvent::kTimeout;
  Batch batch;
  int64_t checkpoint_id = 0;  ///< of kBarrier
};

/// The entrance of a task: one bounded queue per upstream subtask, and the alignment of barriers. A
/// channel that has delivered a barrier is held back until all others have delivered it too or have
/// ended, so that rows after the barrier never enter the snapshot. Push is called by one thread per
/// channel, Next by the task's own thread, Close by any.
class InputGate {
 public:
  explicit InputGate(int channel_count);

  /// Blocks while the channel is full. False when the gate is closed; the element is dropped.
  bool Push(int channel, StreamElement element);

  /// Waits at most `timeout_us` (negative: without limit).
  GateResult Next(int64_t timeout_us);

  /// Wakes everybody; elements still queued are lost.
  void Close();

 private:
  struct Channel {
    std::deque<StreamElement> elements;
    bool held_back = false;  ///< has delivered the barrier that is being aligned
    bool ended = false;
    int64_t watermark_ms = std::numeric_limits<int64_t>::min();
    CondVar space;
  };

  std::optional<GateResult> TakeNext();
  std::optional<GateResult> TakeFrom(Channel* channel);
  void ReceiveBarrier(Channel* channel, int64_t checkpoint_id);
  std::optional<GateResult> FinishAlignment();
  void MergeWatermarks(Channel* channel, Batch* batch);

  Mutex mutex_;
  CondVar arrived_;
  std::vector<Channel> channels_;
  size_t next_channel_ = 0;  ///< where the search for work goes on, for fairness
  size_t queued_ = 0;        ///< elements in channels that are not held back
  bool closed_ = false;
  /// The barrier being aligned, 0: none.
  int64_t aligning_checkpoint_id_ = 0;
  int64_t watermark_ms_ = std::numeric_limits<int64_t>::min();
};

}  // namespace lakeward::stream
