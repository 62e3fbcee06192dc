#pragma once

#include <string>
#include <string_view>

namespace lakeward {

/// With the letters a to z in upper case; every other byte stays. For keywords and names that are
/// the same in either case, never for people's texts.
std::string ToUpper(std::string_view text);

}  // namespace lakeward
