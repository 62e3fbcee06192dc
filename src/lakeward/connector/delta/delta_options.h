#pragma once

#include <map>
#include <string>

#include "lakeward/config/option.h"
#include "lakeward/table/delta/delta_table.h"

namespace lakeward::connector {

/// Where the table lies.
const config::Option<std::string>& DeltaTablePath();
/// The version to read instead of the newest.
const config::Option<int64_t>& DeltaVersionAsOf();
/// What a job does that has columns which the table lacks. Only "fail" is supported.
const config::Option<std::string>& DeltaSchemaEvolution();

/// WITH options of this prefix become properties of the table.
inline constexpr char kDeltaPropertyPrefix[] = "delta.";

/// The `delta.*` members of a WITH clause.
std::map<std::string, std::string> DeltaTableProperties(const config::OptionMap& options);

}  // namespace lakeward::connector
