#include "lakeward/base/letter_case.h"

#include <algorithm>
#include <cctype>

namespace lakeward {

std::string ToUpper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

}  // namespace lakeward
