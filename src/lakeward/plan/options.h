#pragma once

#include <string>

#include "lakeward/config/configuration.h"
#include "lakeward/config/option.h"
#include "lakeward/types/time_zone.h"

namespace lakeward::plan {

/// The settings that planning reads, each declared once. Functions, not variables, so that nothing
/// runs before main.
const config::Option<std::string>& RuntimeModeOption();
const config::Option<std::string>& LocalTimeZoneOption();
const config::Option<std::string>& NotNullEnforcerOption();
const config::Option<std::string>& TypeLengthEnforcerOption();

/// table.exec.mini-batch.enabled: whether aggregates may give one change a key and batch.
const config::Option<bool>& MiniBatchOption();

/// Their documentation, for SHOW and docs.
std::vector<config::OptionInfo> PlanOptions();

/// Whether `execution.runtime-mode` asks for batch execution. AUTOMATIC is STREAMING, as in Flink's
/// SQL client.
Result<bool> IsBatchMode(const config::Configuration& settings);
/// The zone of `table.local-time-zone`; the machine's when it is "default".
Result<types::TimeZone> LocalTimeZone(const config::Configuration& settings);

}  // namespace lakeward::plan
