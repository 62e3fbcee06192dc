#include "lakeward/format/json/json_reader.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/format/format_testing.h"
#include "lakeward/format/json/json_format.h"
#include "support/status_matchers.h"

namespace lakeward::format {
namespace {

using ::testing::ElementsAre;
using testing::FileOf;
using ::testing::HasSubstr;
using testing::ReadRows;
using types::RowSchema;

RowSchema Ints(std::initializer_list<const char*> names) {
  RowSchema schema;
  for (const char* name : names) {
    schema.columns.push_back({name, types::Int()});
  }
  return schema;
}

Result<std::vector<std::string>> Read(std::string_view text, const RowSchema& schema,
                                      config::OptionMap options = {}) {
  return ReadRows(JsonFormat(), FileOf(text, "/in/a.json"),
                  {.schema = schema, .options = std::move(options)});
}

/// What one value becomes in a column `v` of a type.
std::string ReadValue(std::string_view json, const types::TypePtr& type,
                      config::OptionMap options = {}) {
  const Result<std::vector<std::string>> rows =
      Read("{\"v\":" + std::string(json) + "}", {{{"v", type}}}, std::move(options));
  if (!rows.ok()) {
    return "error: " + rows.status().message();
  }
  return rows->size() == 1 ? rows->front() : std::to_string(rows->size()) + " rows";
}

TEST(JsonReader, MatchesColumnsByNameInAnyOrder) {
  ASSERT_ASSIGN(const auto rows, Read("{\"a\":1,\"b\":2}\n"
                                      "{\"b\":4,\"a\":3}\n"
                                      "{\"x\":{\"a\":[1,{\"b\":9}]},\"b\":6}\n"
                                      " { \"a\" : 7 , \"b\" : 8 } \n",
                                      Ints({"a", "b"})));
  EXPECT_THAT(rows, ElementsAre("1|2", "3|4", "<NULL>|6", "7|8"));
}

TEST(JsonReader, TakesTheLastOfEqualKeys) {
  ASSERT_ASSIGN(const auto rows,
                Read("{\"a\":1,\"b\":5,\"a\":2}\n{\"a\":1,\"a\":null}\n", Ints({"a", "b"})));
  EXPECT_THAT(rows, ElementsAre("2|5", "<NULL>|<NULL>"));
  EXPECT_EQ(ReadValue(R"("x","v":"longer","v":"y")", types::String()), "y");
}

TEST(JsonReader, PassesOverEmptyLinesCarriageReturnsAndByteOrderMark) {
  ASSERT_ASSIGN(const auto rows, Read("\xEF\xBB\xBF{\"a\":1}\r\n\r\n\n  \n{\"a\":2}", Ints({"a"})));
  EXPECT_THAT(rows, ElementsAre("1", "2"));
  EXPECT_TRUE(Read("", Ints({"a"}))->empty());
  EXPECT_TRUE(Read("\n\n", Ints({"a"}))->empty());
}

TEST(JsonReader, FindsEscapedKeys) {
  ASSERT_ASSIGN(const auto rows, Read(R"({"\u0061":1,"b\"":2})", Ints({"a", "b\""})));
  EXPECT_THAT(rows, ElementsAre("1|2"));
}

// Flink's golden answers for a file with one malformed record and one field of a wrong type.
TEST(JsonReader, SkipsBadRecordsAndNullsBadFieldsOnRequest) {
  const std::string_view text =
      "{\"id\":1,\"v\":10}\n{\"id\":2,\"v\":\n{\"id\":3,\"v\":\"x\"}\n"
      "{\"id\":4,\"v\":40}\n";
  ASSERT_ASSIGN(const auto rows, Read(text, Ints({"id", "v"}), {{"ignore-parse-errors", "true"}}));
  EXPECT_THAT(rows, ElementsAre("1|10", "3|<NULL>", "4|40"));
}

TEST(JsonReader, NamesFileLineAndOptionOfABadRecord) {
  const Status status = Read("{\"a\":1}\n\n{\"a\":2}\n{\"a\":\n", Ints({"a"})).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData);
  EXPECT_EQ(status.message(), "/in/a.json line 4: field 'a': not valid JSON");
  EXPECT_EQ(HintOf(status),
            "Correct the record, or set 'json.ignore-parse-errors' = 'true' to skip such records.");
}

TEST(JsonReader, NamesTheFieldThatDoesNotFit) {
  const RowSchema schema{{{"r", types::Row({{"list", types::Array(types::Int()), ""}})}}};
  const Status status = Read(R"({"r":{"list":[1,"x"]}})", schema).status();
  EXPECT_EQ(status.message(), "/in/a.json line 1: field 'r.list': \"x\" cannot be read as INT");
}

TEST(JsonReader, RefusesWhatIsNoRecord) {
  for (const char* line :
       {"1", "[{\"a\":1}]", "\"a\"", "null", "{\"a\":1}{\"a\":2}", "{\"a\":1} x", "{\"a\":1,}",
        "{\"a\" 1}", "{a:1}", "{\"a\":01}", "{\"a\":1", "{\"a\":\"x}", "{\"b\":tru}",
        "{\"b\":[1,]}", "{\"b\":{\"c\":1]}", "{\"b\":\"\\x\"}", "{\"b\":\"\xC3\x28\"}", "}", "{"}) {
    const std::string text = std::string("{\"a\":1}\n") + line + "\n{\"a\":3}\n";
    EXPECT_THAT(Read(text, Ints({"a"})).status().message(), HasSubstr("/in/a.json line 2: "))
        << line;
    const auto rows = Read(text, Ints({"a"}), {{"ignore-parse-errors", "true"}});
    ASSERT_STATUS_OK(rows.status());
    EXPECT_THAT(*rows, ElementsAre("1", "3")) << line;
  }
}

TEST(JsonReader, CountsSkippedRecords) {
  const Format format = JsonFormat();
  ASSERT_ASSIGN(
      const auto reader,
      format.open_reader(FileOf("x\n{\"a\":1}\n[]\n"),
                         {.schema = Ints({"a"}), .options = {{"ignore-parse-errors", "true"}}}));
  ASSERT_STATUS_OK(ReadRows(reader.get(), Ints({"a"})).status());
  EXPECT_EQ(reader->skipped_records(), 2);
}

TEST(JsonReader, FailsOnMissingFieldsOnRequest) {
  const config::OptionMap options = {{"fail-on-missing-field", "true"}};
  EXPECT_EQ(Read("{\"a\":null,\"b\":1}\n{\"b\":1}", Ints({"a", "b"}), options).status().message(),
            "/in/a.json line 2: field 'a': it is missing in the record");
  EXPECT_EQ(KindOf(Read("", Ints({"a"}),
                        {{"fail-on-missing-field", "true"}, {"ignore-parse-errors", "true"}})
                       .status()),
            ErrorKind::kConfig);
}

TEST(JsonReader, ReadsIntegersAsJacksonDoes) {
  EXPECT_EQ(ReadValue("42", types::Int()), "42");
  EXPECT_EQ(ReadValue("-2147483648", types::Int()), "-2147483648");
  EXPECT_EQ(ReadValue("\" 42 \"", types::Int()), "42");
  EXPECT_EQ(ReadValue("3.99", types::Int()), "3");
  EXPECT_EQ(ReadValue("-1.5e2", types::BigInt()), "-150");
  EXPECT_EQ(ReadValue("9223372036854775807", types::BigInt()), "9223372036854775807");
  EXPECT_EQ(ReadValue("-9223372036854775808", types::BigInt()), "-9223372036854775808");
  EXPECT_EQ(ReadValue("127", types::TinyInt()), "127");
  EXPECT_EQ(ReadValue("-32768", types::SmallInt()), "-32768");
  for (const char* json : {"2147483648", "\"\"", "\"1.5\"", "true", "{}", "[1]", "1e30"}) {
    EXPECT_THAT(ReadValue(json, types::Int()), HasSubstr("cannot be read as INT")) << json;
  }
  EXPECT_THAT(ReadValue("128", types::TinyInt()), HasSubstr("cannot be read as TINYINT"));
  EXPECT_THAT(ReadValue("1.5", types::SmallInt()), HasSubstr("cannot be read as SMALLINT"));
  EXPECT_THAT(ReadValue("9223372036854775808", types::BigInt()), HasSubstr("error"));
}

TEST(JsonReader, ReadsFloatingPointAsJavaDoes) {
  EXPECT_EQ(ReadValue("10.5", types::Double()), "10.5");
  EXPECT_EQ(ReadValue("20", types::Double()), "20.0");
  EXPECT_EQ(ReadValue("-0.0", types::Double()), "-0.0");
  EXPECT_EQ(ReadValue("1e10", types::Double()), "1.0E10");
  EXPECT_EQ(ReadValue("0.1234567890123456789", types::Double()), "0.12345678901234568");
  EXPECT_EQ(ReadValue("1e400", types::Double()), "Infinity");
  EXPECT_EQ(ReadValue("1e-400", types::Double()), "0.0");
  EXPECT_EQ(ReadValue("\"NaN\"", types::Double()), "NaN");
  EXPECT_EQ(ReadValue("\" -1.25f \"", types::Double()), "-1.25");
  EXPECT_EQ(ReadValue("1.1", types::Float()), "1.1");
  for (const char* json : {"\"\"", "\"x\"", "true", "{}", "\"1e\"", "\"0x\""}) {
    EXPECT_THAT(ReadValue(json, types::Double()), HasSubstr("cannot be read as DOUBLE")) << json;
  }
  EXPECT_THAT(ReadValue("NaN", types::Double()), HasSubstr("not valid JSON"));
}

TEST(JsonReader, ReadsBooleansAsJavaDoes) {
  EXPECT_EQ(ReadValue("true", types::Boolean()), "TRUE");
  EXPECT_EQ(ReadValue("false", types::Boolean()), "FALSE");
  EXPECT_EQ(ReadValue("\" TRUE \"", types::Boolean()), "TRUE");
  EXPECT_EQ(ReadValue("\"yes\"", types::Boolean()), "FALSE");
  EXPECT_EQ(ReadValue("1", types::Boolean()), "FALSE");
}

TEST(JsonReader, RoundsDecimalsHalfUpAndNullsTooLargeOnes) {
  const types::TypePtr type = types::Decimal(5, 2);
  EXPECT_EQ(ReadValue("1.005", type), "1.01");
  EXPECT_EQ(ReadValue("-1.005", type), "-1.01");
  EXPECT_EQ(ReadValue("\" 12.3 \"", type), "12.30");
  EXPECT_EQ(ReadValue("1e2", type), "100.00");
  EXPECT_EQ(ReadValue("0.004", type), "0.00");
  EXPECT_EQ(ReadValue("999.99", type), "999.99");
  EXPECT_EQ(ReadValue("999.995", type), "<NULL>");
  EXPECT_EQ(ReadValue("1000", type), "<NULL>");
  EXPECT_EQ(ReadValue("99999999999999999999999999999999999999", types::Decimal(38, 0)),
            "99999999999999999999999999999999999999");
  EXPECT_THAT(ReadValue("\"\"", type), HasSubstr("cannot be read as DECIMAL(5, 2)"));
  EXPECT_THAT(ReadValue("true", type), HasSubstr("cannot be read as DECIMAL(5, 2)"));
}

TEST(JsonReader, ReadsAnythingAsText) {
  EXPECT_EQ(ReadValue(R"("a\n\"\\\/\u00e9\ud83d\ude00")", types::String()), "a\n\"\\/é😀");
  EXPECT_EQ(ReadValue(R"("\ud83d x")", types::String()), "? x");
  EXPECT_EQ(ReadValue("10.50", types::String()), "10.50");
  EXPECT_EQ(ReadValue("true", types::String()), "true");
  EXPECT_EQ(ReadValue("\"\"", types::String()), "");
  EXPECT_EQ(ReadValue("{ \"city\" : \"Os\\u006co\", \"z\":[1, 2.50,null ] }", types::String()),
            R"({"city":"Oslo","z":[1,2.5,null]})");
  EXPECT_EQ(ReadValue("\"tab\there\"", types::String()), "tab\there");
  for (const size_t size : {7, 8, 9, 15, 16, 17, 100'000}) {
    const std::string text(size, 'x');
    EXPECT_EQ(ReadValue('"' + text + '"', types::String()), text);
    EXPECT_EQ(ReadValue('"' + text + "\\\\\"", types::String()), text + '\\');
  }
}

TEST(JsonReader, ReadsBytesAsBase64) {
  EXPECT_EQ(ReadValue("\"AQID\"", types::Bytes()), "x'010203'");
  EXPECT_EQ(ReadValue("\"AQ==\"", types::Bytes()), "x'01'");
  EXPECT_EQ(ReadValue("\"\"", types::Bytes()), "x''");
  EXPECT_THAT(ReadValue("\"AQ\"", types::Bytes()), HasSubstr("cannot be read as BYTES"));
  EXPECT_THAT(ReadValue("\"A*==\"", types::Bytes()), HasSubstr("cannot be read as BYTES"));
  EXPECT_THAT(ReadValue("1", types::Bytes()), HasSubstr("cannot be read as BYTES"));
}

TEST(JsonReader, ReadsDatesAndTimes) {
  EXPECT_EQ(ReadValue("\"2024-02-29\"", types::Date()), "2024-02-29");
  EXPECT_EQ(ReadValue("\"1969-12-31\"", types::Date()), "1969-12-31");
  EXPECT_EQ(ReadValue("\"12:34:56\"", types::Time()), "12:34:56");
  EXPECT_EQ(ReadValue("\"12:34:56.7891\"", types::Time(3)), "12:34:56.789");
  for (const char* json : {"\"2023-02-29\"", "\"2024-2-9\"", "\"2024-02-29 \"", "\"\"", "1"}) {
    EXPECT_THAT(ReadValue(json, types::Date()), HasSubstr("cannot be read as DATE")) << json;
  }
  EXPECT_THAT(ReadValue("\"12:34\"", types::Time()), HasSubstr("cannot be read as TIME"));
}

TEST(JsonReader, ReadsTimestampsByTheChosenStandard) {
  const types::TypePtr plain = types::Timestamp(6);
  const types::TypePtr instant = types::TimestampLtz(6);
  const config::OptionMap iso = {{"timestamp-format.standard", "ISO-8601"}};
  EXPECT_EQ(ReadValue("\"2024-01-01 10:00:00\"", plain), "2024-01-01 10:00:00.000000");
  EXPECT_EQ(ReadValue("\"1969-12-31 23:59:59.5\"", plain), "1969-12-31 23:59:59.500000");
  EXPECT_EQ(ReadValue("\"2024-01-01 10:00:00.123456789\"", types::Timestamp(9)),
            "2024-01-01 10:00:00.123456789");
  EXPECT_EQ(ReadValue("\"2024-01-01 10:00:00.123Z\"", instant), "2024-01-01 10:00:00.123000");
  EXPECT_EQ(ReadValue("\"2024-01-01T10:00:00.25\"", plain, iso), "2024-01-01 10:00:00.250000");
  EXPECT_EQ(ReadValue("\"2024-01-01T10:00\"", plain, iso), "2024-01-01 10:00:00.000000");
  EXPECT_EQ(ReadValue("\"2024-01-01T10:00:00Z\"", instant, iso), "2024-01-01 10:00:00.000000");
  for (const char* json :
       {"\"2024-01-01T10:00:00\"", "\"2024-01-01 10:00\"", "\"2024-01-01 10:00:00Z\"",
        "\"2024-01-01\"", "\"2024-01-01 24:00:00\"", "1704103200000", "\"\""}) {
    EXPECT_THAT(ReadValue(json, plain), HasSubstr("cannot be read as TIMESTAMP(6)")) << json;
  }
  EXPECT_THAT(ReadValue("\"2024-01-01 10:00:00\"", instant), HasSubstr("cannot be read as"));
  EXPECT_THAT(ReadValue("\"2024-01-01 10:00:00\"", plain, iso), HasSubstr("cannot be read as"));
}

TEST(JsonReader, ReadsNestedValues) {
  const types::TypePtr array = types::Array(types::Row({{"x", types::Int(), ""}}));
  EXPECT_EQ(ReadValue(R"([{"x":1},null,{"y":2},{}])", array), "[(1), NULL, (NULL), (NULL)]");
  EXPECT_EQ(ReadValue("[]", array), "[]");
  EXPECT_EQ(ReadValue("null", array), "<NULL>");
  const types::TypePtr map = types::Map(types::String(), types::Array(types::Int()));
  EXPECT_EQ(ReadValue(R"({"a":[1,2],"b":null})", map), "{a=[1, 2], b=NULL}");
  EXPECT_EQ(ReadValue(R"({"a":[1],"b":[2],"a":[3]})", map), "{b=[2], a=[3]}");
  EXPECT_THAT(ReadValue("[]", map), HasSubstr("an array cannot be read as MAP"));
  EXPECT_THAT(ReadValue("{}", array), HasSubstr("an object cannot be read as ARRAY"));
  const config::OptionMap ignore = {{"ignore-parse-errors", "true"}};
  EXPECT_EQ(ReadValue(R"([{"x":"q"},7,{"x":2}])", array, ignore), "[(NULL), NULL, (2)]");
  EXPECT_EQ(ReadValue(R"({"a":["z",1],"b":"no"})", map, ignore), "{a=[NULL, 1], b=NULL}");
}

TEST(JsonReader, RefusesMapsWithOtherKeys) {
  EXPECT_THAT(ReadValue("{}", types::Map(types::Int(), types::Int())),
              HasSubstr("JSON format doesn't support non-string as key type of map. The type is: "
                        "MAP<INT, INT>"));
}

TEST(JsonReader, RefusesDeepNesting) {
  const std::string deep = std::string(1001, '[') + std::string(1001, ']');
  EXPECT_THAT(ReadValue(deep, types::String()), HasSubstr("not valid JSON"));
  EXPECT_THAT(Read("{\"b\":" + deep + "}", Ints({"a"})).status().message(),
              HasSubstr("not valid JSON"));
  const std::string fine = std::string(900, '[') + std::string(900, ']');
  EXPECT_EQ(ReadValue(fine, types::String()), fine);
}

TEST(JsonReader, RefusesCompressedFiles) {
  EXPECT_EQ(KindOf(Read("\x1F\x8B\x08 whatever", Ints({"a"})).status()), ErrorKind::kUnsupported);
}

// Lines of all lengths, so that blocks, ranges and batches end everywhere in a line.
std::string ManyLines(int count, size_t filler_max) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "{\"a\":" + std::to_string(i) + ",\"f\":\"" +
            std::string(static_cast<size_t>(i * 7919) % filler_max, 'x') + "\"}\n";
  }
  return text;
}

TEST(JsonReader, RangesReadEveryLineOnce) {
  const std::string text = ManyLines(300, 60);
  const RowSchema schema = Ints({"a"});
  for (const int64_t step : {1, 7, 50, 333, 5000}) {
    std::vector<std::string> rows;
    for (int64_t offset = 0; offset < static_cast<int64_t>(text.size()); offset += step) {
      FileRange range = FileOf(text);
      range.offset = offset;
      range.length = step;
      ASSERT_ASSIGN(const auto some, ReadRows(JsonFormat(), range, {.schema = schema}));
      rows.insert(rows.end(), some.begin(), some.end());
    }
    ASSERT_EQ(rows.size(), 300) << step;
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i], std::to_string(i));
    }
    if (step == 1) {
      break;
    }
  }
}

TEST(JsonReader, ResumesExactlyAfterEachBatch) {
  const std::string text = ManyLines(200, 90);
  const Format format = JsonFormat();
  const FileRange file = FileOf(text);
  for (const int64_t rows_max : {1, 3, 64}) {
    ReadSettings settings{.schema = Ints({"a"}), .batch_rows_max = rows_max};
    int64_t rows = 0;
    for (;;) {
      ASSERT_ASSIGN(const auto reader, format.open_reader(file, settings));
      ASSERT_ASSIGN(const auto batch, reader->Next());
      if (batch == nullptr) {
        break;
      }
      EXPECT_EQ(testing::RowText(*batch, 0, settings.schema), std::to_string(rows));
      rows += batch->num_rows();
      settings.resume_position = reader->position();
    }
    EXPECT_EQ(rows, 200);
  }
}

TEST(JsonReader, ResumeOfARangeThatWasNotBegunStartsAtItsFirstLine) {
  const std::string text = ManyLines(50, 30);
  FileRange range = FileOf(text);
  range.offset = 33;
  const Format format = JsonFormat();
  ASSERT_ASSIGN(const auto fresh, format.open_reader(range, {.schema = Ints({"a"})}));
  ASSERT_ASSIGN(
      const auto resumed,
      format.open_reader(range, {.schema = Ints({"a"}), .resume_position = fresh->position()}));
  ASSERT_ASSIGN(const auto expected, ReadRows(fresh.get(), Ints({"a"})));
  ASSERT_ASSIGN(const auto rows, ReadRows(resumed.get(), Ints({"a"})));
  EXPECT_EQ(rows, expected);
}

TEST(JsonReader, ReadsAcrossBlocksAndLinesLongerThanABlock) {
  std::string text = ManyLines(20'000, 200);
  text += "{\"a\":20000,\"f\":\"" + std::string(3 << 20, 'y') + "\"}\n{\"a\":20001}";
  const RowSchema schema = Ints({"a"});
  ASSERT_ASSIGN(const auto rows, Read(text, schema));
  ASSERT_EQ(rows.size(), 20'002);
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i], std::to_string(i));
  }
}

TEST(JsonReader, DropsExactlyTheBadLinesAcrossBlocks) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 30'000; ++i) {
    if (i % 1000 == 17) {
      text += "{\"a\":\"unclosed}\n";
    } else if (i % 1000 == 18) {
      text += "{\"a\":\"\xFF\"}\n";
    } else {
      text += "{\"a\":" + std::to_string(i) + ",\"t\":\"\t\"}\n";
      expected.push_back(std::to_string(i));
    }
  }
  ASSERT_ASSIGN(const auto rows, Read(text, Ints({"a"}), {{"ignore-parse-errors", "true"}}));
  EXPECT_EQ(rows, expected);
}

TEST(JsonReader, CountsLinesFromTheStartOfTheFileInALaterRange) {
  std::string text = ManyLines(100, 30);
  text += "broken\n";
  FileRange range = FileOf(text, "/in/b.json");
  range.offset = static_cast<int64_t>(text.size()) / 2;
  EXPECT_THAT(ReadRows(JsonFormat(), range, {.schema = Ints({"a"})}).status().message(),
              HasSubstr("/in/b.json line 101: "));
}

}  // namespace
}  // namespace lakeward::format
