#include "lakeward/base/local_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward {
namespace {

using ::testing::HasSubstr;

const uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

class LocalFileTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  Status Write(const std::string& path, std::string_view text) {
    LW_ASSIGN(const auto file, CreateLocalFile(path));
    LW_TRY(file->Append(Bytes(text), static_cast<int64_t>(text.size())));
    LW_TRY(file->Sync());
    return file->Close();
  }

  test::TemporaryFolder folder_;
};

TEST_F(LocalFileTest, ReadsWhatWasWritten) {
  std::string text;
  ASSERT_ASSIGN(const auto file, CreateLocalFile(Path("a")));
  // Pieces below, at and above the size of the buffer.
  for (const size_t length : {1UL, 100UL, 65'535UL, 65'536UL, 65'537UL, 300'000UL, 3UL}) {
    const std::string piece(length, static_cast<char>('a' + length % 26));
    ASSERT_STATUS_OK(file->Append(Bytes(piece), static_cast<int64_t>(length)));
    text += piece;
  }
  EXPECT_EQ(file->size_bytes(), static_cast<int64_t>(text.size()));
  ASSERT_STATUS_OK(file->Close());
  ASSERT_ASSIGN(const std::string read, ReadWholeLocalFile(Path("a")));
  EXPECT_TRUE(read == text);

  ASSERT_ASSIGN(const auto input, OpenLocalFile(Path("a")));
  EXPECT_EQ(input->size_bytes(), static_cast<int64_t>(text.size()));
  std::string piece(10, '\0');
  auto* target = reinterpret_cast<uint8_t*>(piece.data());
  ASSERT_ASSIGN(const int64_t inside, input->ReadAt(101, 10, target));
  EXPECT_EQ(inside, 10);
  EXPECT_EQ(piece, text.substr(101, 10));
  ASSERT_ASSIGN(const int64_t at_end, input->ReadAt(input->size_bytes() - 3, 10, target));
  EXPECT_EQ(at_end, 3);
  ASSERT_ASSIGN(const int64_t beyond, input->ReadAt(input->size_bytes() + 5, 10, target));
  EXPECT_EQ(beyond, 0);
}

TEST_F(LocalFileTest, ReadsFilesWithoutASize) {
  ASSERT_ASSIGN(const std::string status, ReadWholeLocalFile("/proc/self/status"));
  EXPECT_THAT(status, HasSubstr("Pid:"));
}

TEST_F(LocalFileTest, NamesPathAndReasonOfWhatIsMissing) {
  for (const Status& status :
       {OpenLocalFile(Path("no/file")).status(), StatLocal(Path("no/file")).status(),
        RemoveLocalFile(Path("no/file")), ListLocalDirectory(Path("no/file")).status(),
        CreateLocalFile(Path("no/file")).status()}) {
    EXPECT_EQ(KindOf(status), ErrorKind::kNotFound);
    EXPECT_THAT(status.message(), HasSubstr(Path("no/file") + ": No such file or directory"));
  }
  EXPECT_THAT(OpenLocalFile(folder_.path()).status().message(), HasSubstr("it is a folder"));
  EXPECT_STATUS_OK(RemoveLocalDirectoryIfEmpty(Path("no")));
}

TEST_F(LocalFileTest, ExclusiveCreationAndLinksNeverReplace) {
  ASSERT_STATUS_OK(Write(Path("a"), "old"));
  ASSERT_STATUS_OK(Write(Path("b"), "new"));
  EXPECT_EQ(KindOf(CreateLocalFileExclusively(Path("a")).status()), ErrorKind::kAlreadyExists);
  EXPECT_EQ(KindOf(LinkLocalFile(Path("b"), Path("a"))), ErrorKind::kAlreadyExists);
  ASSERT_ASSIGN(const std::string kept, ReadWholeLocalFile(Path("a")));
  EXPECT_EQ(kept, "old");
  ASSERT_STATUS_OK(RenameLocal(Path("b"), Path("a")));
  ASSERT_ASSIGN(const std::string replaced, ReadWholeLocalFile(Path("a")));
  EXPECT_EQ(replaced, "new");
}

TEST_F(LocalFileTest, MakesFoldersWithTheirParents) {
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("x/y/z")));
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("x/y/z")));
  ASSERT_STATUS_OK(SyncLocalDirectory(Path("x/y")));
  ASSERT_ASSIGN(const LocalFileInfo info, StatLocal(Path("x/y/z")));
  EXPECT_TRUE(info.is_directory);
  ASSERT_STATUS_OK(Write(Path("f"), ""));
  EXPECT_EQ(KindOf(CreateLocalDirectories(Path("f"))), ErrorKind::kAlreadyExists);
  EXPECT_THAT(CreateLocalDirectories(Path("f/g")).message(), HasSubstr(Path("f/g")));
  EXPECT_STATUS_OK(RemoveLocalDirectoryIfEmpty(Path("x")));
  EXPECT_STATUS_OK(StatLocal(Path("x/y/z")).status());
}

TEST_F(LocalFileTest, ListsEntries) {
  ASSERT_STATUS_OK(Write(Path("a"), "12345"));
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("d")));
  ASSERT_EQ(symlink("nowhere", Path("dangling").c_str()), 0);
  ASSERT_ASSIGN(auto entries, ListLocalDirectory(folder_.path()));
  std::sort(entries.begin(), entries.end(),
            [](const auto& x, const auto& y) { return x.path < y.path; });
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].path, Path("a"));
  EXPECT_EQ(entries[0].size_bytes, 5);
  EXPECT_GT(entries[0].modification_time_us, 1'577'836'800'000'000);
  EXPECT_TRUE(entries[1].is_directory);
  ASSERT_ASSIGN(const auto chosen, ListLocalDirectory(folder_.path(), [](std::string_view name) {
                  return name == "d";
                }));
  EXPECT_EQ(chosen.size(), 1U);
}

TEST_F(LocalFileTest, SaysWhatToDoAboutAFullDisk) {
  ASSERT_ASSIGN(const auto file, CreateLocalFile("/dev/full"));
  ASSERT_STATUS_OK(file->Append(Bytes("x"), 1));
  const Status status = file->Sync();
  EXPECT_EQ(KindOf(status), ErrorKind::kIo);
  EXPECT_EQ(status.message(), "Cannot write /dev/full: No space left on device");
  EXPECT_EQ(HintOf(status), "The disk is full: free space on it or choose a path on another disk.");
}

// Root may do everything: the attempt is made as nobody, in a child.
void ExitWithSuccessOf(const std::function<bool()>& attempt) {
  constexpr uid_t kNobody = 65'534;
  if (getuid() == 0 && setuid(kNobody) != 0) {
    std::_Exit(2);
  }
  std::_Exit(attempt() ? 0 : 1);
}

TEST_F(LocalFileTest, SaysWhatToDoAboutPermissions) {
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("closed")));
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(Path("closed").c_str(), 0500), 0);
  EXPECT_EXIT(ExitWithSuccessOf([&] {
                const Status status = CreateLocalFile(Path("closed/f")).status();
                return KindOf(status) == ErrorKind::kPermission &&
                       status.message() ==
                           "Cannot create " + Path("closed/f") + ": Permission denied" &&
                       HintOf(status).starts_with("Give the user that runs Lakeward access");
              }),
              ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lakeward
