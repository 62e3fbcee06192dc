// Calls of functions over one row, with the values and types that Flink gave.

#include <iostream>
#include <sstream>

#include "lakeward/base/local_file.h"
#include "lakeward/plan/vector_fixture.h"
#include "support/reference_data.h"
#include "support/status_matchers.h"

namespace lakeward::plan {
namespace {

// "a,f(b, 'c,d')" → {"a", "f(b, 'c,d')"}.
std::vector<std::string> SplitExpressions(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    quoted = quoted != (c == '\'');
    if (!quoted) {
      depth += c == '(' || c == '[' || c == '<' ? 1 : c == ')' || c == ']' || c == '>' ? -1 : 0;
    }
    if (c == ',' && depth == 0 && !quoted) {
      parts.push_back(std::exchange(part, ""));
    } else {
      part += c;
    }
  }
  parts.push_back(part);
  return parts;
}

class FunctionVectorsTest : public VectorFixture {
 protected:
  static std::vector<Field> FieldsOf(const json::Json& test) {
    std::vector<Field> fields;
    for (const json::Json& field : test["fields"]) {
      if (field["type"].is_string()) {
        fields.push_back(
            {field["name"].get<std::string>(), field["type"].get<std::string>(), field["value"]});
      }
    }
    return fields;
  }

  std::string ZoneOf(const json::Json& test) {
    if (test.contains("configuration")) {
      for (const json::Json& setting : test["configuration"]) {
        if (setting[0] == "table.local-time-zone") {
          return setting[1].get<std::string>();
        }
      }
    }
    return "UTC";
  }

  // Empty when the value is the recorded one, else what is wrong.
  std::string Check(const Computed& computed, const json::Json& expected, const std::string& type,
                    const std::string& zone) {
    const std::string got = computed.first->type()->ToString(types::TypeSpelling::kSerializable);
    if (got != type) {
      return "expected type " + type + ", got " + got;
    }
    const std::optional<std::string> sql = ToSql(expected, type);
    const bool instant = expected.is_object() && expected.contains("$Instant");
    const auto context = ContextIn(instant ? "UTC" : zone);
    if (!sql.has_value() || !context.ok()) {
      return "";
    }
    const auto wanted = Compute(*sql, *context, Scope(), *EmptyRow());
    if (!wanted.ok() || wanted->second->Equals(*computed.second)) {
      return "";
    }
    return "expected " + wanted->second->ToString() + ", got " + computed.second->ToString();
  }

  void RunCase(const json::Json& test, VectorTally* tally) {
    const std::string id = test["id"].get<std::string>();
    types::RowSchema schema;
    ASSERT_ASSIGN(const auto row, MakeRow(FieldsOf(test), ZoneOf(test), &schema));
    Scope scope;
    scope.Add("", {}, schema);
    const std::vector<std::string> parts = SplitExpressions(test["sql"].get<std::string>());
    for (size_t i = 0; i < parts.size(); ++i) {
      ASSERT_ASSIGN(const BindContext context, ContextIn(ZoneOf(test)));
      const auto value = Compute(parts[i], context, scope, *row);
      const bool must_fail = test.contains("errorClass");
      std::string problem;
      if (!value.ok()) {
        const std::string reason = ReasonOf(value.status());
        if (!reason.empty() && (!must_fail || reason.starts_with("function "))) {
          ++tally->unsupported[reason];
          continue;
        }
        problem = must_fail ? "" : value.status().message();
      } else if (must_fail) {
        problem = "expected an error, got " + value->second->ToString();
      } else if (i < test["results"].size()) {
        problem =
            Check(*value, test["results"][i], test["types"][i].get<std::string>(), ZoneOf(test));
      }
      if (problem.empty()) {
        ++tally->passed;
      } else {
        tally->Fail(id, parts[i] + ": " + problem);
      }
    }
  }
};

TEST_F(FunctionVectorsTest, GiveWhatFlinkGave) {
  const std::string folder = test::ReferencePath("suites/flink-function-vectors/handed");
  if (folder.empty()) {
    GTEST_SKIP() << "no suite data";
  }
  VectorTally tally;
  // A pattern's escape character that is a space.
  tally.known = {"LikeFunctionITCase.0.31"};
  for (const char* name :
       {"CaseFunctionsITCase", "CastFunctionITCase", "CastFunctionMiscITCase",
        "ComparisonFunctionITCase", "FieldAccessFromTableITCase", "GreatestLeastFunctionsITCase",
        "ImplicitConversionEqualsFunctionITCase", "LikeFunctionITCase", "MathFunctionsITCase"}) {
    ASSERT_ASSIGN(const std::string text, ReadWholeLocalFile(folder + "/" + name + ".jsonl"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ASSERT_ASSIGN(const json::Json test, json::Parse(line, name));
      if (test["kind"] == "scalar" && !test.contains("udfs")) {
        RunCase(test, &tally);
      }
    }
  }
  std::cout << tally.Summary();
  RecordProperty("passed", tally.passed);
  for (const std::string& failure : tally.failed) {
    std::cout << failure << "\n";
  }
  EXPECT_TRUE(tally.failed.empty());
}

}  // namespace
}  // namespace lakeward::plan
