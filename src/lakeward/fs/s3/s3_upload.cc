#include "lakeward/fs/s3/s3_upload.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "lakeward/base/log.h"
#include "lakeward/base/mutex.h"

namespace lakeward::fs {
namespace {

// S3's own limit.
constexpr int kPartsMax = 10'000;

}  // namespace

// What the parts under way write to; outlives the upload where the process ends early.
struct S3Upload::Shared {
  Mutex mutex;
  CondVar changed;
  int active = 0;
  Status first_error;
  std::vector<std::string> etags;
};

S3Upload::S3Upload(std::shared_ptr<S3Client> client, std::shared_ptr<Executor> executor,
                   std::shared_ptr<S3UploadMemory> memory, std::string key)
    : client_(std::move(client)),
      executor_(std::move(executor)),
      memory_(std::move(memory)),
      key_(std::move(key)),
      writer_id_(client_->NewWriterId()),
      shared_(std::make_shared<Shared>()) {}

S3Upload::~S3Upload() {
  const Status status = Abort();
  if (!status.ok()) {
    Log(LogLevel::kWarn, "s3", status.message());
  }
}

Status S3Upload::Write(std::string_view bytes) {
  const auto part_bytes = static_cast<size_t>(client_->settings().transfer.part_bytes);
  while (!bytes.empty()) {
    const size_t count = std::min(bytes.size(), part_bytes - pending_.size());
    if (part_count_ > 0 && pending_.empty()) {
      pending_.reserve(part_bytes);
    }
    pending_ += bytes.substr(0, count);
    size_bytes_ += static_cast<int64_t>(count);
    bytes.remove_prefix(count);
    if (pending_.size() == part_bytes) {
      LW_TRY(SendPart());
    }
  }
  return Status::OK();
}

Status S3Upload::SendPart() {
  if (part_count_ == kPartsMax) {
    return MakeError(ErrorKind::kUnsupported,
                     fmt::format("Cannot write s3://{}/{}: a file has at most {} parts",
                                 client_->settings().bucket, key_, kPartsMax),
                     "Raise 'fs.s3a.multipart.size'.");
  }
  if (upload_id_.empty()) {
    LW_ASSIGN(upload_id_, client_->CreateUpload(key_, writer_id_));
  }
  LW_TRY(WaitForParts(client_->settings().transfer.active_parts_max - 1));
  memory_->Take(std::ssize(pending_));
  const int number = ++part_count_;
  {
    MutexLock lock(&shared_->mutex);
    ++shared_->active;
    shared_->etags.resize(static_cast<size_t>(number));
  }
  // The executor itself must not be held by its own work: the last holder waits for its threads.
  executor_->Submit([client = client_, memory = memory_, shared = shared_, key = key_,
                     upload_id = upload_id_, number,
                     bytes = std::exchange(pending_, "")]() mutable {
    Result<std::string> etag = client->UploadPart(key, upload_id, number, bytes);
    const int64_t freed = std::ssize(bytes);
    bytes = std::string();
    memory->Give(freed);
    MutexLock lock(&shared->mutex);
    if (etag.ok()) {
      shared->etags[static_cast<size_t>(number) - 1] = *std::move(etag);
    } else if (shared->first_error.ok()) {
      shared->first_error = etag.status();
    }
    --shared->active;
    shared->changed.NotifyAll();
  });
  return Status::OK();
}

Status S3Upload::WaitForParts(int active_max) {
  MutexLock lock(&shared_->mutex);
  while (shared_->active > active_max) {
    shared_->changed.Wait(&shared_->mutex);
  }
  return shared_->first_error;
}

Result<S3FinishedParts> S3Upload::FinishParts() {
  if (!pending_.empty() || part_count_ == 0) {
    LW_TRY(SendPart());
  }
  LW_TRY(WaitForParts(0));
  S3FinishedParts parts;
  parts.key = key_;
  parts.writer_id = writer_id_;
  parts.size_bytes = size_bytes_;
  parts.etags = shared_->etags;
  parts.upload_id = std::exchange(upload_id_, "");
  return parts;
}

Status S3Upload::Abort() {
  (void)WaitForParts(0);
  pending_.clear();
  if (upload_id_.empty()) {
    return Status::OK();
  }
  return client_->AbortUpload(key_, std::exchange(upload_id_, ""));
}

}  // namespace lakeward::fs
