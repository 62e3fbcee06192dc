#include <memory>

#include "arrow/array/builder_binary.h"
#include "arrow/array/builder_nested.h"
#include "arrow/array/builder_primitive.h"
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

class NestedNotNullTest : public LogFixture {};

// delta-write-10: NOT NULL of a child holds only where the parent is not null; the file's levels
// show the parent as null, and the statistics count it.
TEST_F(NestedNotNullTest, DeltaWrite10NullStructsOfNotNullChildren) {
  const types::TypePtr row = types::Row({{"k", types::String(false), ""}, {"v", types::Int(), ""}});
  format::ParquetWriteSettings settings;
  settings.schema = {{{"r", row}}};
  const std::shared_ptr<arrow::Schema> schema = types::ToArrowSchema(settings.schema);
  std::unique_ptr<arrow::ArrayBuilder> builder;
  ASSERT_STATUS_OK(
      arrow::MakeBuilder(arrow::default_memory_pool(), schema->field(0)->type(), &builder));
  auto* structs = static_cast<arrow::StructBuilder*>(builder.get());
  ASSERT_STATUS_OK(structs->AppendNull());
  ASSERT_STATUS_OK(structs->Append());
  ASSERT_STATUS_OK(static_cast<arrow::StringBuilder*>(structs->field_builder(0))->Append("a"));
  ASSERT_STATUS_OK(structs->field_builder(1)->AppendNull());
  ASSERT_ASSIGN(const std::shared_ptr<arrow::Array> array, builder->Finish());

  ASSERT_ASSIGN(const auto output, root_.file_system->OpenOutput("/t/x.parquet", {}));
  ASSERT_ASSIGN(const auto writer, format::OpenParquetWriter(output, settings));
  ASSERT_STATUS_OK(writer->Write(*arrow::RecordBatch::Make(schema, 2, {array})));
  ASSERT_ASSIGN(const format::FileStatistics statistics, writer->Finish());
  ASSERT_STATUS_OK(output->Close());

  ASSERT_ASSIGN(const auto input, root_.file_system->OpenInput("/t/x.parquet"));
  ASSERT_ASSIGN(const auto reader, parquet::arrow::OpenFile(input, arrow::default_memory_pool()));
  ASSERT_ASSIGN(const std::shared_ptr<arrow::Table> table, reader->ReadTable());
  ASSERT_EQ(table->num_rows(), 2);
  const auto& read = static_cast<const arrow::StructArray&>(*table->column(0)->chunk(0));
  EXPECT_TRUE(read.IsNull(0));
  EXPECT_TRUE(read.IsValid(1));
  EXPECT_FALSE(table->schema()->field(0)->type()->field(0)->nullable());
  EXPECT_EQ(StatisticsToJson(statistics, settings.schema, {}),
            R"({"numRecords":2,"minValues":{"r":{"k":"a"}},"maxValues":{"r":{"k":"a"}},)"
            R"("nullCount":{"r":{"k":1,"v":2}}})");
}

}  // namespace
}  // namespace lakeward::delta
