#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lakeward/aws/credentials.h"
#include "lakeward/net/http_client.h"

namespace lakeward::aws {

/// In place of a payload's hash where TLS already guards the body (S3 only).
inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

/// Where and when a signature is valid.
struct SigningScope {
  std::string region;   ///< "us-east-1"
  std::string service;  ///< "s3", "sts"
  int64_t time_us = 0;  ///< wall time of the other side, which allows a quarter of an hour
};

/// The SHA-256 of a body in hexadecimal digits.
std::string PayloadHash(std::string_view body);

/// Signs with AWS Signature Version 4: sets x-amz-date, x-amz-security-token where there is one,
/// for S3 x-amz-content-sha256, and Authorization; fields that were there under these names are
/// replaced. All other fields present are signed too, User-Agent excepted; the host is that of the
/// URL. The path is signed as it stands in the URL (S3's rule; the same as the general one for a
/// path of "/"). Does nothing for anonymous credentials.
void SignRequest(const Credentials& credentials, const SigningScope& scope,
                 std::string_view payload_hash, net::HttpRequest* request);

}  // namespace lakeward::aws
