#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/mutex.h"

namespace lakeward {

/// What a person reads of one try of a request.
struct RequestLine {
  int64_t time_us = 0;  ///< when it was answered or given up
  std::string text;
};

/// What became of one try of a request.
struct RequestRecord {
  std::string place;  ///< of the store: what stands between "://" and the next "/" of its URIs
  RequestLine line;
  bool is_answered = false;
  bool may_have_begun = false;  ///< something may lie there that did not before
};

/// The requests that were made for one job or statement: the last ones, and where something may
/// have been begun. Thread-safe; keeps 10 lines and two marks a place.
class RequestJournal {
 public:
  static constexpr size_t kLinesMax = 10;

  void Add(RequestRecord record);
  /// The oldest first.
  std::vector<RequestLine> LastLines() const;
  /// False when requests were made at `place`, and none was answered or none can have begun
  /// anything: to ask for what has to be cleared away would be in vain.
  bool MayHoldAnything(std::string_view place) const;

 private:
  struct Marks {
    bool is_answered = false;
    bool may_have_begun = false;
  };

  mutable Mutex mutex_;
  std::deque<RequestLine> lines_;
  std::map<std::string, Marks, std::less<>> marks_;
};

}  // namespace lakeward
