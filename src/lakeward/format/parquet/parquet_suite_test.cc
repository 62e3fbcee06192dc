#include "arrow/io/memory.h"
#include "arrow/util/key_value_metadata.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "lakeward/format/format_testing.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/types/arrow_mapping.h"
#include "parquet/arrow/reader.h"
#include "parquet/exception.h"
#include "support/status_matchers.h"

namespace lakeward::format {
namespace {

/// The columns of a file as far as SQL has a type for them.
Result<types::RowSchema> SchemaOf(const std::string& bytes) {
  try {
    LW_ASSIGN(const auto reader,
              ::parquet::arrow::OpenFile(
                  std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes)),
                  arrow::default_memory_pool()));
    std::shared_ptr<arrow::Schema> schema;
    LW_TRY(reader->GetSchema(&schema));
    types::RowSchema columns;
    for (const auto& field : schema->fields()) {
      const auto type = types::FromArrow(*field->type(), field->nullable());
      if (type.ok()) {
        columns.columns.push_back({field->name(), *type});
      }
    }
    return columns;
  } catch (const std::exception& error) {
    return Status::Invalid(error.what());
  }
}

/// The number of rows that are read.
Result<int64_t> ReadAll(const std::string& path, types::RowSchema* schema) {
  LW_ASSIGN(const std::string bytes, ReadWholeLocalFile(path));
  const Result<types::RowSchema> found = SchemaOf(bytes);
  // A file whose schema is unreadable must be refused by our reader too.
  *schema = found.ok() ? *found : types::RowSchema{{{"a", types::Int()}}};
  LW_ASSIGN(const auto reader,
            OpenParquetReader(testing::FileOf(bytes, path), {.schema = *schema}));
  int64_t rows = 0;
  for (;;) {
    LW_ASSIGN(const auto batch, reader->Next());
    if (batch == nullptr) {
      return rows;
    }
    LW_TRY(batch->ValidateFull());
    rows += batch->num_rows();
  }
}

class ParquetSuite : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::ReferenceFolder("suites/parquet-testing");
    if (folder_.empty()) {
      GTEST_SKIP() << "no reference data: set LAKEWARD_SHARED";
    }
  }
  std::string folder_;
};

// github.com/apache/parquet-testing: everything in data/ is read, or refused by what is
// unsupported.
TEST_F(ParquetSuite, ReadsOrRefusesEveryFile) {
  int read = 0;
  for (const std::string& path : testing::FilesIn(folder_ + "/data")) {
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name.find(".parquet") == std::string::npos || name.ends_with(".json")) {
      continue;
    }
    if (name == "large_string_map.brotli.parquet") {
      continue;  // it is refused too, but takes a minute and 4 GiB
    }
    types::RowSchema schema;
    const auto rows = ReadAll(path, &schema);
    if (rows.ok()) {
      ++read;
      continue;
    }
    RecordProperty(name, rows.status().ToString());
    EXPECT_TRUE(KindOf(rows.status()) == ErrorKind::kCorruptData ||
                KindOf(rows.status()) == ErrorKind::kUnsupported)
        << name << ": " << rows.status().ToString();
  }
  EXPECT_GT(read, 30);
}

TEST_F(ParquetSuite, RefusesBadData) {
  for (const std::string& path : testing::FilesIn(folder_ + "/bad_data")) {
    if (!path.ends_with(".parquet")) {
      continue;
    }
    types::RowSchema schema;
    const auto rows = ReadAll(path, &schema);
    // A dictionary of one value needs no bits an index: odd, but Arrow gives the rows that were
    // meant.
    if (rows.ok() && path.ends_with("/ARROW-GH-43605.parquet")) {
      EXPECT_EQ(*rows, 21'186);
      continue;
    }
    ASSERT_FALSE(rows.ok()) << path;
    EXPECT_EQ(KindOf(rows.status()), ErrorKind::kCorruptData) << path << rows.status().ToString();
  }
}

// The rows that several of the files are described to hold.
TEST_F(ParquetSuite, ReadsTheRowsThatAreDocumented) {
  types::RowSchema schema{{{"id", types::Int()},
                           {"bool_col", types::Boolean()},
                           {"tinyint_col", types::Int()},
                           {"bigint_col", types::BigInt()},
                           {"double_col", types::Double()},
                           {"date_string_col", types::String()},
                           {"timestamp_col", types::Timestamp(6)}}};
  ASSERT_ASSIGN(const std::string bytes,
                ReadWholeLocalFile(folder_ + "/data/alltypes_plain.parquet"));
  ASSERT_ASSIGN(const auto reader, OpenParquetReader(testing::FileOf(bytes), {.schema = schema}));
  ASSERT_ASSIGN(const auto rows, testing::ReadRows(reader.get(), schema));
  ASSERT_EQ(rows.size(), 8);
  EXPECT_EQ(rows[0], "4|TRUE|0|0|0.0|03/01/09|2009-03-01 00:00:00.000000");
  EXPECT_EQ(rows[1], "5|FALSE|1|10|10.1|03/01/09|2009-03-01 00:01:00.000000");
}

}  // namespace
}  // namespace lakeward::format
