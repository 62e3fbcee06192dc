#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "lakeward/base/status.h"

namespace lakeward::fs {

/// One file (never a folder: object stores have none).
struct FileInfo {
  std::string path;  ///< as given to the listing call, full, of the same FileSystem
  int64_t size_bytes = 0;
  int64_t modification_time_us = 0;
};

/// A file that becomes visible only when it is closed: it appears whole at its path or not at all,
/// also when the process dies. One thread at a time. Destroying it unclosed is Abort().
class OutputFile : public arrow::io::OutputStream {
 public:
  /// Gives the bytes up; nothing is left behind. Further calls fail.
  arrow::Status Abort() override = 0;
};

/// A file whose appearance is decided later, perhaps by another process: written now, published
/// once a checkpoint is durable. One thread at a time. Destroying it before Stage() is Abort().
class StagedFile : public arrow::io::OutputStream {
 public:
  /// Makes the bytes durable but not visible and ends the writing. Returns a token (text) that
  /// Publish or Discard of the same kind of file system understands, in this process or another.
  virtual Result<std::string> Stage() = 0;
  arrow::Status Abort() override = 0;
};

struct WriteOptions {
  /// Fails with kAlreadyExists when the path exists at the moment of publication.
  bool if_absent = false;
};

/// Storage as tables need it: whole files, put-if-absent, listing by prefix. Paths are the store's
/// own ("/tmp/t/a.parquet", "bucket/t/a.parquet"), without a scheme, never ending in '/'.
/// Thread-safe; every call may block on storage. Error kinds: kNotFound, kAlreadyExists,
/// kPermission, kThrottled, kIo, kConfig.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// "local", "memory", "s3".
  virtual std::string_view type_name() const = 0;

  /// Writes a small file in one atomic step. With `if_absent` exactly one of any number of
  /// concurrent callers wins, the others get kAlreadyExists. Creates what folders it needs.
  virtual Status Put(const std::string& path, std::string_view bytes,
                     const WriteOptions& options) = 0;

  /// Opens a large file for writing; see OutputFile.
  virtual Result<std::shared_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                         const WriteOptions& options) = 0;

  /// Opens a file that will appear at `path` only when its token is published. Local: a hidden file
  /// in the same folder; object stores: an upload that is completed by Publish.
  virtual Result<std::shared_ptr<StagedFile>> OpenStaged(const std::string& path) = 0;

  /// Makes a staged file visible, whole. Repeatable: one that was published before is a success.
  /// kNotFound when it was discarded.
  virtual Status Publish(const std::string& token) = 0;

  /// Gives a staged file up; one that is gone is fine. Never removes a published file.
  virtual Status Discard(const std::string& token) = 0;

  /// Opens a file for positioned, concurrent reading.
  virtual Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenInput(
      const std::string& path) = 0;

  /// kNotFound when there is no file at the path; a folder is no file.
  virtual Result<FileInfo> Stat(const std::string& path) = 0;

  /// Every file below the folder `path`, at any depth, in byte order of the paths; empty when there
  /// is no such folder. Files that are still being written are not listed.
  virtual Result<std::vector<FileInfo>> List(const std::string& path) = 0;

  /// As List, but only files directly in the folder whose path is greater than `start_after`
  /// (empty: all). For logs.
  virtual Result<std::vector<FileInfo>> ListDirectly(const std::string& path,
                                                     const std::string& start_after) = 0;

  /// Removes one file; a missing one is fine.
  virtual Status Remove(const std::string& path) = 0;

  /// Removes many files, one after the other or as the store does it best; missing ones are fine.
  /// An error leaves the rest undecided.
  virtual Status RemoveAll(const std::vector<std::string>& paths);

  /// Ends writes that a dead process left open (temporary and staged files, multipart uploads), so
  /// that nothing invisible keeps costing: those into the folder `path_prefix`, at any depth, and
  /// those of files beside that folder whose names begin with its name. Returns how many. Writes of
  /// living processes under the prefix are ended too: callers choose a prefix that is theirs alone.
  virtual Result<int64_t> AbortPendingWrites(const std::string& path_prefix) = 0;

  /// Reads a whole small file, as it is at one moment.
  virtual Result<std::string> ReadAll(const std::string& path);
};

/// `folder` + "/" + `name` with exactly one '/' between them; `name` alone when `folder` is empty.
std::string JoinPath(std::string_view folder, std::string_view name);
/// What stands before the last '/': "/" for "/a", empty for "a".
std::string_view ParentOf(std::string_view path);
std::string_view BaseNameOf(std::string_view path);

}  // namespace lakeward::fs
