#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lakeward::sql {

/// A decoded character and how many bytes it takes; `bytes` is 0 at the end of the text and for
/// bytes that are not UTF-8.
struct DecodedCharacter {
  char32_t code_point = 0;
  size_t bytes = 0;
};

/// Decodes the first character of `text`, strictly: no surrogates, no overlong forms.
DecodedCharacter DecodeUtf8(std::string_view text);

void AppendUtf8(char32_t code_point, std::string* text);

/// Columns that a terminal uses for the character: 0 for combining marks, 2 for wide East Asian
/// ones and emoji, else 1.
int DisplayWidth(char32_t code_point);

/// True for characters that may stand in an unquoted identifier besides ASCII letters, digits, `_`
/// and `$`: every non-ASCII character that is no space, control character or quotation mark.
bool IsIdentifierCharacter(char32_t code_point);

/// True for the non-ASCII spaces, which count as white space between tokens.
bool IsWideSpace(char32_t code_point);

/// True for ‘ ’ “ ” and the like, which word processors put where SQL wants ' and `.
bool IsTypographicQuote(char32_t code_point);

}  // namespace lakeward::sql
