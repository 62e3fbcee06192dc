#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/sql/parse.h"
#include "lakeward/sql/print.h"
#include "lakeward/sql/split.h"
#include "support/status_matchers.h"

namespace lakeward::sql {
namespace {

namespace filesystem = std::filesystem;

/// The folder of reference data beside the repository, empty when there is none.
filesystem::path SharedFolder() {
  if (const char* folder = std::getenv("LAKEWARD_SHARED")) {
    return folder;
  }
  for (filesystem::path folder = filesystem::path(__FILE__).parent_path(); folder.has_parent_path();
       folder = folder.parent_path()) {
    if (filesystem::exists(folder / "shared" / "flink-golden")) {
      return folder / "shared";
    }
    if (folder == folder.root_path()) {
      break;
    }
  }
  return filesystem::exists("../shared/flink-golden") ? "../shared" : "";
}

std::string Content(const filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The value of `"sql": "…"` in a line of JSON.
std::string SqlOf(const std::string& line) {
  const std::string key = "\"sql\": \"";
  std::string sql;
  for (size_t i = line.find(key) + key.size(); i < line.size() && line[i] != '"'; ++i) {
    if (line[i] != '\\') {
      sql.push_back(line[i]);
      continue;
    }
    switch (line[++i]) {
      case 'n':
        sql.push_back('\n');
        break;
      case 't':
        sql.push_back('\t');
        break;
      case 'r':
        sql.push_back('\r');
        break;
      case 'u':  // the corpus escapes non-ASCII letters only, whose value does not matter here
        sql.push_back('x');
        i += 4;
        break;
      default:
        sql.push_back(line[i]);
    }
  }
  return sql;
}

/// The printed text parses again and prints as itself.
void ExpectRoundTrip(const Statement& statement) {
  const std::string printed = ToSql(statement);
  const Result<StatementPtr> again = ParseStatement(printed);
  ASSERT_TRUE(again.ok()) << printed << "\n" << again.status().ToString();
  EXPECT_EQ(ToSql(**again), printed);
}

TEST(CorpusTest, ParsesFlinksGoldenScripts) {
  const filesystem::path folder = SharedFolder() / "flink-golden";
  if (!filesystem::exists(folder)) {
    GTEST_SKIP() << "no reference data: set LAKEWARD_SHARED";
  }
  // Flink's own parser refuses these too, by their .expected files.
  const std::vector<std::string> refused = {
      "102-err-syntax.sql: SELEC", "009-views.sql: CREATE VIEW v2",
      "009-views.sql: CREATE VIEW IF NOT EXISTS v1", "009-views.sql: SHOW VIEWS LIKE",
      "209-views-b.sql: SHOW VIEWS LIKE"};
  int parsed = 0;
  for (const auto& entry : filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".sql") {
      continue;
    }
    const std::string script = Content(entry.path());
    ASSERT_ASSIGN(const std::vector<StatementText> statements, SplitStatements(script));
    for (const StatementText& text : statements) {
      const std::string label = entry.path().filename().string() + ": " + std::string(text.text);
      const Result<StatementPtr> statement = ParseStatement(text.text);
      const bool may_fail =
          std::any_of(refused.begin(), refused.end(),
                      [&label](const std::string& prefix) { return label.starts_with(prefix); });
      EXPECT_EQ(statement.ok(), !may_fail) << label << "\n" << statement.status().ToString();
      if (statement.ok()) {
        ExpectRoundTrip(**statement);
        ++parsed;
      }
    }
  }
  EXPECT_GT(parsed, 400);
}

TEST(CorpusTest, ParsesFlinksPlannerTests) {
  const filesystem::path file = SharedFolder() / "suites" / "flink-planner-sql" / "handed.jsonl";
  if (!filesystem::exists(file)) {
    GTEST_SKIP() << "no reference data: set LAKEWARD_SHARED";
  }
  std::ifstream lines(file);
  std::string line;
  int all = 0;
  int parsed = 0;
  std::string failures;
  while (std::getline(lines, line)) {
    ++all;
    const std::string sql = SqlOf(line);
    const Result<StatementPtr> statement = ParseStatement(sql);
    if (!statement.ok()) {
      failures += sql + "\n" + statement.status().message() + "\n\n";
      continue;
    }
    ++parsed;
    ExpectRoundTrip(**statement);
  }
  ASSERT_GT(all, 1'000);
  // What is left uses models, which came after 1.20.
  EXPECT_GE(parsed * 1'000, all * 997) << failures;
}

}  // namespace
}  // namespace lakeward::sql
