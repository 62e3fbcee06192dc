#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "lakeward/format/json/json_number.h"

namespace lakeward::format {

/// Values of an indexed JSON text: `next` points at the index entry of the value's first token;
/// functions return the entry after the value, null when the value is not valid JSON.

/// How deep arrays and objects may be nested; Jackson's limit.
inline constexpr int kJsonDepthMax = 1000;

/// The raw string (quotes taken off, escapes as they are) whose first token is `next`.
inline std::string_view RawString(const char* text, const uint32_t* next) {
  const char* const start = text + next[0] + 1;
  const char* end = text + next[1];
  do {
    --end;
  } while (IsJsonSpace(*end));
  return {start, end > start ? static_cast<size_t>(end - start) : 0};
}

/// Whether the token at `next` is exactly this literal.
inline bool IsLiteral(const char* text, const uint32_t* next, std::string_view literal) {
  const char* const start = text + next[0];
  return std::memcmp(start, literal.data(), literal.size()) == 0 &&
         EndsAt(start + literal.size(), text + next[1]);
}

/// The text of the number, literal or other scalar at `next`, white space taken off.
std::string_view ScalarText(const char* text, const uint32_t* next);

/// Steps over one value of any kind, checking every token of it.
const uint32_t* SkipValue(const char* text, const uint32_t* next);

/// The most bytes that WriteCompact makes of a value whose text has `length` bytes.
inline constexpr size_t CompactLengthMax(size_t length) { return 6 * length + 64; }

/// Writes the valid value [`next`, `end`) as Jackson's JsonNode.toString() does: no white space,
/// only the escapes that are needed, fractions as Java spells doubles.
char* WriteCompact(const char* text, const uint32_t* next, const uint32_t* end, char* out);

}  // namespace lakeward::format
