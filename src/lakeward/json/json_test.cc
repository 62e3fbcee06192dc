#include "lakeward/json/json.h"

#include <filesystem>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "support/reference_data.h"
#include "support/status_matchers.h"

namespace lakeward::json {
namespace {

using ::testing::HasSubstr;

TEST(JsonTest, WritesWhatItReadInTheSameOrder) {
  const std::string text = R"({"z":1,"a":[true,null,-5,1.5],"é":"\"\\\n\u0001","m":{}})";
  ASSERT_ASSIGN(const Json document, Parse(text, "test"));
  EXPECT_EQ(Write(document), text);
  EXPECT_EQ(WritePretty(*Find(document, "a")), "[\n  true,\n  null,\n  -5,\n  1.5\n]");
}

TEST(JsonTest, KeepsWholeNumbersExactly) {
  ASSERT_ASSIGN(const Json document, Parse(R"({"low":-9223372036854775808,
      "high":9223372036854775807,"beyond":9223372036854775808,"real":1.0})",
                                           "numbers"));
  ASSERT_ASSIGN(const int64_t low, GetInt64(document, "low", "numbers"));
  ASSERT_ASSIGN(const int64_t high, GetInt64(document, "high", "numbers"));
  EXPECT_EQ(low, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(high, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(GetInt64(document, "beyond", "numbers").status().message(),
            "numbers: 'beyond' is 9223372036854775808, which does not fit 64 bits");
  EXPECT_EQ(KindOf(GetInt64(document, "real", "numbers").status()), ErrorKind::kCorruptData);
}

TEST(JsonTest, NamesDocumentMemberAndType) {
  ASSERT_ASSIGN(const Json document, Parse(R"({"size":"12","flag":true,"none":null})", "x"));
  const std::string what = "_delta_log/00000000000000000003.json line 2";
  const Status wrong = GetInt64(document, "size", what).status();
  EXPECT_EQ(KindOf(wrong), ErrorKind::kCorruptData);
  EXPECT_EQ(wrong.message(), what + ": 'size' must be a whole number, not string");
  EXPECT_EQ(GetString(document, "path", what).status().message(),
            what + ": 'path' is missing; it must be a string");
  EXPECT_EQ(GetBool(document, "none", what).status().message(),
            what + ": 'none' must be true or false, not null");
  EXPECT_EQ(GetString(Json::array(), "path", what).status().message(),
            what + ": 'path' is missing; it must be a string");
}

TEST(JsonTest, OptionalMembersMayBeMissingOrNull) {
  ASSERT_ASSIGN(const Json document, Parse(R"({"s":"v","i":7,"b":false,"none":null})", "x"));
  ASSERT_ASSIGN(const auto text, GetOptionalString(document, "s", "x"));
  ASSERT_ASSIGN(const auto number, GetOptionalInt64(document, "i", "x"));
  ASSERT_ASSIGN(const auto flag, GetOptionalBool(document, "b", "x"));
  ASSERT_ASSIGN(const auto none, GetOptionalString(document, "none", "x"));
  ASSERT_ASSIGN(const auto missing, GetOptionalInt64(document, "missing", "x"));
  EXPECT_EQ(text, "v");
  EXPECT_EQ(number, 7);
  EXPECT_EQ(flag, false);
  EXPECT_EQ(none, std::nullopt);
  EXPECT_EQ(missing, std::nullopt);
  EXPECT_FALSE(GetOptionalBool(document, "s", "x").ok());
}

TEST(JsonTest, RefusesWhatIsNotJson) {
  const Status status = Parse(R"({"a": 1,})", "conf.json").status();
  EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData);
  EXPECT_THAT(status.message(), HasSubstr("conf.json: not valid JSON: parse error at line 1"));
  EXPECT_FALSE(Parse("", "x").ok());
  EXPECT_FALSE(Parse("{} {}", "x").ok());
  EXPECT_FALSE(Parse("\"\xC3\x28\"", "x").ok());
  EXPECT_FALSE(Parse("1e999", "x").ok());
}

TEST(JsonTest, ReadsTwoHundredLevelsAndNoMore) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_STATUS_OK(Parse(nested(200), "x").status());
  EXPECT_THAT(Parse(nested(201), "x").status().message(), HasSubstr("nested 201 levels deep"));
  EXPECT_FALSE(Parse(std::string(1'000'000, '['), "x").ok());
  // Brackets in strings are text.
  EXPECT_STATUS_OK(Parse('"' + std::string(1'000, '[') + "\\\"" + '"', "x").status());
}

TEST(JsonTest, WritesInvalidUtf8AsReplacementCharacters) {
  EXPECT_EQ(Write(Json("a\xFF")), "\"a\xEF\xBF\xBD\"");
}

// The files of https://github.com/nst/JSONTestSuite: y_ must be read, n_ must be refused.
TEST(JsonTest, AgreesWithTheJsonTestSuite) {
  const std::string folder = test::ReferencePath("suites/JSONTestSuite/test_parsing");
  if (folder.empty()) {
    GTEST_SKIP() << "no reference data: set LAKEWARD_SHARED";
  }
  ASSERT_ASSIGN(const auto entries, ListLocalDirectory(folder));
  int checked = 0;
  for (const LocalFileInfo& entry : entries) {
    const std::string name = std::filesystem::path(entry.path).filename();
    ASSERT_ASSIGN(const std::string text, ReadWholeLocalFile(entry.path));
    const Status status = Parse(text, name).status();
    if (name.starts_with("y_")) {
      EXPECT_TRUE(status.ok()) << status.ToString();
    } else if (name.starts_with("n_")) {
      EXPECT_FALSE(status.ok()) << name;
    }
    ++checked;
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace lakeward::json
