#include "lakeward/sql/caret.h"

#include <algorithm>
#include <vector>

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

std::vector<Character> CharactersOf(std::string_view line) {
  std::vector<Character> characters;
  while (!line.empty()) {
    const DecodedCharacter decoded = DecodeUtf8(line);
    const size_t bytes = std::max<size_t>(1, decoded.bytes);
    characters.push_back(
        {line.substr(0, bytes), DisplayWidth(decoded.code_point), decoded.code_point == '\t'});
    line.remove_prefix(bytes);
  }
  return characters;
}

}  // namespace

std::string RenderCaret(std::string_view text, SqlPosition position) {
  bool found = false;
  const std::string_view line = LineOf(text, position.line, &found);
  if (!found || position.line < 1 || position.column < 1) {
    return "";
  }
  const std::vector<Character> characters = CharactersOf(line);
  const size_t at = static_cast<size_t>(position.column) - 1;
  if (at > characters.size()) {
    return "";
  }
  // A window of the line around the caret.
  size_t first = at;
  int before = 0;
  while (first > 0 && before + characters[first - 1].width <= kColumnsBeforeCaretMax) {
    before += characters[--first].width;
  }
  size_t last = at;
  int shown = before;
  while (last < characters.size() && shown + characters[last].width <= kColumnsShownMax) {
    shown += characters[last++].width;
  }
  std::string source;
  std::string caret;
  if (first > 0) {
    source += "…";
    caret += ' ';
  }
  for (size_t i = first; i < last; ++i) {
    source += characters[i].bytes;
    if (i < at) {
      caret += characters[i].tab ? std::string("\t")
                                 : std::string(static_cast<size_t>(characters[i].width), ' ');
    }
  }
  if (last < characters.size()) {
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
