#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::sql {

/// One statement of a script.
struct StatementText {
  /// From the statement's first word to its last character, without the `;`. A view into the
  /// script.
  std::string_view text;
  size_t offset = 0;  ///< of `text` in the script, in bytes
  int line = 1;       ///< of the first character of `text`
  int column = 1;
  bool terminated = false;  ///< a `;` follows; false only for the last statement of a script
};

/// Splits a script at the `;` that end statements: not those in strings, quoted identifiers,
/// comments and hints, and not those between STATEMENT SET BEGIN and its END. Empty statements and
/// trailing comments are left out. Errors: kSyntax for a string, identifier or comment without end,
/// at the position where it begins.
Result<std::vector<StatementText>> SplitStatements(std::string_view script);

}  // namespace lakeward::sql
