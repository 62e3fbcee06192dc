#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward {

/// What the operating system says of a path.
struct LocalFileInfo {
  std::string path;
  bool is_directory = false;
  int64_t size_bytes = 0;
  int64_t modification_time_us = 0;
};

/// A file open for positioned reading. Thread-safe. Closes in its destructor.
class LocalReadableFile {
 public:
  virtual ~LocalReadableFile() = default;
  virtual int64_t size_bytes() const = 0;
  /// Reads up to `length` bytes at `offset` into `target`; fewer only at the end of the file.
  virtual Result<int64_t> ReadAt(int64_t offset, int64_t length, uint8_t* target) = 0;
};

/// A file open for writing from its start. One thread at a time. Without Close() the bytes may be
/// lost.
class LocalWritableFile {
 public:
  virtual ~LocalWritableFile() = default;
  virtual Status Append(const uint8_t* data, int64_t length) = 0;
  /// Hands written bytes to the device (fsync).
  virtual Status Sync() = 0;
  virtual Status Close() = 0;
  virtual int64_t size_bytes() const = 0;
};

/// The calls on the operating system's files that Lakeward makes; nothing else opens files. Errors
/// name the path and the operating system's reason; kinds: kNotFound, kPermission, kAlreadyExists,
/// kIo (full disk included, with a hint).
Result<std::unique_ptr<LocalReadableFile>> OpenLocalFile(const std::string& path);
/// Creates or truncates.
Result<std::unique_ptr<LocalWritableFile>> CreateLocalFile(const std::string& path);
/// kAlreadyExists when the path exists (O_EXCL).
Result<std::unique_ptr<LocalWritableFile>> CreateLocalFileExclusively(const std::string& path);
Result<LocalFileInfo> StatLocal(const std::string& path);
/// Entries of a directory in no particular order, without "." and "..". Names that `wanted` refuses
/// (given the bare name) are left out before anything else is asked about them.
Result<std::vector<LocalFileInfo>> ListLocalDirectory(
    const std::string& path, const std::function<bool(std::string_view)>& wanted = nullptr);
/// The absolute path against which relative ones are read.
Result<std::string> WorkingDirectory();
/// Also the missing parents; existing directories are fine.
Status CreateLocalDirectories(const std::string& path);
/// Gives an existing file a second name; kAlreadyExists when `new_path` exists. Never replaces.
Status LinkLocalFile(const std::string& existing_path, const std::string& new_path);
/// Replaces `to` when it exists.
Status RenameLocal(const std::string& from, const std::string& to);
/// Missing files are an error (kNotFound).
Status RemoveLocalFile(const std::string& path);
/// Only when empty; a missing one is fine.
Status RemoveLocalDirectoryIfEmpty(const std::string& path);
/// Hands a directory's entries to the device.
Status SyncLocalDirectory(const std::string& path);
Result<std::string> ReadWholeLocalFile(const std::string& path);

}  // namespace lakeward
