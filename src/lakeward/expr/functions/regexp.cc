#include <utility>

#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/regular_expression.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/text_rows.h"
#include "lakeward/expr/utf8_text.h"

namespace lakeward::expr {

using types::TypePtr;

namespace {

/// The pattern argument of a call: compiled once when it is a constant, else when it changes.
class PatternColumn {
 public:
  explicit PatternColumn(const ColumnValues& column) : texts_(column) {}

  Result<RegularExpression*> At(int64_t row) {
    const std::string_view text = texts_[row];
    if (!compiled_ || text != source_) {
      LW_ASSIGN(RegularExpression compiled, RegularExpression::Make(text));
      compiled_.emplace(std::move(compiled));
      source_ = text;
    }
    return &*compiled_;
  }

 private:
  StringValues texts_;
  std::string source_;
  std::optional<RegularExpression> compiled_;
};

/// SIMILAR TO: % and _ as in LIKE, the rest as in a regular expression; what follows the escape
/// character (0: none) stands for itself.
std::string FromSimilarPattern(std::string_view text, char escape) {
  std::string pattern = "(?s)";
  bool is_in_class = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (escape != 0 && c == escape && i + 1 < text.size()) {
      pattern += '\\';
      pattern += text[++i];
      continue;
    }
    is_in_class = c == '[' || (is_in_class && c != ']');
    if (c == '%' && !is_in_class) {
      pattern += ".*";
    } else if (c == '_' && !is_in_class) {
      pattern += '.';
    } else if (c == '.' || c == '^' || c == '$' || c == '\\') {
      pattern += is_in_class && c == '^' ? "^" : std::string("\\") + c;
    } else {
      pattern += c;
    }
  }
  return pattern;
}

Result<arrow::Datum> Find(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues pattern_column, ColumnValues::Make(call.arguments[1]));
  const StringValues texts(text_column);
  PatternColumn patterns(pattern_column);
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (!IsValidRow(call, row)) {
      continue;
    }
    LW_ASSIGN(RegularExpression * pattern, patterns.At(row));
    LW_ASSIGN(const bool matches, pattern->Find(texts[row]));
    if (matches) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

/// text SIMILAR TO pattern [ESCAPE character].
Result<arrow::Datum> SimilarTo(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues pattern_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues escape_column, ColumnValues::Make(call.arguments.back()));
  const bool has_escape = call.arguments.size() == 3;
  const StringValues texts(text_column);
  const StringValues patterns(pattern_column);
  const StringValues escapes(escape_column);
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  std::string source;
  std::optional<RegularExpression> compiled;
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (!IsValidRow(call, row)) {
      continue;
    }
    const char escape = has_escape && escapes[row].size() == 1 ? escapes[row][0] : '\0';
    std::string pattern = FromSimilarPattern(patterns[row], escape);
    if (!compiled || pattern != source) {
      LW_ASSIGN(compiled, RegularExpression::Make(pattern));
      source = std::move(pattern);
    }
    LW_ASSIGN(const bool matches, compiled->MatchesAll(texts[row]));
    if (matches) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

/// REGEXP_EXTRACT(text, pattern [, group]): null without a match or a group of that number.
Result<arrow::Datum> Extract(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues pattern_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues group_column, ColumnValues::Make(call.arguments.back()));
  const bool has_group = call.arguments.size() == 3;
  const StringValues texts(text_column);
  const FixedValues<int32_t> groups(group_column);
  PatternColumn patterns(pattern_column);
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    std::optional<RegularExpression::Span> span;
    if (IsValidRow(call, row)) {
      LW_ASSIGN(RegularExpression * pattern, patterns.At(row));
      LW_ASSIGN(const bool is_found, pattern->Find(texts[row]));
      span = is_found ? pattern->Group(has_group ? groups[row] : 0) : std::nullopt;
    }
    if (span) {
      output.Append(texts[row].substr(span->begin, span->end - span->begin));
    } else {
      output.EndNull();
    }
  }
  return std::move(output).Finish(*call.result_type);
}

Status ReplaceAll(std::string_view text, std::string_view replacement, RegularExpression* pattern,
                  std::string* out) {
  size_t from = 0;
  while (from <= text.size()) {
    LW_ASSIGN(const bool is_found, pattern->Find(text, from));
    if (!is_found) {
      break;
    }
    const RegularExpression::Span span = *pattern->Group(0);
    out->append(text.substr(from, span.begin - from));
    out->append(replacement);
    from = span.end;
    if (span.begin == span.end) {
      // An empty match: take one code point along, so that the search goes on.
      const size_t length = ByteOfCodePoint(text.substr(from), 1);
      out->append(text.substr(from, length));
      from += length == 0 ? 1 : length;
    }
  }
  if (from < text.size()) {
    out->append(text.substr(from));
  }
  return Status::OK();
}

/// The replacement stands for itself: no references to groups.
Result<arrow::Datum> Replace(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues pattern_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues replacement_column, ColumnValues::Make(call.arguments[2]));
  const StringValues texts(text_column);
  const StringValues replacements(replacement_column);
  PatternColumn patterns(pattern_column);
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (!IsValidRow(call, row)) {
      output.EndNull();
      continue;
    }
    LW_ASSIGN(RegularExpression * pattern, patterns.At(row));
    LW_TRY(ReplaceAll(texts[row], replacements[row], pattern, &output.text()));
    output.End();
  }
  return std::move(output).Finish(*call.result_type);
}

ScalarFunction Pattern(std::string name, std::string signature, SignatureBinder bind,
                       ScalarKernel kernel, std::string doc, std::string example,
                       std::string example_result) {
  return {.name = std::move(name),
          .signatures = {std::move(signature)},
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result),
          .may_fail = true};
}

}  // namespace

void AddRegexpFunctions(FunctionRegistry* registry) {
  constexpr Parameter kString = Parameter::kString;
  registry->Add(
      Pattern("REGEXP", "REGEXP(string, pattern)", Bind({{kString, kString}}, types::Boolean()),
              Find, "TRUE when some part of the string matches.", "REGEXP('abc', 'b.')", "TRUE"));
  registry->Add(Pattern("REGEXP_EXTRACT", "REGEXP_EXTRACT(string, pattern [, group])",
                        BindWith({{kString, kString, Parameter::kInteger}, 1},
                                 [](const std::vector<TypePtr>&) { return types::String(); }),
                        Extract, "The first match, or a group of it; NULL without a match.",
                        "REGEXP_EXTRACT('foobar42', '([a-z]+)([0-9]+)', 2)", "42"));
  registry->Add(Pattern("REGEXP_REPLACE", "REGEXP_REPLACE(string, pattern, replacement)",
                        Bind({{kString, kString, kString}}, types::String()), Replace,
                        "The string with every match replaced.",
                        "REGEXP_REPLACE('a1b2', '[0-9]', '#')", "a#b#"));
  ScalarFunction similar =
      Pattern("SIMILAR TO", "string SIMILAR TO pattern [ESCAPE character]",
              Bind({{kString, kString, kString}, 1}, types::Boolean()), SimilarTo,
              "TRUE when the whole string matches; % stands for any text, _ for one character.",
              "'abc' SIMILAR TO '(a|b)+c'", "TRUE");
  similar.internal = true;
  registry->Add(std::move(similar));
}

}  // namespace lakeward::expr
