#pragma once

#include <string>
#include <string_view>

namespace lakeward {

/// 0 to 15, or -1 for what is no hexadecimal digit.
int HexDigitValue(char c);

/// Appends "%XX".
void AppendPercent(char byte, std::string* text);

/// %XX become bytes; a '%' without two hexadecimal digits stands for itself. '+' stays '+'.
std::string DecodePercent(std::string_view text);

}  // namespace lakeward
