// How TokenCursor words what it did not expect.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "lakeward/sql/lexer.h"
#include "lakeward/sql/token_cursor.h"

namespace lakeward::sql {
namespace {

constexpr size_t kExpectationsShownMax = 8;
constexpr size_t kTokenBytesShownMax = 40;
// As the parser notes it.
constexpr std::string_view kAnExpression = "an expression";

std::string Capitals(std::string_view word) {
  std::string upper(word);
  for (char& c : upper) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return upper;
}

/// The number of letters to insert, drop, replace or swap to get from `a` to `b`.
int EditDistance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1);
  std::vector<int> last(b.size() + 1);
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    last[j] = static_cast<int>(j);
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// Whether someone who wrote `word` may have meant `keyword`.
bool IsNearMiss(std::string_view word, std::string_view keyword) {
  if (word == keyword || word.size() < 3 || word.size() > 40) {
    return false;
  }
  const int allowed = keyword.size() >= 6 ? 2 : 1;
  if (std::abs(static_cast<int>(word.size()) - static_cast<int>(keyword.size())) > allowed) {
    return false;
  }
  return EditDistance(word, keyword) <= allowed;
}

std::string Shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) {
    return "end of statement";
  }
  if (token.text.size() <= kTokenBytesShownMax) {
    return fmt::format("'{}'", token.text);
  }
  size_t bytes = kTokenBytesShownMax;
  while (bytes > 0 && (static_cast<uint8_t>(token.text[bytes]) & 0xC0) == 0x80) {
    --bytes;
  }
  return fmt::format("'{}…'", token.text.substr(0, bytes));
}

/// Reserved words that hold a statement together: who has one where an expression belongs has left
/// something out rather than chosen an unlucky name.
bool IsClauseWord(Keyword keyword) {
  static constexpr std::array kClauseWords{
      Keyword::kSelect,    Keyword::kFrom,      Keyword::kWhere, Keyword::kGroup,
      Keyword::kHaving,    Keyword::kOrder,     Keyword::kBy,    Keyword::kUnion,
      Keyword::kExcept,    Keyword::kIntersect, Keyword::kLimit, Keyword::kJoin,
      Keyword::kOn,        Keyword::kAs,        Keyword::kAnd,   Keyword::kOr,
      Keyword::kIn,        Keyword::kLike,      Keyword::kIs,    Keyword::kBetween,
      Keyword::kWhen,      Keyword::kThen,      Keyword::kElse,  Keyword::kEnd,
      Keyword::kWith,      Keyword::kInsert,    Keyword::kInto,  Keyword::kSet,
      Keyword::kCreate,    Keyword::kValues,    Keyword::kOver,  Keyword::kWindow,
      Keyword::kPartition, Keyword::kFor,       Keyword::kInner, Keyword::kLeft,
      Keyword::kRight,     Keyword::kCross,     Keyword::kOuter, Keyword::kFull,
      Keyword::kOffset,    Keyword::kFetch,     Keyword::kUsing, Keyword::kCase};
  return std::find(kClauseWords.begin(), kClauseWords.end(), keyword) != kClauseWords.end();
}

std::string JoinWithOr(const std::vector<std::string_view>& parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace

Status TokenCursor::Error(SqlPosition at, std::string message, std::string hint) const {
  return MakeError(ErrorKind::kSyntax, std::move(message), std::move(hint), at);
}

Status TokenCursor::Unexpected() const {
  if (!explains()) {
    return Error(position(), "unexpected token");
  }
  // `SELECT a FORM t` reads FORM as an alias and stumbles over `t`: look one word back.
  if (has_alias_ && index_ == alias_at_ + 1) {
    const std::string word = Capitals(tokens_[alias_at_].text);
    for (const Expectation& expectation : alias_expected_) {
      if (expectation.kind == ExpectationKind::kKeyword &&
          IsNearMiss(word, expectation.text.substr(0, expectation.text.find(' ')))) {
        return UnexpectedAt(alias_at_, alias_expected_);
      }
    }
  }
  return UnexpectedAt(index_, expected_at_ == index_ ? expected_ : std::vector<Expectation>{});
}

bool TokenCursor::IsGluedToWord(size_t index) const {
  const Token& token = tokens_[index];
  return token.kind == TokenKind::kInteger && tokens_[index + 1].kind == TokenKind::kWord &&
         token.text.data() + token.text.size() == tokens_[index + 1].text.data();
}

Status TokenCursor::UnexpectedAt(size_t index, const std::vector<Expectation>& expectations) const {
  const Token& token = tokens_[index];
  if (token.kind == TokenKind::kError) {
    return DescribeLexicalError(token);
  }
  const bool has_major =
      std::any_of(expectations.begin(), expectations.end(), [](const Expectation& e) {
        return e.weight == Weight::kMajor && e.text != DescriptionOf(TokenKind::kEnd);
      });
  std::array<std::vector<std::string_view>, 3> groups;
  bool end_expected = false;
  bool name_expected = false;
  bool expression_expected = false;
  std::string near_miss;
  const std::string word = token.kind == TokenKind::kWord ? Capitals(token.text) : "";
  for (const Expectation& expectation : expectations) {
    name_expected |= expectation.is_name;
    expression_expected |= expectation.text == kAnExpression;
    const std::string first_word(expectation.text.substr(0, expectation.text.find(' ')));
    if (near_miss.empty() && expectation.kind == ExpectationKind::kKeyword &&
        IsNearMiss(word, first_word)) {
      near_miss = first_word;
    }
    if (expectation.text == DescriptionOf(TokenKind::kEnd)) {
      end_expected = true;
    } else if (expectation.weight == Weight::kMajor || !has_major) {
      groups[static_cast<size_t>(expectation.kind)].push_back(expectation.text);
    }
  }
  std::vector<std::string_view> shown;
  for (const ExpectationKind kind :
       {ExpectationKind::kKeyword, ExpectationKind::kDescription, ExpectationKind::kToken}) {
    for (const std::string_view text : groups[static_cast<size_t>(kind)]) {
      if (shown.size() < kExpectationsShownMax) {
        shown.push_back(text);
      }
    }
  }
  if (end_expected) {
    shown.push_back(DescriptionOf(TokenKind::kEnd));
  }
  std::string message = fmt::format("unexpected {}", Shown(token));
  if (!shown.empty()) {
    message += fmt::format("; expected {}", JoinWithOr(shown));
  }
  std::string hint;
  if (!near_miss.empty()) {
    hint = fmt::format("Did you mean {}?", near_miss);
  } else if (token.kind == TokenKind::kQuestion) {
    hint = "Parameters are not supported: write the value itself.";
  } else if (name_expected && IsReserved(token.keyword) &&
             !(expression_expected && IsClauseWord(token.keyword))) {
    hint = fmt::format("{} is a reserved word; as a name it is written in backticks: `{}`.",
                       SpellingOf(token.keyword), token.text);
  } else if (name_expected && IsGluedToWord(index)) {
    hint = fmt::format("A name that begins with a digit is written in backticks: `{}{}`.",
                       token.text, tokens_[index + 1].text);
  } else if (token.kind == TokenKind::kString && name_expected) {
    hint = "Names are written without quotes or in backticks (`name`), not in single quotes.";
  }
  return Error(token.position, std::move(message), std::move(hint));
}

}  // namespace lakeward::sql
