#include "lakeward/base/secret.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lakeward {
namespace {

constexpr std::array<std::string_view, 13> kSecretParts{
    "secret",       "password",       "apikey",      "api-key",    "access-key",
    "access.key",   "auth-params",    "service-key", "basic-auth", "account.key",
    "http-headers", "encryption.key", "sse.key"};
constexpr std::array<std::string_view, 2> kSecretEndings{"token", "jaas.config"};

}  // namespace

bool IsSecretKey(std::string_view key) {
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(
             kSecretParts.begin(), kSecretParts.end(),
             [&](std::string_view part) { return lower.find(part) != std::string::npos; }) ||
         std::any_of(kSecretEndings.begin(), kSecretEndings.end(),
                     [&](std::string_view ending) { return lower.ends_with(ending); });
}

}  // namespace lakeward
