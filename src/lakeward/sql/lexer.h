#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/sql/token.h"

namespace lakeward::sql {

/// Cuts SQL text into tokens, skipping spaces and comments. Views into `text`, which must outlive
/// the lexer and its tokens. Not thread-safe.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  /// The next token; kEnd again and again at the end. After a kError token the lexer goes on behind
  /// the offending characters.
  Token Next();

  /// Byte offset of the first character that no token has covered yet.
  size_t offset() const { return offset_; }

 private:
  /// Returns false, with `error` set, for a comment without end.
  bool SkipSpacesAndComments(Token* error);
  char Peek(size_t ahead = 0) const {
    return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
  }
  void Advance(size_t bytes);
  Token Finish(TokenKind kind, size_t bytes);
  Token FinishError(LexicalError error, size_t bytes);

  Token LexWord();
  Token LexNumber();
  Token LexQuoted(TokenKind kind, char quote, size_t prefix_bytes);
  Token LexPunctuation();
  Token LexOther();

  std::string_view text_;
  size_t offset_ = 0;
  SqlPosition position_{1, 1};
  bool in_hint_ = false;
  SqlPosition hint_position_;
};

/// True for a string, name, comment or hint that the text ends in.
bool IsUnterminated(LexicalError error);

/// What a person reads about a kError token, as a kSyntax error at its position, without caret.
Status DescribeLexicalError(const Token& token);

/// The content of a quoted token without its quotes, doubled quotes made single.
std::string Unquote(std::string_view quoted, char quote);

}  // namespace lakeward::sql
