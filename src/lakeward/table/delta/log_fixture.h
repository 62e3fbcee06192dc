#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/random.h"
#include "lakeward/fs/faulty.h"
#include "lakeward/fs/memory.h"
#include "lakeward/table/delta/delta_table.h"
#include "lakeward/table/delta/log_listing.h"
#include "support/status_matchers.h"

namespace lakeward::delta {

/// Time that passes only when somebody sleeps.
class ManualClock final : public Clock {
 public:
  int64_t NowMicros() const override { return now_us_; }
  int64_t MonotonicMicros() const override { return now_us_; }
  void SleepForMicros(int64_t duration_us) override { now_us_ += duration_us; }

 private:
  int64_t now_us_ = 1'700'000'000'000'000;
};

/// A table in memory whose log is written by hand; the store can be made to fail.
class LogFixture : public ::testing::Test {
 protected:
  static constexpr std::string_view kProtocol =
      R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})";
  static constexpr std::string_view kMetadata =
      R"({"metaData":{"id":"af23c9d7-fff1-4a5a-a2c8-55c59bd782aa","format":{"provider":"parquet",)"
      R"("options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",)"
      R"(\"type\":\"integer\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],)"
      R"("configuration":{}}})";

  LogFixture()
      : memory_(fs::MakeMemoryFileSystem(&clock_)),
        faults_(std::make_shared<fs::FaultPlan>()),
        root_{fs::MakeFaultyFileSystem(memory_, faults_, &clock_), "/t", "memory://test/t"} {}

  std::shared_ptr<DeltaTable> Table() { return DeltaTable::At(root_, &clock_, &random_); }

  static std::string Add(const std::string& path, const std::string& more = "") {
    return R"({"add":{"path":")" + path +
           R"(","partitionValues":{},"size":7,"modificationTime":1,"dataChange":true)" + more +
           "}}";
  }
  static std::string Remove(const std::string& path) {
    return R"({"remove":{"path":")" + path +
           R"(","deletionTimestamp":1700000000000,"dataChange":true}})";
  }

  std::string LogFile(const std::string& name) const { return "/t/_delta_log/" + name; }
  void PutFile(const std::string& name, std::string_view bytes) {
    ASSERT_STATUS_OK(memory_->Put(LogFile(name), bytes, {}));
  }
  void PutEntry(int64_t version, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
      text += line + "\n";
    }
    PutFile(EntryName(version), text);
  }
  /// Entry 0 of a table `(id INT)`.
  void PutFirstEntry() { PutEntry(0, {std::string(kProtocol), std::string(kMetadata)}); }
  std::string ReadFile(const std::string& name) {
    const Result<std::string> text = memory_->ReadAll(LogFile(name));
    return text.ok() ? *text : text.status().ToString();
  }
  bool HasFile(const std::string& name) { return memory_->Stat(LogFile(name)).ok(); }
  void RemoveFile(const std::string& name) { ASSERT_STATUS_OK(memory_->Remove(LogFile(name))); }

  static std::vector<std::string> Paths(const Snapshot& snapshot) {
    std::vector<std::string> paths;
    const Result<std::vector<AddFile>> files = snapshot.Files();
    EXPECT_TRUE(files.ok()) << files.status().ToString();
    for (const AddFile& file : *files) {
      paths.push_back(file.path);
    }
    return paths;
  }

  /// An append of one file to a table `(id INT)`.
  static AppendCommit AppendOf(const std::string& path) {
    AppendCommit commit;
    AddFile file;
    file.path = path;
    file.size_bytes = 7;
    file.modification_time_ms = 1'700'000'000'000;
    file.statistics_json = R"({"numRecords":1})";
    commit.files.push_back(std::move(file));
    commit.written_schema = {{{"id", types::Int()}}};
    return commit;
  }

  ManualClock clock_;
  SeededRandom random_{17};
  std::shared_ptr<fs::FileSystem> memory_;
  std::shared_ptr<fs::FaultPlan> faults_;
  fs::Location root_;
};

}  // namespace lakeward::delta
