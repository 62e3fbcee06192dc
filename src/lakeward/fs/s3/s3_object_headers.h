#pragma once

#include <string>
#include <string_view>

#include "lakeward/base/secret.h"
#include "lakeward/base/status.h"
#include "lakeward/net/http_headers.h"

namespace lakeward::fs {

/// Server-side encryption as the configuration words it.
struct S3Encryption {
  std::string algorithm;  ///< "AES256", "SSE-S3", "SSE-KMS", "aws:kms", "SSE-C" …; empty: none
  Secret key;             ///< KMS key id, or the customer's key in Base64
  std::string context;    ///< "a=b, c=d" or "a:b,c:d"
  std::string origin;
};

/// Adds the fields that ask for it: to `create` those of requests that make an object, to `data`
/// those of every request that reads or writes its bytes. kConfig for unknown algorithms, those
/// that encrypt on the client, and malformed keys.
Status AddEncryptionHeaders(const S3Encryption& encryption, net::HttpHeaders* create,
                            net::HttpHeaders* data);

/// A canned access list: Hadoop's spelling ("BucketOwnerFullControl") or S3's own.
Status AddAclHeader(std::string_view acl, std::string_view origin, net::HttpHeaders* create);

/// "STANDARD_IA" of "standard_ia".
std::string StorageClassOf(std::string_view text);

}  // namespace lakeward::fs
