#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/session/session.h"

namespace lakeward::session {

/// Where a script's text goes. Called from the thread that runs the script.
struct ScriptOutput {
  /// Results, as Flink's client prints them. False: nobody reads them any more; the script ends.
  std::function<bool(std::string_view)> print;
  std::function<void(std::string_view)> print_error;  ///< [ERROR] and [WARNING] blocks
};

struct ScriptOptions {
  std::string name;           ///< the file's path as given, or "-e", or "standard input"
  bool stop_on_error = true;  ///< the first failure ends the script
};

/// Runs statement after statement and prints what Flink's SQL client prints for each. Errors are
/// printed with the place in the script. False when a statement failed or a result had no reader.
bool RunScript(Session* session, std::string_view text, const ScriptOptions& options,
               const ScriptOutput& output);

/// The `[ERROR] Could not execute SQL statement. Reason:` block of an error that arose in `text`
/// (whose first line is the script's first).
std::string ErrorBlock(const Status& error, const std::string& script_name);

}  // namespace lakeward::session
