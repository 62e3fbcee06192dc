#include "lakeward/stream/input_gate.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "lakeward/base/status.h"

namespace lakeward::stream {

InputGate::InputGate(int channel_count) : channels_(channel_count) {}

bool InputGate::Push(int channel_number, StreamElement element) {
  MutexLock lock(&mutex_);
  Channel& channel = channels_[channel_number];
  while (channel.elements.size() >= kChannelElementsMax && !closed_) {
    channel.space.Wait(&mutex_);
  }
  if (closed_) {
    return false;
  }
  channel.elements.push_back(std::move(element));
  if (!channel.held_back) {
    ++queued_;
    arrived_.NotifyOne();
  }
  return true;
}

GateResult InputGate::Next(int64_t timeout_us) {
  MutexLock lock(&mutex_);
  while (true) {
    if (closed_) {
      return {GateEvent::kClosed, {}, 0};
    }
    if (channels_.empty()) {
      return {GateEvent::kEnd, {}, 0};
    }
    if (std::optional<GateResult> result = TakeNext()) {
      return std::move(*result);
    }
    if (timeout_us < 0) {
      arrived_.Wait(&mutex_);
    } else if (timeout_us == 0 || !arrived_.WaitForMicros(&mutex_, timeout_us)) {
      return {GateEvent::kTimeout, {}, 0};
    }
  }
}

void InputGate::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
  for (Channel& channel : channels_) {
    channel.elements.clear();
    channel.space.NotifyAll();
  }
  queued_ = 0;
  arrived_.NotifyAll();
}

std::optional<GateResult> InputGate::TakeNext() {
  while (queued_ > 0) {
    Channel& channel = channels_[next_channel_];
    next_channel_ = (next_channel_ + 1) % channels_.size();
    if (channel.held_back || channel.elements.empty()) {
      continue;
    }
    if (std::optional<GateResult> result = TakeFrom(&channel)) {
      return result;
    }
  }
  return std::nullopt;
}

std::optional<GateResult> InputGate::TakeFrom(Channel* channel) {
  StreamElement element = std::move(channel->elements.front());
  channel->elements.pop_front();
  --queued_;
  channel->space.NotifyOne();
  if (auto* batch = std::get_if<Batch>(&element)) {
    MergeWatermarks(channel, batch);
    return GateResult{GateEvent::kBatch, std::move(*batch), 0};
  }
  if (const auto* barrier = std::get_if<Barrier>(&element)) {
    ReceiveBarrier(channel, barrier->checkpoint_id);
    return FinishAlignment();
  }
  channel->ended = true;
  channel->watermark_ms = std::numeric_limits<int64_t>::max();
  if (std::all_of(channels_.begin(), channels_.end(), [](const Channel& c) { return c.ended; })) {
    // A barrier being aligned would have been finished by the channel that delivered it.
    return GateResult{GateEvent::kEnd, {}, 0};
  }
  return FinishAlignment();
}

void InputGate::ReceiveBarrier(Channel* channel, int64_t checkpoint_id) {
  // A newer barrier means that the coordinator gave the older one up: some source never sent it.
  if (checkpoint_id > aligning_checkpoint_id_) {
    for (Channel& other : channels_) {
      if (other.held_back) {
        other.held_back = false;
        queued_ += other.elements.size();
      }
    }
    aligning_checkpoint_id_ = checkpoint_id;
  } else if (checkpoint_id < aligning_checkpoint_id_) {
    return;
  }
  channel->held_back = true;
  queued_ -= channel->elements.size();
}

std::optional<GateResult> InputGate::FinishAlignment() {
  if (aligning_checkpoint_id_ == 0) {
    return std::nullopt;
  }
  bool any_held_back = false;
  for (const Channel& channel : channels_) {
    if (!channel.held_back && !channel.ended) {
      return std::nullopt;
    }
    any_held_back = any_held_back || channel.held_back;
  }
  LW_CHECK(any_held_back);
  for (Channel& channel : channels_) {
    if (channel.held_back) {
      channel.held_back = false;
      queued_ += channel.elements.size();
    }
  }
  return GateResult{GateEvent::kBarrier, {}, std::exchange(aligning_checkpoint_id_, 0)};
}

void InputGate::MergeWatermarks(Channel* channel, Batch* batch) {
  if (channels_.size() == 1 || batch->watermarks.empty()) {
    return;
  }
  channel->watermark_ms = batch->watermarks.back().watermark_ms;
  batch->watermarks.clear();
  int64_t lowest = std::numeric_limits<int64_t>::max();
  for (const Channel& other : channels_) {
    lowest = std::min(lowest, other.watermark_ms);
  }
  if (lowest > watermark_ms_) {
    watermark_ms_ = lowest;
    // Rows of the batch that came before the channel's own entry must not become late.
    batch->watermarks.push_back({batch->records->num_rows(), lowest});
  }
}

}  // namespace lakeward::stream
