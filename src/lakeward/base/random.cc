#include "lakeward/base/random.h"

#include <sys/random.h>

#include <cerrno>

#include "lakeward/base/status.h"

namespace lakeward {
namespace {

class OperatingSystemRandom final : public Random {
 public:
  uint64_t NextUint64() override {
    uint64_t value = 0;
    ssize_t count = 0;
    do {
      count = getrandom(&value, sizeof(value), 0);
    } while (count < 0 && errno == EINTR);
    LW_CHECK(count == static_cast<ssize_t>(sizeof(value)));
    return value;
  }
};

// Spreads a seed over the generator's state (splitmix64), because a state of mostly zeros starts
// with a long run of poor numbers.
uint64_t NextOfSplitMix(uint64_t* state) {
  *state += 0x9E3779B97F4A7C15ULL;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

uint64_t RotateLeft(uint64_t value, int bits) { return (value << bits) | (value >> (64 - bits)); }

}  // namespace

uint64_t Random::NextBelow(uint64_t bound) {
  LW_CHECK(bound > 0);
  // The numbers below 2^64 mod bound would make the small results likelier: they are drawn again.
  const uint64_t rejected_below = (0 - bound) % bound;
  uint64_t value = NextUint64();
  while (value < rejected_below) {
    value = NextUint64();
  }
  return value % bound;
}

Random* SystemRandom() {
  static auto* const random = new OperatingSystemRandom();
  return random;
}

SeededRandom::SeededRandom(uint64_t seed) {
  for (uint64_t& word : state_) {
    word = NextOfSplitMix(&seed);
  }
}

uint64_t SeededRandom::NextUint64() {
  const uint64_t result = RotateLeft(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = RotateLeft(state_[3], 45);
  return result;
}

}  // namespace lakeward
