#pragma once

#include <cstdint>
#include <string_view>

namespace lakeward {

/// The CRC-32C (Castagnoli) of RFC 3720 appendix B.4, for files whose damage must be noticed.
/// `previous` continues over a text in pieces: Crc32c(b, Crc32c(a)) is the checksum of a + b.
uint32_t Crc32c(std::string_view bytes, uint32_t previous = 0);

}  // namespace lakeward
