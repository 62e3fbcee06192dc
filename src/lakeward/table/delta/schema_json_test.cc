#include "lakeward/table/delta/schema_json.h"

#include "arrow/scalar.h"
#include "gtest/gtest.h"
#include "lakeward/table/delta/delta_table.h"
#include "support/status_matchers.h"

namespace lakeward::delta {
namespace {

TEST(SchemaJsonTest, WritesNullableColumnsAsTheFlinkConnectorDoes) {
  ASSERT_ASSIGN(const std::string text,
                SchemaToJson({{{"c1", types::VarChar(1)}, {"c2", types::Int()}}}, false));
  EXPECT_EQ(text,
            R"({"type":"struct","fields":[{"name":"c1","type":"string","nullable":true,)"
            R"("metadata":{}},{"name":"c2","type":"integer","nullable":true,"metadata":{}}]})");
}

TEST(SchemaJsonTest, EveryTypeGoesBothWays) {
  const types::RowSchema schema{{
      {"a", types::Boolean(false)},
      {"b", types::TinyInt()},
      {"c", types::SmallInt()},
      {"d", types::Int()},
      {"e", types::BigInt()},
      {"f", types::Float()},
      {"g", types::Double()},
      {"h", types::Decimal(38, 18)},
      {"i", types::String()},
      {"j", types::Bytes()},
      {"k", types::Date()},
      {"l", types::Timestamp(6)},
      {"m", types::TimestampLtz(6)},
      {"n", types::Array(types::Int(false))},
      {"o", types::Map(types::String(false), types::Array(types::String()))},
      {"p", types::Row({{"x", types::Int(false), "a comment"},
                        {"y", types::Row({{"z", types::Date(), ""}}), ""}})},
  }};
  ASSERT_ASSIGN(const std::string text, SchemaToJson(schema, true));
  ASSERT_ASSIGN(const types::RowSchema back, SchemaFromJson(text));
  EXPECT_TRUE(back.Equals(schema)) << back.ToString();
}

TEST(SchemaJsonTest, TimestampIsNtzOnlyWithTheFeature) {
  ASSERT_ASSIGN(const std::string plain, SchemaToJson({{{"t", types::Timestamp(3)}}}, false));
  EXPECT_NE(plain.find(R"("type":"timestamp",)"), std::string::npos) << plain;
  ASSERT_ASSIGN(const std::string ntz, SchemaToJson({{{"t", types::Timestamp(3)}}}, true));
  EXPECT_NE(ntz.find(R"("type":"timestamp_ntz",)"), std::string::npos) << ntz;
  ASSERT_ASSIGN(const types::RowSchema read, SchemaFromJson(plain));
  EXPECT_EQ(read.columns[0].type->ToString(), "TIMESTAMP_LTZ(6)");
}

TEST(SchemaJsonTest, RefusesTypesThatDeltaCannotHoldByColumn) {
  const std::vector<types::TypePtr> impossible{
      types::Time(3),
      types::Timestamp(9),
      types::TimestampLtz(7),
      types::IntervalYearMonth(),
      types::IntervalDayTime(),
      types::Multiset(types::Int()),
      types::Array(types::Time()),
      types::Row({{"inner", types::Time(), ""}}),
  };
  for (const types::TypePtr& type : impossible) {
    const Status status = SchemaToJson({{{"my_column", type}}}, false).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kUnsupported) << type->ToString();
    EXPECT_NE(status.message().find("my_column"), std::string::npos) << status.message();
    EXPECT_FALSE(HintOf(status).empty());
  }
}

TEST(SchemaJsonTest, ReadsTheProtocolsExample) {
  ASSERT_ASSIGN(const types::RowSchema schema, SchemaFromJson(R"({"type":"struct","fields":[
        {"name":"a","type":"integer","nullable":false,"metadata":{}},
        {"name":"b","type":{"type":"struct","fields":[
            {"name":"d","type":"integer","nullable":false,"metadata":{}}]},
         "nullable":true,"metadata":{}},
        {"name":"c","type":{"type":"array","elementType":"integer","containsNull":false},
         "nullable":true,"metadata":{}},
        {"name":"e","type":{"type":"array","elementType":{"type":"struct","fields":[
            {"name":"d","type":"integer","nullable":false,"metadata":{}}]},"containsNull":true},
         "nullable":true,"metadata":{}},
        {"name":"f","type":{"type":"map","keyType":"string","valueType":"string",
                            "valueContainsNull":true},"nullable":true,"metadata":{}}]})"));
  EXPECT_EQ(schema.columns[0].type->ToString(), "INT NOT NULL");
  EXPECT_EQ(schema.columns[1].type->ToString(), "ROW<`d` INT NOT NULL>");
  EXPECT_EQ(schema.columns[2].type->ToString(), "ARRAY<INT NOT NULL>");
  EXPECT_EQ(schema.columns[4].type->ToString(), "MAP<STRING NOT NULL, STRING>");
}

TEST(SchemaJsonTest, UnknownTypesAreKeptForDescribing) {
  const std::string text =
      R"({"type":"struct","fields":[{"name":"a","type":"integer","nullable":true,"metadata":{}},)"
      R"({"name":"v","type":{"type":"array","elementType":"variant","containsNull":true},)"
      R"("nullable":true,"metadata":{}},)"
      R"({"name":"gone","type":"void","nullable":true,"metadata":{}}]})";
  ASSERT_ASSIGN(const ParsedSchema parsed, ParseSchema(text));
  EXPECT_EQ(parsed.schema.Names(), (std::vector<std::string>{"a", "v"}));
  EXPECT_EQ(parsed.unknown_types, (std::vector<std::string>{"column `v` has the type variant"}));
  EXPECT_EQ(KindOf(SchemaFromJson(text).status()), ErrorKind::kUnsupported);
}

TEST(SchemaJsonTest, RefusesDamagedSchemas) {
  for (const char* text :
       {"", "[]", "{}", R"({"type":"array"})", R"({"type":"struct"})",
        R"({"type":"struct","fields":[1]})", R"({"type":"struct","fields":[{"name":"a"}]})",
        R"({"type":"struct","fields":[{"type":"long"}]})"}) {
    EXPECT_EQ(KindOf(ParseSchema(text).status()), ErrorKind::kCorruptData) << text;
  }
}

TEST(SchemaJsonTest, NamesThatNeedColumnMappingAreRefused) {
  for (const char* name : {"a b", "a,b", "a;b", "a{", "a}", "a(", "a)", "a=b", "a\tb", "a\nb"}) {
    const Status status = CheckColumnNames({{{name, types::Int()}}});
    EXPECT_EQ(KindOf(status), ErrorKind::kUnsupported) << name;
    EXPECT_NE(status.message().find("columnMapping"), std::string::npos) << status.message();
  }
  const Status nested = CheckColumnNames({{{"r", types::Row({{"a b", types::Int(), ""}})}}});
  EXPECT_EQ(KindOf(nested), ErrorKind::kUnsupported);
  EXPECT_STATUS_OK(CheckColumnNames({{{"a.b-ü", types::Int()}, {"c", types::Int()}}}));
}

TEST(SchemaJsonTest, NamesThatDifferOnlyByCaseAreRefused) {
  const Status status = CheckColumnNames({{{"Id", types::Int()}, {"iD", types::Int()}}});
  EXPECT_EQ(KindOf(status), ErrorKind::kValidation);
  EXPECT_NE(status.message().find("`Id` and `iD`"), std::string::npos) << status.message();
}

std::optional<std::string> Serialized(const arrow::Scalar& value, const types::TypePtr& type) {
  const auto text = SerializePartitionValue(value, *type);
  EXPECT_TRUE(text.ok()) << text.status().ToString();
  return text.ok() ? *text : std::nullopt;
}

TEST(PartitionValueTest, FollowsTheProtocolsFormats) {
  EXPECT_EQ(Serialized(arrow::StringScalar("x y"), types::String()), "x y");
  EXPECT_EQ(Serialized(arrow::StringScalar(""), types::String()), std::nullopt);
  EXPECT_EQ(Serialized(arrow::Int32Scalar(-7), types::Int()), "-7");
  EXPECT_EQ(Serialized(arrow::Int8Scalar(7), types::TinyInt()), "7");
  EXPECT_EQ(Serialized(arrow::BooleanScalar(true), types::Boolean()), "true");
  EXPECT_EQ(Serialized(arrow::DoubleScalar(1.5), types::Double()), "1.5");
  EXPECT_EQ(Serialized(arrow::Date32Scalar(0), types::Date()), "1970-01-01");
  EXPECT_EQ(Serialized(arrow::TimestampScalar(123'456, arrow::timestamp(arrow::TimeUnit::MICRO)),
                       types::Timestamp(6)),
            "1970-01-01 00:00:00.123456");
  EXPECT_EQ(
      Serialized(arrow::TimestampScalar(123'456, arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
                 types::TimestampLtz(6)),
      "1970-01-01T00:00:00.123456Z");
  EXPECT_EQ(Serialized(arrow::Decimal128Scalar(arrow::Decimal128(150), arrow::decimal128(10, 2)),
                       types::Decimal(10, 2)),
            "1.50");
  EXPECT_EQ(Serialized(arrow::Int32Scalar(), types::Int()), std::nullopt);
}

TEST(PartitionValueTest, ParsesWhatOthersWrite) {
  const auto parse = [](const std::optional<std::string>& text, const types::TypePtr& type) {
    const auto value = ParsePartitionValue(text, *type);
    return value.ok() ? (*value)->ToString() : "error";
  };
  EXPECT_EQ(parse("42", types::BigInt()), "42");
  EXPECT_EQ(parse("300", types::TinyInt()), "error");
  EXPECT_EQ(parse("4x", types::Int()), "error");
  EXPECT_EQ(parse("", types::Int()), "null");
  EXPECT_EQ(parse(std::nullopt, types::String()), "null");
  EXPECT_EQ(parse("false", types::Boolean()), "false");
  EXPECT_EQ(parse("1.5", types::Decimal(10, 2)), "1.50");
  EXPECT_EQ(parse("1.555", types::Decimal(10, 2)), "error");
  EXPECT_EQ(parse("1.0E10", types::Double()), "1e+10");
  EXPECT_EQ(parse("NaN", types::Double()), "nan");
  EXPECT_EQ(parse("-Infinity", types::Float()), "-inf");
  EXPECT_EQ(parse("2021-09-08", types::Date()), "2021-09-08");
  EXPECT_EQ(parse("2021-09-08 11:11:11", types::TimestampLtz(6)), "2021-09-08 11:11:11.000000Z");
  EXPECT_EQ(parse("2021-09-08T11:11:11.000001Z", types::TimestampLtz(6)),
            "2021-09-08 11:11:11.000001Z");
}

TEST(PartitionValueTest, FoldersAreSpelledAsInHive) {
  EXPECT_EQ(PartitionFolder({"a", "b"}, {{"a", "1"}, {"b", "x y/z:%"}}), "a=1/b=x y%2Fz%3A%25");
  EXPECT_EQ(PartitionFolder({"a"}, {{"a", std::nullopt}}), "a=__HIVE_DEFAULT_PARTITION__");
  EXPECT_EQ(PartitionFolder({}, {}), "");
  EXPECT_LE(PartitionFolder({"a"}, {{"a", std::string(5'000, 'x')}}).size(), 255u);
}

}  // namespace
}  // namespace lakeward::delta
