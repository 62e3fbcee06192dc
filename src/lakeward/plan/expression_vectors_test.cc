// Expressions with the text that Flink gave for CAST(… AS STRING) of each.

#include <iostream>

#include "lakeward/base/local_file.h"
#include "lakeward/plan/vector_fixture.h"
#include "support/reference_data.h"
#include "support/status_matchers.h"

namespace lakeward::plan {
namespace {

// "String" and the like, as Java's type information spells types.
std::string FromJava(const std::string& type) {
  static const std::map<std::string, std::string> names{{"String", "STRING"},
                                                        {"Boolean", "BOOLEAN"},
                                                        {"Byte", "TINYINT"},
                                                        {"Short", "SMALLINT"},
                                                        {"Integer", "INT"},
                                                        {"Long", "BIGINT"},
                                                        {"Float", "FLOAT"},
                                                        {"Double", "DOUBLE"},
                                                        {"LocalDate", "DATE"},
                                                        {"LocalTime", "TIME(0)"},
                                                        {"LocalDateTime", "TIMESTAMP(3)"},
                                                        {"byte[]", "BYTES"}};
  if (type.starts_with("Decimal(")) {
    return "DECIMAL" + type.substr(7);
  }
  const auto found = names.find(type);
  return found == names.end() ? "" : found->second;
}

// Splits at commas outside of brackets.
std::vector<std::string> SplitFields(const std::string& text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : text) {
    depth += c == '(' || c == '<' || c == '[' ? 1 : c == ')' || c == '>' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(std::exchange(part, ""));
    } else if (!(c == ' ' && part.empty())) {
      part += c;
    }
  }
  parts.push_back(part);
  return parts;
}

std::string TextOf(const json::Json& object, const char* member) {
  const json::Json* value = json::Find(object, member);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

class ExpressionVectorsTest : public VectorFixture {
 protected:
  static std::vector<Field> FieldsOf(const json::Json& file) {
    std::vector<Field> fields;
    std::string text = file["rowType"].is_string() ? file["rowType"].get<std::string>() : "";
    const size_t open = text.find_first_of("(<");
    if (open == std::string::npos || !file["testData"].is_object()) {
      return fields;
    }
    const bool java = text[open] == '(';
    text = text.substr(open + 1, text.find_last_of(java ? ")" : ">") - open - 1);
    const json::Json& values = file["testData"]["$row"];
    const std::vector<std::string> parts = SplitFields(text);
    for (size_t i = 0; i < parts.size() && i < values.size(); ++i) {
      const size_t space = parts[i].find(' ');
      Field field;
      field.name = parts[i].substr(0, java ? space - 1 : space);
      std::erase(field.name, '`');
      field.type = java ? FromJava(parts[i].substr(space + 1)) : parts[i].substr(space + 1);
      field.value = values[i];
      if (!field.type.empty()) {
        fields.push_back(std::move(field));
      }
    }
    return fields;
  }

  void RunCase(const json::Json& test, const types::RowSchema& schema,
               const arrow::RecordBatch& row, VectorTally* tally) {
    const std::string id = TextOf(test, "id");
    const std::string sql = TextOf(test, "sql");
    if (test.contains("note")) {
      return;  // no value was recorded
    }
    const bool must_fail = !test.contains("expected");
    ASSERT_ASSIGN(const BindContext context, ContextIn(TextOf(test, "timezone")));
    Scope scope;
    scope.Add("testTable", {}, schema);
    const auto value = Compute("CAST(" + sql + " AS STRING)", context, scope, row);
    if (!value.ok()) {
      const std::string reason = ReasonOf(value.status());
      if (must_fail && !reason.starts_with("function ")) {
        ++tally->passed;
      } else if (!reason.empty()) {
        ++tally->unsupported[reason];
      } else {
        tally->Fail(id, sql + ": " + value.status().message());
      }
      return;
    }
    const auto scalar = *value->second->GetScalar(0);
    const std::string text = scalar->is_valid ? scalar->ToString() : "NULL";
    const std::string expected = must_fail ? "an error" : TextOf(test, "expected");
    if (text == expected) {
      ++tally->passed;
    } else {
      tally->Fail(id, sql + ": expected " + expected + ", got " + text);
    }
  }
};

TEST_F(ExpressionVectorsTest, GiveWhatFlinkGave) {
  const std::string folder = test::ReferencePath("suites/flink-expression-vectors/handed");
  if (folder.empty()) {
    GTEST_SKIP() << "no suite data";
  }
  VectorTally tally;
  tally.known = {
      // Java counts a negative length in OVERLAY and SUBSTRING otherwise.
      "ScalarFunctionsTest.testOverlay.18", "ScalarFunctionsTest.testSubString.293",
      "ScalarFunctionsTest.testCodeGenNPE.1078",
      // The scale of TRUNCATE(decimal, column) is not known when planning.
      "ScalarFunctionsTest.testTruncate.469",
      // The last digit differs between Java's and C's logarithms and sines.
      "ScalarFunctionsTest.testLog10.495", "ScalarFunctionsTest.testLog2.689",
      "ScalarFunctionsTest.testLog2.691", "SqlExpressionTest.testArithmeticFunctions.58",
      // Flink 1.20 shows no fraction of a TIME.
      "TemporalTypesTest.testDateAndTime.119",
      // TIMESTAMPADD of hours to a DATE.
      "ScalarFunctionsTest.testTimestampAdd.960", "ScalarFunctionsTest.testTimestampAdd.961",
      // Division by a DOUBLE zero became an error after Flink 1.20.
      "SqlExpressionTest.testDivideFunctions.87", "SqlExpressionTest.testDivideFunctions.88",
      // Years that nanoseconds do not reach, and the year 0.
      "TemporalTypesTest.testTimePointLiterals.273",
      "TemporalTypesTest.testBoundaryForToTimestampLtz.390",
      // TIMESTAMPDIFF between TIMESTAMP_LTZ and another type.
      "TemporalTypesTest.testInvalidTimestampLtzArithmetic.409",
      "TemporalTypesTest.testInvalidTimestampLtzArithmetic.411"};
  for (const char* name :
       {"ArrayTypeTest", "DecimalTypeTest", "LiteralTest", "MapTypeTest", "RowTypeTest",
        "ScalarFunctionsTest", "ScalarFunctionsValidationTest", "ScalarOperatorsTest",
        "ScalarOperatorsValidationTest", "SqlExpressionTest", "TemporalTypesTest"}) {
    ASSERT_ASSIGN(const std::string text, ReadWholeLocalFile(folder + "/" + name + ".json"));
    ASSERT_ASSIGN(const json::Json file, json::Parse(text, name));
    types::RowSchema schema;
    ASSERT_ASSIGN(const auto row, MakeRow(FieldsOf(file), "UTC", &schema));
    for (const json::Json& test : file["cases"]) {
      RunCase(test, schema, *row, &tally);
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
