#include "lakeward/base/request_journal.h"

#include <utility>

namespace lakeward {

void RequestJournal::Add(RequestRecord record) {
  MutexLock lock(&mutex_);
  lines_.push_back(std::move(record.line));
  if (lines_.size() > kLinesMax) {
    lines_.pop_front();
  }
  Marks& marks = marks_[std::move(record.place)];
  marks.is_answered |= record.is_answered;
  marks.may_have_begun |= record.may_have_begun;
}

std::vector<RequestLine> RequestJournal::LastLines() const {
  MutexLock lock(&mutex_);
  return {lines_.begin(), lines_.end()};
}

bool RequestJournal::MayHoldAnything(std::string_view place) const {
  MutexLock lock(&mutex_);
  const auto marks = marks_.find(place);
  return marks == marks_.end() || (marks->second.is_answered && marks->second.may_have_begun);
}

}  // namespace lakeward
