#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lakeward::expr {

/// Positions in UTF-8 text, counted in code points as Flink's BinaryStringData counts them. A byte
/// that cannot begin a code point counts as one.
inline bool IsContinuationByte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

inline int64_t CountCodePoints(std::string_view text) {
  int64_t count = 0;
  for (char byte : text) {
    count += IsContinuationByte(byte) ? 0 : 1;
  }
  return count;
}

/// The byte at which the `index`-th code point (from 0) begins; the text's size when it has fewer.
inline size_t ByteOfCodePoint(std::string_view text, int64_t index) {
  size_t byte = 0;
  while (byte < text.size() && (index > 0 || IsContinuationByte(text[byte]))) {
    ++byte;
    if (byte == text.size() || !IsContinuationByte(text[byte])) {
      --index;
      if (index == 0) {
        break;
      }
    }
  }
  return byte;
}

/// Appends bytes as text: each longest beginning of a code point that is not one becomes U+FFFD, as
/// Java's `new String(bytes, UTF_8)` has it.
void AppendDecodedUtf8(std::string_view bytes, std::string* text);

}  // namespace lakeward::expr
