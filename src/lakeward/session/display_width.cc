#include "lakeward/session/display_width.h"

#include <cstdint>

namespace lakeward::session {
namespace {

struct Range {
  uint32_t first;
  uint32_t last;
};

// Unicode's East_Asian_Width W and F blocks (UAX #11), the ones that terminals draw two cells wide.
constexpr Range kWide[] = {
    {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF}, {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF}, {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

int WidthOf(uint32_t code_point) {
  for (const Range& range : kWide) {
    if (code_point >= range.first && code_point <= range.last) {
      return 2;
    }
  }
  return 1;
}

/// Reads one character at `*offset` and moves on; malformed bytes count as one character each.
uint32_t NextCodePoint(std::string_view text, size_t* offset) {
  const auto lead = static_cast<unsigned char>(text[*offset]);
  size_t length = 1;
  uint32_t code_point = lead;
  if (lead >= 0xF0 && lead < 0xF8) {
    length = 4;
    code_point = lead & 0x07;
  } else if (lead >= 0xE0) {
    length = 3;
    code_point = lead & 0x0F;
  } else if (lead >= 0xC0) {
    length = 2;
    code_point = lead & 0x1F;
  }
  if (*offset + length > text.size()) {
    ++*offset;
    return lead;
  }
  for (size_t i = 1; i < length; ++i) {
    code_point = (code_point << 6) | (static_cast<unsigned char>(text[*offset + i]) & 0x3F);
  }
  *offset += length;
  return code_point;
}

}  // namespace

int DisplayWidth(std::string_view text) {
  int width = 0;
  for (size_t offset = 0; offset < text.size();) {
    width += WidthOf(NextCodePoint(text, &offset));
  }
  return width;
}

std::string TruncateToWidth(std::string_view text, int width) {
  int taken = 0;
  size_t offset = 0;
  while (offset < text.size()) {
    size_t next = offset;
    const int character = WidthOf(NextCodePoint(text, &next));
    if (taken + character > width) {
      break;
    }
    taken += character;
    offset = next;
  }
  return std::string(static_cast<size_t>(width - taken), ' ') + std::string(text.substr(0, offset));
}

}  // namespace lakeward::session
