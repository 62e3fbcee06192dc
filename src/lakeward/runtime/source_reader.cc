#include "lakeward/runtime/source_reader.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fmt/format.h"

namespace lakeward::runtime {

using stream::PollKind;
using stream::PollResult;

Result<PollResult> SourceReader::Poll() {
  int64_t wait_us = std::numeric_limits<int64_t>::max();
  size_t idle_count = 0;
  while (true) {
    if (open_.empty()) {
      LW_TRY(OpenMore());
      if (open_.empty()) {
        PollResult end;
        end.kind = PollKind::kSplitEnd;
        return end;
      }
    }
    next_ %= open_.size();
    OpenSplit& current = open_[next_];
    auto polled = current.reader->Poll();
    if (!polled.ok()) {
      return Named(polled.status(), current.split);
    }
    if (polled->kind == PollKind::kBatch) {
      ++next_;
      return polled;
    }
    if (polled->kind == PollKind::kSplitEnd) {
      finished_.push_back(current.split.id);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(next_));
      // Back to the task, which may have been asked for a checkpoint or torn down: a source can
      // have very many empty splits.
      return PollResult{};
    }
    wait_us = std::min(wait_us, polled->wait_us);
    ++next_;
    if (++idle_count >= open_.size()) {
      PollResult idle;
      idle.wait_us = wait_us;
      return idle;
    }
  }
}

SourceProgress SourceReader::Progress() const {
  SourceProgress progress;
  progress.finished = finished_;
  for (const OpenSplit& open : open_) {
    stream::Split split = open.split;
    split.position = open.reader->Position();
    progress.open.push_back(std::move(split));
  }
  return progress;
}

Status SourceReader::OpenMore() {
  for (stream::Split& split : assigner_->Take(context_->subtask)) {
    auto reader = source_->OpenSplit(split, *context_);
    if (!reader.ok()) {
      return Named(reader.status(), split);
    }
    open_.push_back({std::move(split), std::move(reader).ValueUnsafe()});
  }
  return Status::OK();
}

Status SourceReader::Named(const Status& status, const stream::Split& split) const {
  const std::string& message = status.message();
  std::string context;
  if (message.find(name_) == std::string::npos) {
    context = fmt::format("source {}", name_);
  }
  if (message.find(split.id) == std::string::npos) {
    context += fmt::format("{}split {}", context.empty() ? "" : ", ", split.id);
  }
  return context.empty() ? status : WithContext(status, context);
}

}  // namespace lakeward::runtime
