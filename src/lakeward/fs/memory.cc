#include "lakeward/fs/memory.h"

#include <map>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "fmt/format.h"
#include "lakeward/base/mutex.h"

namespace lakeward::fs {
namespace {

// The published files; shared with the output files, which may outlive the FileSystem.
class Store {
 public:
  explicit Store(Clock* clock) : clock_(clock) {}

  Status Publish(const std::string& path, std::string bytes, const WriteOptions& options) {
    const std::shared_ptr<arrow::Buffer> buffer = arrow::Buffer::FromString(std::move(bytes));
    MutexLock lock(&mutex_);
    if (options.if_absent && files_.contains(path)) {
      return MakeError(ErrorKind::kAlreadyExists,
                       fmt::format("Cannot create {}: File exists", path));
    }
    files_.insert_or_assign(path, File{buffer, clock_->NowMicros()});
    return Status::OK();
  }

  std::string Stage(const std::string& path, std::string bytes) {
    MutexLock lock(&mutex_);
    std::string token = fmt::format("{}/{}", staged_count_++, path);
    staged_.emplace(token, std::move(bytes));
    return token;
  }

  Status PublishStaged(const std::string& token) {
    MutexLock lock(&mutex_);
    const std::string path = token.substr(token.find('/') + 1);
    auto staged = staged_.extract(token);
    if (staged.empty()) {
      return Find(path).status();
    }
    files_.insert_or_assign(
        path, File{arrow::Buffer::FromString(std::move(staged.mapped())), clock_->NowMicros()});
    return Status::OK();
  }

  void DiscardStaged(const std::string& token) {
    MutexLock lock(&mutex_);
    staged_.erase(token);
  }

  int64_t DiscardAllStaged(const std::string& path_prefix) {
    MutexLock lock(&mutex_);
    return static_cast<int64_t>(std::erase_if(staged_, [&](const auto& staged) {
      const std::string path = staged.first.substr(staged.first.find('/') + 1);
      return path.starts_with(path_prefix + "/") ||
             (path.starts_with(path_prefix) && ParentOf(path) == ParentOf(path_prefix));
    }));
  }

  Result<std::shared_ptr<arrow::Buffer>> Open(const std::string& path) const {
    MutexLock lock(&mutex_);
    LW_ASSIGN(const File* file, Find(path));
    return file->bytes;
  }

  Result<FileInfo> Stat(const std::string& path) const {
    MutexLock lock(&mutex_);
    LW_ASSIGN(const File* file, Find(path));
    return InfoOf(path, *file);
  }

  std::vector<FileInfo> List(const std::string& folder, bool is_recursive,
                             const std::string& start_after) const {
    const std::string prefix = JoinPath(folder, "");
    std::vector<FileInfo> files;
    MutexLock lock(&mutex_);
    for (auto file = files_.lower_bound(prefix);
         file != files_.end() && file->first.starts_with(prefix); ++file) {
      const bool is_direct = file->first.find('/', prefix.size()) == std::string::npos;
      if ((is_recursive || is_direct) && file->first > start_after) {
        files.push_back(InfoOf(file->first, file->second));
      }
    }
    return files;
  }

  void Remove(const std::string& path) {
    MutexLock lock(&mutex_);
    files_.erase(path);
  }

 private:
  struct File {
    std::shared_ptr<arrow::Buffer> bytes;
    int64_t modification_time_us;
  };

  static FileInfo InfoOf(const std::string& path, const File& file) {
    return {path, file.bytes->size(), file.modification_time_us};
  }

  Result<const File*> Find(const std::string& path) const {
    const auto found = files_.find(path);
    if (found == files_.end()) {
      return MakeError(ErrorKind::kNotFound,
                       fmt::format("Cannot find {}: No such file or directory", path));
    }
    return &found->second;
  }

  Clock* const clock_;
  mutable Mutex mutex_;
  std::map<std::string, File, std::less<>> files_;
  // By token, which is a number and the path: "7//tmp/a".
  std::map<std::string, std::string> staged_;
  int64_t staged_count_ = 0;
};

Status CheckOpen(bool is_closed) {
  return is_closed ? MakeError(ErrorKind::kInternal, "The file is already closed") : Status::OK();
}

class MemoryOutputFile final : public OutputFile {
 public:
  MemoryOutputFile(std::shared_ptr<Store> store, std::string path, const WriteOptions& options)
      : store_(std::move(store)), path_(std::move(path)), options_(options) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    LW_TRY(CheckOpen(is_closed_));
    bytes_.append(static_cast<const char*>(data), static_cast<size_t>(nbytes));
    return Status::OK();
  }
  using OutputFile::Write;

  arrow::Result<int64_t> Tell() const override {
    LW_TRY(CheckOpen(is_closed_));
    return static_cast<int64_t>(bytes_.size());
  }

  arrow::Status Close() override {
    if (std::exchange(is_closed_, true)) {
      return Status::OK();
    }
    return store_->Publish(path_, std::move(bytes_), options_);
  }

  arrow::Status Abort() override {
    is_closed_ = true;
    bytes_.clear();
    return Status::OK();
  }

  bool closed() const override { return is_closed_; }

 private:
  const std::shared_ptr<Store> store_;
  const std::string path_;
  const WriteOptions options_;
  std::string bytes_;
  bool is_closed_ = false;
};

class MemoryStagedFile final : public StagedFile {
 public:
  MemoryStagedFile(std::shared_ptr<Store> store, std::string path)
      : store_(std::move(store)), path_(std::move(path)) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    LW_TRY(CheckOpen(is_closed_));
    bytes_.append(static_cast<const char*>(data), static_cast<size_t>(nbytes));
    return Status::OK();
  }
  using StagedFile::Write;

  arrow::Result<int64_t> Tell() const override {
    LW_TRY(CheckOpen(is_closed_));
    return static_cast<int64_t>(bytes_.size());
  }

  Result<std::string> Stage() override {
    LW_TRY(CheckOpen(is_closed_));
    is_closed_ = true;
    return store_->Stage(path_, std::move(bytes_));
  }

  arrow::Status Close() override { return Abort(); }

  arrow::Status Abort() override {
    is_closed_ = true;
    bytes_.clear();
    return Status::OK();
  }

  bool closed() const override { return is_closed_; }

 private:
  const std::shared_ptr<Store> store_;
  const std::string path_;
  std::string bytes_;
  bool is_closed_ = false;
};

class MemoryFileSystem final : public FileSystem {
 public:
  explicit MemoryFileSystem(Clock* clock) : store_(std::make_shared<Store>(clock)) {}

  std::string_view type_name() const override { return "memory"; }

  Status Put(const std::string& path, std::string_view bytes,
             const WriteOptions& options) override {
    return store_->Publish(path, std::string(bytes), options);
  }

  Result<std::shared_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                 const WriteOptions& options) override {
    return std::make_shared<MemoryOutputFile>(store_, path, options);
  }

  Result<std::shared_ptr<StagedFile>> OpenStaged(const std::string& path) override {
    return std::make_shared<MemoryStagedFile>(store_, path);
  }

  Status Publish(const std::string& token) override { return store_->PublishStaged(token); }

  Status Discard(const std::string& token) override {
    store_->DiscardStaged(token);
    return Status::OK();
  }

  Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInput(const std::string& path) override {
    LW_ASSIGN(auto bytes, store_->Open(path));
    return std::make_shared<arrow::io::BufferReader>(std::move(bytes));
  }

  Result<FileInfo> Stat(const std::string& path) override { return store_->Stat(path); }

  Result<std::vector<FileInfo>> List(const std::string& path) override {
    return store_->List(path, /*is_recursive=*/true, "");
  }

  Result<std::vector<FileInfo>> ListDirectly(const std::string& path,
                                             const std::string& start_after) override {
    return store_->List(path, /*is_recursive=*/false, start_after);
  }

  Status Remove(const std::string& path) override {
    store_->Remove(path);
    return Status::OK();
  }

  Result<int64_t> AbortPendingWrites(const std::string& path_prefix) override {
    return store_->DiscardAllStaged(path_prefix);
  }

 private:
  const std::shared_ptr<Store> store_;
};

}  // namespace

std::shared_ptr<FileSystem> MakeMemoryFileSystem(Clock* clock) {
  return std::make_shared<MemoryFileSystem>(clock);
}

}  // namespace lakeward::fs
