#include "arrow/array/builder_primitive.h"
#include "arrow/array/util.h"
#include "arrow/record_batch.h"
#include "arrow/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "lakeward/expr/function.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/fs/file_systems.h"
#include "lakeward/table/delta/log_fixture.h"
#include "lakeward/types/arrow_mapping.h"

namespace lakeward::delta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ScanTest : public LogFixture {
 protected:
  /// A data file with the column `id` of these values.
  void PutData(const std::string& path, const std::vector<int32_t>& ids) {
    arrow::Int32Builder builder;
    ASSERT_STATUS_OK(builder.AppendValues(ids));
    ASSERT_ASSIGN(const auto array, builder.Finish());
    format::ParquetWriteSettings settings;
    settings.schema = {{{"id", types::Int()}}};
    ASSERT_ASSIGN(const auto output, root_.file_system->OpenOutput("/t/" + path, {}));
    ASSERT_ASSIGN(const auto writer, format::OpenParquetWriter(output, settings));
    ASSERT_STATUS_OK(writer->Write(*arrow::RecordBatch::Make(types::ToArrowSchema(settings.schema),
                                                             array->length(), {array})));
    ASSERT_ASSIGN(const format::FileStatistics statistics, writer->Finish());
    ASSERT_STATUS_OK(output->Close());
    ASSERT_EQ(statistics.row_count, static_cast<int64_t>(ids.size()));
  }

  /// A table (id INT, p STRING, late DATE), partitioned by p.
  void PutPartitionedTable(const std::vector<std::string>& adds) {
    std::vector<std::string> lines{
        std::string(kProtocol),
        R"({"metaData":{"id":"m","format":{"provider":"parquet","options":{}},"schemaString":)"
        R"("{\"type\":\"struct\",\"fields\":[)"
        R"({\"name\":\"id\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{}},)"
        R"({\"name\":\"p\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}},)"
        R"({\"name\":\"late\",\"type\":\"date\",\"nullable\":true,\"metadata\":{}}]}",)"
        R"("partitionColumns":["p"],"configuration":{}}})"};
    lines.insert(lines.end(), adds.begin(), adds.end());
    PutEntry(0, lines);
  }

  static std::string AddIn(const std::string& path, const std::string& partition,
                           const std::string& more = "") {
    return R"({"add":{"path":")" + path + R"(","partitionValues":{"p":)" + partition +
           R"(},"size":7,"modificationTime":1,"dataChange":true)" + more + "}}";
  }

  static expr::ExpressionPtr Compare(const expr::ScalarFunction* function, int column,
                                     types::TypePtr type, std::shared_ptr<arrow::Scalar> value) {
    return expr::MakeCall(
        function, {expr::MakeColumn(column, "c", type), expr::MakeLiteral(std::move(value), type)},
        types::Boolean());
  }

  std::string ReadAll(const Snapshot& snapshot, const ScanFile& file,
                      const std::vector<std::string>& columns) {
    auto reader = OpenScanFile(snapshot, file, columns, std::nullopt);
    if (!reader.ok()) {
      return reader.status().message();
    }
    std::string text;
    while (true) {
      auto batch = (*reader)->Next();
      if (!batch.ok() || *batch == nullptr) {
        return batch.ok() ? text : batch.status().message();
      }
      for (int64_t row = 0; row < (*batch)->num_rows(); ++row) {
        for (int column = 0; column < (*batch)->num_columns(); ++column) {
          text += (*batch)->column(column)->GetScalar(row).ValueOrDie()->ToString() + ",";
        }
        text += ";";
      }
    }
  }
};

TEST_F(ScanTest, FillsInPartitionValuesAndMissingColumns) {
  PutPartitionedTable({AddIn("p=a%20b/1.parquet", R"("a b")"), AddIn("2.parquet", "null")});
  PutData("p=a b/1.parquet", {1, 2});
  PutData("2.parquet", {3});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  ASSERT_ASSIGN(const ScanPlan plan, PlanScan(*snapshot, root_, {}));
  ASSERT_EQ(plan.files.size(), 2u);
  EXPECT_EQ(ReadAll(*snapshot, plan.files[0], {"p", "id", "late"}), "null,3,null,;");
  EXPECT_EQ(ReadAll(*snapshot, plan.files[1], {"p", "id", "late"}), "a b,1,null,;a b,2,null,;");
  EXPECT_EQ(ReadAll(*snapshot, plan.files[1], {"p"}), "a b,;a b,;");
  EXPECT_EQ(ReadAll(*snapshot, plan.files[1], {}), ";;");
  EXPECT_THAT(ReadAll(*snapshot, plan.files[1], {"nope"}), HasSubstr("`nope`"));
}

TEST_F(ScanTest, PrunesByPartitionAndStatistics) {
  PutPartitionedTable({
      AddIn("a1", R"("a")",
            R"(,"stats":"{\"numRecords\":1,\"minValues\":{\"id\":1},\"maxValues\":{\"id\":5}}")"),
      AddIn("a2", R"("a")",
            R"(,"stats":"{\"numRecords\":1,\"minValues\":{\"id\":6},\"maxValues\":{\"id\":9}}")"),
      AddIn("a3", R"("a")"),
      AddIn("b1", R"("b")"),
      AddIn("n1", "null"),
  });
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  expr::ScalarFunction equal;
  equal.name = "=";
  const auto text = std::make_shared<arrow::StringScalar>("a");
  const auto number = std::make_shared<arrow::Int32Scalar>(7);
  ASSERT_ASSIGN(const ScanPlan plan, PlanScan(*snapshot, root_,
                                              {Compare(&equal, 1, types::String(), text),
                                               Compare(&equal, 0, types::Int(), number)}));
  EXPECT_EQ(plan.files_skipped_by_partition, 2);
  EXPECT_EQ(plan.files_skipped_by_statistics, 1);
  ASSERT_EQ(plan.files.size(), 2u);
  EXPECT_EQ(plan.files[0].file.path, "a2");
  EXPECT_EQ(plan.files[1].file.path, "a3");
  EXPECT_EQ(plan.files[0].location.path, "/t/a2");
}

TEST_F(ScanTest, ValuesThatAreNoneOfTheTypeAreNamed) {
  PutEntry(0, {std::string(kProtocol),
               R"({"metaData":{"id":"m","schemaString":"{\"type\":\"struct\",\"fields\":[)"
               R"({\"name\":\"id\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{}},)"
               R"({\"name\":\"p\",\"type\":\"date\",\"nullable\":true,\"metadata\":{}}]}",)"
               R"("partitionColumns":["p"],"configuration":{}}})",
               AddIn("x", R"("31.12.2024")")});
  PutData("x", {1});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  ASSERT_ASSIGN(const ScanPlan plan, PlanScan(*snapshot, root_, {}));
  EXPECT_THAT(ReadAll(*snapshot, plan.files[0], {"p"}),
              HasSubstr("partition column `p`: the partition value '31.12.2024' is no DATE"));
}

TEST_F(ScanTest, FilesWithDeletionVectorsAreRefusedByName) {
  PutPartitionedTable({AddIn(
      "x", R"("a")",
      R"(,"deletionVector":{"storageType":"u","pathOrInlineDv":"v","sizeInBytes":3,"cardinality":1})")});
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  EXPECT_THAT(PlanScan(*snapshot, root_, {}).status().message(), HasSubstr("deletionVectors"));
  ASSERT_ASSIGN(const std::vector<AddFile> files, snapshot->Files());
  EXPECT_THAT(ReadAll(*snapshot, {files[0], root_}, {"id"}), HasSubstr("deletionVectors"));
}

TEST_F(ScanTest, ResumesWhereAFormerReaderStood) {
  PutPartitionedTable({AddIn("x", R"("a")")});
  std::vector<int32_t> ids(40'000);
  for (int32_t i = 0; i < 40'000; ++i) {
    ids[i] = i;
  }
  PutData("x", ids);
  ASSERT_ASSIGN(const SnapshotPtr snapshot, Table()->Latest());
  ASSERT_ASSIGN(const ScanPlan plan, PlanScan(*snapshot, root_, {}));
  ASSERT_ASSIGN(const auto reader, OpenScanFile(*snapshot, plan.files[0], {"id"}, std::nullopt));
  ASSERT_ASSIGN(const auto first, reader->Next());
  ASSERT_ASSIGN(const auto rest,
                OpenScanFile(*snapshot, plan.files[0], {"id"}, reader->position()));
  ASSERT_ASSIGN(const auto second, rest->Next());
  EXPECT_EQ(second->column(0)->GetScalar(0).ValueOrDie()->ToString(),
            std::to_string(first->num_rows()));
}

// delta-read-09: every spelling of the table's root is the same table.
TEST_F(ScanTest, DeltaRead09SpellingsOfTheRootAreOneTable) {
  const auto file_systems = fs::FileSystems::Builtin();
  ASSERT_ASSIGN(const fs::Location plain, file_systems->Resolve("memory://spellings/dir/t", {}));
  const auto table = DeltaTable::At(plain, &clock_, &random_);
  CreateTableSpec spec;
  spec.schema = {{{"id", types::Int()}}};
  ASSERT_STATUS_OK(table->CreateOrCheck(spec).status());
  ASSERT_ASSIGN(const auto committed, table->Append(AppendOf("f")));
  ASSERT_EQ(committed.outcome, table::CommitOutcome::kCommitted);
  for (const char* spelling : {"memory://spellings/dir/t/", "memory://spellings//dir//t",
                               "memory://spellings/dir/./t", "memory://spellings/x/../dir/t/"}) {
    ASSERT_ASSIGN(const fs::Location root, file_systems->Resolve(spelling, {}));
    ASSERT_ASSIGN(const SnapshotPtr snapshot, DeltaTable::At(root, &clock_, &random_)->Latest());
    EXPECT_THAT(Paths(*snapshot), ElementsAre("f")) << spelling;
    ASSERT_ASSIGN(const ScanPlan plan, PlanScan(*snapshot, root, {}));
    EXPECT_EQ(plan.files[0].location.path, plain.path + "/f");
  }
}

}  // namespace
}  // namespace lakeward::delta
