#pragma once

#include <cstdint>

namespace lakeward {

/// The only way to learn the time. Thread-safe. Tests and the simulation pass their own.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Wall time in microseconds since 1970-01-01T00:00:00Z; may jump in either direction.
  virtual int64_t NowMicros() const = 0;

  /// Time that never goes back, in microseconds since an arbitrary start; for durations.
  virtual int64_t MonotonicMicros() const = 0;

  /// Blocks the calling thread.
  virtual void SleepForMicros(int64_t duration_us) = 0;

  int64_t NowMillis() const { return NowMicros() / 1'000; }
};

/// The operating system's clock; lives as long as the process.
Clock* SystemClock();

}  // namespace lakeward
