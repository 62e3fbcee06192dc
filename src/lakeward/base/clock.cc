#include "lakeward/base/clock.h"

#include <cerrno>
#include <ctime>

namespace lakeward {
namespace {

int64_t MicrosOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<int64_t>(time.tv_sec) * 1'000'000 + time.tv_nsec / 1'000;
}

class OperatingSystemClock final : public Clock {
 public:
  int64_t NowMicros() const override { return MicrosOf(CLOCK_REALTIME); }

  int64_t MonotonicMicros() const override { return MicrosOf(CLOCK_MONOTONIC); }

  void SleepForMicros(int64_t duration_us) override {
    if (duration_us <= 0) {
      return;
    }
    timespec left{};
    left.tv_sec = static_cast<time_t>(duration_us / 1'000'000);
    left.tv_nsec = static_cast<decltype(left.tv_nsec)>(duration_us % 1'000'000 * 1'000);
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
  }
};

}  // namespace

Clock* SystemClock() {
  // Never destroyed: threads may still ask for the time while the process exits.
  static auto* const clock = new OperatingSystemClock();
  return clock;
}

}  // namespace lakeward
