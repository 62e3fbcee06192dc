#include "lakeward/fs/file_system_contract.h"

#include <atomic>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "lakeward/base/executor.h"

namespace lakeward::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_P(FileSystemContractTest, ListsInByteOrder) {
  for (const char* name : {"b/1", "a", "b-2", "b.3", "b/0/x", "B", "é", "b/10", "~"}) {
    ASSERT_STATUS_OK(Put(name, "x"));
  }
  EXPECT_THAT(Listed(), ElementsAre("B", "a", "b-2", "b.3", "b/0/x", "b/1", "b/10", "~", "é"));
  EXPECT_THAT(Listed("b"), ElementsAre("b/0/x", "b/1", "b/10"));
  EXPECT_THAT(Listed("missing"), IsEmpty());
  EXPECT_THAT(Listed("a"), IsEmpty());
}

TEST_P(FileSystemContractTest, ListsOnlyWhatComesAfter) {
  for (const char* name : {"log/01.json", "log/02.json", "log/02.parquet", "log/10.json",
                           "log/deep/03.json", "log2/04.json"}) {
    ASSERT_STATUS_OK(Put(name, "x"));
  }
  const auto after = [&](const std::string& start) {
    return NamesOf(file_system_->ListDirectly(Path("log"), start));
  };
  EXPECT_THAT(after(""),
              ElementsAre("log/01.json", "log/02.json", "log/02.parquet", "log/10.json"));
  EXPECT_THAT(after(Path("log/02.json")), ElementsAre("log/02.parquet", "log/10.json"));
  EXPECT_THAT(after(Path("log/02")), ElementsAre("log/02.json", "log/02.parquet", "log/10.json"));
  EXPECT_THAT(after(Path("log/10.json")), IsEmpty());
  EXPECT_THAT(NamesOf(file_system_->ListDirectly(Path("missing"), "")), IsEmpty());
}

TEST_P(FileSystemContractTest, MissingFilesAreNotFound) {
  ASSERT_STATUS_OK(Put("folder/file", "x"));
  for (const char* name : {"none", "folder/none", "none/none", "folder"}) {
    EXPECT_EQ(KindOf(file_system_->Stat(Path(name)).status()), ErrorKind::kNotFound) << name;
    EXPECT_EQ(KindOf(file_system_->OpenInput(Path(name)).status()), ErrorKind::kNotFound) << name;
    EXPECT_EQ(KindOf(file_system_->ReadAll(Path(name)).status()), ErrorKind::kNotFound) << name;
    EXPECT_STATUS_OK(file_system_->Remove(Path(name)));
  }
  EXPECT_THAT(Listed(), ElementsAre("folder/file"));
  ASSERT_STATUS_OK(file_system_->Remove(Path("folder/file")));
  EXPECT_THAT(Listed(), IsEmpty());
}

TEST_P(FileSystemContractTest, RemovesMany) {
  std::vector<std::string> paths;
  for (const char* name : {"a", "p=1/b c", "p=1/<&>\"é", "kept"}) {
    ASSERT_STATUS_OK(Put(name, "x"));
    paths.push_back(Path(name));
  }
  paths.back() = Path("missing");
  ASSERT_STATUS_OK(file_system_->RemoveAll(paths));
  EXPECT_THAT(Listed(), ElementsAre("kept"));
  EXPECT_STATUS_OK(file_system_->RemoveAll({}));
}

TEST_P(FileSystemContractTest, ReadsRanges) {
  ASSERT_STATUS_OK(Put("f", "0123456789"));
  ASSERT_ASSIGN(const auto file, file_system_->OpenInput(Path("f")));
  ASSERT_ASSIGN(const int64_t size, file->GetSize());
  EXPECT_EQ(size, 10);
  ASSERT_ASSIGN(const auto middle, file->ReadAt(3, 4));
  EXPECT_EQ(middle->ToString(), "3456");
  ASSERT_ASSIGN(const auto end, file->ReadAt(8, 100));
  EXPECT_EQ(end->ToString(), "89");
  ASSERT_ASSIGN(const auto beyond, file->ReadAt(10, 5));
  EXPECT_EQ(beyond->size(), 0);
  EXPECT_FALSE(file->ReadAt(8, 100, /*allow_short_read=*/false).ok());
  EXPECT_FALSE(file->ReadAt(-1, 1).ok());
  ASSERT_ASSIGN(const auto first, file->Read(4));
  EXPECT_EQ(first->ToString(), "0123");
  ASSERT_STATUS_OK(file->Seek(6));
  ASSERT_ASSIGN(const auto sixth, file->Read(2));
  EXPECT_EQ(sixth->ToString(), "67");
  ASSERT_ASSIGN(const int64_t position, file->Tell());
  EXPECT_EQ(position, 8);
  ASSERT_STATUS_OK(file->Close());
  EXPECT_TRUE(file->closed());
  EXPECT_FALSE(file->ReadAt(0, 1).ok());
}

TEST_P(FileSystemContractTest, ReadsFromManyThreads) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) {
    text += static_cast<char>(i % 251);
  }
  ASSERT_STATUS_OK(Put("f", text));
  ASSERT_ASSIGN(const auto file, file_system_->OpenInput(Path("f")));
  std::atomic<int> wrong{0};
  std::vector<Thread> threads;
  for (int64_t start = 0; start < 4; ++start) {
    threads.emplace_back("reader", [&, start] {
      for (int64_t offset = start; offset < 9'000; offset += 4) {
        const auto piece = file->ReadAt(offset, 100, /*allow_short_read=*/false);
        if (!piece.ok() || (*piece)->ToString() != text.substr(static_cast<size_t>(offset), 100)) {
          ++wrong;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST_P(FileSystemContractTest, AnOpenFileOutlivesItsRemoval) {
  ASSERT_STATUS_OK(Put("f", "kept"));
  ASSERT_ASSIGN(const auto file, file_system_->OpenInput(Path("f")));
  ASSERT_STATUS_OK(file_system_->Remove(Path("f")));
  ASSERT_ASSIGN(const auto text, file->ReadAt(0, 10));
  EXPECT_EQ(text->ToString(), "kept");
}

}  // namespace
}  // namespace lakeward::fs
