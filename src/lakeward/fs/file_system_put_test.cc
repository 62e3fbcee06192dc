#include "lakeward/fs/file_system_contract.h"

#include <atomic>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "lakeward/base/executor.h"

namespace lakeward::fs {
namespace {

using ::testing::ElementsAre;

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
  for (int round = 0; round < GetParam().race_rounds; ++round) {
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
  EXPECT_EQ(Listed().size(), static_cast<size_t>(GetParam().race_rounds));
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
  constexpr size_t kPieceBytes = 1'000'003;
  for (size_t start = 0; start < text.size(); start += kPieceBytes) {
    ASSERT_STATUS_OK(file->Write(text.substr(start, kPieceBytes)));
  }
  ASSERT_STATUS_OK(file->Close());
  ASSERT_ASSIGN(const std::string read, file_system_->ReadAll(Path("large")));
  EXPECT_TRUE(read == text);
  ASSERT_STATUS_OK(Put("large-put", text));
  ASSERT_ASSIGN(const std::string read_put, file_system_->ReadAll(Path("large-put")));
  EXPECT_TRUE(read_put == text);
}

}  // namespace
}  // namespace lakeward::fs
