#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/executor.h"
#include "lakeward/fs/faulty.h"
#include "lakeward/fs/local.h"
#include "lakeward/fs/memory.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

// What every FileSystem must do. A new one gets these tests by a line in the list at the end.

namespace lakeward::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct FileSystemKind {
  const char* name;
  std::function<std::shared_ptr<FileSystem>()> make;
};

class FileSystemContractTest : public ::testing::TestWithParam<FileSystemKind> {
 protected:
  std::string Path(const std::string& name) const { return root_ + "/" + name; }

  Status Put(const std::string& name, std::string_view bytes, bool if_absent = false) {
    return file_system_->Put(Path(name), bytes, {.if_absent = if_absent});
  }

  // The names below the root that List gives.
  std::vector<std::string> Listed(const std::string& folder = "") {
    return NamesOf(file_system_->List(folder.empty() ? root_ : Path(folder)));
  }

  std::vector<std::string> NamesOf(const Result<std::vector<FileInfo>>& files) {
    EXPECT_TRUE(files.ok()) << files.status().ToString();
    std::vector<std::string> names;
    if (files.ok()) {
      for (const FileInfo& file : *files) {
        EXPECT_TRUE(file.path.starts_with(root_ + "/")) << file.path;
        names.push_back(file.path.substr(root_.size() + 1));
      }
    }
    return names;
  }

  Status WriteLarge(arrow::io::OutputStream* file, const std::string& text, size_t piece_bytes) {
    for (size_t start = 0; start < text.size(); start += piece_bytes) {
      LW_TRY(file->Write(text.substr(start, piece_bytes)));
    }
    return Status::OK();
  }

  test::TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/root";
  const std::shared_ptr<FileSystem> file_system_ = GetParam().make();
};

TEST_P(FileSystemContractTest, ReadsWhatWasPut) {
  ASSERT_STATUS_OK(Put("a/b/c.json", "hello"));
  ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("a/b/c.json")));
  EXPECT_EQ(text, "hello");
  ASSERT_ASSIGN(const FileInfo info, file_system_->Stat(Path("a/b/c.json")));
  EXPECT_EQ(info.path, Path("a/b/c.json"));
  EXPECT_EQ(info.size_bytes, 5);
  // 2020-01-01, in microseconds.
  EXPECT_GT(info.modification_time_us, 1'577'836'800'000'000);
}

TEST_P(FileSystemContractTest, PutReplacesUnlessToldOtherwise) {
  ASSERT_STATUS_OK(Put("f", "one"));
  ASSERT_STATUS_OK(Put("f", "two, longer"));
  ASSERT_STATUS_OK(Put("f", "3"));
  const Status lost = Put("f", "four", /*if_absent=*/true);
  EXPECT_EQ(KindOf(lost), ErrorKind::kAlreadyExists);
  EXPECT_THAT(lost.message(), ::testing::HasSubstr(Path("f")));
  ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("f")));
  EXPECT_EQ(text, "3");
  EXPECT_THAT(Listed(), ElementsAre("f"));
}

TEST_P(FileSystemContractTest, ExactlyOneOfSixteenPutsWins) {
  constexpr int kThreads = 16;
  for (int round = 0; round < 20; ++round) {
    const std::string name = "_delta_log/" + std::to_string(round) + ".json";
    std::atomic<int> winner{-1};
    std::atomic<int> winners{0};
    std::atomic<int> losers{0};
    std::vector<Thread> threads;
    for (int writer = 0; writer < kThreads; ++writer) {
      threads.emplace_back("writer", [&, writer] {
        const Status status = Put(name, "written by " + std::to_string(writer), true);
        if (status.ok()) {
          ++winners;
          winner = writer;
        } else if (KindOf(status) == ErrorKind::kAlreadyExists) {
          ++losers;
        }
      });
    }
    threads.clear();
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(losers, kThreads - 1);
    ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path(name)));
    EXPECT_EQ(text, "written by " + std::to_string(winner.load()));
  }
  EXPECT_EQ(Listed().size(), 20U);
}

TEST_P(FileSystemContractTest, AReaderSeesAWholeFileWhileItIsReplaced) {
  const std::string first(100'000, 'a');
  const std::string second(200'000, 'b');
  ASSERT_STATUS_OK(Put("f", first));
  std::atomic<bool> is_done{false};
  Thread writer("writer", [&] {
    for (int i = 0; i < 50; ++i) {
      EXPECT_STATUS_OK(Put("f", i % 2 == 0 ? second : first));
    }
    is_done = true;
  });
  while (!is_done) {
    ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("f")));
    EXPECT_TRUE(text == first || text == second) << text.size();
  }
}

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

TEST_P(FileSystemContractTest, NamesAreTakenLiterally) {
  const std::vector<std::string> names{"a b",         "100%",      "a%20b",
                                       "p=1/q=x y/f", "a+b",       "é",
                                       "日本",        "a:b",       "a?b#c",
                                       "[*]",         "_$folder$", "p=__HIVE_DEFAULT_PARTITION__/f",
                                       ".hidden",     "a.tmp",     "x" + std::string(220, 'y')};
  for (const std::string& name : names) {
    ASSERT_STATUS_OK(Put("odd/" + name, name));
    ASSERT_ASSIGN(const auto file, file_system_->OpenOutput(Path("odd2/" + name), {}));
    ASSERT_STATUS_OK(file->Write(name));
    ASSERT_STATUS_OK(file->Close());
  }
  for (const std::string& name : names) {
    ASSERT_ASSIGN(const std::string text, file_system_->ReadAll(Path("odd/" + name)));
    EXPECT_EQ(text, name);
    ASSERT_ASSIGN(const FileInfo info, file_system_->Stat(Path("odd2/" + name)));
    EXPECT_EQ(info.size_bytes, static_cast<int64_t>(name.size()));
  }
  EXPECT_EQ(Listed("odd").size(), names.size());
  EXPECT_EQ(Listed("odd2").size(), names.size());
}

TEST_P(FileSystemContractTest, HoldsEmptyAndLargeFiles) {
  ASSERT_STATUS_OK(Put("empty", ""));
  ASSERT_ASSIGN(const std::string empty, file_system_->ReadAll(Path("empty")));
  EXPECT_EQ(empty, "");
  ASSERT_ASSIGN(const auto nothing, file_system_->OpenOutput(Path("nothing"), {}));
  ASSERT_STATUS_OK(nothing->Close());
  ASSERT_ASSIGN(const FileInfo info, file_system_->Stat(Path("nothing")));
  EXPECT_EQ(info.size_bytes, 0);

  std::string text;
  for (int i = 0; text.size() < (10U << 20); ++i) {
    text += std::to_string(i) + ",";
  }
  ASSERT_ASSIGN(const auto file, file_system_->OpenOutput(Path("large"), {}));
  ASSERT_STATUS_OK(WriteLarge(file.get(), text, 1'000'003));
  ASSERT_STATUS_OK(file->Close());
  ASSERT_ASSIGN(const std::string read, file_system_->ReadAll(Path("large")));
  EXPECT_TRUE(read == text);
  ASSERT_STATUS_OK(Put("large-put", text));
  ASSERT_ASSIGN(const std::string read_put, file_system_->ReadAll(Path("large-put")));
  EXPECT_TRUE(read_put == text);
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

INSTANTIATE_TEST_SUITE_P(
    , FileSystemContractTest,
    ::testing::Values(FileSystemKind{"Local", [] { return MakeLocalFileSystem(); }},
                      FileSystemKind{"Memory", [] { return MakeMemoryFileSystem(); }},
                      FileSystemKind{"FaultyLocal",
                                     [] {
                                       return MakeFaultyFileSystem(MakeLocalFileSystem(),
                                                                   std::make_shared<FaultPlan>());
                                     }},
                      FileSystemKind{"FaultyMemory",
                                     [] {
                                       return MakeFaultyFileSystem(MakeMemoryFileSystem(),
                                                                   std::make_shared<FaultPlan>());
                                     }}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace lakeward::fs
