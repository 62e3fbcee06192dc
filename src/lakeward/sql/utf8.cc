#include "lakeward/sql/utf8.h"

#include <algorithm>
#include <array>

namespace lakeward::sql {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Combining marks and zero-width characters, as far as scripts are in common use.
constexpr std::array<Range, 14> kZeroWidth{{
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x0591, 0x05BD},
    {0x0610, 0x061A},
    {0x064B, 0x065F},
    {0x0E31, 0x0E31},
    {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},
    {0x200B, 0x200F},
    {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F},
}};

// East Asian Wide and Fullwidth of Unicode's EastAsianWidth.txt, and emoji.
constexpr std::array<Range, 14> kDoubleWidth{{
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0x33FF},
    {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x1F300, 0x1FAFF},
    {0x20000, 0x3FFFD},
}};

template <size_t size>
bool Contains(const std::array<Range, size>& ranges, char32_t code_point) {
  const auto range =
      std::lower_bound(ranges.begin(), ranges.end(), code_point,
                       [](const Range& r, char32_t value) { return r.last < value; });
  return range != ranges.end() && range->first <= code_point;
}

bool IsContinuation(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) == 0x80; }

}  // namespace

DecodedCharacter DecodeUtf8(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) {
    return {lead, 1};
  }
  size_t bytes = 0;
  char32_t value = 0;
  char32_t least = 0;
  if ((lead & 0xE0) == 0xC0) {
    bytes = 2, value = lead & 0x1F, least = 0x80;
  } else if ((lead & 0xF0) == 0xE0) {
    bytes = 3, value = lead & 0x0F, least = 0x800;
  } else if ((lead & 0xF8) == 0xF0) {
    bytes = 4, value = lead & 0x07, least = 0x10000;
  } else {
    return {};
  }
  if (text.size() < bytes) {
    return {};
  }
  for (size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) {
      return {};
    }
    value = (value << 6) | (static_cast<uint8_t>(text[i]) & 0x3F);
  }
  if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    return {};
  }
  return {value, bytes};
}

void AppendUtf8(char32_t code_point, std::string* text) {
  if (code_point < 0x80) {
    text->push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    text->push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    text->push_back(static_cast<char>(0x80 | (code_point & 0x3F)));
  } else if (code_point < 0x10000) {
    text->push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    text->push_back(static_cast<char>(0x80 | ((code_point >> 6) & 0x3F)));
    text->push_back(static_cast<char>(0x80 | (code_point & 0x3F)));
  } else {
    text->push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    text->push_back(static_cast<char>(0x80 | ((code_point >> 12) & 0x3F)));
    text->push_back(static_cast<char>(0x80 | ((code_point >> 6) & 0x3F)));
    text->push_back(static_cast<char>(0x80 | (code_point & 0x3F)));
  }
}

int DisplayWidth(char32_t code_point) {
  if (code_point < 0x0300) {
    return 1;
  }
  if (Contains(kZeroWidth, code_point)) {
    return 0;
  }
  return Contains(kDoubleWidth, code_point) ? 2 : 1;
}

bool IsIdentifierCharacter(char32_t code_point) {
  return code_point >= 0xA1 && !IsWideSpace(code_point) && !IsTypographicQuote(code_point) &&
         !(code_point >= 0x2000 && code_point <= 0x206F);
}

bool IsWideSpace(char32_t code_point) {
  return code_point == 0xA0 || code_point == 0x1680 ||
         (code_point >= 0x2000 && code_point <= 0x200B) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F ||
         code_point == 0x3000 || code_point == 0xFEFF;
}

bool IsTypographicQuote(char32_t code_point) {
  return (code_point >= 0x2018 && code_point <= 0x201F) || code_point == 0xAB ||
         code_point == 0xBB || code_point == 0xFF02 || code_point == 0xFF07 || code_point == 0xFF40;
}

}  // namespace lakeward::sql
