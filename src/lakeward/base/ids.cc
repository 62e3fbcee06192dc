#include "lakeward/base/ids.h"

#include "fmt/format.h"

namespace lakeward {

std::string MakeUuid(Random* random) {
  uint64_t high = random->NextUint64();
  uint64_t low = random->NextUint64();
  high = (high & ~0xF000ULL) | 0x4000ULL;            // version 4
  low = (low & ~(0xC0ULL << 56)) | (0x80ULL << 56);  // variant 1
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xFFFF,
                     high & 0xFFFF, low >> 48, low & 0xFFFFFFFFFFFFULL);
}

std::string MakeJobId(Random* random) {
  const uint64_t high = random->NextUint64();
  return fmt::format("{:016x}{:016x}", high, random->NextUint64());
}

bool IsUuid(std::string_view text) {
  if (text.size() != 36) {
    return false;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      if (c != '-') {
        return false;
      }
      continue;
    }
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!is_hex) {
      return false;
    }
  }
  return true;
}

}  // namespace lakeward
