#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lakeward/aws/credential_chain.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/mutex.h"
#include "lakeward/fs/s3/s3_client.h"
#include "lakeward/net/memory_http_client.h"

namespace lakeward::fs {

/// A store in memory that speaks S3 (path style), as far as the client uses it, for tests. It
/// checks that requests are signed and that the payload's hash fits. Thread-safe; the public fields
/// are set before use.
class S3Model {
 public:
  using Serve = std::function<net::HttpOutcome(const net::HttpRequest&)>;

  explicit S3Model(std::string bucket, Clock* clock = SystemClock());

  net::HttpOutcome Handle(const net::HttpRequest& request);

  /// Sees every request first; may answer itself or pass it on.
  std::function<net::HttpOutcome(const net::HttpRequest& request, const Serve& serve)> interceptor;
  bool ignores_conditions = false;
  bool knows_conditions = true;  ///< false: 501 for them
  int64_t page_keys_max = 1'000;

  /// "PUT key?query" of every request seen.
  std::vector<std::string> Seen();
  /// How many of them begin so.
  int SeenCount(const std::string& beginning);
  std::vector<std::string> Keys();
  size_t UploadCount();
  void PutObject(const std::string& key, const std::string& bytes);

 private:
  struct Object {
    std::string bytes;
    std::string etag;
    std::string writer_id;
    int64_t modification_time_us = 0;
  };
  struct Upload {
    std::string key;
    std::string writer_id;
    std::map<int, std::string> parts;
  };
  struct Call;

  net::HttpOutcome ServeIt(const net::HttpRequest& request);
  net::HttpOutcome ServeObject(const Call& call);
  net::HttpOutcome ServeUpload(const Call& call);
  net::HttpOutcome Complete(const Call& call, const Upload& upload);
  net::HttpOutcome GetObject(const Call& call, const Object& object);
  net::HttpOutcome List(const Call& call);
  net::HttpOutcome ListUploads(const Call& call);
  net::HttpOutcome DeleteMany(const Call& call);
  std::optional<net::HttpOutcome> Condition(const Call& call);

  const std::string bucket_;
  Clock* const clock_;
  Mutex mutex_;
  std::map<std::string, Object> objects_;
  std::map<std::string, Upload> uploads_;
  int upload_count_ = 0;
  std::vector<std::string> seen_;
};

/// Settings for "http://store.test" with small parts and quick retries, and a client for the model.
S3Settings ModelSettings(const std::string& bucket);
std::shared_ptr<S3Client> MakeModelClient(
    S3Model* model, S3Settings settings, Clock* clock,
    std::shared_ptr<aws::CredentialSource> credentials = nullptr);
std::shared_ptr<aws::CredentialSource> ModelCredentials();

/// An error as S3 words it.
net::HttpOutcome S3ErrorAnswer(int status, const std::string& code, const std::string& more = "",
                               net::HttpHeaders headers = {});

}  // namespace lakeward::fs
