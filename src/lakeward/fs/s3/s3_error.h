#pragma once

#include <string>

#include "lakeward/base/status.h"
#include "lakeward/fs/s3/s3_request.h"
#include "lakeward/fs/s3/s3_settings.h"

namespace lakeward::fs {

/// What a failed request is judged by, and told with.
struct S3Failure {
  const S3Request* request = nullptr;
  const net::HttpOutcome* outcome = nullptr;
  S3Error error;
  std::string region;  ///< that the request was signed for
  std::string host;    ///< "http://127.0.0.1:9000"
  std::string credentials_origin;
  bool is_first_contact = false;  ///< nothing has succeeded at this place in this process yet
  int tries = 1;
};

/// What to do about it.
enum class S3Trouble {
  kNone,
  kSetup,       ///< probably a wrong setting: final at once until something has succeeded here
  kConnection,  ///< broken off, stalled
  kBusy,        ///< 5xx, 429: the same again, later
  kDenied,      ///< the store knows who we are and refuses, or does not know us
  kExpired,     ///< the credentials' time is over
  kClock,       ///< our clock differs from the store's
  kElsewhere,   ///< the bucket is in another region or at another host
  kFinal,       ///< trying again cannot help
};

S3Trouble Judge(const S3Failure& failure);

/// The error for people: object, cause, where the setting in question came from, remedy. Before
/// first contact kConfig where a setting is the likely cause; no secret is in it.
Status ErrorOf(const S3Failure& failure, const S3Settings& settings);

/// "Cannot list s3://b/t/": what was tried, with the object or the prefix.
std::string CannotDo(const S3Request& request, const std::string& bucket);

}  // namespace lakeward::fs
