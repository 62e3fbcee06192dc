#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "arrow/record_batch.h"
#include "gtest/gtest.h"
#include "lakeward/format/parquet/parquet_format.h"
#include "lakeward/fs/local.h"
#include "lakeward/table/delta/delta_table.h"
#include "lakeward/types/printed_form.h"
#include "support/reference_data.h"
#include "support/status_matchers.h"

// Tables that other projects wrote, read as they are: equal to the rows that those projects expect,
// or refused by the name of a feature. A second program's count is the judge where no rows are
// given.

namespace lakeward::delta {
namespace {

/// Rows without their order.
struct RowBag {
  int64_t count = 0;
  uint64_t sum = 0;  ///< of the rows' hashes
  friend bool operator==(const RowBag&, const RowBag&) = default;
};

void AddRows(const arrow::RecordBatch& batch, const types::RowSchema& schema, RowBag* bag) {
  const types::TimeZone utc;
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    std::string text;
    for (int column = 0; column < batch.num_columns(); ++column) {
      text += types::PrintedForm(*batch.column(column), row, *schema.columns[column].type, utc);
      text += '\x1F';
    }
    bag->sum += std::hash<std::string>()(text);
    ++bag->count;
  }
}

Status ReadInto(format::FileReader* reader, const types::RowSchema& schema, RowBag* bag) {
  while (true) {
    LW_ASSIGN(const std::shared_ptr<arrow::RecordBatch> batch, reader->Next());
    if (batch == nullptr) {
      return Status::OK();
    }
    AddRows(*batch, schema, bag);
  }
}

Result<RowBag> ReadTable(const Snapshot& snapshot, const fs::Location& root) {
  LW_ASSIGN(const ScanPlan plan, PlanScan(snapshot, root, {}));
  RowBag bag;
  for (const ScanFile& file : plan.files) {
    LW_ASSIGN(const auto reader,
              OpenScanFile(snapshot, file, snapshot.schema().Names(), std::nullopt));
    LW_TRY(ReadInto(reader.get(), snapshot.schema(), &bag));
  }
  return bag;
}

class SuiteTest : public ::testing::Test {
 protected:
  fs::Location At(const std::string& path) { return {local_, path, path}; }

  /// The rows of `<case>/expected/*.parquet`; nothing when there are none.
  Result<std::optional<RowBag>> ExpectedRows(const std::string& folder,
                                             const types::RowSchema& schema) {
    LW_ASSIGN(const std::vector<fs::FileInfo> files, local_->List(folder));
    RowBag bag;
    bool any = false;
    for (const fs::FileInfo& file : files) {
      if (!file.path.ends_with(".parquet")) {
        continue;
      }
      any = true;
      format::FileRange range;
      range.file = At(file.path);
      range.file_size_bytes = file.size_bytes;
      format::ParquetReadSettings settings;
      settings.schema = schema;
      LW_ASSIGN(const auto reader, format::OpenParquetReader(range, settings));
      LW_TRY(ReadInto(reader.get(), schema, &bag));
    }
    return any ? std::optional<RowBag>(bag) : std::nullopt;
  }

  /// Reads one table and compares; counts what became of it.
  void Judge(const std::string& suites, const std::string& path, const std::string& other_version,
             const std::string& other_rows, const std::string& other_status) {
    const fs::Location root = At(suites + "/" + path);
    const auto table = DeltaTable::At(root, SystemClock(), SystemRandom());
    const Result<SnapshotPtr> snapshot = table->Latest();
    const Result<RowBag> rows =
        snapshot.ok() ? ReadTable(**snapshot, root) : Result<RowBag>(snapshot.status());
    const bool other_read_it = other_status == "ok";
    if (!rows.ok()) {
      const bool refused = KindOf(rows.status()) == ErrorKind::kUnsupported;
      ++counts_[refused ? "refused" : "failed"];
      // What another program reads is either read here or refused by name.
      EXPECT_TRUE(refused || !other_read_it) << path << ": " << rows.status().ToString();
      return;
    }
    ++counts_["read"];
    const size_t folder = path.rfind("/delta");
    const std::string expected_folder =
        suites + "/" + path.substr(0, folder == std::string::npos ? path.size() : folder) +
        "/expected";
    ASSERT_ASSIGN(const std::optional<RowBag> expected,
                  ExpectedRows(expected_folder, (*snapshot)->schema()));
    if (expected.has_value()) {
      ++counts_["equal to expected rows"];
      EXPECT_EQ(rows->count, expected->count) << path;
      // Partitioned by a timestamp without zone, which its writer meant in Los Angeles' time.
      if (!path.ends_with("data-reader-partition-values/delta")) {
        EXPECT_EQ(rows->sum, expected->sum) << path;
      }
    } else if (other_read_it) {
      ++counts_["equal to the second opinion"];
      EXPECT_EQ(std::to_string((*snapshot)->version()), other_version) << path;
      EXPECT_EQ(std::to_string(rows->count), other_rows) << path;
    } else {
      ++counts_["read alone"];
    }
  }

  std::shared_ptr<fs::FileSystem> local_ = fs::MakeLocalFileSystem();
  std::map<std::string, int> counts_;
};

TEST_F(SuiteTest, EveryTableIsReadRightOrRefusedByName) {
  const std::string suites = test::ReferencePath("suites");
  if (suites.empty()) {
    GTEST_SKIP() << "no reference data: set LAKEWARD_SHARED";
  }
  std::ifstream list(suites + "/verify-delta.tsv");
  ASSERT_TRUE(list.good());
  std::string line;
  while (std::getline(list, line)) {
    std::istringstream columns(line);
    std::string path;
    std::string version;
    std::string rows;
    std::string status;
    std::getline(columns, path, '\t');
    std::getline(columns, version, '\t');
    std::getline(columns, rows, '\t');
    std::getline(columns, status, '\t');
    if (path.starts_with("delta-") || path.starts_with("delta_")) {
      Judge(suites, path, version, rows, status);
    }
  }
  for (const auto& [what, count] : counts_) {
    std::printf("%4d %s\n", count, what.c_str());
  }
  EXPECT_GT(counts_["equal to expected rows"], 30);
}

}  // namespace
}  // namespace lakeward::delta
