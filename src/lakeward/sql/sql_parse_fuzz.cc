#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lakeward/base/status.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/print.h"
#include "lakeward/sql/split.h"

using lakeward::Result;
using lakeward::sql::ParseStatement;
using lakeward::sql::SplitStatements;
using lakeward::sql::StatementPtr;
using lakeward::sql::StatementText;
using lakeward::sql::ToSql;

/// Any bytes are a script: it is split, each piece is parsed, and what parses must survive
/// printing.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view script(reinterpret_cast<const char*>(data), size);
  const Result<std::vector<StatementText>> statements = SplitStatements(script);
  if (!statements.ok()) {
    return 0;
  }
  for (const StatementText& text : *statements) {
    const Result<StatementPtr> statement = ParseStatement(text.text);
    if (!statement.ok()) {
      LW_CHECK(!statement.status().message().empty());
      continue;
    }
    const std::string printed = ToSql(**statement);
    // Printing may add parentheses, and with them nesting.
    const Result<StatementPtr> again = ParseStatement(printed, {.nesting_depth_max = 5'000});
    LW_CHECK(again.ok());
    LW_CHECK(ToSql(**again) == printed);
  }
  return 0;
}
