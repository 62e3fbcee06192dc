#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"
#include "lakeward/fs/s3/s3_sender.h"

namespace lakeward::fs {

struct S3ObjectInfo {
  int64_t size_bytes = 0;
  int64_t modification_time_us = 0;
  std::string etag;
  std::string writer_id;  ///< what Put and CreateUpload were given; empty: made by others
};

/// The first bytes of an object, and what it is.
struct S3Beginning {
  S3ObjectInfo info;
  std::string bytes;
};

struct S3ListedObject {
  std::string key;
  int64_t size_bytes = 0;
  int64_t modification_time_us = 0;
};

struct S3PendingUpload {
  std::string key;
  std::string upload_id;
};

/// An upload whose parts are all there.
struct S3FinishedParts {
  std::string key;
  std::string upload_id;
  std::string writer_id;
  std::vector<std::string> etags;  ///< of the parts, from the first
  int64_t size_bytes = 0;
};

/// The calls on one bucket, each finished with one answer or error (S3Sender says how). Keys are
/// any bytes that S3 allows, unescaped. Thread-safe; every call blocks.
class S3Client {
 public:
  S3Client(S3Settings settings, S3Means means);

  /// kNotFound when there is no object.
  Result<S3ObjectInfo> Head(const std::string& key);
  Result<std::string> Get(const std::string& key);
  /// At most `length` bytes.
  Result<S3Beginning> GetBeginning(const std::string& key, int64_t length);
  /// Exactly `length` bytes at `offset` into `target`; a download that breaks off goes on where it
  /// ended. kIo when the object is no longer the one of `etag`.
  Status GetRange(const std::string& key, const std::string& etag, int64_t offset, int64_t length,
                  char* target);

  Status Put(const std::string& key, std::string_view bytes);
  /// kAlreadyExists when there is an object. The first call proves that the store minds the
  /// condition, by sending it again; a store that does not is refused (kUnsupported, the object is
  /// removed again) unless the settings allow a single writer.
  Status PutIfAbsent(const std::string& key, std::string_view bytes);

  /// A missing object is fine.
  Status Delete(const std::string& key);
  Status DeleteMany(const std::vector<std::string>& keys);

  /// Every object whose key begins with `prefix` and is greater than `start_after`, in byte order;
  /// with a delimiter only those without it after the prefix. Markers of folders (keys that end in
  /// '/') are left out.
  Result<std::vector<S3ListedObject>> List(const std::string& prefix, std::string_view delimiter,
                                           const std::string& start_after);

  /// Begins an upload and returns its id. Uploads to the same key that an unanswered try may have
  /// begun are ended.
  Result<std::string> CreateUpload(const std::string& key, const std::string& writer_id);
  /// Sends part `number` (from 1) and returns its ETag.
  Result<std::string> UploadPart(const std::string& key, const std::string& upload_id, int number,
                                 std::string_view bytes);
  /// Makes the object. Finishing what is finished already is success while the object is ours.
  /// kNotFound when upload and object are gone, kAlreadyExists with `if_absent`.
  Status CompleteUpload(const S3FinishedParts& parts, bool if_absent);
  /// One that is gone is fine.
  Status AbortUpload(const std::string& key, const std::string& upload_id);
  Result<std::vector<S3PendingUpload>> ListUploads(const std::string& prefix);

  const S3Settings& settings() const { return sender_.settings(); }
  std::string NewWriterId();

 private:
  enum class Condition { kUnknown, kHonoured, kIgnored };

  Result<S3Answer> SendPut(const std::string& key, std::string_view bytes,
                           const std::string& writer_id);
  Status ProveCondition(const std::string& key, std::string_view bytes,
                        const std::string& writer_id);
  Status PutWithoutCondition(const std::string& key, std::string_view bytes);
  Status SettleAbsence(const std::string& key, const std::string& writer_id,
                       const S3Answer& answer);
  Status CheckMade(const S3FinishedParts& parts);

  S3Sender sender_;
  Random* const random_;
  std::atomic<Condition> condition_{Condition::kUnknown};
};

}  // namespace lakeward::fs
