#pragma once

#include <string>
#include <vector>

#include "lakeward/config/option.h"

namespace lakeward::session {

/// The settings that the session itself reads; the planner's and the runtime's are declared there.
const config::Option<bool>& DmlSyncOption();
const config::Option<std::string>& ResultModeOption();
const config::Option<int64_t>& MaxColumnWidthOption();

/// Every setting that SET knows, of all layers, sorted by key.
std::vector<config::OptionInfo> AllOptions();

}  // namespace lakeward::session
