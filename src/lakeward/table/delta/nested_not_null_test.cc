#include <memory>

#include "arrow/array/array_nested.h"
#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_primitive.h"
#include "arrow/buffer_builder.h"
#include "arrow/record_batch.h"
#include "arrow/table.h"
#include "gtest/gtest.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/table/delta/log_fixture.h"
#include "lakeward/types/arrow_mapping.h"
#include "parquet/arrow/reader.h"
#include "parquet/file_reader.h"
#include "support/status_matchers.h"

namespace lakeward::delta {
namespace {

class NestedNotNullTest : public LogFixture {
 protected:
  NestedNotNullTest() {
    settings_.schema = {
        {{"r", types::Row({{"k", types::String(false), ""}, {"v", types::Int(), ""}})}}};
  }

  /// Two rows of a struct, whose children are null in the first row.
  std::shared_ptr<arrow::Array> TwoRows(bool first_struct_is_null) {
    const auto schema = types::ToArrowSchema(settings_.schema);
    arrow::StringBuilder keys;
    arrow::Int32Builder values;
    EXPECT_STATUS_OK(keys.AppendNull());
    EXPECT_STATUS_OK(keys.Append("a"));
    EXPECT_STATUS_OK(values.AppendNulls(2));
    arrow::TypedBufferBuilder<bool> validity;
    EXPECT_STATUS_OK(validity.Append(!first_struct_is_null));
    EXPECT_STATUS_OK(validity.Append(true));
    return std::make_shared<arrow::StructArray>(
        schema->field(0)->type(), 2,
        arrow::ArrayVector{keys.Finish().ValueOrDie(), values.Finish().ValueOrDie()},
        validity.Finish().ValueOrDie());
  }

  Result<format::FileStatistics> Write(const std::shared_ptr<arrow::Array>& array) {
    LW_ASSIGN(const auto output, root_.file_system->OpenOutput("/t/x.parquet", {}));
    LW_ASSIGN(const auto writer, format::OpenParquetWriter(output, settings_));
    LW_TRY(writer->Write(*arrow::RecordBatch::Make(types::ToArrowSchema(settings_.schema),
                                                   array->length(), {array})));
    LW_ASSIGN(format::FileStatistics statistics, writer->Finish());
    LW_TRY(output->Close());
    return statistics;
  }

  format::ParquetWriteSettings settings_;
};

// delta-write-10: NOT NULL of a child holds only where the parent is not null; the file's levels
// show the parent as null, and the statistics count it.
TEST_F(NestedNotNullTest, DeltaWrite10NullStructsOfNotNullChildren) {
  ASSERT_ASSIGN(const format::FileStatistics statistics, Write(TwoRows(true)));
  ASSERT_ASSIGN(const auto input, root_.file_system->OpenInput("/t/x.parquet"));
  ASSERT_ASSIGN(const auto reader, parquet::arrow::OpenFile(input, arrow::default_memory_pool()));
  ASSERT_ASSIGN(const std::shared_ptr<arrow::Table> table, reader->ReadTable());
  ASSERT_EQ(table->num_rows(), 2);
  const auto& read = static_cast<const arrow::StructArray&>(*table->column(0)->chunk(0));
  EXPECT_TRUE(read.IsNull(0));
  EXPECT_TRUE(read.IsValid(1));
  EXPECT_EQ(read.GetFieldByName("k")->GetScalar(1).ValueOrDie()->ToString(), "a");
  EXPECT_FALSE(table->schema()->field(0)->type()->field(0)->nullable());
  EXPECT_EQ(StatisticsToJson(statistics, settings_.schema, {}),
            R"({"numRecords":2,"minValues":{"r":{"k":"a"}},"maxValues":{"r":{"k":"a"}},)"
            R"("nullCount":{"r":{"k":1,"v":2}}})");
}

TEST_F(NestedNotNullTest, DeltaWrite10NullChildrenOfPresentStructsAreRefusedByName) {
  const Status status = Write(TwoRows(false)).status();
  EXPECT_EQ(KindOf(status), ErrorKind::kValidation);
  EXPECT_NE(status.message().find("column 'r.k' is NOT NULL"), std::string::npos)
      << status.ToString();
}

TEST_F(NestedNotNullTest, DeltaWrite10SlicesAndListsAreHandled) {
  ASSERT_STATUS_OK(Write(TwoRows(true)->Slice(0, 1)).status());
  ASSERT_STATUS_OK(Write(TwoRows(false)->Slice(1, 1)).status());
  const std::shared_ptr<arrow::Array> elements = TwoRows(true);
  settings_.schema = {{{"l", types::Array(settings_.schema.columns[0].type)}}};
  arrow::TypedBufferBuilder<int32_t> offsets;
  ASSERT_STATUS_OK(offsets.Append(0));
  ASSERT_STATUS_OK(offsets.Append(2));
  ASSERT_ASSIGN(std::shared_ptr<arrow::Buffer> buffer, offsets.Finish());
  const auto list = std::make_shared<arrow::ListArray>(
      types::ToArrow(*settings_.schema.columns[0].type), 1, buffer, elements);
  ASSERT_STATUS_OK(Write(list).status());
}

}  // namespace
}  // namespace lakeward::delta
