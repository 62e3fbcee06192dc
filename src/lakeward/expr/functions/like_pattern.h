#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::expr {

/// A compiled LIKE pattern: % stands for any text, _ for one code point, the escape character makes
/// the next one literal. Immutable.
class LikePattern {
 public:
  /// `escape` is one character or empty (no escape). kValidation when it is longer or when it
  /// stands before something other than %, _ and itself.
  static Result<LikePattern> Make(std::string_view pattern, std::string_view escape);

  bool Matches(std::string_view text) const;

 private:
  /// What stands between two %: literal text in which some places take any code point.
  struct Piece {
    std::string literal;            ///< without the free places
    std::vector<size_t> wildcards;  ///< byte positions in `literal` before which a _ stands
  };

  /// The end of a match of `piece` at the start of `text`; npos when there is none.
  static size_t MatchPiece(const Piece& piece, std::string_view text);

  std::vector<Piece> pieces_;  ///< n + 1 pieces around n percent signs
};

}  // namespace lakeward::expr
