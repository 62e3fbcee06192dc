#pragma once

#include <cstdint>
#include <string>

#include "lakeward/session/session.h"

namespace lakeward::bin {

/// One line on a terminal's standard error that tells how far the running jobs are; nothing when
/// standard error is no terminal. One thread.
class ProgressLine {
 public:
  ProgressLine();

  /// Draws or refreshes the line, at most twice a second and not in the first two seconds of a job.
  void Update(const session::Session& session);
  /// Takes the line away before other text is printed.
  void Clear();

 private:
  bool terminal_;
  bool shown_ = false;
  int64_t last_us_ = 0;
};

}  // namespace lakeward::bin
