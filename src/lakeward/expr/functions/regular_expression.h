#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"

namespace lakeward::expr {

/// A compiled regular expression in the dialect that Java and PCRE2 share. Matching is bounded: a
/// pattern that backtracks without end gives an error, not a hang. Immutable after Make, but one
/// object must not match on two threads at once.
class RegularExpression {
 public:
  /// kValidation names the pattern and what is wrong in it.
  static Result<RegularExpression> Make(std::string_view pattern);

  RegularExpression(RegularExpression&&) noexcept;
  RegularExpression& operator=(RegularExpression&&) noexcept;
  ~RegularExpression();

  /// The first match from byte `from` on; its groups can then be asked for.
  Result<bool> Find(std::string_view text, size_t from = 0);
  /// Whether the pattern matches the whole text.
  Result<bool> MatchesAll(std::string_view text);

  /// Byte positions of a group of the last match; nothing when it took no part.
  struct Span {
    size_t begin;
    size_t end;
  };
  std::optional<Span> Group(int64_t number) const;

 private:
  struct Compiled;
  explicit RegularExpression(std::unique_ptr<Compiled> compiled);

  Result<bool> Match(std::string_view text, size_t from, uint32_t options);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace lakeward::expr
