#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "lakeward/format/json/json_number.h"

namespace lakeward::format {

/// Copies `length` bytes and tells whether a backslash is among them (then the copy is not the
/// string's value). Reads and writes up to 16 bytes more than `length`.
inline bool CopyUnlessEscaped(const char* source, size_t length, char* target) {
  uint64_t found = 0;
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    const uint64_t bytes = LoadEightBytes(source + i);
    std::memcpy(target + i, &bytes, sizeof(bytes));
    const uint64_t difference = bytes ^ 0x5C5C5C5C5C5C5C5C;
    found |= (difference - 0x0101010101010101) & ~difference & 0x8080808080808080;
  }
  if (i < length) {
    const uint64_t bytes = LoadEightBytes(source + i);
    std::memcpy(target + i, &bytes, sizeof(bytes));
    const uint64_t difference = bytes ^ 0x5C5C5C5C5C5C5C5C;
    const uint64_t inside = (uint64_t{1} << (8 * (length - i))) - 1;
    found |= (difference - 0x0101010101010101) & ~difference & 0x8080808080808080 & inside;
  }
  return found == 0;
}

/// Whether a backslash is among `length` bytes. Reads up to 8 bytes more.
inline bool HasBackslash(const char* text, size_t length) {
  uint64_t found = 0;
  for (size_t i = 0; i < length; i += 8) {
    const uint64_t difference = LoadEightBytes(text + i) ^ 0x5C5C5C5C5C5C5C5C;
    uint64_t match = (difference - 0x0101010101010101) & ~difference & 0x8080808080808080;
    if (length - i < 8) {
      match &= (uint64_t{1} << (8 * (length - i))) - 1;
    }
    found |= match;
  }
  return found != 0;
}

/// Replaces the escapes of a JSON string (given without its quotes); a lone surrogate becomes '?',
/// as Java's encoder has it. `target` needs `raw.size()` bytes. Returns the end, null for an
/// invalid escape.
char* Unescape(std::string_view raw, char* target);

/// Whether every escape of a JSON string (given without its quotes) is valid.
bool HasValidEscapes(std::string_view raw);

/// The same JSON text with control characters inside its strings turned into escapes.
std::string EscapeControlCharacters(std::string_view json);

/// Appends a quoted JSON string as Jackson writes it: escapes for the quote, the backslash and
/// control characters only.
void AppendQuoted(std::string_view text, std::string* out);

/// The most bytes that WriteQuoted makes of `length` bytes.
inline constexpr size_t QuotedLengthMax(size_t length) { return 6 * length + 2 + 16; }
/// As AppendQuoted, into `out`, which has QuotedLengthMax(length) bytes; returns the end.
char* WriteQuoted(const char* text, size_t length, char* out);

/// Base64 with the standard alphabet and padding; white space inside is skipped. `target` needs
/// three quarters of `text.size()`. Returns the end, null when the text is not valid.
char* DecodeBase64(std::string_view text, char* target);
/// `out` needs 4 × ceil(length / 3) bytes; returns the end.
char* EncodeBase64(const uint8_t* data, size_t length, char* out);

}  // namespace lakeward::format
