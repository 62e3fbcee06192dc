#include "lakeward/aws/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "lakeward/base/status.h"

namespace lakeward::aws {
namespace {

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string Digest(std::string_view bytes, const EVP_MD* algorithm) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  LW_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, algorithm, nullptr) == 1);
  return {reinterpret_cast<const char*>(digest.data()), length};
}

}  // namespace

std::string Sha256(std::string_view bytes) { return Digest(bytes, EVP_sha256()); }

std::string Md5(std::string_view bytes) { return Digest(bytes, EVP_md5()); }

std::string HmacSha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  LW_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(bytes), bytes.size(),
                digest.data(), &length) != nullptr);
  return {reinterpret_cast<const char*>(digest.data()), length};
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string Base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), Bytes(bytes),
                  static_cast<int>(bytes.size()));
  return text;
}

}  // namespace lakeward::aws
