#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "lakeward/json/json.h"
#include "lakeward/table/delta/log_fixture.h"

namespace lakeward::delta {

/// For tests that look at what was written into the log.
class LogEntryFixture : public LogFixture {
 protected:
  /// The actions of a log entry.
  std::vector<json::Json> Lines(int64_t version) {
    std::vector<json::Json> lines;
    std::istringstream text(ReadFile(EntryName(version)));
    std::string line;
    while (std::getline(text, line)) {
      const Result<json::Json> parsed = json::Parse(line, "line");
      EXPECT_TRUE(parsed.ok()) << line;
      lines.push_back(parsed.ok() ? *parsed : json::Json());
    }
    return lines;
  }
};

}  // namespace lakeward::delta
