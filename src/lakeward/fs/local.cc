#include "lakeward/fs/local.h"

#include <algorithm>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/ids.h"
#include "lakeward/base/local_file.h"
#include "lakeward/fs/positioned_input.h"

namespace lakeward::fs {
namespace {

constexpr size_t kNameBytesMax = 200;
constexpr size_t kUuidBytes = 36;
constexpr int kFolderAttemptsMax = 3;
constexpr std::string_view kTemporaryEnding = ".tmp";

FileInfo ToFileInfo(LocalFileInfo info) {
  return {std::move(info.path), info.size_bytes, info.modification_time_us};
}

void SortByPath(std::vector<FileInfo>* files) {
  std::sort(files->begin(), files->end(),
            [](const FileInfo& a, const FileInfo& b) { return a.path < b.path; });
}

// People know the file's own name, not the one under which it is written.
Status InTermsOf(const std::string& path, const std::string& temporary_path, const Status& status) {
  if (status.ok()) {
    return status;
  }
  std::string message = status.message();
  for (size_t at = message.find(temporary_path); at != std::string::npos;
       at = message.find(temporary_path, at + path.size())) {
    message.replace(at, temporary_path.size(), path);
  }
  return MakeError(KindOf(status), std::move(message), HintOf(status));
}

// Creates a folder and the missing ones above it, and hands each new entry to the device: a file in
// a folder that is lost with the power is lost too.
Status CreateFolderDurably(const std::string& folder) {
  const Result<LocalFileInfo> existing = StatLocal(folder);
  if (existing.ok() && existing->is_directory) {
    return Status::OK();
  }
  const std::string parent(ParentOf(folder));
  if (!existing.ok() && KindOf(existing.status()) == ErrorKind::kNotFound && !parent.empty() &&
      parent != folder) {
    LW_TRY(CreateFolderDurably(parent));
  }
  LW_TRY(CreateLocalDirectories(folder));
  return SyncLocalDirectory(parent.empty() ? "." : parent);
}

// A staged file's token is its temporary name (which holds no '/') and its final path.
std::string MakeToken(std::string_view temporary_path, std::string_view path) {
  return fmt::format("{}{}", BaseNameOf(temporary_path), path);
}

struct StagedPaths {
  std::string temporary_path;
  std::string path;
};

Result<StagedPaths> ReadToken(const std::string& token) {
  const size_t slash = std::min(token.size(), token.find('/'));
  StagedPaths paths;
  paths.path = token.substr(slash);
  const std::string_view temporary_name = std::string_view(token).substr(0, slash);
  if (paths.path.empty() || !IsTemporaryName(temporary_name)) {
    return MakeError(ErrorKind::kInternal,
                     fmt::format("'{}' is no token of a staged local file", token));
  }
  paths.temporary_path = JoinPath(ParentOf(paths.path), temporary_name);
  return paths;
}

// A file under its temporary name; what is not published is removed.
class PendingFile {
 public:
  static Result<std::unique_ptr<PendingFile>> Make(const std::string& path, Random* random) {
    const std::string folder(ParentOf(path));
    const std::string temporary_path = JoinPath(folder, TemporaryName(BaseNameOf(path), random));
    Result<std::unique_ptr<LocalWritableFile>> file = CreateLocalFileExclusively(temporary_path);
    // Once more where somebody removes the empty folder in between; see RemoveAll.
    for (int attempt = 1; attempt <= kFolderAttemptsMax && !file.ok() &&
                          KindOf(file.status()) == ErrorKind::kNotFound;
         ++attempt) {
      const Status created = CreateFolderDurably(folder);
      if (!created.ok() &&
          (KindOf(created) != ErrorKind::kNotFound || attempt == kFolderAttemptsMax)) {
        return created;
      }
      file = CreateLocalFileExclusively(temporary_path);
    }
    if (!file.ok()) {
      return InTermsOf(path, temporary_path, file.status());
    }
    return std::unique_ptr<PendingFile>(new PendingFile(path, temporary_path, *std::move(file)));
  }

  ~PendingFile() { Discard(); }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  Status Append(const void* data, int64_t length) {
    return InTermsOf(path_, temporary_path_,
                     file_->Append(static_cast<const uint8_t*>(data), length));
  }

  int64_t size_bytes() const { return file_->size_bytes(); }

  Status Publish(const WriteOptions& options) {
    return InTermsOf(path_, temporary_path_, PublishTemporary(options));
  }

  // Keeps the file under its temporary name, beyond the life of this object and of the process.
  Result<std::string> Stage() {
    LW_TRY(InTermsOf(path_, temporary_path_, StageTemporary()));
    return MakeToken(temporary_path_, path_);
  }

  void Discard() {
    if (!is_pending_) {
      return;
    }
    is_pending_ = false;
    // Nobody reads what is discarded: errors of closing and removing it change nothing.
    (void)file_->Close();
    (void)RemoveLocalFile(temporary_path_);
  }

 private:
  PendingFile(std::string path, std::string temporary_path, std::unique_ptr<LocalWritableFile> file)
      : path_(std::move(path)),
        temporary_path_(std::move(temporary_path)),
        file_(std::move(file)) {}

  Status StageTemporary() {
    LW_TRY(file_->Sync());
    LW_TRY(file_->Close());
    LW_TRY(SyncLocalDirectory(std::string(ParentOf(path_))));
    is_pending_ = false;
    return Status::OK();
  }

  Status PublishTemporary(const WriteOptions& options) {
    LW_TRY(file_->Sync());
    LW_TRY(file_->Close());
    if (options.if_absent) {
      LW_TRY(LinkLocalFile(temporary_path_, path_));
      // The file is published: a temporary name that cannot be removed is only litter.
      (void)RemoveLocalFile(temporary_path_);
    } else {
      LW_TRY(RenameLocal(temporary_path_, path_));
    }
    is_pending_ = false;
    return SyncLocalDirectory(std::string(ParentOf(path_)));
  }

  const std::string path_;
  const std::string temporary_path_;
  const std::unique_ptr<LocalWritableFile> file_;
  bool is_pending_ = true;
};

Status CheckOpen(const PendingFile* pending) {
  return pending != nullptr ? Status::OK()
                            : MakeError(ErrorKind::kInternal, "The file is already closed");
}

class LocalOutputFile final : public OutputFile {
 public:
  LocalOutputFile(std::unique_ptr<PendingFile> pending, const WriteOptions& options)
      : pending_(std::move(pending)), options_(options) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    LW_TRY(CheckOpen(pending_.get()));
    return pending_->Append(data, nbytes);
  }
  using OutputFile::Write;

  arrow::Result<int64_t> Tell() const override {
    LW_TRY(CheckOpen(pending_.get()));
    return pending_->size_bytes();
  }

  arrow::Status Close() override {
    if (pending_ == nullptr) {
      return Status::OK();
    }
    return std::exchange(pending_, nullptr)->Publish(options_);
  }

  arrow::Status Abort() override {
    pending_.reset();
    return Status::OK();
  }

  bool closed() const override { return pending_ == nullptr; }

 private:
  std::unique_ptr<PendingFile> pending_;
  const WriteOptions options_;
};

class LocalStagedFile final : public StagedFile {
 public:
  explicit LocalStagedFile(std::unique_ptr<PendingFile> pending) : pending_(std::move(pending)) {
    set_mode(arrow::io::FileMode::WRITE);
  }

  arrow::Status Write(const void* data, int64_t nbytes) override {
    LW_TRY(CheckOpen(pending_.get()));
    return pending_->Append(data, nbytes);
  }
  using StagedFile::Write;

  arrow::Result<int64_t> Tell() const override {
    LW_TRY(CheckOpen(pending_.get()));
    return pending_->size_bytes();
  }

  Result<std::string> Stage() override {
    LW_TRY(CheckOpen(pending_.get()));
    return std::exchange(pending_, nullptr)->Stage();
  }

  arrow::Status Close() override { return Abort(); }

  arrow::Status Abort() override {
    pending_.reset();
    return Status::OK();
  }

  bool closed() const override { return pending_ == nullptr; }

 private:
  std::unique_ptr<PendingFile> pending_;
};

class LocalInputFile final : public PositionedInput {
 public:
  LocalInputFile(std::string path, std::unique_ptr<LocalReadableFile> file)
      : PositionedInput(std::move(path), file->size_bytes()), file_(std::move(file)) {
    set_mode(arrow::io::FileMode::READ);
  }

 protected:
  Result<int64_t> ReadBytesAt(int64_t offset, int64_t length, uint8_t* target) override {
    return file_->ReadAt(offset, length, target);
  }

 private:
  const std::unique_ptr<LocalReadableFile> file_;
};

class LocalFileSystem final : public FileSystem {
 public:
  explicit LocalFileSystem(Random* random) : random_(random) {}

  std::string_view type_name() const override { return "local"; }

  Status Put(const std::string& path, std::string_view bytes,
             const WriteOptions& options) override {
    LW_ASSIGN(const auto pending, PendingFile::Make(path, random_));
    LW_TRY(pending->Append(bytes.data(), static_cast<int64_t>(bytes.size())));
    return pending->Publish(options);
  }

  Result<std::shared_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                 const WriteOptions& options) override {
    LW_ASSIGN(auto pending, PendingFile::Make(path, random_));
    return std::make_shared<LocalOutputFile>(std::move(pending), options);
  }

  Result<std::shared_ptr<StagedFile>> OpenStaged(const std::string& path) override {
    LW_ASSIGN(auto pending, PendingFile::Make(path, random_));
    return std::make_shared<LocalStagedFile>(std::move(pending));
  }

  Status Publish(const std::string& token) override {
    LW_ASSIGN(const StagedPaths paths, ReadToken(token));
    Status renamed = RenameLocal(paths.temporary_path, paths.path);
    if (!renamed.ok() && KindOf(renamed) == ErrorKind::kNotFound) {
      // Published before, perhaps by a process that died before the folder was handed on.
      LW_TRY(Stat(paths.path).status());
    } else if (!renamed.ok()) {
      return renamed;
    }
    return SyncLocalDirectory(std::string(ParentOf(paths.path)));
  }

  Status Discard(const std::string& token) override {
    LW_ASSIGN(const StagedPaths paths, ReadToken(token));
    return OkWhenMissing(RemoveLocalFile(paths.temporary_path));
  }

  Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInput(const std::string& path) override {
    LW_ASSIGN(auto file, OpenLocalFile(path));
    return std::make_shared<LocalInputFile>(path, std::move(file));
  }

  Result<FileInfo> Stat(const std::string& path) override {
    LW_ASSIGN(LocalFileInfo info, StatLocal(path));
    if (info.is_directory) {
      return MakeError(ErrorKind::kNotFound,
                       fmt::format("Cannot find the file {}: it is a folder", path));
    }
    return ToFileInfo(std::move(info));
  }

  Result<std::vector<FileInfo>> List(const std::string& path) override {
    std::vector<FileInfo> files;
    LW_TRY(Collect(path, &files));
    SortByPath(&files);
    return files;
  }

  Result<std::vector<FileInfo>> ListDirectly(const std::string& path,
                                             const std::string& start_after) override {
    const auto wanted = [&](std::string_view name) {
      return !IsTemporaryName(name) && (start_after.empty() || JoinPath(path, name) > start_after);
    };
    Result<std::vector<LocalFileInfo>> entries = ListLocalDirectory(path, wanted);
    std::vector<FileInfo> files;
    if (!entries.ok()) {
      return EmptyWhenMissing(entries.status());
    }
    for (LocalFileInfo& entry : *entries) {
      if (!entry.is_directory) {
        files.push_back(ToFileInfo(std::move(entry)));
      }
    }
    SortByPath(&files);
    return files;
  }

  Status Remove(const std::string& path) override {
    Status removed = RemoveLocalFile(path);
    if (removed.ok() || KindOf(removed) == ErrorKind::kNotFound) {
      return Status::OK();
    }
    const Result<LocalFileInfo> info = StatLocal(path);
    return info.ok() && info->is_directory ? Status::OK() : removed;
  }

  // Object stores have no folders that stay behind, so nobody else would remove these.
  Status RemoveAll(const std::vector<std::string>& paths) override {
    LW_TRY(FileSystem::RemoveAll(paths));
    std::set<std::string> folders;
    for (const std::string& path : paths) {
      folders.emplace(ParentOf(path));
    }
    for (std::string folder : folders) {
      // What is not empty, or may not be removed, stays: it only is litter.
      while (!folder.empty() && RemoveLocalDirectoryIfEmpty(folder).ok() &&
             !StatLocal(folder).ok()) {
        folder = std::string(ParentOf(folder));
      }
    }
    return Status::OK();
  }

  Result<int64_t> AbortPendingWrites(const std::string& path_prefix) override {
    const std::string name_start = "." + std::string(BaseNameOf(path_prefix));
    int64_t count = 0;
    LW_TRY(RemoveTemporaries(path_prefix, &count));
    LW_TRY(RemoveTemporariesDirectly(std::string(ParentOf(path_prefix)), name_start, &count));
    return count;
  }

 private:
  static Result<std::vector<FileInfo>> EmptyWhenMissing(const Status& status) {
    if (KindOf(status) == ErrorKind::kNotFound) {
      return std::vector<FileInfo>();
    }
    return status;
  }

  static Status OkWhenMissing(const Status& status) {
    return !status.ok() && KindOf(status) == ErrorKind::kNotFound ? Status::OK() : status;
  }

  static Status Collect(const std::string& folder, std::vector<FileInfo>* files) {
    const auto wanted = [](std::string_view name) { return !IsTemporaryName(name); };
    Result<std::vector<LocalFileInfo>> entries = ListLocalDirectory(folder, wanted);
    if (!entries.ok()) {
      return OkWhenMissing(entries.status());
    }
    for (LocalFileInfo& entry : *entries) {
      if (entry.is_directory) {
        LW_TRY(Collect(entry.path, files));
      } else {
        files->push_back(ToFileInfo(std::move(entry)));
      }
    }
    return Status::OK();
  }

  static Status RemoveTemporariesDirectly(const std::string& folder, std::string_view name_start,
                                          int64_t* count) {
    const auto wanted = [&](std::string_view name) {
      return IsTemporaryName(name) && name.starts_with(name_start);
    };
    const Result<std::vector<LocalFileInfo>> entries = ListLocalDirectory(folder, wanted);
    if (!entries.ok()) {
      return OkWhenMissing(entries.status());
    }
    for (const LocalFileInfo& entry : *entries) {
      LW_TRY(OkWhenMissing(RemoveLocalFile(entry.path)));
      ++*count;
    }
    return Status::OK();
  }

  static Status RemoveTemporaries(const std::string& folder, int64_t* count) {
    LW_TRY(RemoveTemporariesDirectly(folder, "", count));
    const Result<std::vector<LocalFileInfo>> entries = ListLocalDirectory(folder);
    if (!entries.ok()) {
      return OkWhenMissing(entries.status());
    }
    for (const LocalFileInfo& entry : *entries) {
      if (entry.is_directory) {
        LW_TRY(RemoveTemporaries(entry.path, count));
      }
    }
    return Status::OK();
  }

  Random* const random_;
};

}  // namespace

std::shared_ptr<FileSystem> MakeLocalFileSystem(Random* random) {
  return std::make_shared<LocalFileSystem>(random);
}

std::string TemporaryName(std::string_view name, Random* random) {
  if (name.size() > kNameBytesMax) {
    size_t end = kNameBytesMax;
    // Not in the middle of a UTF-8 sequence: some file systems refuse such names.
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) {
      --end;
    }
    name = name.substr(0, end);
  }
  return fmt::format(".{}.{}{}", name, MakeUuid(random), kTemporaryEnding);
}

bool IsTemporaryName(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kTemporaryEnding)) {
    return false;
  }
  name.remove_suffix(kTemporaryEnding.size());
  return name.size() > kUuidBytes + 1 && name[name.size() - kUuidBytes - 1] == '.' &&
         IsUuid(name.substr(name.size() - kUuidBytes));
}

}  // namespace lakeward::fs
