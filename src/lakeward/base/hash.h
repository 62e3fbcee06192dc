#pragma once

#include <cstdint>
#include <string_view>

namespace lakeward {

/// 64-bit hashes of keys, for tables in memory and for the division of keys among tasks. They are
/// the same on every machine and must stay the same: checkpoints are divided by them. Not for
/// defence against chosen keys.

/// XXH3 of the bytes (https://github.com/Cyan4973/xxHash).
uint64_t HashBytes(std::string_view bytes, uint64_t seed = 0);

/// Every bit of the value changes about half of the bits (the finaliser of splitmix64).
constexpr uint64_t HashInt64(int64_t value, uint64_t seed = 0) {
  uint64_t z = static_cast<uint64_t>(value) + seed + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// The hash of a key of several columns, from left to right; not symmetric.
constexpr uint64_t CombineHashes(uint64_t left, uint64_t right) {
  return HashInt64(
      static_cast<int64_t>(left ^ (right + 0x9E3779B97F4A7C15ULL + (left << 6) + (left >> 2))));
}

}  // namespace lakeward
