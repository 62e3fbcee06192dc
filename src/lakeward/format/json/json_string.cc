#include "lakeward/format/json/json_string.h"

#include <array>

#include "lakeward/base/percent_text.h"

namespace lakeward::format {

namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

/// The code unit of the four hex digits at `p`, -1 when they are not four.
int32_t ReadCodeUnit(const char* p, const char* end) {
  if (end - p < 4) {
    return -1;
  }
  int32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = HexDigitValue(p[i]);
    if (digit < 0) {
      return -1;
    }
    unit = unit * 16 + digit;
  }
  return unit;
}

char* WriteUtf8(uint32_t code_point, char* out) {
  if (code_point < 0x80) {
    *out++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *out++ = static_cast<char>(0xC0 | code_point >> 6);
    *out++ = static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    *out++ = static_cast<char>(0xE0 | code_point >> 12);
    *out++ = static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code_point & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | code_point >> 18);
    *out++ = static_cast<char>(0x80 | (code_point >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code_point & 0x3F));
  }
  return out;
}

/// The character that the escape letter `c` stands for, 0 when it is none or 'u'.
char SimpleEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

/// Reads the escape whose 'u' stands before `*p`; null when it is not four hex digits.
char* UnescapeUnicode(const char** p, const char* end, char* out) {
  const int32_t unit = ReadCodeUnit(*p, end);
  if (unit < 0) {
    return nullptr;
  }
  *p += 4;
  if (unit < 0xD800 || unit > 0xDFFF) {
    return WriteUtf8(static_cast<uint32_t>(unit), out);
  }
  if (unit < 0xDC00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
    const int32_t low = ReadCodeUnit(*p + 2, end);
    if (low >= 0xDC00 && low <= 0xDFFF) {
      *p += 6;
      return WriteUtf8(0x10000 + (static_cast<uint32_t>(unit - 0xD800) << 10) +
                           static_cast<uint32_t>(low - 0xDC00),
                       out);
    }
  }
  *out++ = '?';
  return out;
}

constexpr std::array<bool, 256> MakeNeedsEscape() {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < 0x20; ++i) {
    table[i] = true;
  }
  table['"'] = true;
  table['\\'] = true;
  return table;
}
constexpr std::array<bool, 256> kNeedsEscape = MakeNeedsEscape();

char* WriteEscape(unsigned char c, char* out) {
  *out++ = '\\';
  switch (c) {
    case '"':
    case '\\':
      *out++ = static_cast<char>(c);
      return out;
    case '\b':
      *out++ = 'b';
      return out;
    case '\f':
      *out++ = 'f';
      return out;
    case '\n':
      *out++ = 'n';
      return out;
    case '\r':
      *out++ = 'r';
      return out;
    case '\t':
      *out++ = 't';
      return out;
    default:
      *out++ = 'u';
      *out++ = '0';
      *out++ = '0';
      *out++ = kHexDigits[c >> 4];
      *out++ = kHexDigits[c & 15];
      return out;
  }
}

/// Non-zero when one of eight bytes must be escaped (a false alarm is possible, a miss is not).
uint64_t MayNeedEscape(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = 0x8080808080808080;
  const uint64_t quote = bytes ^ (kOnes * '"');
  const uint64_t backslash = bytes ^ (kOnes * '\\');
  const uint64_t control = (bytes - kOnes * 0x20) & ~bytes;
  return (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) | control) & kHighs;
}

constexpr char kBase64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> MakeBase64Values() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) {
    value = -1;
  }
  for (int i = 0; i < 64; ++i) {
    values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<int8_t>(i);
  }
  return values;
}
constexpr std::array<int8_t, 256> kBase64Values = MakeBase64Values();

}  // namespace

char* Unescape(std::string_view raw, char* target) {
  const char* p = raw.data();
  const char* const end = p + raw.size();
  while (p < end) {
    const void* found = std::memchr(p, '\\', static_cast<size_t>(end - p));
    const char* stop = found != nullptr ? static_cast<const char*>(found) : end;
    std::memmove(target, p, static_cast<size_t>(stop - p));
    target += stop - p;
    if (stop == end) {
      break;
    }
    p = stop + 1;
    if (p == end) {
      return nullptr;
    }
    const char letter = *p++;
    if (letter == 'u') {
      target = UnescapeUnicode(&p, end, target);
      if (target == nullptr) {
        return nullptr;
      }
      continue;
    }
    const char character = SimpleEscape(letter);
    if (character == 0) {
      return nullptr;
    }
    *target++ = character;
  }
  return target;
}

bool HasValidEscapes(std::string_view raw) {
  const char* p = raw.data();
  const char* const end = p + raw.size();
  while (p < end) {
    p = static_cast<const char*>(std::memchr(p, '\\', static_cast<size_t>(end - p)));
    if (p == nullptr) {
      return true;
    }
    ++p;
    if (p == end) {
      return false;
    }
    const char letter = *p++;
    if (letter == 'u' ? ReadCodeUnit(p, end) < 0 : SimpleEscape(letter) == 0) {
      return false;
    }
  }
  return true;
}

std::string EscapeControlCharacters(std::string_view json) {
  std::string result;
  result.reserve(json.size() + 64);
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      result.append(escape, WriteEscape(static_cast<unsigned char>(c), escape));
      continue;
    }
    result += c;
    if (c == '"') {
      in_string = !in_string;
    } else if (in_string && c == '\\' && i + 1 < json.size()) {
      // An escaped control character is no escape, and must not become one.
      const char escaped = json[++i];
      result += static_cast<unsigned char>(escaped) < 0x20 ? 'x' : escaped;
    }
  }
  return result;
}

void AppendQuoted(std::string_view text, std::string* out) {
  const size_t before = out->size();
  out->resize(before + QuotedLengthMax(text.size()));
  const char* end = WriteQuoted(text.data(), text.size(), out->data() + before);
  out->resize(static_cast<size_t>(end - out->data()));
}

char* WriteQuoted(const char* text, size_t length, char* out) {
  *out++ = '"';
  const char* const end = text + length;
  while (end - text >= 8) {
    const uint64_t bytes = LoadEightBytes(text);
    if (MayNeedEscape(bytes) == 0) {
      std::memcpy(out, &bytes, sizeof(bytes));
      text += 8;
      out += 8;
      continue;
    }
    for (int i = 0; i < 8; ++i, ++text) {
      const auto c = static_cast<unsigned char>(*text);
      if (kNeedsEscape[c]) {
        out = WriteEscape(c, out);
      } else {
        *out++ = static_cast<char>(c);
      }
    }
  }
  for (; text < end; ++text) {
    const auto c = static_cast<unsigned char>(*text);
    if (kNeedsEscape[c]) {
      out = WriteEscape(c, out);
    } else {
      *out++ = static_cast<char>(c);
    }
  }
  *out++ = '"';
  return out;
}

char* DecodeBase64(std::string_view text, char* target) {
  uint32_t bits = 0;
  int digits = 0;
  int padding = 0;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ') {
      continue;
    }
    if (c == '=') {
      if (++padding > 2 || digits + padding > 4 || digits < 2) {
        return nullptr;
      }
      continue;
    }
    const int8_t value = kBase64Values[static_cast<unsigned char>(c)];
    if (value < 0 || padding > 0) {
      return nullptr;
    }
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++digits == 4) {
      *target++ = static_cast<char>(bits >> 16);
      *target++ = static_cast<char>(bits >> 8);
      *target++ = static_cast<char>(bits);
      bits = 0;
      digits = 0;
    }
  }
  if (digits == 0) {
    return padding == 0 ? target : nullptr;
  }
  if (digits + padding != 4) {
    return nullptr;
  }
  bits <<= 6 * padding;
  *target++ = static_cast<char>(bits >> 16);
  if (digits == 3) {
    *target++ = static_cast<char>(bits >> 8);
  }
  return target;
}

char* EncodeBase64(const uint8_t* data, size_t length, char* out) {
  size_t i = 0;
  for (; i + 3 <= length; i += 3) {
    const uint32_t bits = static_cast<uint32_t>(data[i]) << 16 |
                          static_cast<uint32_t>(data[i + 1]) << 8 | data[i + 2];
    *out++ = kBase64Digits[bits >> 18];
    *out++ = kBase64Digits[bits >> 12 & 63];
    *out++ = kBase64Digits[bits >> 6 & 63];
    *out++ = kBase64Digits[bits & 63];
  }
  if (i < length) {
    const bool two = i + 1 < length;
    const uint32_t bits =
        static_cast<uint32_t>(data[i]) << 16 | (two ? static_cast<uint32_t>(data[i + 1]) << 8 : 0);
    *out++ = kBase64Digits[bits >> 18];
    *out++ = kBase64Digits[bits >> 12 & 63];
    *out++ = two ? kBase64Digits[bits >> 6 & 63] : '=';
    *out++ = '=';
  }
  return out;
}

}  // namespace lakeward::format
