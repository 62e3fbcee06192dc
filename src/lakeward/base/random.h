#pragma once

#include <cstdint>

namespace lakeward {

/// The only source of chance, so that a seed decides a whole run. Thread-safe.
class Random {
 public:
  virtual ~Random() = default;

  virtual uint64_t NextUint64() = 0;

  /// Uniform in [0, bound); bound must be positive.
  uint64_t NextBelow(uint64_t bound);
};

/// Seeded by the operating system; lives as long as the process.
Random* SystemRandom();

/// A small, fast generator (xoshiro256**) for one thread; the same seed gives the same sequence on
/// every machine.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(uint64_t seed);
  uint64_t NextUint64() override;

 private:
  uint64_t state_[4];
};

}  // namespace lakeward
