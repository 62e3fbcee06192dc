#include "lakeward/format/json/json_writer.h"

#include <cmath>
#include <limits>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_nested.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/array/util.h"
#include "arrow/json/from_string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/format/format_testing.h"
#include "lakeward/format/json/json_format.h"
#include "lakeward/types/arrow_mapping.h"
#include "support/status_matchers.h"

namespace lakeward::format {
namespace {

using ::testing::HasSubstr;
using types::RowSchema;

Result<std::shared_ptr<arrow::RecordBatch>> Batch(const RowSchema& schema,
                                                  const std::vector<std::string>& columns) {
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (size_t i = 0; i < columns.size(); ++i) {
    LW_ASSIGN(
        std::shared_ptr<arrow::Array> array,
        arrow::json::ArrayFromJSONString(types::ToArrow(*schema.columns[i].type), columns[i]));
    arrays.push_back(std::move(array));
  }
  const int64_t rows = arrays.front()->length();
  return arrow::RecordBatch::Make(types::ToArrowSchema(schema), rows, std::move(arrays));
}

Result<std::string> Write(const RowSchema& schema, const arrow::RecordBatch& batch,
                          config::OptionMap options = {}) {
  return testing::WriteBytes(JsonFormat(), {.schema = schema, .options = std::move(options)},
                             {batch.Slice(0)});
}

/// The text of a single value in a column `v`.
std::string WriteValue(const types::TypePtr& type, const std::shared_ptr<arrow::Array>& array,
                       config::OptionMap options = {}) {
  const RowSchema schema{{{"v", type}}};
  const auto batch =
      arrow::RecordBatch::Make(types::ToArrowSchema(schema), array->length(), {array});
  const Result<std::string> text = Write(schema, *batch, std::move(options));
  if (!text.ok()) {
    return "error: " + text.status().message();
  }
  return text->substr(5, text->size() - 7);  // without {"v": and }\n
}

std::string WriteValue(const types::TypePtr& type, const std::string& json,
                       config::OptionMap options = {}) {
  const auto array = arrow::json::ArrayFromJSONString(types::ToArrow(*type), "[" + json + "]");
  return array.ok() ? WriteValue(type, *array, std::move(options)) : array.status().ToString();
}

TEST(JsonWriter, WritesOneObjectALine) {
  const RowSchema schema{{{"c1", types::String()}, {"c2", types::Int()}}};
  ASSERT_ASSIGN(const auto batch, Batch(schema, {R"(["a", null])", "[42, null]"}));
  ASSERT_ASSIGN(const std::string text, Write(schema, *batch));
  EXPECT_EQ(text, "{\"c1\":\"a\",\"c2\":42}\n{\"c1\":null,\"c2\":null}\n");
  ASSERT_ASSIGN(const std::string without_nulls,
                Write(schema, *batch, {{"encode.ignore-null-fields", "true"}}));
  EXPECT_EQ(without_nulls, "{\"c1\":\"a\",\"c2\":42}\n{}\n");
}

TEST(JsonWriter, WritesSlices) {
  const RowSchema schema{{{"s", types::String()},
                          {"b", types::Boolean()},
                          {"l", types::Array(types::Int())},
                          {"r", types::Row({{"x", types::BigInt(), ""}})}}};
  ASSERT_ASSIGN(const auto batch,
                Batch(schema, {R"(["a", "bb", null, "dd"])", "[true, false, true, null]",
                               "[[1], [2, null], [], null]", "[[1], [2], [null], null]"}));
  ASSERT_ASSIGN(const std::string text, Write(schema, *batch->Slice(1)));
  EXPECT_EQ(text,
            "{\"s\":\"bb\",\"b\":false,\"l\":[2,null],\"r\":{\"x\":2}}\n"
            "{\"s\":null,\"b\":true,\"l\":[],\"r\":{\"x\":null}}\n"
            "{\"s\":\"dd\",\"b\":null,\"l\":null,\"r\":null}\n");
}

TEST(JsonWriter, EscapesAsJacksonDoes) {
  arrow::StringBuilder builder;
  const std::string text = "\"\\/\b\f\n\r\t\x01\x1F\x7F é😀 eight or more bytes \"";
  ASSERT_STATUS_OK(builder.Append(text));
  ASSERT_ASSIGN(const auto array, builder.Finish());
  EXPECT_EQ(WriteValue(types::String(), array), R"("\"\\/\b\f\n\r\t\u0001\u001F)"
                                                "\x7F"
                                                R"( é😀 eight or more bytes \"")");
  const RowSchema schema{{{"a\"b", types::Int()}}};
  ASSERT_ASSIGN(const auto batch, Batch(schema, {"[1]"}));
  ASSERT_ASSIGN(const std::string line, Write(schema, *batch));
  EXPECT_EQ(line, "{\"a\\\"b\":1}\n");
}

TEST(JsonWriter, SpellsNumbersAsJavaDoes) {
  EXPECT_EQ(WriteValue(types::Double(), "1e10"), "1.0E10");
  EXPECT_EQ(WriteValue(types::Double(), "100"), "100.0");
  EXPECT_EQ(WriteValue(types::Double(), "0.001"), "0.001");
  EXPECT_EQ(WriteValue(types::Double(), "0.00012"), "1.2E-4");
  EXPECT_EQ(WriteValue(types::Double(), "-1234567.25"), "-1234567.25");
  EXPECT_EQ(WriteValue(types::Double(), "12345678.5"), "1.23456785E7");
  EXPECT_EQ(WriteValue(types::Float(), "1.1"), "1.1");
  EXPECT_EQ(WriteValue(types::Double(), "NaN"), "\"NaN\"");
  EXPECT_EQ(WriteValue(types::Double(), "-Inf"), "\"-Infinity\"");
  EXPECT_EQ(WriteValue(types::BigInt(), "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(WriteValue(types::TinyInt(), "-128"), "-128");
  EXPECT_EQ(WriteValue(types::Boolean(), "false"), "false");
}

// Flink 1.20, JsonRowDataSerDeSchemaTest.testSerializationDecimalEncode.
TEST(JsonWriter, SpellsDecimalsAsFlinkDoes) {
  const config::OptionMap plain = {{"encode.decimal-as-plain-number", "true"}};
  const types::TypePtr a = types::Decimal(9, 6);
  const types::TypePtr b = types::Decimal(20, 0);
  const types::TypePtr c = types::Decimal(11, 9);
  EXPECT_EQ(WriteValue(a, "\"123.456789\""), "123.456789");
  EXPECT_EQ(WriteValue(b, "\"454621864049246170\""), "4.5462186404924617E+17");
  EXPECT_EQ(WriteValue(c, "\"0.000000027\""), "2.7E-8");
  EXPECT_EQ(WriteValue(a, "\"123.456789\"", plain), "123.456789");
  EXPECT_EQ(WriteValue(b, "\"454621864049246170\"", plain), "454621864049246170");
  EXPECT_EQ(WriteValue(c, "\"0.000000027\"", plain), "0.000000027");
  EXPECT_EQ(WriteValue(types::Decimal(10, 2), "\"-10.50\""), "-10.5");
  EXPECT_EQ(WriteValue(types::Decimal(10, 2), "\"0.00\""), "0");
  EXPECT_EQ(WriteValue(types::Decimal(38, 38), "\"0.00000000000000000000000000000000000001\""),
            "1E-38");
}

TEST(JsonWriter, SpellsTimesByTheChosenStandard) {
  const config::OptionMap iso = {{"timestamp-format.standard", "ISO-8601"}};
  EXPECT_EQ(WriteValue(types::Date(), "-1"), "\"1969-12-31\"");
  EXPECT_EQ(WriteValue(types::Time(3), "45296789000"), "\"12:34:56\"");
  const types::TypePtr plain = types::Timestamp(6);
  EXPECT_EQ(WriteValue(plain, "\"2024-01-01 10:00:00\""), "\"2024-01-01 10:00:00\"");
  EXPECT_EQ(WriteValue(plain, "\"2024-01-01 10:00:00.120000\""), "\"2024-01-01 10:00:00.12\"");
  EXPECT_EQ(WriteValue(plain, "-1"), "\"1969-12-31 23:59:59.999999\"");
  EXPECT_EQ(WriteValue(plain, "\"2024-01-01 10:00:00.5\"", iso), "\"2024-01-01T10:00:00.5\"");
  EXPECT_EQ(WriteValue(types::Timestamp(9), "1"), "\"1970-01-01 00:00:00.000000001\"");
  EXPECT_EQ(WriteValue(types::TimestampLtz(3), "0"), "\"1970-01-01 00:00:00Z\"");
  EXPECT_EQ(WriteValue(types::TimestampLtz(3), "0", iso), "\"1970-01-01T00:00:00Z\"");
}

TEST(JsonWriter, SpellsBytesAsBase64) {
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {"\x01", "AQ=="}, {"\x01\x02", "AQI="}, {"\x01\x02\x03", "AQID"}}) {
    arrow::BinaryBuilder builder;
    ASSERT_STATUS_OK(builder.Append(bytes));
    ASSERT_ASSIGN(const auto array, builder.Finish());
    EXPECT_EQ(WriteValue(types::Bytes(), array), '"' + text + '"');
  }
}

TEST(JsonWriter, WritesMapsAndRefusesOtherKeys) {
  const types::TypePtr map = types::Map(types::String(), types::Int());
  EXPECT_EQ(WriteValue(map, R"([["a", 1], ["b", null]])"), R"({"a":1,"b":null})");
  EXPECT_EQ(WriteValue(types::Multiset(types::String()), R"([["a", 2]])"), R"({"a":2})");
  EXPECT_THAT(WriteValue(types::Map(types::Int(), types::Int()), "[[1, 2]]"),
              HasSubstr("JSON format doesn't support non-string as key type of map"));
}

TEST(JsonWriter, CountsRowsAndBytes) {
  const RowSchema schema{{{"a", types::Int()}}};
  ASSERT_ASSIGN(const auto batch, Batch(schema, {"[1, 2]"}));
  FileStatistics statistics;
  ASSERT_ASSIGN(const std::string text,
                testing::WriteBytes(JsonFormat(), {.schema = schema}, {batch, batch}, &statistics));
  EXPECT_EQ(text, "{\"a\":1}\n{\"a\":2}\n{\"a\":1}\n{\"a\":2}\n");
  EXPECT_EQ(statistics.row_count, 4);
  EXPECT_EQ(statistics.size_bytes, static_cast<int64_t>(text.size()));
}

}  // namespace
}  // namespace lakeward::format
