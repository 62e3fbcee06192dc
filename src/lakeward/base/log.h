#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lakeward {

/// ERROR: somebody must act. WARN: works, but not as they think. INFO: milestones. DEBUG: for us.
enum class LogLevel { kTrace, kDebug, kInfo, kWarn, kError, kOff };

/// Writes one line to standard error (or the configured sink) with time, level and component.
/// Thread-safe, never fails, never blocks on anything but the output. `component` is the
/// folder-like name of the speaker ("table/delta", "checkpoint"). Callers never pass secrets.
void Log(LogLevel level, std::string_view component, std::string_view message);

/// "info", "WARN" …; nothing for any other word.
std::optional<LogLevel> ParseLogLevel(std::string_view text);

/// The level of components that have none of their own. At the start it is kWarn; the environment
/// variable LAKEWARD_LOG ("debug", or "info,table/delta=trace") changes that.
void SetLogLevel(LogLevel level);
/// Of one component; the longest matching prefix counts.
void SetLogLevel(std::string_view component, LogLevel level);
bool LogEnabled(LogLevel level, std::string_view component);

/// Sends log lines to a file instead of standard error; an empty path means standard error.
void SetLogFile(const std::string& path);

}  // namespace lakeward
