#include "lakeward/format/json/json_value.h"

#include <algorithm>
#include <bitset>
#include <string>

#include "lakeward/format/json/json_string.h"
#include "lakeward/types/number_text.h"

namespace lakeward::format {

namespace {

/// Checks a string, number or literal.
bool IsValidScalar(const char* text, const uint32_t* next) {
  const char* const start = text + next[0];
  switch (*start) {
    case '"': {
      const std::string_view raw = RawString(text, next);
      return !HasBackslash(raw.data(), raw.size()) || HasValidEscapes(raw);
    }
    case 't':
      return IsLiteral(text, next, "true");
    case 'f':
      return IsLiteral(text, next, "false");
    case 'n':
      return IsLiteral(text, next, "null");
    default: {
      double value;
      if (ReadPlainDouble(start, text + next[1], &value)) {
        return true;
      }
      bool is_integer;
      const char* end = FindNumberEnd(start, &is_integer);
      return end != nullptr && EndsAt(end, text + next[1]);
    }
  }
}

/// Steps over the key and colon at `next`.
const uint32_t* SkipKey(const char* text, const uint32_t* next) {
  if (text[next[0]] != '"' || text[next[1]] != ':' || !HasValidEscapes(RawString(text, next))) {
    return nullptr;
  }
  return next + 2;
}

/// Steps over an array or object without recursion: `objects` remembers which each level is.
const uint32_t* SkipContainer(const char* text, const uint32_t* next) {
  std::bitset<kJsonDepthMax> objects;
  int depth = 0;
  for (;;) {
    // At the start of a value.
    const char opening = text[*next];
    if (opening == '{' || opening == '[') {
      if (depth == kJsonDepthMax) {
        return nullptr;
      }
      const bool is_object = opening == '{';
      objects[static_cast<size_t>(depth++)] = is_object;
      ++next;
      if (text[*next] != (is_object ? '}' : ']')) {
        if (is_object && (next = SkipKey(text, next)) == nullptr) {
          return nullptr;
        }
        continue;
      }
      --depth;
      ++next;
    } else {
      if (!IsValidScalar(text, next)) {
        return nullptr;
      }
      ++next;
    }
    // After a value: close levels until one goes on.
    for (;;) {
      if (depth == 0) {
        return next;
      }
      const bool in_object = objects[static_cast<size_t>(depth - 1)];
      const char token = text[*next];
      ++next;
      if (token == ',') {
        if (in_object && (next = SkipKey(text, next)) == nullptr) {
          return nullptr;
        }
        break;
      }
      if (token != (in_object ? '}' : ']')) {
        return nullptr;
      }
      --depth;
    }
  }
}

char* WriteCompactScalar(const char* text, const uint32_t* next, char* out) {
  const char* const start = text + next[0];
  if (*start == '"') {
    const std::string_view raw = RawString(text, next);
    std::string value(raw.size() + 16, '\0');
    const char* end = Unescape(raw, value.data());
    return WriteQuoted(value.data(), static_cast<size_t>(end - value.data()), out);
  }
  const std::string_view scalar = ScalarText(text, next);
  bool is_integer = true;
  if (*start == '-' || IsDigit(*start)) {
    FindNumberEnd(start, &is_integer);
  }
  double value = 0;
  if (is_integer || !ParseJavaDouble(scalar, &value)) {
    return std::copy(scalar.begin(), scalar.end(), out);
  }
  std::string spelled;
  types::AppendDouble(value, &spelled);
  return std::copy(spelled.begin(), spelled.end(), out);
}

}  // namespace

std::string_view ScalarText(const char* text, const uint32_t* next) {
  const char* const start = text + next[0];
  const char* end = text + next[1];
  while (end > start && IsJsonSpace(end[-1])) {
    --end;
  }
  return {start, static_cast<size_t>(end - start)};
}

const uint32_t* SkipValue(const char* text, const uint32_t* next) {
  const char first = text[*next];
  if (first == '{' || first == '[') {
    return SkipContainer(text, next);
  }
  return IsValidScalar(text, next) ? next + 1 : nullptr;
}

char* WriteCompact(const char* text, const uint32_t* next, const uint32_t* end, char* out) {
  for (; next != end; ++next) {
    const char c = text[*next];
    switch (c) {
      case '{':
      case '}':
      case '[':
      case ']':
      case ':':
      case ',':
        *out++ = c;
        break;
      default:
        out = WriteCompactScalar(text, next, out);
    }
  }
  return out;
}

}  // namespace lakeward::format
