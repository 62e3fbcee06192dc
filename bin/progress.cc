#include "bin/progress.h"

#include <unistd.h>

#include <cstdio>

#include "fmt/format.h"
#include "lakeward/base/clock.h"

namespace lakeward::bin {
namespace {

constexpr int64_t kRefreshMicros = 500'000;
constexpr int64_t kQuietMillis = 2'000;

std::string Describe(const runtime::JobStatus& status, int64_t now_ms) {
  std::string text = fmt::format(
      "{} {} · {} s · {} rows read · {} written", status.name, runtime::ToString(status.state),
      (now_ms - status.start_time_ms) / 1'000, status.rows_in, status.rows_out);
  if (status.completed_checkpoints > 0) {
    text += fmt::format(" · {} checkpoints", status.completed_checkpoints);
  }
  return text;
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::Update(const session::Session& session) {
  const int64_t now_us = SystemClock()->MonotonicMicros();
  if (!terminal_ || now_us - last_us_ < kRefreshMicros) {
    return;
  }
  last_us_ = now_us;
  const int64_t now_ms = SystemClock()->NowMillis();
  std::string line;
  for (const auto& job : session.jobs()) {
    const runtime::JobStatus status = job->status();
    if (!status.end_time_ms.has_value() && now_ms - status.start_time_ms >= kQuietMillis) {
      line += (line.empty() ? "" : " | ") + Describe(status, now_ms);
    }
  }
  if (!line.empty()) {
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
    shown_ = true;
  }
}

void ProgressLine::Clear() {
  if (shown_) {
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    shown_ = false;
  }
}

}  // namespace lakeward::bin
