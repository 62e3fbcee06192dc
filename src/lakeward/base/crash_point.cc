#include "lakeward/base/crash_point.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <string>

#include "lakeward/base/environment.h"
#include "lakeward/base/status.h"

namespace lakeward {
namespace {

constexpr std::array<std::string_view, 12> kNames{
    "sink.before-file-close",
    "sink.after-file-close",
    "sink.before-intent",
    "sink.after-intent",
    "checkpoint.before-put",
    "checkpoint.after-put",
    "delta.before-log-put",
    "delta.after-log-put",
    "delta.before-last-checkpoint-put",
    "delta.after-last-checkpoint-put",
    "job.before-final-checkpoint",
    "job.after-final-checkpoint",
};

bool IsListed(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

struct Armed {
  std::string name;  // empty: nothing is armed
  int64_t passage = 1;
};

Armed ReadArmed() {
  Armed armed;
  armed.name = GetEnvironment("LAKEWARD_CRASH_POINT").value_or("");
  const size_t colon = armed.name.find(':');
  if (colon != std::string::npos) {
    const std::string number = armed.name.substr(colon + 1);
    const auto parsed =
        std::from_chars(number.data(), number.data() + number.size(), armed.passage);
    const bool is_passage_number = parsed.ec == std::errc() &&
                                   parsed.ptr == number.data() + number.size() && armed.passage > 0;
    LW_CHECK(is_passage_number);
    armed.name.resize(colon);
  }
  // A misspelt name would make a crash test pass without a crash.
  const bool names_a_crash_point = armed.name.empty() || IsListed(armed.name);
  LW_CHECK(names_a_crash_point);
  return armed;
}

std::atomic<bool> may_be_armed{true};

void Pass(std::string_view name) {
  static const Armed armed = ReadArmed();
  static std::atomic<int64_t> passages{0};
  if (armed.name.empty()) {
    may_be_armed.store(false, std::memory_order_relaxed);
    return;
  }
  if (name == armed.name && passages.fetch_add(1) + 1 == armed.passage) {
    kill(getpid(), SIGKILL);
  }
}

}  // namespace

void CrashPoint(std::string_view name) {
  LW_DCHECK(IsListed(name));
  if (may_be_armed.load(std::memory_order_relaxed)) [[unlikely]] {
    Pass(name);
  }
}

std::vector<std::string_view> CrashPointNames() { return {kNames.begin(), kNames.end()}; }

}  // namespace lakeward
