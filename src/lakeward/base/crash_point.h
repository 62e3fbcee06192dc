#pragma once

#include <string_view>

namespace lakeward {

/// A named place in a protocol at which the crash tests end the process.
///
/// With the environment variable LAKEWARD_CRASH_POINT=<name>[:<n>] the process kills itself with
/// SIGKILL when it comes to the n-th passage (default 1) of that name. Otherwise one relaxed load.
/// The names are listed in crash_point.cc; a name that is not listed aborts in debug builds.
void CrashPoint(std::string_view name);

}  // namespace lakeward
