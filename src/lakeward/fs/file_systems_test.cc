#include "lakeward/fs/file_systems.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "lakeward/base/local_file.h"
#include "lakeward/fs/memory.h"
#include "support/status_matchers.h"

namespace lakeward::fs {
namespace {

using ::testing::HasSubstr;

class FileSystemsTest : public ::testing::Test {
 protected:
  std::string PathOf(const std::string& uri) {
    const Result<Location> location = file_systems_->Resolve(uri, {});
    return location.ok() ? location->path : location.status().ToString();
  }

  const std::shared_ptr<FileSystems> file_systems_ = FileSystems::Builtin();
};

TEST_F(FileSystemsTest, BarePathsAndFileUrisAreLocal) {
  for (const char* uri : {"/tmp/t", "/tmp/t/", "//tmp//t", "/tmp/./x/../t", "file:///tmp/t",
                          "file:/tmp/t", "FILE:///tmp/t/", "file://localhost/tmp/t", "/../tmp/t"}) {
    ASSERT_ASSIGN(const Location location, file_systems_->Resolve(uri, {}));
    EXPECT_EQ(location.path, "/tmp/t") << uri;
    EXPECT_EQ(location.uri, "/tmp/t") << uri;
    EXPECT_EQ(location.file_system->type_name(), "local");
  }
  EXPECT_EQ(PathOf("/"), "/");
  EXPECT_EQ(PathOf("file:///"), "/");
}

TEST_F(FileSystemsTest, RelativePathsStartAtTheWorkingDirectory) {
  ASSERT_ASSIGN(const std::string here, WorkingDirectory());
  EXPECT_EQ(PathOf("a/b"), JoinPath(here, "a/b"));
  EXPECT_EQ(PathOf("./a"), JoinPath(here, "a"));
  EXPECT_EQ(PathOf("."), here);
  EXPECT_EQ(PathOf("a:b"), JoinPath(here, "a:b"));
}

TEST_F(FileSystemsTest, OnlyFileUrisAreDecoded) {
  EXPECT_EQ(PathOf("/tmp/a%20b+c"), "/tmp/a%20b+c");
  EXPECT_EQ(PathOf("file:///tmp/a%20b+c"), "/tmp/a b+c");
  EXPECT_EQ(PathOf("file:///tmp/100%"), "/tmp/100%");
  EXPECT_EQ(PathOf("file:///tmp/%C3%A9%2525"), "/tmp/é%25");
  EXPECT_EQ(PathOf("memory://m/a%3Db"), "m/a%3Db");
  EXPECT_FALSE(file_systems_->Resolve("file:///tmp/%00", {}).ok());
}

TEST_F(FileSystemsTest, AUriResolvesToItself) {
  for (const char* uri :
       {"/tmp/a%20b", "file:///tmp/a%2520b", "memory://m/t/a%2520b", "memory://m", "memory://m/"}) {
    ASSERT_ASSIGN(const Location location, file_systems_->Resolve(uri, {}));
    ASSERT_ASSIGN(const Location again, file_systems_->Resolve(location.uri, {}));
    EXPECT_EQ(again.path, location.path) << uri;
    EXPECT_EQ(again.uri, location.uri) << uri;
    EXPECT_EQ(again.file_system, location.file_system) << uri;
  }
}

TEST_F(FileSystemsTest, EachNameHasItsMemory) {
  ASSERT_ASSIGN(const Location one, file_systems_->Resolve("memory://one/t/f", {}));
  ASSERT_ASSIGN(const Location two, file_systems_->Resolve("memory://two/t/f", {}));
  EXPECT_EQ(one.path, "one/t/f");
  EXPECT_NE(one.file_system, two.file_system);
  ASSERT_STATUS_OK(one.file_system->Put(one.path, "x", {}));
  EXPECT_FALSE(two.file_system->Stat(two.path).ok());
}

TEST_F(FileSystemsTest, SaysWhatItCannotResolve) {
  const Status unknown = file_systems_->Resolve("gopher://b/t", {}).status();
  EXPECT_EQ(KindOf(unknown), ErrorKind::kUnsupported);
  EXPECT_EQ(unknown.message(), "No file system for 'gopher://' (in 'gopher://b/t')");
  EXPECT_EQ(HintOf(unknown), "Use one of file://, memory://, or a plain path for local files.");
  const Status host = file_systems_->Resolve("file://tmp/t", {}).status();
  EXPECT_EQ(KindOf(host), ErrorKind::kConfig);
  EXPECT_EQ(HintOf(host), "For a file of this machine write 'file:///tmp/t'.");
  EXPECT_EQ(KindOf(file_systems_->Resolve("", {}).status()), ErrorKind::kConfig);
  EXPECT_EQ(KindOf(file_systems_->Resolve("memory:///t", {}).status()), ErrorKind::kConfig);
}

TEST_F(FileSystemsTest, RegisteringAgainReplaces) {
  const std::shared_ptr<FileSystem> memory = MakeMemoryFileSystem();
  file_systems_->Register("file", [&](std::string_view, const auto&) { return memory; });
  ASSERT_ASSIGN(const Location location, file_systems_->Resolve("/tmp/t", {}));
  EXPECT_EQ(location.file_system, memory);
}

TEST_F(FileSystemsTest, InjectsFaultsIntoEveryFileSystem) {
  ASSERT_ASSIGN(auto faults, FaultPlan::Parse("put:/t/:2:permission"));
  file_systems_->InjectFaults(std::move(faults));
  ASSERT_ASSIGN(const Location one, file_systems_->Resolve("memory://m/t/1", {}));
  ASSERT_ASSIGN(const Location two, file_systems_->Resolve("memory://m/t/2", {}));
  EXPECT_STATUS_OK(one.file_system->Put(one.path, "x", {}));
  EXPECT_EQ(KindOf(two.file_system->Put(two.path, "x", {})), ErrorKind::kPermission);
}

TEST(FileSystemsEnvironmentTest, TakesFaultsFromTheEnvironment) {
  setenv("LAKEWARD_FAULTS", "put::1:disk-full", 1);
  const auto faulty = FileSystems::Builtin();
  setenv("LAKEWARD_FAULTS", "put::1", 1);
  const auto malformed = FileSystems::Builtin();
  unsetenv("LAKEWARD_FAULTS");
  ASSERT_ASSIGN(const Location location, faulty->Resolve("memory://m/f", {}));
  EXPECT_THAT(location.file_system->Put(location.path, "x", {}).message(),
              HasSubstr("No space left on device"));
  EXPECT_THAT(malformed->Resolve("/tmp", {}).status().message(), HasSubstr("LAKEWARD_FAULTS"));
}

TEST(PathTest, JoinsAndSplits) {
  EXPECT_EQ(JoinPath("/a", "b"), "/a/b");
  EXPECT_EQ(JoinPath("/a/", "/b/c"), "/a/b/c");
  EXPECT_EQ(JoinPath("/", "b"), "/b");
  EXPECT_EQ(JoinPath("", "b"), "b");
  EXPECT_EQ(ParentOf("/a/b"), "/a");
  EXPECT_EQ(ParentOf("/a"), "/");
  EXPECT_EQ(ParentOf("a"), "");
  EXPECT_EQ(BaseNameOf("/a/b"), "b");
  EXPECT_EQ(BaseNameOf("b"), "b");
}

}  // namespace
}  // namespace lakeward::fs
