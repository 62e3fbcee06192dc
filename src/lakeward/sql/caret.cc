#include "lakeward/sql/caret.h"

#include <algorithm>

#include "fmt/format.h"
#include "lakeward/sql/utf8.h"

namespace lakeward::sql {
namespace {

constexpr int kColumnsShownMax = 120;
constexpr int kColumnsBeforeCaretMax = 70;

/// The 1-based line of `text`, without its end; `found` is false beyond the last line.
std::string_view LineOf(std::string_view text, int line, bool* found) {
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      *found = false;
      return {};
    }
    text.remove_prefix(end + 1);
  }
  *found = true;
  std::string_view result = text.substr(0, text.find('\n'));
  if (!result.empty() && result.back() == '\r') {
    result.remove_suffix(1);
  }
  return result;
}

struct Character {
  std::string_view bytes;
  int width;
  bool tab;
};

/// The character at the start of `text`, which is not empty.
Character FirstOf(std::string_view text) {
  const DecodedCharacter decoded = DecodeUtf8(text);
  return {text.substr(0, std::max<size_t>(1, decoded.bytes)), DisplayWidth(decoded.code_point),
          decoded.code_point == '\t'};
}

/// The character that ends where `text` ends, which is not empty.
Character LastOf(std::string_view text) {
  size_t begin = text.size() - 1;
  while (begin > 0 && text.size() - begin < 4 &&
         (static_cast<uint8_t>(text[begin]) & 0xC0) == 0x80) {
    --begin;
  }
  return FirstOf(text.substr(begin));
}

}  // namespace

std::string RenderCaret(std::string_view text, SqlPosition position) {
  bool found = false;
  const std::string_view line = LineOf(text, position.line, &found);
  if (!found || position.line < 1 || position.column < 1) {
    return "";
  }
  size_t at = 0;
  for (int column = 1; column < position.column; ++column) {
    if (at >= line.size()) {
      return "";
    }
    do {
      ++at;
    } while (at < line.size() && (static_cast<uint8_t>(line[at]) & 0xC0) == 0x80);
  }
  // Only a window of the line around the caret is looked at: lines may be megabytes long.
  std::string caret;
  size_t first = at;
  int shown = 0;
  while (first > 0) {
    const Character character = LastOf(line.substr(0, first));
    if (shown + character.width > kColumnsBeforeCaretMax) {
      break;
    }
    shown += character.width;
    first -= character.bytes.size();
    caret.insert(0, character.tab ? std::string("\t")
                                  : std::string(static_cast<size_t>(character.width), ' '));
  }
  size_t last = at;
  while (last < line.size()) {
    const Character character = FirstOf(line.substr(last));
    if (shown + character.width > kColumnsShownMax) {
      break;
    }
    shown += character.width;
    last += character.bytes.size();
  }
  std::string source(line.substr(first, last - first));
  if (first > 0) {
    source.insert(0, "…");
    caret.insert(0, " ");
  }
  if (last < line.size()) {
    source += "…";
  }
  return source + "\n" + caret + "^";
}

Status WithCaret(const Status& error, std::string_view text) {
  if (error.ok() || !PositionOf(error).has_value()) {
    return error;
  }
  const std::string caret = RenderCaret(text, *PositionOf(error));
  if (caret.empty()) {
    return error;
  }
  return Status(error.code(), error.message() + "\n" + caret, error.detail());
}

std::string PlaceOf(SqlPosition position) {
  return fmt::format("SQL syntax error at line {}, column {}", position.line, position.column);
}

}  // namespace lakeward::sql
