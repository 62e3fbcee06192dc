#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lakeward/aws/credential_chain.h"
#include "lakeward/config/configuration.h"
#include "lakeward/net/http_client.h"
#include "lakeward/net/url.h"

namespace lakeward::fs {

/// A decision together with the place where a person would change it.
template <typename T>
struct WithOrigin {
  T value{};
  std::string origin;
};

struct S3Retries {
  int attempts_max = 10;      ///< tries of one request
  int64_t interval_ms = 100;  ///< before the second try
};

struct S3Transfer {
  int64_t part_bytes = 8 << 20;
  int active_parts_max = 4;            ///< of one file
  int64_t read_ahead_bytes = 4 << 20;  ///< 0: none
  int64_t page_keys_max = 1'000;
  int thread_count = 16;
  int requests_max = 96;
  bool deletes_many = true;
};

/// Everything that the client for one bucket needs to know, resolved from the configuration.
struct S3Settings {
  std::string bucket;
  /// Without the bucket, path "/"; nothing: Amazon's of the region.
  std::optional<WithOrigin<net::Url>> endpoint;
  WithOrigin<std::string> region;  ///< empty: not known yet
  WithOrigin<bool> path_style;
  bool is_tls = true;  ///< of the endpoint in force
  aws::CredentialSettings credentials;
  net::HttpClientOptions http;
  S3Retries retries;
  S3Transfer transfer;
  /// Fields of requests that make an object (encryption, access list, storage class), of those that
  /// read or write its bytes (customer keys), and of all (requester pays).
  net::HttpHeaders create_headers;
  net::HttpHeaders data_headers;
  net::HttpHeaders request_headers;
  bool allows_single_writer = false;

  /// Tells settings apart without showing a secret: equal settings have equal fingerprints.
  std::string fingerprint;
};

/// Reads the settings of a bucket. Nearer levels win; within the catalog's and the table's level,
/// and above the rest, per-bucket names beat general ones; environment variables come last. Key id,
/// secret and token come from one place. kConfig with origins for contradictions within a level,
/// malformed values and half a pair of keys.
Result<S3Settings> ResolveS3Settings(
    const config::Configuration& configuration, const std::string& bucket,
    const std::function<std::optional<std::string>(const std::string&)>& environment);

/// Whether a host is one of Amazon's, and the region that it names ("us-east-1" for
/// "s3.amazonaws.com"); nothing for other hosts.
std::optional<std::string> RegionOfAmazonHost(std::string_view host);

}  // namespace lakeward::fs
