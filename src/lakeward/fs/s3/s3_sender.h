#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "lakeward/aws/credential_chain.h"
#include "lakeward/base/clock.h"
#include "lakeward/base/mutex.h"
#include "lakeward/base/random.h"
#include "lakeward/fs/s3/s3_error.h"
#include "lakeward/fs/s3/s3_request.h"
#include "lakeward/fs/s3/s3_settings.h"

namespace lakeward::fs {

/// What a sender needs besides settings. Clock and random must outlive it.
struct S3Means {
  std::shared_ptr<net::HttpClient> http;
  std::shared_ptr<aws::CredentialSource> credentials;
  Clock* clock = nullptr;
  Random* random = nullptr;
};

/// Sends requests for one bucket until each is answered: waits for its turn, signs at that moment,
/// follows the bucket to its region, learns the store's clock, renews expired credentials, tries
/// again within one budget. Until something has succeeded here, what looks like a wrong setting is
/// final after 2 tries and 3 s. Later errors carry the last requests of their job.
/// Thread-safe; Send blocks.
class S3Sender {
 public:
  S3Sender(S3Settings settings, S3Means means);

  /// A 2xx answer or one that the request expects; otherwise the error of ErrorOf.
  Result<S3Answer> Send(const S3Request& request);

  const S3Settings& settings() const { return settings_; }
  /// "http://127.0.0.1:9000", where requests go now.
  std::string HostText();
  /// Whether anything has succeeded here yet.
  bool has_contact() const { return has_contact_; }

 private:
  struct Progress;

  net::HttpRequest Prepare(const S3Request& request, const aws::Credentials& credentials,
                           Progress* progress);
  bool MayTryAgain(S3Trouble trouble, const S3Failure& failure, const aws::Credentials& credentials,
                   Progress* progress);
  bool FollowElsewhere(const S3Failure& failure, Progress* progress);
  bool LearnClock(const net::HttpResponse& response, Progress* progress);
  void PauseBefore(int next_try);
  void Record(const S3Request& request, const net::HttpOutcome& outcome, int64_t elapsed_us,
              Progress* progress);
  Status WithLastRequests(const Status& error, const Progress& progress) const;
  std::string Region();

  const S3Settings settings_;
  const S3Means means_;
  const S3Address address_;
  std::atomic<bool> has_contact_{false};
  std::atomic<int64_t> clock_offset_us_{0};  // the store's time minus ours
  std::atomic<int64_t> request_count_{0};

  Mutex mutex_;
  CondVar turn_;
  int under_way_ = 0;
  std::string region_;
};

}  // namespace lakeward::fs
