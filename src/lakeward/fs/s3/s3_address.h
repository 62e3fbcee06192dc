#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lakeward/fs/s3/s3_settings.h"

namespace lakeward::fs {

using S3Query = std::vector<std::pair<std::string, std::string>>;

/// Where the objects of a bucket are: makes URLs. Immutable.
class S3Address {
 public:
  explicit S3Address(const S3Settings& settings);

  /// The URL of a key (empty: the bucket) in the region, with every byte of key and query escaped
  /// that a signature wants escaped.
  std::string UrlOf(std::string_view region, std::string_view key, const S3Query& query) const;

  /// Scheme, host and port that requests go to.
  std::string HostText(std::string_view region) const;
  /// Whether the region decides which host is asked.
  bool is_amazon() const { return is_amazon_; }
  bool is_tls() const { return is_tls_; }

 private:
  net::Url Base(std::string_view region) const;

  const std::string bucket_;
  const std::optional<net::Url> endpoint_;
  const std::string endpoint_region_;
  const bool is_amazon_;
  const bool is_tls_;
  const bool is_path_style_;
};

/// "us-east-1" where nobody knows better: the region that S3 takes when none is said.
inline constexpr std::string_view kDefaultRegion = "us-east-1";

}  // namespace lakeward::fs
