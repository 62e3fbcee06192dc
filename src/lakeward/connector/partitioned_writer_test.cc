#include "lakeward/connector/partitioned_writer.h"

#include <algorithm>

#include "arrow/array/array_primitive.h"
#include "gmock/gmock.h"
#include "lakeward/connector/connector_fixture.h"

namespace lakeward::connector {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// What happened to the files of one writer.
struct FileEvents {
  std::vector<std::string> opened;
  std::vector<std::string> aborted;
  std::vector<std::string> flushed;
  int open = 0;
  int open_max = 0;
  int64_t bytes_per_row = 1;
};

/// Keeps rows as text; its committable is "partition: row; row".
class FakeFile final : public DataFile {
 public:
  FakeFile(std::string partition, FileEvents* events)
      : partition_(std::move(partition)), events_(events) {
    events_->opened.push_back(partition_);
    events_->open_max = std::max(events_->open_max, ++events_->open);
  }
  ~FakeFile() override { --events_->open; }

  Status Write(const arrow::RecordBatch& rows) override {
    for (int64_t row = 0; row < rows.num_rows(); ++row) {
      text_ += text_.empty() ? "" : "; ";
      for (int i = 0; i < rows.num_columns(); ++i) {
        text_ += (i == 0 ? "" : ",") + rows.column(i)->GetScalar(row).ValueOrDie()->ToString();
      }
    }
    row_count_ += rows.num_rows();
    buffered_rows_ = is_flush_due_ ? 0 : buffered_rows_ + rows.num_rows();
    is_flush_due_ = false;
    return Status::OK();
  }
  int64_t EstimatedSizeBytes() const override { return row_count_ * events_->bytes_per_row; }
  int64_t BufferedBytes() const override { return buffered_rows_ * events_->bytes_per_row; }
  void FlushBeforeNextWrite() override {
    is_flush_due_ = true;
    events_->flushed.push_back(partition_);
  }
  Result<stream::Committable> Finish() override {
    return stream::Committable{partition_ + ": " + text_};
  }
  void Abort() override { events_->aborted.push_back(partition_); }

 private:
  const std::string partition_;
  FileEvents* events_;
  std::string text_;
  int64_t row_count_ = 0;
  int64_t buffered_rows_ = 0;
  bool is_flush_due_ = false;
};

class PartitionedWriterTest : public ConnectorFixture {
 protected:
  /// A writer of rows (p, n, q), partitioned by the columns of these numbers.
  std::unique_ptr<PartitionedWriter> Writer(PartitionedWriterSettings settings) {
    settings.schema = table_.table->PhysicalSchema();
    auto writer =
        PartitionedWriter::Make(std::move(settings),
                                [this](const std::vector<std::shared_ptr<arrow::Scalar>>& values)
                                    -> Result<std::unique_ptr<DataFile>> {
                                  std::string partition;
                                  for (const auto& value : values) {
                                    partition += (partition.empty() ? "" : "/") + value->ToString();
                                  }
                                  if (partition == "refused") {
                                    return MakeError(ErrorKind::kPermission, "no file here");
                                  }
                                  return std::make_unique<FakeFile>(partition, &events_);
                                });
    EXPECT_TRUE(writer.ok()) << writer.status().ToString();
    return writer.MoveValueUnsafe();
  }

  static PartitionedWriterSettings By(std::vector<int> columns) {
    PartitionedWriterSettings settings;
    settings.partition_columns = std::move(columns);
    return settings;
  }

  std::vector<std::string> Finish(PartitionedWriter* writer) {
    std::vector<std::string> payloads;
    for (const stream::Committable& committable : writer->FinishAll().ValueOrDie()) {
      payloads.push_back(committable.payload);
    }
    return payloads;
  }

  const catalog::TableContext table_ =
      Table({{"p", types::String()}, {"n", types::BigInt()}, {"q", types::Int()}}, {});
  FileEvents events_;
};

TEST_F(PartitionedWriterTest, WritesOneFileWithoutPartitions) {
  const auto writer = Writer({});
  ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a", "b"])", "[1, 2]", "[7, null]"})));
  ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["c"])", "[3]", "[8]"})));
  EXPECT_THAT(Finish(writer.get()), ElementsAre(": a,1,7; b,2,null; c,3,8"));
  EXPECT_THAT(Finish(writer.get()), IsEmpty());
}

TEST_F(PartitionedWriterTest, SpreadsRowsOverPartitionsInTheirOrder) {
  const auto writer = Writer(By({2, 0}));
  ASSERT_STATUS_OK(writer->Write(
      Rows(table_, {R"(["a", "b", "a", null, "a"])", "[1, 2, 3, 4, 5]", "[1, 1, 1, 1, 2]"})));
  ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a", null])", "[6, 7]", "[1, 1]"})));
  // Partition values in the order of the declaration, rows without them.
  EXPECT_THAT(Finish(writer.get()),
              UnorderedElementsAre("1/a: 1; 3; 6", "1/b: 2", "1/null: 4; 7", "2/a: 5"));
}

TEST_F(PartitionedWriterTest, TakesOnlySelectedRows) {
  const auto writer = Writer(By({0}));
  stream::Batch batch = Rows(table_, {R"(["a", "b", "a"])", "[1, 2, 3]", "[0, 0, 0]"});
  batch.selection = std::static_pointer_cast<arrow::Int32Array>(
      arrow::json::ArrayFromJSONString(arrow::int32(), "[2]").ValueOrDie());
  ASSERT_STATUS_OK(writer->Write(batch));
  batch.selection = std::static_pointer_cast<arrow::Int32Array>(
      arrow::json::ArrayFromJSONString(arrow::int32(), "[]").ValueOrDie());
  ASSERT_STATUS_OK(writer->Write(batch));
  EXPECT_THAT(Finish(writer.get()), ElementsAre("a: 3,0"));
}

TEST_F(PartitionedWriterTest, BeginsNewFilesAfterEachCheckpoint) {
  const auto writer = Writer(By({0}));
  ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a"])", "[1]", "[0]"})));
  EXPECT_THAT(Finish(writer.get()), ElementsAre("a: 1,0"));
  ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["b", "a"])", "[2, 3]", "[0, 0]"})));
  EXPECT_THAT(Finish(writer.get()), UnorderedElementsAre("a: 3,0", "b: 2,0"));
  EXPECT_THAT(events_.opened, UnorderedElementsAre("a", "a", "b"));
}

TEST_F(PartitionedWriterTest, ClosesFilesThatHaveGrownToTheirSize) {
  PartitionedWriterSettings settings;
  settings.target_file_bytes = 2;
  const auto writer = Writer(std::move(settings));
  for (int i = 0; i < 5; ++i) {
    ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a"])", "[1]", "[0]"})));
  }
  EXPECT_THAT(Finish(writer.get()), ElementsAre(": a,1,0; a,1,0", ": a,1,0; a,1,0", ": a,1,0"));
}

TEST_F(PartitionedWriterTest, RowsWaitUntilTheyWeighEnough) {
  PartitionedWriterSettings settings = By({0});
  settings.buffered_bytes_max = 1;
  const auto eager = Writer(std::move(settings));
  ASSERT_STATUS_OK(eager->Write(Rows(table_, {R"(["a"])", "[1]", "[0]"})));
  EXPECT_THAT(events_.opened, ElementsAre("a"));
  events_.opened.clear();
  const auto patient = Writer(By({0}));
  ASSERT_STATUS_OK(patient->Write(Rows(table_, {R"(["a"])", "[1]", "[0]"})));
  EXPECT_THAT(events_.opened, IsEmpty());
}

TEST_F(PartitionedWriterTest, KeepsFewFilesOpen) {
  PartitionedWriterSettings settings = By({1});
  settings.buffered_bytes_max = 1;
  settings.open_files_max = 2;
  const auto writer = Writer(std::move(settings));
  for (const char* n : {"[1]", "[2]", "[1]", "[3]", "[1]", "[2]"}) {
    ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a"])", n, "[0]"})));
  }
  EXPECT_EQ(events_.open_max, 2);
  // The one that rested longest was closed each time: 2 for 3, then 3 for 2.
  EXPECT_THAT(Finish(writer.get()),
              UnorderedElementsAre("2: a,0", "3: a,0", "1: a,0; a,0; a,0", "2: a,0"));
}

TEST_F(PartitionedWriterTest, BoundsWhatEncodersHold) {
  PartitionedWriterSettings settings = By({1});
  settings.buffered_bytes_max = 1;
  settings.encoder_bytes_max = 100;
  events_.bytes_per_row = 60;
  const auto writer = Writer(std::move(settings));
  for (const char* n : {"[1]", "[2]", "[1]", "[2]"}) {
    ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a"])", n, "[0]"})));
  }
  EXPECT_FALSE(events_.flushed.empty());
  EXPECT_THAT(Finish(writer.get()), UnorderedElementsAre("1: a,0; a,0", "2: a,0; a,0"));
}

TEST_F(PartitionedWriterTest, AbortGivesUpEveryOpenFile) {
  PartitionedWriterSettings settings = By({0});
  settings.buffered_bytes_max = 1;
  const auto writer = Writer(std::move(settings));
  ASSERT_STATUS_OK(writer->Write(Rows(table_, {R"(["a", "b"])", "[1, 2]", "[0, 0]"})));
  writer->Abort();
  EXPECT_THAT(events_.aborted, UnorderedElementsAre("a", "b"));
  EXPECT_EQ(events_.open, 0);
  EXPECT_THAT(Finish(writer.get()), IsEmpty());
}

TEST_F(PartitionedWriterTest, TellsWhenAFileCannotBeOpened) {
  PartitionedWriterSettings settings = By({0});
  settings.buffered_bytes_max = 1;
  const auto writer = Writer(std::move(settings));
  EXPECT_EQ(ErrorOf(writer->Write(Rows(table_, {R"(["refused"])", "[1]", "[0]"}))), "no file here");
}

}  // namespace
}  // namespace lakeward::connector
