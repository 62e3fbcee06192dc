#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lakeward/base/executor.h"
#include "lakeward/fs/s3/s3_client.h"
#include "lakeward/fs/s3/s3_upload_memory.h"

namespace lakeward::fs {

/// Bytes on their way into one object: kept until they fill a part, then sent by the executor while
/// the writer goes on. A writer that is faster than the store waits; what fails in the background
/// is the error of the next call. One thread at a time.
class S3Upload {
 public:
  S3Upload(std::shared_ptr<S3Client> client, std::shared_ptr<Executor> executor,
           std::shared_ptr<S3UploadMemory> memory, std::string key);
  /// Gives up what was neither finished nor given up.
  ~S3Upload();
  S3Upload(const S3Upload&) = delete;
  S3Upload& operator=(const S3Upload&) = delete;

  Status Write(std::string_view bytes);
  int64_t size_bytes() const { return size_bytes_; }

  /// Whether nothing has been sent yet, so that pending_bytes() is everything.
  bool is_small() const { return upload_id_.empty(); }
  const std::string& pending_bytes() const { return pending_; }

  /// Sends what is left and waits until all parts are there. An empty upload has one empty part.
  Result<S3FinishedParts> FinishParts();
  /// Waits for parts under way and ends the upload.
  Status Abort();

 private:
  struct Shared;

  Status SendPart();
  Status WaitForParts(int active_max);

  const std::shared_ptr<S3Client> client_;
  const std::shared_ptr<Executor> executor_;
  const std::shared_ptr<S3UploadMemory> memory_;
  const std::string key_;
  const std::string writer_id_;
  const std::shared_ptr<Shared> shared_;
  std::string upload_id_;
  std::string pending_;
  int part_count_ = 0;
  int64_t size_bytes_ = 0;
};

}  // namespace lakeward::fs
