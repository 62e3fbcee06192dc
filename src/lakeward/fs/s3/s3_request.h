#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lakeward/fs/s3/s3_address.h"
#include "lakeward/net/http_client.h"

namespace lakeward::fs {

/// The field in which an object keeps who wrote it, by which a writer knows its own again.
inline constexpr const char* kS3WriterField = "x-amz-meta-lakeward-writer";

/// One call of the S3 interface, unsigned. What it points to must live until it has been answered.
struct S3Request {
  net::HttpMethod method = net::HttpMethod::kGet;
  std::string doing;  ///< for errors: "read", "write", "list"
  std::string key;    ///< empty: the bucket
  S3Query query;
  net::HttpHeaders headers;
  std::string_view body;
  std::function<Status(std::string_view piece)> body_sink;
  /// Called before each try: may change the headers of a repeated one (a range that goes on).
  std::function<void(net::HttpHeaders* headers)> before_try;
  /// Status codes beyond 2xx that are answers to the caller, not errors.
  std::vector<int> expected;
  bool makes_object = false;       ///< gets the fields of encryption, access list and class
  bool moves_bytes = false;        ///< gets the customer's key
  bool may_carry_error = false;    ///< a 200 may hold an <Error> instead of a result
  bool retries_conflicts = false;  ///< 409 means: the same again
};

/// What the store says of an error.
struct S3Error {
  std::string code;  ///< "NoSuchKey"; empty where there was no body
  std::string message;
  std::string region;    ///< where the bucket is, if the answer says so
  std::string endpoint;  ///< the host to ask instead, if the answer says so
  std::string request_id;
};

S3Error ParseS3Error(const net::HttpResponse& response);

struct S3Answer {
  net::HttpResponse response;
  S3Error error;  ///< of an expected code beyond 2xx
  /// Whether an earlier try may have been carried out although its answer did not come.
  bool may_have_been_done_before = false;
};

}  // namespace lakeward::fs
