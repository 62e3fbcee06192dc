// String functions beyond the basic ones of string.cc.
#include <algorithm>
#include <utility>

#include "arrow/scalar.h"
#include "lakeward/expr/functions/chance.h"
#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/text_rows.h"
#include "lakeward/expr/utf8_text.h"

namespace lakeward::expr {

using types::TypePtr;

namespace {

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsWordByte(char c) {
  return IsAsciiLetter(c) || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 128;
}

/// INITCAP: words are runs of letters and digits; only ASCII letters change their case.
Result<arrow::Datum> InitCap(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    bool is_in_word = false;
    for (const char c : texts[row]) {
      const char cased = !IsAsciiLetter(c) ? c
                         : is_in_word      ? static_cast<char>(c | 0x20)
                                           : static_cast<char>(c & ~0x20);
      out->push_back(cased);
      is_in_word = IsWordByte(c);
    }
    return true;
  });
}

/// SPLIT_INDEX(text, separator, index): parts count from 0; null beyond the last.
Result<arrow::Datum> SplitIndex(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues separator_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues index_column, ColumnValues::Make(call.arguments[2]));
  const StringValues texts(text_column);
  const FixedValues<int32_t> indexes(index_column);
  const bool is_code = call.argument_types[1]->IsExactInteger();
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    std::string_view text = texts[row];
    std::string character;
    std::string_view separator;
    if (is_code) {
      const int32_t code = FixedValues<int32_t>(separator_column)[row];
      character.assign(code > 0 && code < 256 ? 1 : 0, static_cast<char>(code));
      separator = character;
    } else {
      separator = StringValues(separator_column)[row];
    }
    int32_t index = indexes[row];
    if (index < 0 || separator.empty()) {
      return false;
    }
    for (; index > 0; --index) {
      const size_t at = text.find(separator);
      if (at == std::string_view::npos) {
        return false;
      }
      text.remove_prefix(at + separator.size());
    }
    out->append(text.substr(0, text.find(separator)));
    return true;
  });
}

/// OVERLAY(text PLACING replacement FROM start [FOR length]).
Result<arrow::Datum> Overlay(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues text_column, ColumnValues::Make(call.arguments[0]));
  LW_ASSIGN(const ColumnValues replacement_column, ColumnValues::Make(call.arguments[1]));
  LW_ASSIGN(const ColumnValues start_column, ColumnValues::Make(call.arguments[2]));
  LW_ASSIGN(const ColumnValues length_column, ColumnValues::Make(call.arguments.back()));
  const bool has_length = call.arguments.size() == 4;
  const StringValues texts(text_column);
  const StringValues replacements(replacement_column);
  const FixedValues<int32_t> starts(start_column);
  const FixedValues<int32_t> lengths(length_column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    const std::string_view text = texts[row];
    const int64_t start = starts[row];
    if (start <= 0 || start > CountCodePoints(text)) {
      out->append(text);
      return true;
    }
    const int64_t length = has_length ? lengths[row] : CountCodePoints(replacements[row]);
    const size_t begin = ByteOfCodePoint(text, start - 1);
    out->append(text.substr(0, begin));
    out->append(replacements[row]);
    if (length <= 0) {
      return true;  // as Flink: what follows is lost
    }
    out->append(text.substr(begin + ByteOfCodePoint(text.substr(begin), length)));
    return true;
  });
}

Result<arrow::Datum> TypeOf(const KernelCall& call) {
  return arrow::Datum(std::make_shared<arrow::StringScalar>(call.argument_types[0]->ToString()));
}

/// A random UUID (version 4).
Result<arrow::Datum> Uuid(const KernelCall& call) {
  constexpr char kHex[] = "0123456789abcdef";
  return WriteTextRows(call, [&](int64_t, std::string* out) {
    uint64_t words[2] = {RandomOf(call.context)->NextUint64(),
                         RandomOf(call.context)->NextUint64()};
    words[0] = (words[0] & ~0xF000ULL) | 0x4000ULL;
    words[1] = (words[1] & ~(3ULL << 62)) | 1ULL << 63;
    for (int digit = 0; digit < 32; ++digit) {
      if (digit == 8 || digit == 12 || digit == 16 || digit == 20) {
        out->push_back('-');
      }
      out->push_back(kHex[words[digit / 16] >> (60 - 4 * (digit % 16)) & 15]);
    }
    return true;
  });
}

Result<arrow::Datum> RandInteger(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const FixedValues<int32_t> bounds(column);
  LW_ASSIGN(auto output, FixedOutput<int32_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    output[row] = 0;
    if (!IsValidRow(call, row)) {
      continue;
    }
    if (bounds[row] <= 0) {
      return MakeError(ErrorKind::kValidation, "RAND_INTEGER needs a bound greater than 0");
    }
    output[row] =
        static_cast<int32_t>(RandomOf(call.context)->NextBelow(static_cast<uint64_t>(bounds[row])));
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

ScalarFunction Part(std::string name, std::string signature, SignatureBinder bind,
                    ScalarKernel kernel, std::string doc, std::string example,
                    std::string example_result) {
  return {.name = std::move(name),
          .signatures = {std::move(signature)},
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = std::move(example),
          .example_result = std::move(example_result)};
}

}  // namespace

void AddStringPartFunctions(FunctionRegistry* registry) {
  constexpr Parameter kString = Parameter::kString;
  constexpr Parameter kInteger = Parameter::kInteger;
  registry->Add(Part("INITCAP", "INITCAP(string)", Bind({{kString}}, types::String()), InitCap,
                     "Every word with a capital first letter, the rest in lower case.",
                     "INITCAP('hello world')", "Hello World"));
  const auto nullable_string = [](const std::vector<TypePtr>&) { return types::String(); };
  const SignatureBinder split_index_bind =
      BindFirstOf({BindWith({{kString, kString, kInteger}}, nullable_string),
                   BindWith({{kString, kInteger, kInteger}}, nullable_string)});
  registry->Add(Part("SPLIT_INDEX", "SPLIT_INDEX(string, separator, index)", split_index_bind,
                     SplitIndex, "The part of that index, from 0; NULL beyond the last.",
                     "SPLIT_INDEX('a,b,c', ',', 1)", "b"));
  registry->Add(Part("OVERLAY", "OVERLAY(string PLACING replacement FROM start [FOR length])",
                     Bind({{kString, kString, kInteger, kInteger}, 1}, types::String()), Overlay,
                     "The string with a part of it replaced.",
                     "OVERLAY('hello' PLACING 'XX' FROM 2 FOR 3)", "hXXo"));
  ScalarFunction type_of =
      Part("TYPEOF", "TYPEOF(value)",
           BindWith({{Parameter::kAny}},
                    [](const std::vector<TypePtr>&) { return types::String(false); }),
           TypeOf, "The value's type.", "TYPEOF(1)", "INT NOT NULL");
  type_of.null_rule = NullRule::kHandledByKernel;
  registry->Add(std::move(type_of));
  ScalarFunction uuid = Part("UUID", "UUID()", Bind({}, types::Char(36, false)), Uuid,
                             "A random UUID.", "CHAR_LENGTH(UUID())", "36");
  uuid.deterministic = false;
  registry->Add(std::move(uuid));
  ScalarFunction rand_integer =
      Part("RAND_INTEGER", "RAND_INTEGER(bound)", Bind({{kInteger}}, types::Int()), RandInteger,
           "A random whole number, at least 0 and less than the bound.", "RAND_INTEGER(1)", "0");
  rand_integer.deterministic = false;
  rand_integer.may_fail = true;
  registry->Add(std::move(rand_integer));
}

}  // namespace lakeward::expr
