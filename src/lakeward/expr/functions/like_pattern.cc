#include "lakeward/expr/functions/like_pattern.h"

#include "fmt/format.h"
#include "lakeward/expr/utf8_text.h"

namespace lakeward::expr {

Result<LikePattern> LikePattern::Make(std::string_view pattern, std::string_view escape) {
  if (escape.size() > 1 || escape == " ") {
    return MakeError(ErrorKind::kValidation, fmt::format("'{}' is not an escape character", escape),
                     "Give ESCAPE a single ASCII character, no space.");
  }
  LikePattern result;
  result.pieces_.emplace_back();
  for (size_t i = 0; i < pattern.size(); ++i) {
    Piece& piece = result.pieces_.back();
    const char c = pattern[i];
    if (!escape.empty() && c == escape[0]) {
      const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
      if (next != '%' && next != '_' && next != c) {
        return MakeError(ErrorKind::kValidation,
                         fmt::format("the pattern '{}' has the escape character '{}' before "
                                     "something that needs none",
                                     pattern, escape),
                         "Put it before %, _ or itself only.");
      }
      piece.literal.push_back(next);
      ++i;
    } else if (c == '%') {
      result.pieces_.emplace_back();
    } else if (c == '_') {
      piece.wildcards.push_back(piece.literal.size());
    } else {
      piece.literal.push_back(c);
    }
  }
  return result;
}

size_t LikePattern::MatchPiece(const Piece& piece, std::string_view text) {
  size_t at = 0;
  size_t literal_at = 0;
  for (size_t wildcard : piece.wildcards) {
    const std::string_view run =
        std::string_view(piece.literal).substr(literal_at, wildcard - literal_at);
    if (text.substr(at, run.size()) != run) {
      return std::string_view::npos;
    }
    at += run.size();
    literal_at = wildcard;
    if (at >= text.size()) {
      return std::string_view::npos;
    }
    at += ByteOfCodePoint(text.substr(at), 1);
  }
  const std::string_view run = std::string_view(piece.literal).substr(literal_at);
  return text.substr(at, run.size()) == run ? at + run.size() : std::string_view::npos;
}

bool LikePattern::Matches(std::string_view text) const {
  const size_t first_end = MatchPiece(pieces_.front(), text);
  if (first_end == std::string_view::npos) {
    return false;
  }
  if (pieces_.size() == 1) {
    return first_end == text.size();
  }
  text.remove_prefix(first_end);
  // The earliest match of each middle piece leaves the most room for the rest.
  for (size_t i = 1; i + 1 < pieces_.size(); ++i) {
    while (true) {
      const size_t end = MatchPiece(pieces_[i], text);
      if (end != std::string_view::npos) {
        text.remove_prefix(end);
        break;
      }
      if (text.empty()) {
        return false;
      }
      text.remove_prefix(ByteOfCodePoint(text, 1));
    }
  }
  const Piece& last = pieces_.back();
  if (last.wildcards.empty()) {
    return text.ends_with(last.literal);
  }
  // The last piece must end with the text: try it where exactly enough code points are left.
  const auto needed = static_cast<int64_t>(last.wildcards.size()) + CountCodePoints(last.literal);
  const int64_t skipped = CountCodePoints(text) - needed;
  if (skipped < 0) {
    return false;
  }
  text.remove_prefix(ByteOfCodePoint(text, skipped));
  return MatchPiece(last, text) == text.size();
}

}  // namespace lakeward::expr
