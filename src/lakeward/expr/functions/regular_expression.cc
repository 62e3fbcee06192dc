// The only file that knows PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "lakeward/expr/functions/regular_expression.h"

#include <pcre2.h>

#include <utility>

#include "fmt/format.h"

namespace lakeward::expr {

namespace {

constexpr uint32_t kMatchStepsMax = 10'000'000;

std::string MessageOf(int error) {
  PCRE2_UCHAR buffer[256];
  const int length = pcre2_get_error_message(error, buffer, sizeof(buffer));
  return length < 0
             ? "unknown error"
             : std::string(reinterpret_cast<const char*>(buffer), static_cast<size_t>(length));
}

}  // namespace

struct RegularExpression::Compiled {
  std::string pattern;
  pcre2_code* code = nullptr;
  pcre2_match_data* match = nullptr;
  pcre2_match_context* context = nullptr;
  bool has_match = false;

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() {
    pcre2_match_context_free(context);
    pcre2_match_data_free(match);
    pcre2_code_free(code);
  }
};

RegularExpression::RegularExpression(std::unique_ptr<Compiled> compiled)
    : compiled_(std::move(compiled)) {}
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;
RegularExpression::~RegularExpression() = default;

Result<RegularExpression> RegularExpression::Make(std::string_view pattern) {
  auto compiled = std::make_unique<Compiled>();
  compiled->pattern = std::string(pattern);
  int error = 0;
  PCRE2_SIZE error_at = 0;
  compiled->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                 PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &error, &error_at, nullptr);
  if (compiled->code == nullptr) {
    return MakeError(ErrorKind::kValidation,
                     fmt::format("'{}' is not a regular expression: {} at position {}", pattern,
                                 MessageOf(error), error_at + 1),
                     "Write the pattern as Java's java.util.regex.Pattern takes it.");
  }
  compiled->match = pcre2_match_data_create_from_pattern(compiled->code, nullptr);
  compiled->context = pcre2_match_context_create(nullptr);
  pcre2_set_match_limit(compiled->context, kMatchStepsMax);
  return RegularExpression(std::move(compiled));
}

Result<bool> RegularExpression::Match(std::string_view text, size_t from, uint32_t options) {
  const int result = pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()),
                                 text.size(), from, options, compiled_->match, compiled_->context);
  compiled_->has_match = result > 0;
  if (result >= 0 || result == PCRE2_ERROR_NOMATCH) {
    return result >= 0;
  }
  return MakeError(ErrorKind::kValidation,
                   fmt::format("the regular expression '{}' cannot be matched: {}",
                               compiled_->pattern, MessageOf(result)),
                   "Simplify the pattern: nested repetitions take too many steps.");
}

Result<bool> RegularExpression::Find(std::string_view text, size_t from) {
  return Match(text, from, 0);
}

Result<bool> RegularExpression::MatchesAll(std::string_view text) {
  return Match(text, 0, PCRE2_ANCHORED | PCRE2_ENDANCHORED);
}

std::optional<RegularExpression::Span> RegularExpression::Group(int64_t number) const {
  if (!compiled_->has_match || number < 0 ||
      number >= static_cast<int64_t>(pcre2_get_ovector_count(compiled_->match))) {
    return std::nullopt;
  }
  const PCRE2_SIZE* positions = pcre2_get_ovector_pointer(compiled_->match);
  if (positions[2 * number] == PCRE2_UNSET) {
    return std::nullopt;
  }
  return Span{positions[2 * number], positions[2 * number + 1]};
}

}  // namespace lakeward::expr
