#include "lakeward/fs/s3/s3_object_headers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "fmt/format.h"
#include "lakeward/aws/digest.h"
#include "lakeward/json/json.h"

namespace lakeward::fs {
namespace {

constexpr size_t kCustomerKeyBytes = 32;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

// The bytes that a Base64 text stands for; empty when it is none.
std::string DecodeBase64(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int bit_count = 0;
  while (text.ends_with('=')) {
    text.remove_suffix(1);
  }
  for (const char c : text) {
    const size_t value = kLetters.find(c);
    if (value == std::string_view::npos) {
      return "";
    }
    bits = (bits << 6) | static_cast<uint32_t>(value);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      bytes += static_cast<char>((bits >> bit_count) & 0xFF);
    }
  }
  return bytes;
}

// "a=b, c=d", "a:b,c:d" or "{\"a\": \"b\"}" as the Base64 of a JSON object.
std::string EncodeContext(std::string_view context) {
  if (context.starts_with('{')) {
    context.remove_prefix(1);
    context = context.substr(0, context.rfind('}'));
  }
  json::Json object = json::Json::object();
  while (!context.empty()) {
    const std::string_view pair = context.substr(0, context.find(','));
    context.remove_prefix(std::min(context.size(), pair.size() + 1));
    // The separator is the first one outside of quotes: names such as "aws:s3:arn" are quoted.
    size_t separator = std::string_view::npos;
    bool is_quoted = false;
    for (size_t i = 0; i < pair.size() && separator == std::string_view::npos; ++i) {
      is_quoted ^= pair[i] == '"';
      if (!is_quoted && (pair[i] == '=' || pair[i] == ':')) {
        separator = i;
      }
    }
    if (separator != std::string_view::npos) {
      object[std::string(Trimmed(pair.substr(0, separator)))] =
          std::string(Trimmed(pair.substr(separator + 1)));
    }
  }
  return aws::Base64(json::Write(object));
}

}  // namespace

Status AddEncryptionHeaders(const S3Encryption& encryption, net::HttpHeaders* create,
                            net::HttpHeaders* data) {
  const std::string algorithm = Lower(encryption.algorithm);
  if (algorithm.empty() || algorithm == "none") {
    return Status::OK();
  }
  if (algorithm == "aes256" || algorithm == "sse-s3" || algorithm == "s3") {
    create->Set("x-amz-server-side-encryption", "AES256");
    return Status::OK();
  }
  const bool is_double = algorithm == "dsse-kms" || algorithm == "aws:kms:dsse";
  if (is_double || algorithm == "sse-kms" || algorithm == "aws:kms" || algorithm == "kms") {
    create->Set("x-amz-server-side-encryption", is_double ? "aws:kms:dsse" : "aws:kms");
    if (!encryption.key.empty()) {
      create->Set("x-amz-server-side-encryption-aws-kms-key-id", encryption.key.Reveal());
    }
    if (!encryption.context.empty()) {
      create->Set("x-amz-server-side-encryption-context", EncodeContext(encryption.context));
    }
    return Status::OK();
  }
  if (algorithm == "sse-c" || algorithm == "custom") {
    const std::string key = DecodeBase64(encryption.key.Reveal());
    if (key.size() != kCustomerKeyBytes) {
      return MakeError(ErrorKind::kConfig,
                       fmt::format("SSE-C is asked for ({}), but 'fs.s3a.encryption.key' is not a "
                                   "key of 256 bits in Base64",
                                   encryption.origin),
                       "Make one with: openssl rand -base64 32");
    }
    data->Set("x-amz-server-side-encryption-customer-algorithm", "AES256");
    data->Set("x-amz-server-side-encryption-customer-key", encryption.key.Reveal());
    data->Set("x-amz-server-side-encryption-customer-key-MD5", aws::Base64(aws::Md5(key)));
    return Status::OK();
  }
  return MakeError(ErrorKind::kConfig,
                   fmt::format("Invalid value for option 'fs.s3a.encryption.algorithm': '{}' is "
                               "not supported (from {})",
                               encryption.algorithm, encryption.origin),
                   "Use AES256, SSE-KMS, DSSE-KMS, SSE-C or none.");
}

Status AddAclHeader(std::string_view acl, std::string_view origin, net::HttpHeaders* create) {
  if (acl.empty()) {
    return Status::OK();
  }
  constexpr std::array<std::string_view, 8> kLists{
      "private",       "public-read",       "public-read-write",         "authenticated-read",
      "aws-exec-read", "bucket-owner-read", "bucket-owner-full-control", "log-delivery-write"};
  const auto without_hyphens = [](std::string_view name) {
    std::string plain = Lower(name);
    std::erase(plain, '-');
    return plain;
  };
  const std::string wanted = without_hyphens(acl);
  for (const std::string_view list : kLists) {
    if (without_hyphens(list) == wanted) {
      create->Set("x-amz-acl", std::string(list));
      return Status::OK();
    }
  }
  return MakeError(
      ErrorKind::kConfig,
      fmt::format("Invalid value for option 'fs.s3a.acl.default': '{}' is no canned access list "
                  "(from {})",
                  acl, origin),
      fmt::format("Use one of {}.", fmt::join(kLists, ", ")));
}

std::string StorageClassOf(std::string_view text) {
  std::string name(text);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  return name;
}

}  // namespace lakeward::fs
