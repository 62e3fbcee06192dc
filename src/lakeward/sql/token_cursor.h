#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/sql/node.h"
#include "lakeward/sql/token.h"

namespace lakeward::sql {

/// The tokens of one statement and a place among them. Remembers, when asked to, what would have
/// been accepted at each place, so that a syntax error can say what was expected. Not thread-safe.
class TokenCursor {
 public:
  /// For `explain_from` of Make(): errors are bare, which is quick.
  static constexpr size_t kNeverExplain = std::numeric_limits<size_t>::max();

  /// Views into `text`, which must outlive the cursor. From the token `explain_from` on, errors
  /// carry what was expected. Errors: kSyntax for text that is no UTF-8 or holds an unterminated
  /// string, name or comment.
  static Result<TokenCursor> Make(std::string_view text, size_t explain_from);

  const Token& current() const { return tokens_[index_]; }
  const Token& Ahead(size_t count) const;
  const Token& previous() const { return tokens_[index_ == 0 ? 0 : index_ - 1]; }
  SqlPosition position() const { return current().position; }
  size_t index() const { return index_; }
  void Advance();
  std::string_view text() const { return text_; }
  /// The text from the token at `first_index` to the end of the previous token.
  std::string_view TextSince(size_t first_index) const;

  /// The text from the current token on.
  std::string_view RestOfText() const {
    return text_.substr(static_cast<size_t>(current().text.data() - text_.data()));
  }
  void SkipToEnd() { index_ = tokens_.size() - 1; }

  /// True when the current token is this one; what is asked counts as expected.
  bool At(Keyword keyword) const;
  bool At(TokenKind kind) const;
  /// The same, and steps over it.
  bool Accept(Keyword keyword);
  bool Accept(TokenKind kind);
  /// All of them in a row, or none. Only the first counts as expected, with its followers.
  bool Accept(std::initializer_list<Keyword> keywords);
  /// Steps over the token or fails.
  Status Expect(Keyword keyword);
  Status Expect(TokenKind kind);
  Status Expect(std::initializer_list<Keyword> keywords);

  /// True when the token `count` further is this one; does not count as expected.
  bool IsAhead(size_t count, Keyword keyword) const { return Ahead(count).keyword == keyword; }
  bool IsAhead(size_t count, TokenKind kind) const { return Ahead(count).kind == kind; }
  bool AreAhead(size_t count, std::initializer_list<Keyword> keywords) const;

  /// How prominently an expectation is told.
  enum class Weight { kMajor, kMinor };
  /// While one lives, expectations are only told when there are no others.
  class MinorScope {
   public:
    explicit MinorScope(TokenCursor* cursor) : cursor_(cursor), before_(cursor->weight_) {
      cursor->weight_ = Weight::kMinor;
    }
    ~MinorScope() { cursor_->weight_ = before_; }
    MinorScope(const MinorScope&) = delete;
    MinorScope& operator=(const MinorScope&) = delete;

   private:
    TokenCursor* cursor_;
    Weight before_;
  };
  /// Notes by hand that something would be accepted here: "an expression", "a name".
  void Note(std::string_view description, Weight weight = Weight::kMajor) const;

  /// True when the current token can be a name. Counts as expecting `description`.
  bool AtIdentifier(std::string_view description, Weight weight = Weight::kMajor) const;
  Result<Identifier> ExpectIdentifier(std::string_view description);
  /// The current token, which AtIdentifier() accepted, as a name; steps over it.
  Identifier TakeIdentifier();
  /// The same for an alias without AS; a misspelt keyword is looked for here when an error follows.
  Identifier TakeImplicitAlias();

  /// "unexpected '…'; expected …" at the current token.
  Status Unexpected() const;
  /// A syntax error with this message.
  Status Error(SqlPosition at, std::string message, std::string hint = "") const;

 private:
  enum class ExpectationKind : uint8_t { kKeyword, kToken, kDescription };
  struct Expectation {
    ExpectationKind kind;
    Weight weight;
    std::string text;
    bool is_name;  ///< a name would be accepted
  };

  TokenCursor(std::string_view text, size_t explain_from)
      : text_(text), explain_from_(explain_from) {}

  bool explains() const { return index_ >= explain_from_; }

  void Remember(ExpectationKind kind, std::string_view text, Weight weight, bool is_name) const;
  /// `1abc`: a whole number with a word directly behind it.
  bool IsGluedToWord(size_t index) const;
  Status UnexpectedAt(size_t index, const std::vector<Expectation>& expectations) const;

  std::string_view text_;
  size_t explain_from_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
  Weight weight_ = Weight::kMajor;
  // Of the furthest place that something was asked at.
  mutable size_t expected_at_ = 0;
  mutable std::vector<Expectation> expected_;
  // Of the last alias that was written without AS.
  size_t alias_at_ = 0;
  bool has_alias_ = false;
  std::vector<Expectation> alias_expected_;
};

/// How messages show a token kind: "','", "a string".
std::string_view DescriptionOf(TokenKind kind);

}  // namespace lakeward::sql
