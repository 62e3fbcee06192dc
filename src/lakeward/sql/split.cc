#include "lakeward/sql/split.h"

#include <optional>

#include "lakeward/sql/caret.h"
#include "lakeward/sql/lexer.h"

namespace lakeward::sql {
namespace {

/// Knows, token by token, whether a `;` ends the statement.
class StatementSetTracker {
 public:
  void See(Keyword keyword) {
    if (inside_) {
      // END closes a CASE first.
      if (keyword == Keyword::kCase) {
        ++open_cases_;
      } else if (keyword == Keyword::kEnd && open_cases_ > 0) {
        --open_cases_;
      } else if (keyword == Keyword::kEnd) {
        inside_ = false;
      }
    } else if (keyword == Keyword::kBegin && before_last_ == Keyword::kStatement &&
               last_ == Keyword::kSet) {
      inside_ = true;
    }
    before_last_ = last_;
    last_ = keyword;
  }
  bool inside() const { return inside_; }
  void Reset() { *this = StatementSetTracker(); }

 private:
  Keyword before_last_ = Keyword::kNotKeyword;
  Keyword last_ = Keyword::kNotKeyword;
  bool inside_ = false;
  int open_cases_ = 0;
};

}  // namespace

Result<std::vector<StatementText>> SplitStatements(std::string_view script) {
  std::vector<StatementText> statements;
  Lexer lexer(script);
  StatementSetTracker tracker;
  std::optional<StatementText> open;
  size_t end = 0;
  while (true) {
    const Token token = lexer.Next();
    if (token.kind == TokenKind::kError && IsUnterminated(token.error)) {
      return WithCaret(WithContext(DescribeLexicalError(token), PlaceOf(token.position)), script);
    }
    const bool ends =
        token.kind == TokenKind::kEnd || (token.kind == TokenKind::kSemicolon && !tracker.inside());
    if (!ends) {
      const size_t offset = static_cast<size_t>(token.text.data() - script.data());
      if (!open.has_value()) {
        open.emplace();
        open->offset = offset;
        open->line = token.position.line;
        open->column = token.position.column;
      }
      tracker.See(token.keyword);
      end = offset + token.text.size();
      continue;
    }
    if (open.has_value()) {
      open->text = script.substr(open->offset, end - open->offset);
      open->terminated = token.kind == TokenKind::kSemicolon;
      statements.push_back(*open);
      open.reset();
    }
    tracker.Reset();
    if (token.kind == TokenKind::kEnd) {
      return statements;
    }
  }
}

}  // namespace lakeward::sql
