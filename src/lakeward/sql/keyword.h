#pragma once

#include <cstdint>
#include <string_view>

namespace lakeward::sql {

/// The words that the grammar knows. `kNotKeyword` stands for any other word.
enum class Keyword : uint16_t {
  kNotKeyword = 0,
#define LW_KEYWORD(enumerator, spelling, kind) enumerator,
#include "lakeward/sql/keyword_list.inc"
#undef LW_KEYWORD
};

enum class KeywordKind : uint8_t {
  kFree,      ///< may be used as a name
  kReserved,  ///< a name only within backticks
  kCallable,  ///< reserved, but `word(…)` calls a function
};

/// Finds a keyword without regard to case; kNotKeyword for other words.
Keyword KeywordOf(std::string_view word);

/// In capital letters; empty for kNotKeyword.
std::string_view SpellingOf(Keyword keyword);

KeywordKind KeywordKindOf(Keyword keyword);

inline bool IsReserved(Keyword keyword) { return KeywordKindOf(keyword) != KeywordKind::kFree; }

}  // namespace lakeward::sql
