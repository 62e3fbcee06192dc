#include "lakeward/fs/s3/s3_address.h"

#include "fmt/format.h"

namespace lakeward::fs {

S3Address::S3Address(const S3Settings& settings)
    : bucket_(settings.bucket),
      endpoint_(settings.endpoint.has_value() ? std::optional(settings.endpoint->value)
                                              : std::nullopt),
      endpoint_region_(endpoint_.has_value() ? RegionOfAmazonHost(endpoint_->host).value_or("")
                                             : ""),
      is_amazon_(!endpoint_.has_value() || RegionOfAmazonHost(endpoint_->host).has_value()),
      is_tls_(settings.is_tls),
      is_path_style_(settings.path_style.value) {}

net::Url S3Address::Base(std::string_view region) const {
  // A regional endpoint of Amazon's is left for that of the region where the bucket turned out to
  // be.
  const bool is_elsewhere = !endpoint_region_.empty() && region != endpoint_region_;
  net::Url base;
  if (endpoint_.has_value() && !is_elsewhere) {
    base = *endpoint_;
  } else {
    base.scheme = is_tls_ ? "https" : "http";
    base.host =
        fmt::format("s3.{}.amazonaws.com{}", region, region.starts_with("cn-") ? ".cn" : "");
  }
  if (!is_path_style_) {
    base.host = fmt::format("{}.{}", bucket_, base.host);
  }
  return base;
}

std::string S3Address::UrlOf(std::string_view region, std::string_view key,
                             const S3Query& query) const {
  net::Url url = Base(region);
  url.path = is_path_style_ ? "/" + net::EncodePath(bucket_) : "";
  if (!key.empty() || url.path.empty()) {
    url.path += "/" + net::EncodePath(key);
  }
  for (const auto& [name, value] : query) {
    url.query += fmt::format("{}{}={}", url.query.empty() ? "" : "&", net::EncodeComponent(name),
                             net::EncodeComponent(value));
  }
  return url.ToText();
}

std::string S3Address::HostText(std::string_view region) const {
  const net::Url base = Base(region);
  return fmt::format("{}://{}", base.scheme, base.Authority());
}

}  // namespace lakeward::fs
