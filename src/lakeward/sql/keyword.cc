#include "lakeward/sql/keyword.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lakeward::sql {
namespace {

struct Entry {
  std::string_view spelling;
  KeywordKind kind;
};

using enum KeywordKind;

constexpr Entry kEntries[] = {
#define LW_KEYWORD(enumerator, spelling, kind) Entry{spelling, kind},
#include "lakeward/sql/keyword_list.inc"
#undef LW_KEYWORD
};

constexpr bool IsSorted() {
  return std::is_sorted(std::begin(kEntries), std::end(kEntries),
                        [](const Entry& a, const Entry& b) { return a.spelling < b.spelling; });
}
static_assert(IsSorted(), "keyword_list.inc is searched by halves");

constexpr size_t LongestSpelling() {
  size_t longest = 0;
  for (const Entry& entry : kEntries) {
    longest = std::max(longest, entry.spelling.size());
  }
  return longest;
}

/// Where the words of each first letter begin in kEntries.
constexpr std::array<uint16_t, 28> FirstLetters() {
  std::array<uint16_t, 28> starts{};
  for (size_t letter = 0; letter < starts.size(); ++letter) {
    uint16_t index = 0;
    while (index < std::size(kEntries) &&
           kEntries[index].spelling.front() < static_cast<char>('A' + letter)) {
      ++index;
    }
    starts[letter] = index;
  }
  return starts;
}
constexpr std::array<uint16_t, 28> kFirstLetters = FirstLetters();

}  // namespace

Keyword KeywordOf(std::string_view word) {
  std::array<char, LongestSpelling()> upper;
  if (word.empty() || word.size() > upper.size()) {
    return Keyword::kNotKeyword;
  }
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    upper[i] = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (upper[0] < 'A' || upper[0] > 'Z') {
    return Keyword::kNotKeyword;
  }
  const std::string_view spelling(upper.data(), word.size());
  const auto begin = std::begin(kEntries) + kFirstLetters[upper[0] - 'A'];
  const auto end = std::begin(kEntries) + kFirstLetters[upper[0] - 'A' + 1];
  const auto found =
      std::lower_bound(begin, end, spelling,
                       [](const Entry& entry, std::string_view s) { return entry.spelling < s; });
  if (found == end || found->spelling != spelling) {
    return Keyword::kNotKeyword;
  }
  return static_cast<Keyword>(found - std::begin(kEntries) + 1);
}

std::string_view SpellingOf(Keyword keyword) {
  return keyword == Keyword::kNotKeyword ? std::string_view()
                                         : kEntries[static_cast<size_t>(keyword) - 1].spelling;
}

KeywordKind KeywordKindOf(Keyword keyword) {
  return keyword == Keyword::kNotKeyword ? KeywordKind::kFree
                                         : kEntries[static_cast<size_t>(keyword) - 1].kind;
}

}  // namespace lakeward::sql
