#include "lakeward/base/hash.h"

#define XXH_INLINE_ALL
#include "xxhash.h"

namespace lakeward {

uint64_t HashBytes(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace lakeward
