#pragma once

#include <string_view>

namespace lakeward {

/// The release that this is: "0.1.0", as CMakeLists.txt has it.
std::string_view Version();

}  // namespace lakeward
