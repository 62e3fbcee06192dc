#pragma once

#include <string_view>

namespace lakeward::plan {

/// Whether Flink 1.20 has a built-in function of this name (letters of either case), so that one
/// that is not written here yet is not taken for a typing mistake. Source: the page "System
/// (Built-in) Functions" of Flink's documentation.
bool IsFlinkFunction(std::string_view name);

}  // namespace lakeward::plan
