#pragma once

#include <cstddef>
#include <cstdint>

namespace lakeward::format {

inline constexpr size_t kIndexBlock = 64;

/// What 64 bytes are, one bit each.
struct Classes {
  uint64_t quote = 0;
  uint64_t backslash = 0;
  uint64_t punctuation = 0;  ///< braces, brackets, colon, comma
  uint64_t space = 0;
  uint64_t control = 0;  ///< below 0x20
  uint64_t non_ascii = 0;
};

/// What the pass over a text found.
struct IndexResult {
  size_t count;
  bool has_control;  ///< a control character inside a string
  bool has_non_ascii;
  bool is_in_string;  ///< at the end
};

#if defined(__x86_64__)
/// For processors that have AVX2, BMI and POPCNT.
IndexResult IndexTextWithAvx2(const char* text, size_t length, uint32_t* out);
#endif

}  // namespace lakeward::format
