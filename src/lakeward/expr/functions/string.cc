#include <algorithm>
#include <string>
#include <utility>

#include "lakeward/expr/column_values.h"
#include "lakeward/expr/functions/arrow_call.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/like_pattern.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/text_rows.h"
#include "lakeward/expr/utf8_text.h"

namespace lakeward::expr {

using types::TypePtr;
using types::TypeRoot;

namespace {

constexpr Parameter kString = Parameter::kString;
constexpr Parameter kInteger = Parameter::kInteger;

/// As WriteTextRows, for functions that give every row a value.
template <typename Write>
Result<arrow::Datum> WriteTexts(const KernelCall& call, Write write) {
  return WriteTextRows(call, [&write](int64_t row, std::string* out) {
    write(row, out);
    return true;
  });
}

template <typename Compute>
Result<arrow::Datum> ComputeIntegers(const KernelCall& call, Compute compute) {
  LW_ASSIGN(FixedOutput<int32_t> output, FixedOutput<int32_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = IsValidRow(call, row) ? static_cast<int32_t>(compute(row)) : 0;
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

Result<arrow::Datum> CharLength(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return ComputeIntegers(call, [&](int64_t row) { return CountCodePoints(texts[row]); });
}

/// Unicode's simple case mapping: one character becomes one.
Result<arrow::Datum> Upper(const KernelCall& call) { return CallArrowFunction("utf8_upper", call); }
Result<arrow::Datum> Lower(const KernelCall& call) { return CallArrowFunction("utf8_lower", call); }

Result<arrow::Datum> Substring(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues start_column, ColumnValues::Make(call.arguments[1]));
  const bool has_length = call.arguments.size() == 3;
  LW_ASSIGN(const ColumnValues length_column, ColumnValues::Make(call.arguments.back()));
  const StringValues texts(text_column);
  const FixedValues<int32_t> starts(start_column);
  const FixedValues<int32_t> lengths(length_column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    const std::string_view text = texts[row];
    if (has_length && lengths[row] < 0) {
      return false;
    }
    // Positions count from 1, 0 stands for 1, negative ones count from the end.
    int64_t start = starts[row];
    if (start < 0) {
      start = CountCodePoints(text) + start + 1;
      if (start < 1) {
        return true;
      }
    }
    const size_t begin = ByteOfCodePoint(text, std::max<int64_t>(start, 1) - 1);
    const std::string_view rest = text.substr(begin);
    out->append(has_length ? rest.substr(0, ByteOfCodePoint(rest, lengths[row])) : rest);
    return true;
  });
}

Result<arrow::Datum> Left(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues length_column, ColumnValues::Make(call.arguments[1]));
  const StringValues texts(text_column);
  const FixedValues<int32_t> lengths(length_column);
  return WriteTexts(call, [&](int64_t row, std::string* out) {
    const int64_t length = std::max<int64_t>(lengths[row], 0);
    out->append(texts[row].substr(0, ByteOfCodePoint(texts[row], length)));
  });
}

Result<arrow::Datum> Right(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues length_column, ColumnValues::Make(call.arguments[1]));
  const StringValues texts(text_column);
  const FixedValues<int32_t> lengths(length_column);
  return WriteTexts(call, [&](int64_t row, std::string* out) {
    const int64_t skipped = CountCodePoints(texts[row]) - std::max<int64_t>(lengths[row], 0);
    out->append(texts[row].substr(ByteOfCodePoint(texts[row], std::max<int64_t>(skipped, 0))));
  });
}

enum class TrimSide : uint8_t { kBoth, kLeading, kTrailing };

/// Takes away code points that are among those of `characters`.
std::string_view TrimCharacters(std::string_view text, std::string_view characters, TrimSide side) {
  const auto is_trimmed = [characters](std::string_view code_point) {
    size_t at = characters.find(code_point);
    return !code_point.empty() && at != std::string_view::npos;
  };
  while (side != TrimSide::kTrailing && !text.empty()) {
    const size_t first = ByteOfCodePoint(text, 1);
    if (!is_trimmed(text.substr(0, first))) {
      break;
    }
    text.remove_prefix(first);
  }
  while (side != TrimSide::kLeading && !text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && IsContinuationByte(text[last])) {
      --last;
    }
    if (!is_trimmed(text.substr(last))) {
      break;
    }
    text.remove_suffix(text.size() - last);
  }
  return text;
}

/// TRIM(text [, characters]): the binder turns TRIM(BOTH x FROM text) into this order.
template <TrimSide kSide>
Result<arrow::Datum> Trim(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues set_column, ColumnValues::Make(call.arguments.back()));
  const StringValues texts(text_column);
  const StringValues sets(set_column);
  const bool has_set = call.arguments.size() == 2;
  return WriteTexts(call, [&](int64_t row, std::string* out) {
    out->append(TrimCharacters(texts[row], has_set ? sets[row] : " ", kSide));
  });
}

Result<arrow::Datum> Concat(const KernelCall& call) {
  std::vector<ColumnValues> columns;
  std::vector<StringValues> texts;
  for (const arrow::Datum& argument : call.arguments) {
    LW_ASSIGN(ColumnValues column, ColumnValues::Make(argument));
    columns.push_back(column);
    texts.emplace_back(column);
  }
  return WriteTexts(call, [&](int64_t row, std::string* out) {
    for (const StringValues& text : texts) {
      out->append(text[row]);
    }
  });
}

/// CONCAT_WS skips arguments that are null; only a null separator makes the result null.
Result<arrow::Datum> ConcatWithSeparator(const KernelCall& call) {
  std::vector<ColumnValues> columns;
  std::vector<StringValues> texts;
  for (const arrow::Datum& argument : call.arguments) {
    LW_ASSIGN(ColumnValues column, ColumnValues::Make(argument));
    columns.push_back(column);
    texts.emplace_back(column);
  }
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (columns[0].IsNull(row)) {
      output.EndNull();
      continue;
    }
    bool is_first = true;
    for (size_t i = 1; i < texts.size(); ++i) {
      if (columns[i].IsNull(row)) {
        continue;
      }
      if (!is_first) {
        output.text().append(texts[0][row]);
      }
      output.text().append(texts[i][row]);
      is_first = false;
    }
    output.End();
  }
  return std::move(output).Finish(*call.result_type);
}

/// The position of the `occurrence`-th `part` from code point `start` on, from 1; 0 when absent.
int64_t PositionOf(std::string_view text, std::string_view part, int64_t start) {
  if (start < 1) {
    return 0;
  }
  const size_t from = ByteOfCodePoint(text, start - 1);
  const size_t at = text.find(part, from);
  return at == std::string_view::npos ? 0 : CountCodePoints(text.substr(0, at)) + 1;
}

/// POSITION(part IN text) and LOCATE(part, text [, start]).
Result<arrow::Datum> Position(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues part_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues start_column, ColumnValues::Make(call.arguments.back()));
  const StringValues parts(part_column);
  const StringValues texts(text_column);
  const bool has_start = call.arguments.size() == 3;
  const FixedValues<int32_t> starts(start_column);
  return ComputeIntegers(call, [&](int64_t row) {
    return PositionOf(texts[row], parts[row], has_start ? starts[row] : 1);
  });
}

/// The `occurrence`-th `part` from code point `start` on; a negative start counts from the end and
/// searches backwards.
int64_t OccurrenceOf(std::string_view text, std::string_view part, int64_t start,
                     int32_t occurrence) {
  if (start == 0 || occurrence < 1) {
    return 0;
  }
  const bool is_forward = start > 0;
  const int64_t first = is_forward ? start - 1 : CountCodePoints(text) + start;
  if (first < 0) {
    return 0;
  }
  size_t at = ByteOfCodePoint(text, first);
  for (;; --occurrence) {
    at = is_forward ? text.find(part, at) : text.rfind(part, at);
    if (at == std::string_view::npos || occurrence == 1) {
      break;
    }
    if (!is_forward && at == 0) {
      return 0;
    }
    at = is_forward ? at + 1 : at - 1;
  }
  return at == std::string_view::npos ? 0 : CountCodePoints(text.substr(0, at)) + 1;
}

/// INSTR(text, part [, start [, occurrence]]).
Result<arrow::Datum> Instr(const KernelCall& call) {
  const size_t argument_count = call.arguments.size();
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues part_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues start_column,
            ColumnValues::Make(call.arguments[std::min<size_t>(2, argument_count - 1)]));
  LW_ASSIGN(const ColumnValues occurrence_column, ColumnValues::Make(call.arguments.back()));
  const StringValues texts(text_column);
  const StringValues parts(part_column);
  const FixedValues<int32_t> starts(start_column);
  const FixedValues<int32_t> occurrences(occurrence_column);
  return ComputeIntegers(call, [&](int64_t row) {
    return OccurrenceOf(texts[row], parts[row], argument_count > 2 ? starts[row] : 1,
                        argument_count > 3 ? occurrences[row] : 1);
  });
}

Result<arrow::Datum> Replace(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues old_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues new_column, ColumnValues::Make(call.arguments[2]));
  const StringValues texts(text_column);
  const StringValues olds(old_column);
  const StringValues news(new_column);
  return WriteTexts(call, [&](int64_t row, std::string* out) {
    std::string_view text = texts[row];
    const std::string_view old = olds[row];
    size_t at = old.empty() ? std::string_view::npos : text.find(old);
    while (at != std::string_view::npos) {
      out->append(text.substr(0, at));
      out->append(news[row]);
      text.remove_prefix(at + old.size());
      at = text.find(old);
    }
    out->append(text);
  });
}

/// Texts grow without reading any: a mistyped number must not take the machine's memory.
Status CheckLength(const char* function, int64_t byte_count) {
  constexpr int64_t kBytesMax = int64_t{256} << 20;
  return byte_count <= kBytesMax
             ? Status::OK()
             : MakeError(ErrorKind::kValidation,
                         std::string(function) + " would make a text of more than 256 MiB",
                         "Give a smaller count.");
}

Result<arrow::Datum> Repeat(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues count_column, ColumnValues::Make(call.arguments[1]));
  const StringValues texts(text_column);
  const FixedValues<int32_t> counts(count_column);
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (!IsValidRow(call, row)) {
      output.EndNull();
      continue;
    }
    const int64_t count = std::max(counts[row], 0);
    LW_TRY(CheckLength("REPEAT", count * static_cast<int64_t>(texts[row].size())));
    for (int64_t i = 0; i < count; ++i) {
      output.text().append(texts[row]);
    }
    output.End();
  }
  return std::move(output).Finish(*call.result_type);
}

Result<arrow::Datum> Reverse(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return WriteTexts(call, [&](int64_t row, std::string* out) {
    std::string_view text = texts[row];
    while (!text.empty()) {
      size_t last = text.size() - 1;
      while (last > 0 && IsContinuationByte(text[last])) {
        --last;
      }
      out->append(text.substr(last));
      text = text.substr(0, last);
    }
  });
}

/// LPAD and RPAD: null for a negative length or when there is nothing to pad with.
template <bool kLeft>
Result<arrow::Datum> Pad(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues length_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues pad_column, ColumnValues::Make(call.arguments[2]));
  const StringValues texts(text_column);
  const FixedValues<int32_t> lengths(length_column);
  const StringValues pads(pad_column);
  LW_ASSIGN(StringOutput output, StringOutput::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (!IsValidRow(call, row) || lengths[row] < 0 || pads[row].empty()) {
      output.EndNull();
      continue;
    }
    const std::string_view text = texts[row].substr(0, ByteOfCodePoint(texts[row], lengths[row]));
    int64_t missing = lengths[row] - CountCodePoints(text);
    LW_TRY(CheckLength(kLeft ? "LPAD" : "RPAD", missing));
    if (!kLeft) {
      output.text().append(text);
    }
    const int64_t pad_length = CountCodePoints(pads[row]);
    for (; missing > 0; missing -= pad_length) {
      output.text().append(pads[row].substr(0, ByteOfCodePoint(pads[row], missing)));
    }
    if (kLeft) {
      output.text().append(text);
    }
    output.End();
  }
  return std::move(output).Finish(*call.result_type);
}

/// LIKE; a constant pattern, the usual case, is compiled once.
Result<arrow::Datum> Like(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues pattern_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues escape_column, ColumnValues::Make(call.arguments.back()));
  const bool has_escape = call.arguments.size() == 3;
  const StringValues texts(text_column);
  const StringValues patterns(pattern_column);
  const StringValues escapes(escape_column);
  LW_ASSIGN(BitOutput output, BitOutput::Make(call.row_count, call.context));
  std::optional<LikePattern> compiled;
  for (int64_t row = 0; row < call.row_count; ++row) {
    if (!IsValidRow(call, row)) {
      continue;
    }
    if (!compiled || !pattern_column.is_scalar() || (has_escape && !escape_column.is_scalar())) {
      LW_ASSIGN(compiled, LikePattern::Make(patterns[row], has_escape ? escapes[row] : ""));
    }
    if (compiled->Matches(texts[row])) {
      output.Set(row);
    }
  }
  return std::move(output).FinishBoolean(call.row_count);
}

/// `||` and CONCAT: as long as both together.
TypePtr ConcatenationType(const std::vector<TypePtr>& arguments) {
  int64_t length = 0;
  bool is_fixed = true;
  for (const TypePtr& type : arguments) {
    length += type->length();
    is_fixed = is_fixed && type->root() == TypeRoot::kChar;
  }
  if (length > types::kMaxLength) {
    return NullableIfAny(types::String(), arguments);
  }
  const auto bounded = static_cast<int32_t>(length);
  return NullableIfAny(is_fixed ? types::Char(bounded) : types::VarChar(bounded), arguments);
}

ScalarFunction Text(std::string name, std::vector<std::string> signatures, SignatureBinder bind,
                    ScalarKernel kernel, std::string doc, std::string example,
                    std::string example_result) {
  return {.name = std::move(name),
          .signatures = std::move(signatures),
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result)};
}

void AddTextConstruction(FunctionRegistry* registry) {
  ScalarFunction bars =
      Text("||", {"string1 || string2"}, BindWith({{kString, kString}}, ConcatenationType), Concat,
           "Both strings, one after the other.", "'a' || 'b'", "ab");
  bars.internal = true;
  registry->Add(std::move(bars));
  registry->Add(Text("CONCAT", {"CONCAT(string1, string2, …)"},
                     Bind({{kString}, 0, true}, types::String()), Concat,
                     "The strings, one after the other; NULL when one is NULL.",
                     "CONCAT('a', 'b', 'c')", "abc"));
  ScalarFunction with_separator =
      Text("CONCAT_WS", {"CONCAT_WS(separator, string1, string2, …)"},
           Bind({{kString, kString}, 1, true}, types::String()), ConcatWithSeparator,
           "The strings that are not NULL, separated.", "CONCAT_WS('-', 'a', 'b')", "a-b");
  with_separator.null_rule = NullRule::kHandledByKernel;
  registry->Add(std::move(with_separator));
  registry->Add(Text("REPEAT", {"REPEAT(string, count)"},
                     Bind({{kString, kInteger}}, types::String()), Repeat,
                     "The string `count` times.", "REPEAT('ab', 3)", "ababab"));
  const SignatureBinder pad = BindWith({{kString, kInteger, kString}},
                                       [](const std::vector<TypePtr>&) { return types::String(); });
  registry->Add(Text("LPAD", {"LPAD(string, length, pad)"}, pad, Pad<true>,
                     "The string filled up on the left, or cut, to a length.",
                     "LPAD('hi', 5, 'xy')", "xyxhi"));
  registry->Add(Text("RPAD", {"RPAD(string, length, pad)"}, pad, Pad<false>,
                     "The string filled up on the right, or cut, to a length.",
                     "RPAD('hi', 5, 'xy')", "hixyx"));
}

}  // namespace

void AddStringFunctions(FunctionRegistry* registry) {
  const SignatureBinder one_text = Bind({{kString}}, types::String());
  AddTextConstruction(registry);
  for (const char* name : {"CHAR_LENGTH", "CHARACTER_LENGTH"}) {
    registry->Add(Text(name, {std::string(name) + "(string)"}, Bind({{kString}}, types::Int()),
                       CharLength, "The number of characters.", std::string(name) + "('héllo')",
                       "5"));
  }
  registry->Add(Text("UPPER", {"UPPER(string)"}, one_text, Upper, "The string in upper case.",
                     "UPPER('aBc')", "ABC"));
  registry->Add(Text("LOWER", {"LOWER(string)"}, one_text, Lower, "The string in lower case.",
                     "LOWER('aBc')", "abc"));
  for (const char* name : {"SUBSTRING", "SUBSTR"}) {
    registry->Add(Text(name, {std::string(name) + "(string, start [, length])"},
                       Bind({{kString, kInteger, kInteger}, 1}, types::String()), Substring,
                       "The part from position `start` on; a negative start counts from the end.",
                       std::string(name) + "('hello', 2, 3)", "ell"));
  }
  registry->Add(Text("LEFT", {"LEFT(string, length)"}, Bind({{kString, kInteger}}, types::String()),
                     Left, "The first `length` characters.", "LEFT('hello', 2)", "he"));
  registry->Add(Text("RIGHT", {"RIGHT(string, length)"},
                     Bind({{kString, kInteger}}, types::String()), Right,
                     "The last `length` characters.", "RIGHT('hello', 2)", "lo"));
  const SignatureBinder trim = Bind({{kString, kString}, 1}, types::String());
  registry->Add(Text("TRIM", {"TRIM(string)", "TRIM(BOTH characters FROM string)"}, trim,
                     Trim<TrimSide::kBoth>,
                     "The string without spaces (or the given characters) "
                     "at its ends.",
                     "TRIM('  x ')", "x"));
  registry->Add(Text("LTRIM", {"LTRIM(string [, characters])"}, trim, Trim<TrimSide::kLeading>,
                     "The string without spaces (or the given characters) at its start.",
                     "LTRIM('  x')", "x"));
  registry->Add(Text("RTRIM", {"RTRIM(string [, characters])"}, trim, Trim<TrimSide::kTrailing>,
                     "The string without spaces (or the given characters) at its end.",
                     "RTRIM('x  ')", "x"));
  registry->Add(Text(
      "POSITION", {"POSITION(part IN string)"}, Bind({{kString, kString}}, types::Int()), Position,
      "Where the part first occurs, from 1; 0 when it does not.", "POSITION('l' IN 'hello')", "3"));
  registry->Add(Text("LOCATE", {"LOCATE(part, string [, start])"},
                     Bind({{kString, kString, kInteger}, 1}, types::Int()), Position,
                     "Where the part first occurs from `start` on, from 1; 0 when it does not.",
                     "LOCATE('l', 'hello', 4)", "4"));
  registry->Add(Text("INSTR", {"INSTR(string, part [, start [, occurrence]])"},
                     Bind({{kString, kString, kInteger, kInteger}, 2}, types::Int()), Instr,
                     "Where the part first occurs, from 1; 0 when it does not.",
                     "INSTR('hello', 'lo')", "4"));
  registry->Add(Text("REPLACE", {"REPLACE(string, old, new)"},
                     Bind({{kString, kString, kString}}, types::String()), Replace,
                     "The string with every `old` replaced by `new`.", "REPLACE('hello', 'l', 'L')",
                     "heLLo"));
  registry->Add(Text("REVERSE", {"REVERSE(string)"}, one_text, Reverse,
                     "The characters in the opposite order.", "REVERSE('abc')", "cba"));
  ScalarFunction like =
      Text("LIKE", {"string LIKE pattern [ESCAPE character]"},
           Bind({{kString, kString, kString}, 1}, types::Boolean()), Like,
           "TRUE when the string matches; % stands for any text, _ for one character.",
           "'abc' LIKE 'a%'", "TRUE");
  like.internal = true;
  like.may_fail = true;
  registry->Add(std::move(like));
}

}  // namespace lakeward::expr
