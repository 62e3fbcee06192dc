#pragma once

#include <string_view>
#include <vector>

namespace lakeward {

/// A named place in a protocol at which the crash tests end the process.
///
/// With the environment variable LAKEWARD_CRASH_POINT=<name>[:<n>] the process kills itself with
/// SIGKILL when it comes to the n-th passage (default 1) of that name. Otherwise one relaxed load.
/// The names are listed in crash_point.cc; passing one that is not listed aborts in debug builds,
/// a variable that names none aborts always.
void CrashPoint(std::string_view name);

/// Every name, in the order of a commit.
std::vector<std::string_view> CrashPointNames();

}  // namespace lakeward
