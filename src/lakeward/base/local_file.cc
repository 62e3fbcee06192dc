#include "lakeward/base/local_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace lakeward {
namespace {

constexpr int64_t kWriteBufferBytes = 64 << 10;
constexpr int64_t kReadChunkBytes = 64 << 10;
// One call of read or write moves at most this many bytes on Linux.
constexpr int64_t kTransferBytesMax = 1 << 30;

// `doing` is a verb phrase without the path: "open", "create directory".
Status ErrnoError(int number, std::string_view doing, const std::string& path) {
  ErrorKind kind = ErrorKind::kIo;
  std::string hint;
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      kind = ErrorKind::kNotFound;
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      kind = ErrorKind::kPermission;
      hint = number == EROFS ? "The file system is mounted read-only; choose another path."
                             : "Give the user that runs Lakeward access to this path and to every "
                               "folder above it, or choose another path.";
      break;
    case EEXIST:
      kind = ErrorKind::kAlreadyExists;
      break;
    case ENOSPC:
    case EDQUOT:
      hint = number == ENOSPC
                 ? "The disk is full: free space on it or choose a path on another disk."
                 : "The user's disk quota is used up: free space or have the quota raised.";
      break;
    case EMFILE:
    case ENFILE:
      hint = "Too many files are open: raise the limit (ulimit -n) or lower the parallelism.";
      break;
    default:
      break;
  }
  return MakeError(kind, fmt::format("Cannot {} {}: {}", doing, path, std::strerror(number)),
                   std::move(hint));
}

// Closes a descriptor at the end of a scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

int OpenRetrying(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

class ReadableFile final : public LocalReadableFile {
 public:
  ReadableFile(std::string path, int descriptor, int64_t size_bytes)
      : path_(std::move(path)), descriptor_(descriptor), size_bytes_(size_bytes) {}

  int64_t size_bytes() const override { return size_bytes_; }

  Result<int64_t> ReadAt(int64_t offset, int64_t length, uint8_t* target) override {
    int64_t done = 0;
    while (done < length) {
      const auto wanted = static_cast<size_t>(std::min(length - done, kTransferBytesMax));
      const ssize_t count = pread(descriptor_.number(), target + done, wanted, offset + done);
      if (count < 0) {
        if (errno == EINTR) {
          continue;
        }
        return ErrnoError(errno, "read", path_);
      }
      if (count == 0) {
        break;
      }
      done += count;
    }
    return done;
  }

 private:
  const std::string path_;
  const Descriptor descriptor_;
  const int64_t size_bytes_;
};

class WritableFile final : public LocalWritableFile {
 public:
  WritableFile(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}

  Status Append(const uint8_t* data, int64_t length) override {
    size_bytes_ += length;
    if (static_cast<int64_t>(buffer_.size()) + length <= kWriteBufferBytes) {
      buffer_.insert(buffer_.end(), data, data + length);
      return Status::OK();
    }
    LW_TRY(Flush());
    if (length > kWriteBufferBytes) {
      return Write(data, length);
    }
    buffer_.assign(data, data + length);
    return Status::OK();
  }

  Status Sync() override {
    LW_TRY(Flush());
    if (fsync(descriptor_.number()) != 0) {
      return ErrnoError(errno, "write", path_);
    }
    return Status::OK();
  }

  Status Close() override {
    Status flushed = Flush();
    const int descriptor = descriptor_.Release();
    // Some file systems report a full disk or quota only here.
    if (descriptor >= 0 && close(descriptor) != 0 && errno != EINTR && flushed.ok()) {
      return ErrnoError(errno, "write", path_);
    }
    return flushed;
  }

  int64_t size_bytes() const override { return size_bytes_; }

 private:
  Status Flush() {
    if (buffer_.empty()) {
      return Status::OK();
    }
    Status written = Write(buffer_.data(), static_cast<int64_t>(buffer_.size()));
    buffer_.clear();
    return written;
  }

  Status Write(const uint8_t* data, int64_t length) {
    int64_t done = 0;
    while (done < length) {
      const auto wanted = static_cast<size_t>(std::min(length - done, kTransferBytesMax));
      const ssize_t count = write(descriptor_.number(), data + done, wanted);
      if (count < 0) {
        if (errno == EINTR) {
          continue;
        }
        return ErrnoError(errno, "write", path_);
      }
      done += count;
    }
    return Status::OK();
  }

  const std::string path_;
  Descriptor descriptor_;
  std::vector<uint8_t> buffer_;
  int64_t size_bytes_ = 0;
};

LocalFileInfo InfoOf(std::string path, const struct stat& status) {
  LocalFileInfo info;
  info.path = std::move(path);
  info.is_directory = S_ISDIR(status.st_mode);
  info.size_bytes = info.is_directory ? 0 : status.st_size;
  info.modification_time_us =
      static_cast<int64_t>(status.st_mtim.tv_sec) * 1'000'000 + status.st_mtim.tv_nsec / 1'000;
  return info;
}

Result<std::unique_ptr<LocalWritableFile>> Create(const std::string& path, int exclusive_flag) {
  const int descriptor = OpenRetrying(path, O_WRONLY | O_CREAT | exclusive_flag);
  if (descriptor < 0) {
    return ErrnoError(errno, "create", path);
  }
  return std::make_unique<WritableFile>(path, descriptor);
}

}  // namespace

Result<std::unique_ptr<LocalReadableFile>> OpenLocalFile(const std::string& path) {
  Descriptor descriptor(OpenRetrying(path, O_RDONLY));
  struct stat status {};
  if (descriptor.number() < 0 || fstat(descriptor.number(), &status) != 0) {
    return ErrnoError(errno, "open", path);
  }
  if (S_ISDIR(status.st_mode)) {
    return MakeError(ErrorKind::kNotFound, fmt::format("Cannot open {}: it is a folder", path));
  }
  return std::make_unique<ReadableFile>(path, descriptor.Release(), status.st_size);
}

Result<std::unique_ptr<LocalWritableFile>> CreateLocalFile(const std::string& path) {
  return Create(path, O_TRUNC);
}

Result<std::unique_ptr<LocalWritableFile>> CreateLocalFileExclusively(const std::string& path) {
  return Create(path, O_EXCL);
}

Result<LocalFileInfo> StatLocal(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return ErrnoError(errno, "find", path);
  }
  return InfoOf(path, status);
}

Result<std::vector<LocalFileInfo>> ListLocalDirectory(
    const std::string& path, const std::function<bool(std::string_view)>& wanted) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), &closedir);
  if (directory == nullptr) {
    return ErrnoError(errno, "list", path);
  }
  const std::string prefix = path.ends_with('/') ? path : path + "/";
  std::vector<LocalFileInfo> entries;
  while (true) {
    errno = 0;
    const dirent* entry = readdir(directory.get());
    if (entry == nullptr) {
      if (errno != 0) {
        return ErrnoError(errno, "list", path);
      }
      return entries;
    }
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || (wanted != nullptr && !wanted(name))) {
      continue;
    }
    struct stat status {};
    // Entries that vanish between the two calls, and dangling links, are not there.
    if (fstatat(dirfd(directory.get()), entry->d_name, &status, 0) != 0) {
      if (errno == ENOENT) {
        continue;
      }
      return ErrnoError(errno, "list", prefix + std::string(name));
    }
    entries.push_back(InfoOf(prefix + std::string(name), status));
  }
}

Result<std::string> WorkingDirectory() {
  std::string path(4'096, '\0');
  if (getcwd(path.data(), path.size()) == nullptr) {
    return ErrnoError(errno, "find", "the working directory");
  }
  path.resize(std::strlen(path.c_str()));
  return path;
}

Status CreateLocalDirectories(const std::string& path) {
  if (mkdir(path.c_str(), 0777) == 0) {
    return Status::OK();
  }
  if (errno == ENOENT) {
    const size_t slash = path.find_last_not_of('/') == std::string::npos
                             ? std::string::npos
                             : path.rfind('/', path.find_last_not_of('/'));
    if (slash == std::string::npos || slash == 0) {
      return ErrnoError(ENOENT, "create folder", path);
    }
    LW_TRY(CreateLocalDirectories(path.substr(0, slash)));
    if (mkdir(path.c_str(), 0777) == 0) {
      return Status::OK();
    }
  }
  const int number = errno;
  struct stat status {};
  if (number == EEXIST && stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      return Status::OK();
    }
    return MakeError(ErrorKind::kAlreadyExists,
                     fmt::format("Cannot create folder {}: there is a file of that name", path));
  }
  return ErrnoError(number, "create folder", path);
}

Status LinkLocalFile(const std::string& existing_path, const std::string& new_path) {
  if (link(existing_path.c_str(), new_path.c_str()) != 0) {
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) {
      return WithHint(ErrnoError(errno, "create", new_path),
                      "The file system there has no hard links, without which two writers could "
                      "both take one name; choose a path on another one.");
    }
    return ErrnoError(errno, "create", new_path);
  }
  return Status::OK();
}

Status RenameLocal(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) {
    return ErrnoError(errno, fmt::format("rename {} to", from), to);
  }
  return Status::OK();
}

Status RemoveLocalFile(const std::string& path) {
  if (unlink(path.c_str()) != 0) {
    return ErrnoError(errno, "remove", path);
  }
  return Status::OK();
}

Status RemoveLocalDirectoryIfEmpty(const std::string& path) {
  if (rmdir(path.c_str()) != 0 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST) {
    return ErrnoError(errno, "remove folder", path);
  }
  return Status::OK();
}

Status SyncLocalDirectory(const std::string& path) {
  const Descriptor descriptor(OpenRetrying(path, O_RDONLY | O_DIRECTORY));
  if (descriptor.number() < 0) {
    return ErrnoError(errno, "open", path);
  }
  // Some file systems (network, FUSE) have nothing to sync for a folder and say EINVAL.
  if (fsync(descriptor.number()) != 0 && errno != EINVAL) {
    return ErrnoError(errno, "write", path);
  }
  return Status::OK();
}

Result<std::string> ReadWholeLocalFile(const std::string& path) {
  LW_ASSIGN(const auto file, OpenLocalFile(path));
  // Read to the end instead of to the size: files of /proc and /sys have size 0.
  std::string bytes;
  int64_t used = 0;
  while (true) {
    bytes.resize(
        static_cast<size_t>(used + std::max(kReadChunkBytes, file->size_bytes() + 1 - used)));
    const int64_t room = static_cast<int64_t>(bytes.size()) - used;
    LW_ASSIGN(const int64_t count,
              file->ReadAt(used, room, reinterpret_cast<uint8_t*>(bytes.data()) + used));
    used += count;
    if (count < room) {
      bytes.resize(static_cast<size_t>(used));
      return bytes;
    }
  }
}

}  // namespace lakeward
