// Functions between characters, numbers and bytes.
#include <algorithm>
#include <bit>
#include <utility>

#include "lakeward/expr/functions/families.h"
#include "lakeward/expr/functions/signature.h"
#include "lakeward/expr/functions/text_rows.h"
#include "lakeward/expr/utf8_text.h"

namespace lakeward::expr {

using types::TypePtr;

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void AppendHex(std::string_view bytes, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : bytes) {
    out->push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
    out->push_back(kDigits[static_cast<unsigned char>(c) & 15]);
  }
}

void AppendInBase(uint64_t value, unsigned bits_per_digit, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string digits;
  do {
    digits.push_back(kDigits[value & ((1U << bits_per_digit) - 1)]);
    value >>= bits_per_digit;
  } while (value != 0);
  out->append(digits.rbegin(), digits.rend());
}

Result<arrow::Datum> Hex(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  if (call.argument_types[0]->IsCharacterString()) {
    const StringValues texts(column);
    return WriteTextRows(call, [&](int64_t row, std::string* out) {
      AppendHex(texts[row], out);
      return true;
    });
  }
  const FixedValues<int64_t> numbers(column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    AppendInBase(static_cast<uint64_t>(numbers[row]), 4, out);
    return true;
  });
}

Result<arrow::Datum> Bin(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const FixedValues<int64_t> numbers(column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    AppendInBase(static_cast<uint64_t>(numbers[row]), 1, out);
    return true;
  });
}

std::optional<unsigned> HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return static_cast<unsigned>(c - '0');
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? std::optional<unsigned>(lower - 'a' + 10) : std::nullopt;
}

/// Of an odd number of digits Flink reads the first one as a byte 0.
Result<arrow::Datum> Unhex(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    const std::string_view text = texts[row];
    unsigned byte = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      const std::optional<unsigned> digit = HexDigit(text[i]);
      if (!digit) {
        return false;
      }
      const bool is_alone = i == 0 && text.size() % 2 == 1;
      byte = is_alone ? 0 : byte << 4 | *digit;
      if ((text.size() - i) % 2 == 1) {
        out->push_back(static_cast<char>(byte));
        byte = 0;
      }
    }
    return true;
  });
}

void AppendBase64(std::string_view bytes, std::string* out) {
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (size_t j = 0; j < 4; ++j) {
      out->push_back(i + j <= bytes.size() ? kBase64[group >> (18 - 6 * j) & 63] : '=');
    }
  }
}

bool AppendFromBase64(std::string_view text, std::string* out) {
  while (text.ends_with('=')) {
    text.remove_suffix(1);
  }
  uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const size_t value = kBase64.find(c);
    if (value == std::string_view::npos) {
      return false;
    }
    bits = bits << 6 | static_cast<uint32_t>(value);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      out->push_back(static_cast<char>(bits >> bit_count & 0xFF));
    }
  }
  return true;
}

Result<arrow::Datum> ToBase64(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    AppendBase64(texts[row], out);
    return true;
  });
}

Result<arrow::Datum> FromBase64(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return WriteTextRows(
      call, [&](int64_t row, std::string* out) { return AppendFromBase64(texts[row], out); });
}

/// The first byte's number, as Flink has it; 0 for an empty string.
Result<arrow::Datum> Ascii(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  LW_ASSIGN(auto output, FixedOutput<int32_t>::Make(call.row_count, call.context));
  for (int64_t row = 0; row < call.row_count; ++row) {
    const std::string_view text = IsValidRow(call, row) ? texts[row] : std::string_view();
    output[row] = text.empty() ? 0 : static_cast<signed char>(text[0]);
  }
  return std::move(output).Finish(*call.result_type, call.row_count);
}

/// The Latin-1 character of that number, modulo 256; nothing for negative numbers.
Result<arrow::Datum> Chr(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const FixedValues<int64_t> numbers(column);
  return WriteTextRows(call, [&](int64_t row, std::string* out) {
    if (numbers[row] < 0) {
      return true;
    }
    const auto character = static_cast<unsigned char>(numbers[row] & 0xFF);
    if (character < 0x80) {
      out->push_back(static_cast<char>(character));
    } else {
      out->push_back(static_cast<char>(0xC0 | character >> 6));
      out->push_back(static_cast<char>(0x80 | (character & 0x3F)));
    }
    return true;
  });
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool AreAllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

/// Letters of any script are letters: every byte of a longer code point counts as one.
bool AreAllLetters(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
  });
}

bool IsDecimalNumber(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    text.remove_prefix(1);
  }
  const size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  return (!whole.empty() || !fraction.empty()) &&
         std::all_of(whole.begin(), whole.end(), IsDigit) &&
         std::all_of(fraction.begin(), fraction.end(), IsDigit);
}

/// Null is not of the kind asked for.
template <bool (*kTest)(std::string_view)>
Result<arrow::Datum> TestText(const KernelCall& call) {
  LW_ASSIGN(const ColumnValues column, ColumnValues::Make(call.arguments[0]));
  const StringValues texts(column);
  return TestRows(call, [&](int64_t row) { return !column.IsNull(row) && kTest(texts[row]); });
}

ScalarFunction Encoding(std::string name, std::string parameter, SignatureBinder bind,
                        ScalarKernel kernel, std::string doc, std::string example_argument,
                        std::string example_result) {
  return {.name = name,
          .signatures = {name + "(" + parameter + ")"},
          .bind = std::move(bind),
          .kernel = kernel,
          .doc = std::move(doc),
          .example = name + "(" + example_argument + ")",
          .example_result = std::move(example_result)};
}

ScalarFunction KindTest(std::string name, ScalarKernel kernel, std::string doc,
                        std::string example_argument) {
  ScalarFunction function =
      Encoding(std::move(name), "string",
               BindWith({{Parameter::kString}},
                        [](const std::vector<TypePtr>&) { return types::Boolean(false); }),
               kernel, std::move(doc), std::move(example_argument), "TRUE");
  function.null_rule = NullRule::kHandledByKernel;
  return function;
}

}  // namespace

void AddTextEncodingFunctions(FunctionRegistry* registry) {
  const auto nullable = [](TypePtr type) {
    return [type = std::move(type)](const std::vector<TypePtr>&) { return type; };
  };
  registry->Add(Encoding("HEX", "number or string",
                         BindFirstOf({Bind({{Parameter::kLong}}, types::String()),
                                      Bind({{Parameter::kString}}, types::String())}),
                         Hex, "The number, or the string's bytes, in hexadecimal digits.", "10",
                         "A"));
  registry->Add(Encoding(
      "UNHEX", "string", BindWith({{Parameter::kString}}, nullable(types::Bytes())), Unhex,
      "The bytes that hexadecimal digits stand for; NULL for other text.", "'4D79'", "x'4d79'"));
  registry->Add(Encoding("BIN", "number", Bind({{Parameter::kLong}}, types::String()), Bin,
                         "The number in binary digits.", "10", "1010"));
  registry->Add(Encoding("TO_BASE64", "string or bytes",
                         BindFirstOf({Bind({{Parameter::kString}}, types::String()),
                                      Bind({{Parameter::kBytes}}, types::String())}),
                         ToBase64, "The string's bytes in Base64.", "'abc'", "YWJj"));
  registry->Add(Encoding("FROM_BASE64", "string or bytes",
                         BindFirstOf({BindWith({{Parameter::kString}}, nullable(types::String())),
                                      BindWith({{Parameter::kBytes}}, nullable(types::String()))}),
                         FromBase64, "The string that Base64 text stands for; NULL for other text.",
                         "'YWJj'", "abc"));
  registry->Add(Encoding("ASCII", "string", Bind({{Parameter::kString}}, types::Int()), Ascii,
                         "The number of the first character.", "'A'", "65"));
  registry->Add(Encoding("CHR", "number", Bind({{Parameter::kLong}}, types::String()), Chr,
                         "The character of that number, modulo 256.", "97", "a"));
  registry->Add(KindTest("IS_ALPHA", TestText<AreAllLetters>,
                         "TRUE when the string is made of letters.", "'abc'"));
  registry->Add(KindTest("IS_DIGIT", TestText<AreAllDigits>,
                         "TRUE when the string is made of digits.", "'12'"));
  registry->Add(KindTest("IS_DECIMAL", TestText<IsDecimalNumber>,
                         "TRUE when the string is a decimal number.", "'1.5'"));
}

}  // namespace lakeward::expr
