#include "lakeward/fs/local.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LocalFileSystemTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  // Everything in a folder of the disk, temporary names too.
  std::vector<std::string> OnDisk(const std::string& path) {
    std::vector<std::string> names;
    const auto entries = ListLocalDirectory(path);
    if (entries.ok()) {
      for (const LocalFileInfo& entry : *entries) {
        names.push_back(entry.path.substr(path.size() + 1));
      }
    }
    return names;
  }

  test::TemporaryFolder folder_;
  const std::shared_ptr<FileSystem> file_system_ = MakeLocalFileSystem();
};

TEST_F(LocalFileSystemTest, TemporaryNamesAreRecognised) {
  const std::string name = TemporaryName("a.parquet", SystemRandom());
  EXPECT_TRUE(name.starts_with(".a.parquet."));
  EXPECT_TRUE(name.ends_with(".tmp"));
  EXPECT_TRUE(IsTemporaryName(name));
  EXPECT_TRUE(IsTemporaryName(TemporaryName("", SystemRandom())));
  for (const char* other : {"a.parquet", ".a.tmp", "a.6ba7b810-9dad-41d1-80b4-00c04fd430c8.tmp",
                            ".6ba7b810-9dad-41d1-80b4-00c04fd430c8", ".tmp", ""}) {
    EXPECT_FALSE(IsTemporaryName(other)) << other;
  }
}

TEST_F(LocalFileSystemTest, LongTemporaryNamesFitAndStayUtf8) {
  std::string name;
  while (name.size() < 250) {
    name += "é";
  }
  const std::string temporary = TemporaryName(name, SystemRandom());
  EXPECT_LE(temporary.size(), 255U);
  EXPECT_TRUE(temporary.starts_with(".é"));
  const size_t uuid_start = temporary.size() - std::string(".tmp").size() - 36;
  EXPECT_EQ(temporary.substr(uuid_start - 3, 3), "é.");
}

TEST_F(LocalFileSystemTest, WritesUnderATemporaryNameInTheSameFolder) {
  ASSERT_ASSIGN(const auto file, file_system_->OpenOutput(Path("t/a.parquet"), {}));
  ASSERT_STATUS_OK(file->Write("x"));
  EXPECT_THAT(OnDisk(Path("t")), ElementsAre(HasSubstr(".a.parquet.")));
  ASSERT_STATUS_OK(file->Close());
  EXPECT_THAT(OnDisk(Path("t")), ElementsAre("a.parquet"));
}

TEST_F(LocalFileSystemTest, FailedPutsLeaveNoLitter) {
  ASSERT_STATUS_OK(file_system_->Put(Path("f"), "1", {}));
  EXPECT_FALSE(file_system_->Put(Path("f"), "2", {.if_absent = true}).ok());
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("folder")));
  EXPECT_FALSE(file_system_->Put(Path("folder"), "3", {}).ok());
  EXPECT_THAT(OnDisk(folder_.path()), ::testing::UnorderedElementsAre("f", "folder"));
  EXPECT_THAT(OnDisk(Path("folder")), ::testing::IsEmpty());
}

TEST_F(LocalFileSystemTest, RemovingManyFilesLeavesNoEmptyFolders) {
  for (const char* name : {"s/1/meta", "s/1/a/x", "s/1/a/y", "s/2/meta", "s/2/a/x"}) {
    ASSERT_STATUS_OK(file_system_->Put(Path(name), "x", {}));
  }
  ASSERT_STATUS_OK(file_system_->RemoveAll({Path("s/1/meta"), Path("s/1/a/x"), Path("s/2/a/x")}));
  EXPECT_THAT(OnDisk(Path("s/1/a")), ElementsAre("y"));
  EXPECT_THAT(OnDisk(Path("s/2")), ElementsAre("meta"));
  ASSERT_STATUS_OK(file_system_->RemoveAll({Path("s/1/a/y"), Path("s/gone/x")}));
  EXPECT_THAT(OnDisk(Path("s")), ElementsAre("2"));
}

TEST_F(LocalFileSystemTest, AbortsWhatADeadProcessLeft) {
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("t/p=1")));
  for (const char* name : {"t/s-7-a", "t/p=1/s-7-b", "t/s-8-c"}) {
    const std::string path = Path(name);
    std::ofstream(JoinPath(ParentOf(path), TemporaryName(BaseNameOf(path), SystemRandom()))) << "x";
  }
  std::ofstream(Path("t/.s-7-user.tmp")) << "not ours";
  ASSERT_STATUS_OK(file_system_->Put(Path("t/s-7-done"), "x", {}));

  ASSERT_ASSIGN(const int64_t of_writer, file_system_->AbortPendingWrites(Path("t/s-7-")));
  EXPECT_EQ(of_writer, 1);
  ASSERT_ASSIGN(const int64_t of_folder, file_system_->AbortPendingWrites(Path("t")));
  EXPECT_EQ(of_folder, 2);
  ASSERT_ASSIGN(const int64_t of_nothing, file_system_->AbortPendingWrites(Path("none/x")));
  EXPECT_EQ(of_nothing, 0);
  EXPECT_THAT(OnDisk(Path("t")),
              ::testing::UnorderedElementsAre("s-7-done", ".s-7-user.tmp", "p=1"));
}

TEST_F(LocalFileSystemTest, ATokenIsGoodForAnotherProcess) {
  std::string token;
  {
    ASSERT_ASSIGN(const auto file, file_system_->OpenStaged(Path("out/part-0")));
    ASSERT_STATUS_OK(file->Write("rows"));
    ASSERT_ASSIGN(token, file->Stage());
  }
  ASSERT_STATUS_OK(MakeLocalFileSystem()->Publish(token));
  EXPECT_THAT(OnDisk(Path("out")), ElementsAre("part-0"));
  EXPECT_EQ(KindOf(file_system_->Publish("part-0" + Path("out/part-0"))), ErrorKind::kInternal);
  EXPECT_EQ(KindOf(file_system_->Discard("")), ErrorKind::kInternal);
}

TEST_F(LocalFileSystemTest, ErrorsNameTheFileAndNotItsTemporaryName) {
  std::ofstream(Path("file")) << "x";
  const Status status = file_system_->Put(Path("file/below"), "x", {});
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr(Path("file")));
  EXPECT_THAT(status.message(), ::testing::Not(HasSubstr(".tmp")));
}

// Root may do everything: the attempt is made as nobody, in a child.
void ExitWithSuccessOf(const std::function<bool()>& attempt) {
  constexpr uid_t kNobody = 65'534;
  if (getuid() == 0 && setuid(kNobody) != 0) {
    std::_Exit(2);
  }
  std::_Exit(attempt() ? 0 : 1);
}

TEST_F(LocalFileSystemTest, TellsWhatMayNotBeWritten) {
  ASSERT_STATUS_OK(CreateLocalDirectories(Path("closed")));
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(Path("closed").c_str(), 0500), 0);
  EXPECT_EXIT(ExitWithSuccessOf([&] {
                const Status status = file_system_->Put(Path("closed/t/f"), "x", {});
                return KindOf(status) == ErrorKind::kPermission &&
                       status.message().find(Path("closed/t")) != std::string::npos &&
                       status.message().ends_with("Permission denied") && !HintOf(status).empty();
              }),
              ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lakeward::fs
