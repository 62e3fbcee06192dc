#include "lakeward/format/parquet/parquet_format.h"

#include "arrow/array/array_nested.h"
#include "arrow/io/memory.h"
#include "arrow/json/from_string.h"
#include "arrow/scalar.h"
#include "arrow/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/format/format_testing.h"
#include "lakeward/format/parquet/parquet_file_format.h"
#include "lakeward/types/arrow_mapping.h"
#include "parquet/arrow/writer.h"
#include "parquet/file_reader.h"
#include "parquet/metadata.h"
#include "support/status_matchers.h"

namespace lakeward::format {
namespace {

using ::testing::ElementsAre;
using testing::FileOf;
using ::testing::HasSubstr;
using testing::ReadRows;
using types::RowSchema;

std::shared_ptr<arrow::Array> FromJson(const std::shared_ptr<arrow::DataType>& type,
                                       const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

std::shared_ptr<arrow::RecordBatch> Batch(const RowSchema& schema,
                                          const std::vector<std::string>& columns) {
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (size_t i = 0; i < columns.size(); ++i) {
    arrays.push_back(FromJson(types::ToArrow(*schema.columns[i].type), columns[i]));
  }
  const int64_t rows = arrays.front()->length();
  return arrow::RecordBatch::Make(types::ToArrowSchema(schema), rows, std::move(arrays));
}

struct Written {
  std::string bytes;
  FileStatistics statistics;
  std::shared_ptr<::parquet::FileMetaData> footer;
};

Result<Written> Write(const ParquetWriteSettings& settings,
                      const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches) {
  LW_ASSIGN(const auto output, arrow::io::BufferOutputStream::Create());
  LW_ASSIGN(const auto writer, OpenParquetWriter(output, settings));
  for (const auto& batch : batches) {
    LW_TRY(writer->Write(*batch));
  }
  Written written;
  LW_ASSIGN(written.statistics, writer->Finish());
  LW_ASSIGN(const auto buffer, output->Finish());
  written.bytes = buffer->ToString();
  written.footer = ::parquet::ReadMetaData(std::make_shared<arrow::io::BufferReader>(buffer));
  return written;
}

/// A file made by Arrow's own writer.
std::string ForeignFile(const std::string& name, const std::shared_ptr<arrow::Array>& array,
                        const std::shared_ptr<::parquet::ArrowWriterProperties>& properties =
                            ::parquet::default_arrow_writer_properties()) {
  const auto output = arrow::io::BufferOutputStream::Create().ValueOrDie();
  const auto table = arrow::Table::Make(arrow::schema({arrow::field(name, array->type())}),
                                        {std::make_shared<arrow::ChunkedArray>(array)});
  LW_CHECK(::parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), output, 1 << 20,
                                        ::parquet::default_writer_properties(), properties)
               .ok());
  return output->Finish().ValueOrDie()->ToString();
}

Result<std::vector<std::string>> Read(std::string_view bytes, const RowSchema& schema) {
  LW_ASSIGN(const auto reader,
            OpenParquetReader(FileOf(bytes, "/in/a.parquet"), {.schema = schema}));
  return ReadRows(reader.get(), schema);
}

RowSchema EveryType() {
  return {{{"b", types::Boolean()},
           {"i8", types::TinyInt()},
           {"i16", types::SmallInt()},
           {"i32", types::Int()},
           {"i64", types::BigInt()},
           {"f", types::Float()},
           {"d", types::Double()},
           {"n5", types::Decimal(5, 2)},
           {"n18", types::Decimal(18, 4)},
           {"n38", types::Decimal(38, 10)},
           {"s", types::String()},
           {"y", types::Bytes()},
           {"day", types::Date()},
           {"t", types::Time(3)},
           {"ts", types::Timestamp(6)},
           {"tz", types::TimestampLtz(3)},
           {"a", types::Array(types::Int())},
           {"m", types::Map(types::String(false), types::Int())},
           {"r", types::Row({{"x", types::Int(), ""}, {"y.z", types::String(), ""}})}}};
}

std::shared_ptr<arrow::RecordBatch> EveryTypeBatch() {
  return Batch(
      EveryType(),
      {"[true, null]", "[-128, null]", "[32767, null]", "[-1, null]", "[9007199254740993, null]",
       "[1.5, null]", "[-0.1, null]", R"(["123.45", null])", R"(["-12345678901234.5678", null])",
       R"(["1234567890123456789012345678.0123456789", null])", R"(["é", null])",
       R"(["bytes", null])", "[19000, null]", "[45296789000, null]",
       R"(["2024-01-01 10:00:00.123456", null])", R"(["2024-01-01 10:00:00.123", null])",
       "[[1, null], null]", R"([[["k", 1], ["l", null]], null])",
       R"([{"x": 1, "y.z": "q"}, null])"});
}

TEST(ParquetFormat, KeepsEveryType) {
  const RowSchema schema = EveryType();
  ASSERT_ASSIGN(const Written written, Write({.schema = schema}, {EveryTypeBatch()}));
  ASSERT_ASSIGN(const auto rows, Read(written.bytes, schema));
  EXPECT_EQ(rows[0], testing::RowText(*EveryTypeBatch(), 0, schema));
  EXPECT_EQ(rows[1], testing::RowText(*EveryTypeBatch(), 1, schema));
}

// Delta's and Iceberg's readers expect these physical types.
TEST(ParquetFormat, StoresTheTypesThatOthersExpect) {
  ASSERT_ASSIGN(const Written written, Write({.schema = EveryType()}, {EveryTypeBatch()}));
  const ::parquet::SchemaDescriptor& schema = *written.footer->schema();
  const auto physical = [&](const std::string& path) {
    return ::parquet::TypeToString(schema.Column(schema.ColumnIndex(path))->physical_type());
  };
  const auto logical = [&](const std::string& path) {
    return schema.Column(schema.ColumnIndex(path))->logical_type()->ToString();
  };
  EXPECT_EQ(physical("i8"), "INT32");
  EXPECT_EQ(physical("n5"), "INT32");
  EXPECT_EQ(physical("n18"), "INT64");
  EXPECT_EQ(physical("n38"), "FIXED_LEN_BYTE_ARRAY");
  EXPECT_EQ(schema.Column(schema.ColumnIndex("n38"))->type_length(), 16);
  EXPECT_EQ(logical("n5"), "Decimal(precision=5, scale=2)");
  EXPECT_EQ(physical("ts"), "INT64");
  EXPECT_THAT(logical("ts"), HasSubstr("isAdjustedToUTC=false, timeUnit=microseconds"));
  EXPECT_THAT(logical("tz"), HasSubstr("isAdjustedToUTC=true, timeUnit=microseconds"));
  EXPECT_EQ(logical("day"), "Date");
  EXPECT_EQ(logical("s"), "String");
  EXPECT_EQ(physical("a.list.element"), "INT32");
  EXPECT_EQ(physical("m.key_value.key"), "BYTE_ARRAY");
  EXPECT_THAT(written.footer->created_by(), HasSubstr("lakeward version "));
  EXPECT_EQ(written.footer->key_value_metadata(), nullptr);
}

TEST(ParquetFormat, GivesStatisticsOfEveryLeaf) {
  const RowSchema schema{{{"i", types::BigInt()},
                          {"s", types::String()},
                          {"n", types::Decimal(30, 2)},
                          {"r", types::Row({{"x", types::Double(), ""}})},
                          {"none", types::Int()}}};
  const auto first = Batch(schema, {"[5, null]", R"(["b", "a"])", R"(["-1.00", "2.50"])",
                                    R"([{"x": 1.5}, null])", "[null, null]"});
  const auto second = Batch(schema, {"[-3, 4]", R"(["c", null])", R"(["9.00", null])",
                                     R"([{"x": -2.5}, {"x": null}])", "[null, null]"});
  ParquetWriteSettings settings{.schema = schema, .row_group_rows = 2};
  ASSERT_ASSIGN(const Written written, Write(settings, {first, second}));
  EXPECT_EQ(written.footer->num_row_groups(), 2);
  EXPECT_EQ(written.statistics.row_count, 4);
  EXPECT_EQ(written.statistics.size_bytes, static_cast<int64_t>(written.bytes.size()));
  const auto text = [](const ColumnStatistics& column) {
    return std::to_string(column.value_count) + "/" + std::to_string(column.null_count) + " " +
           (column.minimum == nullptr ? "-" : column.minimum->ToString()) + ".." +
           (column.maximum == nullptr ? "-" : column.maximum->ToString());
  };
  ASSERT_EQ(written.statistics.columns.size(), 5);
  EXPECT_EQ(text(written.statistics.columns[0]), "4/1 -3..5");
  EXPECT_EQ(text(written.statistics.columns[1]), "4/1 a..c");
  EXPECT_EQ(text(written.statistics.columns[2]), "4/1 -1.00..9.00");
  EXPECT_EQ(text(written.statistics.columns[3]), "4/2 -2.5..1.5");
  EXPECT_EQ(text(written.statistics.columns[4]), "4/4 -..-");
  EXPECT_THAT(written.statistics.columns[3].path, ElementsAre("r", "x"));
  EXPECT_EQ(written.statistics.columns[0].minimum->type->ToString(), "int64");
  EXPECT_GT(written.statistics.columns[0].compressed_bytes, 0);
}

std::shared_ptr<arrow::RecordBatch> Repeating(const RowSchema& schema, int64_t rows) {
  std::string few = "[";
  std::string many = "[";
  for (int64_t i = 0; i < rows; ++i) {
    few += (i == 0 ? "\"" : ", \"") + std::string("country") + std::to_string(i % 20) + "\"";
    many += (i == 0 ? "" : ", ") + std::to_string(i);
  }
  return Batch(schema, {few + "]", many + "]"});
}

TEST(ParquetFormat, GivesADictionaryToColumnsThatRepeat) {
  const RowSchema schema{{{"few", types::String()}, {"many", types::BigInt()}}};
  const auto has_dictionary = [](const Written& written, int column) {
    return written.footer->RowGroup(0)->ColumnChunk(column)->has_dictionary_page();
  };
  ASSERT_ASSIGN(const Written written, Write({.schema = schema, .dictionary_sample_rows = 1000},
                                             {Repeating(schema, 600), Repeating(schema, 600)}));
  EXPECT_TRUE(has_dictionary(written, 0));
  EXPECT_FALSE(has_dictionary(written, 1));
  const auto chunk = written.footer->RowGroup(0)->ColumnChunk(1);
  for (const auto encoding : chunk->encodings()) {
    EXPECT_TRUE(encoding == ::parquet::Encoding::PLAIN || encoding == ::parquet::Encoding::RLE)
        << static_cast<int>(encoding);
  }
  ASSERT_ASSIGN(const Written without,
                Write({.schema = schema, .dictionary = false}, {Repeating(schema, 600)}));
  EXPECT_FALSE(has_dictionary(without, 0));
  ASSERT_ASSIGN(const Written small, Write({.schema = schema}, {Repeating(schema, 3)}));
  EXPECT_FALSE(has_dictionary(small, 0));
}

TEST(ParquetFormat, CompressesWithTheCodecAsked) {
  const RowSchema schema{{{"few", types::String()}, {"many", types::BigInt()}}};
  for (const auto& [name, codec] : std::vector<std::pair<std::string, arrow::Compression::type>>{
           {"zstd", arrow::Compression::ZSTD},
           {"snappy", arrow::Compression::SNAPPY},
           {"gzip", arrow::Compression::GZIP},
           {"lz4", arrow::Compression::LZ4},
           {"uncompressed", arrow::Compression::UNCOMPRESSED}}) {
    ASSERT_ASSIGN(const Written written,
                  Write({.schema = schema, .codec = name}, {Repeating(schema, 10)}));
    EXPECT_EQ(written.footer->RowGroup(0)->ColumnChunk(0)->compression(), codec) << name;
    ASSERT_ASSIGN(const auto rows, Read(written.bytes, schema));
    EXPECT_EQ(rows[7], "country7|7");
  }
  EXPECT_EQ(KindOf(Write({.schema = schema, .codec = "lzma"}, {}).status()), ErrorKind::kConfig);
}

TEST(ParquetFormat, WritesFieldIds) {
  const RowSchema schema{{{"a", types::Int()}, {"b", types::Int()}}};
  ASSERT_ASSIGN(const Written written,
                Write({.schema = schema, .field_ids = {7, 3}}, {Batch(schema, {"[1]", "[2]"})}));
  EXPECT_EQ(written.footer->schema()->group_node()->field(0)->field_id(), 7);
  EXPECT_EQ(written.footer->schema()->group_node()->field(1)->field_id(), 3);
}

TEST(ParquetFormat, WritesAFileWithoutRows) {
  ASSERT_ASSIGN(const Written written, Write({.schema = EveryType()}, {}));
  EXPECT_EQ(written.statistics.row_count, 0);
  ASSERT_ASSIGN(const auto rows, Read(written.bytes, EveryType()));
  EXPECT_TRUE(rows.empty());
}

TEST(ParquetFormat, RefusesTypesThatLoseDigits) {
  const RowSchema schema{{{"r", types::Row({{"t", types::Timestamp(9), ""}})}}};
  const Status status = Write({.schema = schema}, {}).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("column 'r.t': TIMESTAMP(9) cannot be stored"));
  EXPECT_THAT(Write({.schema = {{{"n", types::Null()}}}}, {}).status().message(),
              HasSubstr("column 'n': Parquet has no column of type NULL"));
}

TEST(ParquetFormat, EstimatesTheSizeOfTheFile) {
  const RowSchema schema{{{"few", types::String()}, {"many", types::BigInt()}}};
  ASSERT_ASSIGN(const auto output, arrow::io::BufferOutputStream::Create());
  ASSERT_ASSIGN(
      const auto writer,
      OpenParquetWriter(output, {.schema = schema, .codec = "uncompressed", .dictionary = false}));
  int64_t before = 0;
  for (int i = 0; i < 30; ++i) {
    ASSERT_STATUS_OK(writer->Write(*Repeating(schema, 1000)));
    EXPECT_GT(writer->EstimatedSizeBytes(), before);
    before = writer->EstimatedSizeBytes();
  }
  ASSERT_ASSIGN(const FileStatistics statistics, writer->Finish());
  EXPECT_NEAR(static_cast<double>(before), static_cast<double>(statistics.size_bytes),
              0.2 * static_cast<double>(before));
}

TEST(ParquetFormat, FlushesWhatIsBufferedWhenAsked) {
  const RowSchema schema{{{"few", types::String()}, {"many", types::BigInt()}}};
  ASSERT_ASSIGN(const auto output, arrow::io::BufferOutputStream::Create());
  ASSERT_ASSIGN(const auto writer, OpenParquetWriter(output, {.schema = schema}));
  const auto rows = Repeating(schema, 20'000);
  ASSERT_STATUS_OK(writer->Write(*rows));
  ASSERT_STATUS_OK(writer->Write(*rows));
  const int64_t buffered_bytes = writer->BufferedBytes();
  // The numbers differ from each other, which no codec knows to use.
  EXPECT_GT(buffered_bytes, 2 * 20'000 * 2);
  writer->FlushBeforeNextWrite();
  ASSERT_STATUS_OK(writer->Write(*rows->Slice(0, 1)));
  EXPECT_LT(writer->BufferedBytes(), buffered_bytes / 2);
  ASSERT_ASSIGN(const FileStatistics statistics, writer->Finish());
  EXPECT_EQ(statistics.row_count, 40'001);
  ASSERT_ASSIGN(const auto buffer, output->Finish());
  const auto footer = ::parquet::ReadMetaData(std::make_shared<arrow::io::BufferReader>(buffer));
  ASSERT_EQ(footer->num_row_groups(), 2);
  EXPECT_EQ(footer->RowGroup(0)->num_rows(), 40'000);
}

TEST(ParquetFormat, ReadsWantedColumnsByNameAndMissingOnesAsNull) {
  const RowSchema written_schema{
      {{"a", types::Int()},
       {"r", types::Row({{"x", types::Int(), ""}, {"y", types::Int(), ""}})},
       {"z", types::String()}}};
  ASSERT_ASSIGN(
      const Written written,
      Write({.schema = written_schema},
            {Batch(written_schema, {"[1, 2]", R"([{"x": 3, "y": 4}, null])", R"(["p", "q"])"})}));
  const RowSchema wanted{
      {{"z", types::String()},
       {"gone", types::BigInt()},
       {"r", types::Row({{"y", types::BigInt(), ""}, {"w", types::String(), ""}})}}};
  ASSERT_ASSIGN(const auto rows, Read(written.bytes, wanted));
  EXPECT_THAT(rows, ElementsAre("p|<NULL>|(4, NULL)", "q|<NULL>|<NULL>"));
  const RowSchema other{{{"r", types::Row({{"w", types::String(), ""}})}}};
  ASSERT_ASSIGN(const auto only_missing, Read(written.bytes, other));
  EXPECT_THAT(only_missing, ElementsAre("(NULL)", "<NULL>"));
  ASSERT_ASSIGN(const auto no_columns, Read(written.bytes, {}));
  EXPECT_THAT(no_columns, ElementsAre("", ""));
}

TEST(ParquetFormat, WidensWhereNothingIsLost) {
  const auto read = [](const std::string& bytes, const types::TypePtr& type) {
    const auto rows = Read(bytes, {{{"v", type}}});
    return rows.ok() ? rows->front() : "error: " + rows.status().message();
  };
  const auto int32 = ForeignFile("v", FromJson(arrow::int32(), "[7]"));
  EXPECT_EQ(read(int32, types::BigInt()), "7");
  EXPECT_EQ(read(int32, types::Double()), "7.0");
  EXPECT_EQ(read(int32, types::Decimal(12, 2)), "7.00");
  EXPECT_EQ(read(int32, types::SmallInt()), "7");
  EXPECT_EQ(read(ForeignFile("v", FromJson(arrow::float32(), "[1.5]")), types::Double()), "1.5");
  EXPECT_EQ(
      read(ForeignFile("v", FromJson(arrow::decimal128(5, 1), "[\"1.5\"]")), types::Decimal(10, 2)),
      "1.50");
  const auto nanos = arrow::timestamp(arrow::TimeUnit::NANO, "UTC");
  EXPECT_EQ(read(ForeignFile("v", FromJson(nanos, "[1001]")), types::TimestampLtz(6)),
            "1970-01-01 00:00:00.000001");
  const auto millis = arrow::timestamp(arrow::TimeUnit::MILLI);
  EXPECT_EQ(read(ForeignFile("v", FromJson(millis, "[1]")), types::Timestamp(6)),
            "1970-01-01 00:00:00.001000");
  EXPECT_EQ(read(ForeignFile("v", FromJson(arrow::date32(), "[1]")), types::Timestamp(6)),
            "1970-01-02 00:00:00.000000");
  EXPECT_EQ(read(ForeignFile("v", FromJson(arrow::binary(), "[\"text\"]")), types::String()),
            "text");
  EXPECT_EQ(read(ForeignFile("v", FromJson(arrow::large_utf8(), "[\"text\"]")), types::String()),
            "text");
  EXPECT_EQ(read(ForeignFile("v", FromJson(arrow::uint32(), "[4294967295]")), types::BigInt()),
            "4294967295");
  const auto zoned = arrow::timestamp(arrow::TimeUnit::MILLI, "Europe/Zurich");
  EXPECT_EQ(read(ForeignFile("v", FromJson(zoned, "[1]"),
                             ::parquet::ArrowWriterProperties::Builder().store_schema()->build()),
                 types::Timestamp(6)),
            "1970-01-01 00:00:00.001000");
  const auto large_list = arrow::large_list(arrow::large_utf8());
  EXPECT_EQ(read(ForeignFile("v", FromJson(large_list, "[[\"a\", null]]"),
                             ::parquet::ArrowWriterProperties::Builder().store_schema()->build()),
                 types::Array(types::String())),
            "[a, NULL]");
  const auto dictionary = arrow::dictionary(arrow::int32(), arrow::utf8());
  EXPECT_EQ(read(ForeignFile("v", FromJson(dictionary, "[\"d\"]"),
                             ::parquet::ArrowWriterProperties::Builder().store_schema()->build()),
                 types::String()),
            "d");
}

TEST(ParquetFormat, ReadsInt96) {
  const auto properties =
      ::parquet::ArrowWriterProperties::Builder().enable_deprecated_int96_timestamps()->build();
  const auto array =
      FromJson(arrow::timestamp(arrow::TimeUnit::NANO), "[1704103200123456789, -1000]");
  ASSERT_ASSIGN(const auto rows,
                Read(ForeignFile("v", array, properties), {{{"v", types::Timestamp(6)}}}));
  EXPECT_THAT(rows, ElementsAre("2024-01-01 10:00:00.123456", "1969-12-31 23:59:59.999999"));
  ASSERT_ASSIGN(const auto instants,
                Read(ForeignFile("v", array, properties), {{{"v", types::TimestampLtz(6)}}}));
  EXPECT_EQ(instants[0], "2024-01-01 10:00:00.123456");
}

TEST(ParquetFormat, RefusesTypesThatWouldLoseValues) {
  const auto bytes = ForeignFile("v", FromJson(arrow::int64(), "[7]"));
  const Status status = Read(bytes, {{{"v", types::Int()}}}).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData);
  EXPECT_EQ(status.message(),
            "/in/a.parquet: column 'v' is stored as int64 and cannot be read as INT");
  const auto large = ForeignFile("v", FromJson(arrow::int32(), "[70000]"));
  EXPECT_THAT(Read(large, {{{"v", types::SmallInt()}}}).status().message(),
              HasSubstr("column 'v' cannot be read as SMALLINT"));
  for (const types::TypePtr& type :
       {types::String(), types::Boolean(), types::Array(types::Int()), types::Date(),
        types::Row({{"x", types::Int(), ""}}), types::Map(types::String(), types::Int())}) {
    EXPECT_EQ(KindOf(Read(bytes, {{{"v", type}}}).status()), ErrorKind::kCorruptData)
        << type->ToString();
  }
}

/// Five row groups of 100 rows: column v holds 0 … 499.
Written FiveRowGroups(const RowSchema& schema) {
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  for (int group = 0; group < 5; ++group) {
    std::string json = "[";
    for (int i = 0; i < 100; ++i) {
      json += (i == 0 ? "" : ", ") + std::to_string(group * 100 + i);
    }
    batches.push_back(Batch(schema, {json + "]"}));
  }
  return Write({.schema = schema, .row_group_rows = 100}, batches).ValueOrDie();
}

TEST(ParquetFormat, RangesOwnWholeRowGroups) {
  const RowSchema schema{{{"v", types::Int()}}};
  const Written written = FiveRowGroups(schema);
  for (const int parts : {1, 2, 3, 7, 100}) {
    std::vector<std::string> rows;
    FileRange file = FileOf(written.bytes);
    const std::vector<FileRange> ranges =
        SplitFile(ParquetFormat(), file.file, file.file_size_bytes, parts, 1);
    for (const FileRange& range : ranges) {
      ASSERT_ASSIGN(const auto some, ReadRows(ParquetFormat(), range, {.schema = schema}));
      rows.insert(rows.end(), some.begin(), some.end());
    }
    ASSERT_EQ(rows.size(), 500) << parts;
    EXPECT_EQ(rows[499], "499");
  }
}

TEST(ParquetFormat, ResumesByRowNumber) {
  const RowSchema schema{{{"v", types::Int()}}};
  const Written written = FiveRowGroups(schema);
  const FileRange file = FileOf(written.bytes);
  for (const int64_t start : {0, 1, 99, 100, 250, 499, 500}) {
    ASSERT_ASSIGN(const auto reader,
                  OpenParquetReader(
                      file, {.schema = schema, .batch_rows_max = 30, .resume_position = start}));
    ASSERT_ASSIGN(const auto batch, reader->Next());
    if (start == 500) {
      EXPECT_EQ(batch, nullptr);
      continue;
    }
    EXPECT_EQ(testing::RowText(*batch, 0, schema), std::to_string(start));
    EXPECT_EQ(reader->position(), start + batch->num_rows());
  }
}

TEST(ParquetFormat, SkipsRowGroupsByTheirStatistics) {
  const RowSchema schema{{{"v", types::Int()}}};
  const Written written = FiveRowGroups(schema);
  ParquetReadSettings settings{.schema = schema};
  settings.row_group_filter = [](const std::vector<ColumnStatistics>& columns) {
    return columns[0].maximum->ToString() == "299";
  };
  ASSERT_ASSIGN(const auto reader, OpenParquetReader(FileOf(written.bytes), settings));
  ASSERT_ASSIGN(const auto rows, ReadRows(reader.get(), schema));
  ASSERT_EQ(rows.size(), 100);
  EXPECT_EQ(rows[0], "200");
  EXPECT_EQ(reader->position(), 500);
}

TEST(ParquetFormat, RefusesTruncatedAndForeignFiles) {
  const RowSchema schema{{{"v", types::Int()}}};
  const std::string bytes = FiveRowGroups(schema).bytes;
  for (const std::string& broken :
       {std::string(), std::string("PAR1"), bytes.substr(0, bytes.size() / 2),
        bytes.substr(0, bytes.size() - 1), std::string(1000, 'x'),
        std::string(4, '\0') + bytes.substr(4, bytes.size() - 200)}) {
    const Status status = Read(broken, schema).status();
    EXPECT_EQ(KindOf(status), ErrorKind::kCorruptData) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("/in/a.parquet: the Parquet file cannot be read: "));
  }
  std::string damaged = bytes;
  for (size_t i = 4; i < 400; ++i) {
    damaged[i] = '\xAB';
  }
  EXPECT_EQ(KindOf(Read(damaged, schema).status()), ErrorKind::kCorruptData);
}

TEST(ParquetFormat, TakesTheFilesystemConnectorsOptions) {
  const RowSchema schema{{{"few", types::String()}, {"many", types::BigInt()}}};
  const auto write = [&](config::OptionMap options) {
    return testing::WriteBytes(ParquetFormat(), {.schema = schema, .options = std::move(options)},
                               {Repeating(schema, 500)});
  };
  const auto codec = [](const std::string& bytes) {
    return ::parquet::ReadMetaData(
               std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes)))
        ->RowGroup(0)
        ->ColumnChunk(0)
        ->compression();
  };
  ASSERT_ASSIGN(const std::string by_default, write({}));
  EXPECT_EQ(codec(by_default), arrow::Compression::ZSTD);
  ASSERT_ASSIGN(const std::string snappy, write({{"compression", "SNAPPY"}}));
  EXPECT_EQ(codec(snappy), arrow::Compression::SNAPPY);
  EXPECT_EQ(KindOf(write({{"compression", "brotli"}}).status()), ErrorKind::kConfig);
}

}  // namespace
}  // namespace lakeward::format
