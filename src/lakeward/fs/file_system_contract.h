#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/fs/file_system.h"
#include "support/status_matchers.h"
#include "support/temporary_folder.h"

namespace lakeward::fs {

/// A FileSystem under the contract tests.
struct FileSystemKind {
  const char* name;
  std::function<std::shared_ptr<FileSystem>()> make;
  const char* root = "";  ///< what paths begin with: "" or a bucket
  int race_rounds = 20;   ///< fewer where losing a race takes seconds
};

/// What every FileSystem must do; the tests are in file_system_*_test.cc.
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

  test::TemporaryFolder folder_;
  const std::string root_ = GetParam().root + folder_.path() + "/root";
  const std::shared_ptr<FileSystem> file_system_ = GetParam().make();
};

}  // namespace lakeward::fs
