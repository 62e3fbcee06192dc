#pragma once

#include <atomic>
#include <cstdint>

#include "lakeward/base/clock.h"

namespace lakeward::test {

/// A clock that stands until somebody moves it; sleeping moves it. Thread-safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t now_us) : now_us_(now_us) {}

  int64_t NowMicros() const override { return now_us_; }
  int64_t MonotonicMicros() const override { return now_us_; }
  void SleepForMicros(int64_t duration_us) override {
    now_us_ += duration_us;
    slept_us_ += duration_us;
  }

  void Advance(int64_t duration_us) { now_us_ += duration_us; }
  int64_t slept_us() const { return slept_us_; }

 private:
  std::atomic<int64_t> now_us_;
  std::atomic<int64_t> slept_us_{0};
};

}  // namespace lakeward::test
