#include "lakeward/base/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace lakeward {
namespace {

constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
constexpr int kSlices = 8;

using Tables = std::array<std::array<uint32_t, 256>, kSlices>;

// tables[k][b] is the checksum of byte b followed by k zero bytes, so that eight bytes are taken in
// one step.
constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kReflectedPolynomial : 0);
    }
    tables[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (int slice = 1; slice < kSlices; ++slice) {
      const uint32_t shorter = tables[slice - 1][byte];
      tables[slice][byte] = (shorter >> 8) ^ tables[0][shorter & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

uint32_t Crc32c(std::string_view bytes, uint32_t previous) {
  static_assert(std::endian::native == std::endian::little);
  uint32_t crc = ~previous;
  const char* position = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, position += 8) {
    uint32_t low = 0;
    uint32_t high = 0;
    std::memcpy(&low, position, sizeof(low));
    std::memcpy(&high, position + 4, sizeof(high));
    low ^= crc;
    crc = kTables[7][low & 0xFF] ^ kTables[6][(low >> 8) & 0xFF] ^ kTables[5][(low >> 16) & 0xFF] ^
          kTables[4][low >> 24] ^ kTables[3][high & 0xFF] ^ kTables[2][(high >> 8) & 0xFF] ^
          kTables[1][(high >> 16) & 0xFF] ^ kTables[0][high >> 24];
  }
  for (; left > 0; --left, ++position) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<uint8_t>(*position)) & 0xFF];
  }
  return ~crc;
}

}  // namespace lakeward
