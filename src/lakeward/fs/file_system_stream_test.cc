#include "lakeward/fs/file_system_contract.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"

namespace lakeward::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_P(FileSystemContractTest, NothingIsVisibleBeforeClose) {
  ASSERT_ASSIGN(const auto file, file_system_->OpenOutput(Path("t/a.parquet"), {}));
  EXPECT_FALSE(file->closed());
  ASSERT_STATUS_OK(file->Write("hello "));
  ASSERT_STATUS_OK(file->Write("world"));
  ASSERT_ASSIGN(const int64_t position, file->Tell());
  EXPECT_EQ(position, 11);
  ASSERT_STATUS_OK(file->Flush());
  EXPECT_THAT(Listed(), IsEmpty());
  EXPECT_THAT(NamesOf(file_system_->ListDirectly(Path("t"), "")), IsEmpty());
  EXPECT_EQ(KindOf(file_system_->Stat(Path("t/a.parquet")).status()), ErrorKind::kNotFound);
  ASSERT_STATUS_OK(file->Close());
  EXPECT_TRUE(file->closed());
  EXPECT_THAT(Listed(), ElementsAre("t/a.parquet"));
  ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("t/a.parquet")));
  EXPECT_EQ(text, "hello world");
  EXPECT_STATUS_OK(file->Close());
  EXPECT_FALSE(file->Write("more").ok());
  EXPECT_STATUS_OK(file->Abort());
  EXPECT_THAT(Listed(), ElementsAre("t/a.parquet"));
}

TEST_P(FileSystemContractTest, AbortLeavesNothing) {
  {
    ASSERT_ASSIGN(const auto aborted, file_system_->OpenOutput(Path("t/a"), {}));
    ASSERT_STATUS_OK(aborted->Write("x"));
    ASSERT_STATUS_OK(aborted->Abort());
    EXPECT_FALSE(aborted->Write("y").ok());
    EXPECT_STATUS_OK(aborted->Close());
    ASSERT_ASSIGN(const auto dropped, file_system_->OpenOutput(Path("t/b"), {}));
    ASSERT_STATUS_OK(dropped->Write("x"));
  }
  EXPECT_THAT(Listed(), IsEmpty());
  ASSERT_ASSIGN(const int64_t pending, file_system_->AbortPendingWrites(root_));
  EXPECT_EQ(pending, 0);
}

TEST_P(FileSystemContractTest, CloseMindsWhoCameFirst) {
  ASSERT_ASSIGN(const auto first, file_system_->OpenOutput(Path("f"), {.if_absent = true}));
  ASSERT_ASSIGN(const auto second, file_system_->OpenOutput(Path("f"), {.if_absent = true}));
  ASSERT_ASSIGN(const auto third, file_system_->OpenOutput(Path("f"), {}));
  ASSERT_STATUS_OK(first->Write("first"));
  ASSERT_STATUS_OK(second->Write("second"));
  ASSERT_STATUS_OK(third->Write("third"));
  ASSERT_STATUS_OK(second->Close());
  EXPECT_EQ(KindOf(first->Close()), ErrorKind::kAlreadyExists);
  EXPECT_TRUE(first->closed());
  ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("f")));
  EXPECT_EQ(text, "second");
  ASSERT_STATUS_OK(third->Close());
  ASSERT_ASSIGN(const std::string replaced, file_system_->ReadAll(Path("f")));
  EXPECT_EQ(replaced, "third");
  EXPECT_THAT(Listed(), ElementsAre("f"));
}

TEST_P(FileSystemContractTest, AStagedFileAppearsWhenItIsPublished) {
  ASSERT_ASSIGN(const auto file, file_system_->OpenStaged(Path("out/part-0")));
  ASSERT_STATUS_OK(file->Write("rows"));
  ASSERT_ASSIGN(const int64_t position, file->Tell());
  EXPECT_EQ(position, 4);
  ASSERT_ASSIGN(const std::string token, file->Stage());
  EXPECT_TRUE(file->closed());
  EXPECT_FALSE(file->Write("more").ok());
  EXPECT_FALSE(file->Stage().ok());
  EXPECT_THAT(Listed(), IsEmpty());
  ASSERT_STATUS_OK(file_system_->Publish(token));
  EXPECT_THAT(Listed(), ElementsAre("out/part-0"));
  EXPECT_STATUS_OK(file_system_->Publish(token));
  EXPECT_STATUS_OK(file_system_->Discard(token));
  ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("out/part-0")));
  EXPECT_EQ(text, "rows");
}

TEST_P(FileSystemContractTest, ADiscardedFileNeverAppears) {
  ASSERT_ASSIGN(const auto file, file_system_->OpenStaged(Path("out/part-1")));
  ASSERT_ASSIGN(const std::string token, file->Stage());
  ASSERT_STATUS_OK(file_system_->Discard(token));
  EXPECT_STATUS_OK(file_system_->Discard(token));
  EXPECT_EQ(KindOf(file_system_->Publish(token)), ErrorKind::kNotFound);
  {
    ASSERT_ASSIGN(const auto dropped, file_system_->OpenStaged(Path("out/part-2")));
    ASSERT_STATUS_OK(dropped->Write("x"));
  }
  ASSERT_ASSIGN(const auto aborted, file_system_->OpenStaged(Path("out/part-3")));
  ASSERT_STATUS_OK(aborted->Abort());
  EXPECT_FALSE(aborted->Stage().ok());
  EXPECT_THAT(Listed(), IsEmpty());
  ASSERT_ASSIGN(const int64_t pending, file_system_->AbortPendingWrites(root_));
  EXPECT_EQ(pending, 0);
}

TEST_P(FileSystemContractTest, AbortsTheStagedFilesOfAPrefix) {
  std::vector<std::string> tokens;
  for (const char* name : {"t/s-7-0-a", "t/p=1/s-7-0-b", "t/s-8-0-c", "t2/s-7-0-d"}) {
    ASSERT_ASSIGN(const auto file, file_system_->OpenStaged(Path(name)));
    ASSERT_ASSIGN(tokens.emplace_back(), file->Stage());
  }
  ASSERT_ASSIGN(const int64_t of_writer, file_system_->AbortPendingWrites(Path("t/s-7-")));
  EXPECT_EQ(of_writer, 1);
  ASSERT_ASSIGN(const int64_t of_folder, file_system_->AbortPendingWrites(Path("t")));
  EXPECT_EQ(of_folder, 2);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(KindOf(file_system_->Publish(tokens[i])), ErrorKind::kNotFound) << i;
  }
  EXPECT_STATUS_OK(file_system_->Publish(tokens[3]));
}

}  // namespace
}  // namespace lakeward::fs
