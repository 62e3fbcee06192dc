#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/config/configuration.h"
#include "lakeward/session/script.h"
#include "lakeward/session/session.h"
#include "support/status_matchers.h"

namespace lakeward::session {

/// A session of the whole program, whose tables lie in memory, and scripts run in it.
class SessionFixture : public ::testing::Test {
 protected:
  SessionFixture() {
    auto engine = MakeEngine();
    LW_CHECK(engine.ok());
    SessionOptions options;
    options.settings.Set("parallelism.default", "1", config::Level::kSession, "test");
    options.settings.Set("table.local-time-zone", "UTC", config::Level::kSession, "test");
    options.script_name = "test.sql";
    auto session = Session::Make(*engine, std::move(options));
    LW_CHECK(session.ok());
    session_ = session.MoveValueUnsafe();
  }

  Result<StatementResult> Execute(std::string_view text) { return session_->Execute(text, {}); }

  /// The whole message and, on a line of its own, the remedy.
  std::string ErrorOf(std::string_view text) {
    const auto result = Execute(text);
    return result.ok() ? "no error" : Describe(result.status());
  }

  /// What a script prints, results and errors in the order in which they come.
  std::string Run(std::string_view script, bool stop_on_error = true) {
    std::string printed;
    ScriptOptions options;
    options.name = "test.sql";
    options.stop_on_error = stop_on_error;
    ScriptOutput output;
    output.print = [&](std::string_view text) {
      printed += text;
      return true;
    };
    output.print_error = [&](std::string_view text) { printed += text; };
    succeeded_ = RunScript(session_.get(), script, options, output);
    return printed;
  }

  std::unique_ptr<Session> session_;
  bool succeeded_ = false;  ///< of the last script
};

}  // namespace lakeward::session
