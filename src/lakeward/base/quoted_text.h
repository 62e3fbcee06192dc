#pragma once

#include <string>
#include <string_view>

namespace lakeward {

/// `text` between two of `quote`, each one inside doubled: SQL's names and string literals.
inline std::string QuotedText(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    quoted.push_back(c);
    if (c == quote) {
      quoted.push_back(c);
    }
  }
  quoted.push_back(quote);
  return quoted;
}

}  // namespace lakeward
