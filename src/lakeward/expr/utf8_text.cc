#include "lakeward/expr/utf8_text.h"

namespace lakeward::expr {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Sequence {
  size_t length;  ///< in bytes, at least 1
  bool valid;
};

/// The code point at the head of `bytes`, or the longest beginning of one (Unicode, table 3-7).
Sequence HeadOf(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return {1, true};
  }
  size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    low = first == 0xE0 ? 0xA0 : low;
    high = first == 0xED ? 0x9F : high;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    low = first == 0xF0 ? 0x90 : low;
    high = first == 0xF4 ? 0x8F : high;
  } else {
    return {1, false};
  }
  for (size_t i = 1; i < length; ++i) {
    if (i >= bytes.size() || byte(i) < low || byte(i) > high) {
      return {i, false};
    }
    low = 0x80;
    high = 0xBF;
  }
  return {length, true};
}

}  // namespace

void AppendDecodedUtf8(std::string_view bytes, std::string* text) {
  while (!bytes.empty()) {
    const Sequence head = HeadOf(bytes);
    text->append(head.valid ? bytes.substr(0, head.length) : kReplacement);
    bytes.remove_prefix(head.length);
  }
}

}  // namespace lakeward::expr
